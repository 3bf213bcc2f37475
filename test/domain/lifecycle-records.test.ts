/*
 * What each transition leaves in the record, to the member.
 *
 * Mutants that nothing can tell from the code, and why:
 * - the guards that throw a RangeError where there is no proposal or nothing decided: the transition table leads to
 *   neither; they are for the types
 * - the check for a proposal when one is rejected: what has none and is no candidate cannot be rejected
 * - `version === 0` beside `standing === 'absent'`: nothing to see has version 0, and the line below throws the same
 */
import { describe, expect, it } from 'vitest';
import { applyAssessment, type Decision, decide, standingOf } from '../../lib/domain/lifecycle.ts';
import { proposalOf, type StoredMemory } from '../../lib/domain/stored-memory.ts';
import { valueDigest } from '../../lib/domain/value.ts';
import { viewOf } from '../../lib/domain/view.ts';
import { account, categoryBody, derived, MOMENT, ORG, storedMemory } from '../support/builders.ts';

const A = categoryBody('Vercel', 'a');
const B = categoryBody('Vercel', 'b');
const LATER = MOMENT + 1000;
const AT = new Date(LATER).toISOString();
const { orgId, dedupKey, owner, kind } = storedMemory({ body: A });
const PLACE = { orgId, dedupKey, owner, kind };

const act = (memory: StoredMemory | undefined, name: Decision['act'], more: Partial<Decision> = {}) =>
  decide(PLACE, memory, { act: name, by: 'u_2', now: LATER, newestVoteAt: 0, ...more });
const candidate = storedMemory({ body: A, decided: null, derived: {} });
const active = storedMemory({ body: A });
const proposing = storedMemory({ body: A, derived: { content: B.content } });
const thrown = (run: () => unknown): unknown => {
  try {
    return run();
  } catch (error) {
    return error;
  }
};

describe('the record of an act', () => {
  it('of a first save is the whole item', () => {
    expect(act(undefined, 'save', { content: A.content }).next).toStrictEqual({
      ...PLACE,
      decided: {
        status: 'active',
        content: A.content,
        source: 'user_declared',
        confidence: 1,
        evidenceCount: 0,
      },
      support: 0,
      turnedDown: [],
      decidedAt: LATER,
      version: 1,
      rev: 1,
      createdAt: LATER,
      createdBy: 'u_2',
      updatedAt: LATER,
      updatedBy: 'u_2',
      history: [{ at: AT, by: 'u_2', action: 'saved', to: 'active', content: A.content }],
    });
  });

  it.each([
    [
      'save',
      candidate,
      { content: B.content },
      { action: 'saved', from: 'candidate', to: 'active', content: B.content },
    ],
    ['approve', candidate, {}, { action: 'approved', from: 'candidate', to: 'active', content: A.content }],
    ['reject', candidate, {}, { action: 'rejected', from: 'candidate', to: 'rejected', content: A.content }],
    ['approve', proposing, {}, { action: 'approved', from: 'active', to: 'active', content: B.content }],
    [
      'reject',
      proposing,
      { reason: 'no' },
      { action: 'rejected', from: 'active', to: 'active', content: B.content, reason: 'no' },
    ],
    [
      'archive',
      proposing,
      { reason: 'old' },
      { action: 'archived', from: 'active', to: 'archived', content: A.content, reason: 'old' },
    ],
  ] as const)('of %s tells from where, to where, and of what', (name, memory, more, entry) => {
    expect(act(memory, name, more).next?.history).toStrictEqual([{ at: AT, by: 'u_2', ...entry }]);
  });

  it('of a rejected proposal has each value that was turned down once, the last one last', () => {
    const before = storedMemory({
      body: A,
      derived: { content: B.content },
      turnedDown: [valueDigest(B), 'x'],
    });
    expect(act(before, 'reject').next?.turnedDown).toEqual(['x', valueDigest(B)]);
  });

  it('of a rejected candidate has its value among those turned down once', () => {
    const before = { ...candidate, turnedDown: [valueDigest(A), 'x'] };
    expect(act(before, 'reject').next?.turnedDown).toEqual(['x', valueDigest(A)]);
  });
});

describe('a refusal', () => {
  it('of a save without content is a fault of the caller', () => {
    expect(() => act(undefined, 'save')).toThrow(new RangeError('a save says what it saves'));
  });

  it('of another version names the one that stands', () => {
    expect(thrown(() => act(active, 'archive', { expectedVersion: 4 }))).toMatchObject({
      code: 'version-conflict',
      message: 'The version stored is 1.',
      extra: { version: 1 },
    });
  });

  it('of a save that expects a version where nothing is says so, and of any other act that nothing is there', () => {
    const conflict = { code: 'version-conflict', extra: { version: 0 } };
    const save = { content: A.content, expectedVersion: 2 };
    expect(thrown(() => act(undefined, 'save', save))).toMatchObject(conflict);
    expect(thrown(() => act(undefined, 'archive', { expectedVersion: 2 }))).toMatchObject({
      code: 'not-found',
      message: 'There is no such memory.',
    });
  });

  it('of an act that does not apply says how the memory stands', () => {
    const withdrawn = storedMemory({
      body: A,
      decided: { status: 'rejected' },
      derived: { content: B.content },
    });
    expect(thrown(() => act(withdrawn, 'archive'))).toMatchObject({
      code: 'not-applicable',
      message: "A memory that is rejected with a proposal cannot take 'archive'.",
    });
  });
});

describe('the record of an assessment', () => {
  const proposed = {
    content: A.content,
    confidence: 0.8,
    evidenceCount: 3,
    source: 'manual_correction',
  } as const;

  it('of a first proposal is the whole item, made by the system', () => {
    expect(applyAssessment(PLACE, undefined, { proposed, support: 0 }, LATER)).toEqual({
      proposes: true,
      next: {
        ...PLACE,
        derived: { ...proposed, proposedAt: LATER },
        support: 0,
        turnedDown: [],
        decidedAt: 0,
        version: 1,
        rev: 1,
        createdAt: LATER,
        createdBy: 'system',
        updatedAt: LATER,
        updatedBy: 'system',
        history: [],
      },
    });
  });

  it('of nothing that changes is nothing, and proposes nothing', () => {
    expect(applyAssessment(PLACE, undefined, { support: 0 }, LATER)).toEqual({ proposes: false });
    expect(applyAssessment(PLACE, active, { support: 0 }, LATER)).toEqual({ proposes: false });
    const standing = { ...candidate, derived: { ...proposed, proposedAt: MOMENT } };
    expect(applyAssessment(PLACE, standing, { proposed, support: 0 }, LATER)).toEqual({ proposes: false });
  });

  it('of a withdrawal has no derived part and proposes nothing', () => {
    const { proposes, next } = applyAssessment(PLACE, candidate, { support: 0 }, LATER);
    expect(proposes).toBe(false);
    expect(next).not.toHaveProperty('derived');
    expect(next).toMatchObject({ version: 2, updatedAt: LATER, updatedBy: 'system' });
  });

  it('of support alone shows in no version, and is taken back the same way', () => {
    const supported = applyAssessment(PLACE, active, { support: 2 }, LATER);
    expect(supported).toMatchObject({ proposes: false, next: { support: 2, version: 1, updatedAt: MOMENT } });
    const { next } = applyAssessment(PLACE, supported.next, { support: 0 }, LATER);
    expect(next).toMatchObject({ support: 0, version: 1, rev: 3 });
  });
});

describe('an imported candidate', () => {
  const imported = derived({ content: B.content, source: 'system', confidence: 0.5, evidenceCount: 0 });
  const item: StoredMemory = { ...storedMemory({ body: A, decided: null }), imported };
  const accounts = new Map(['a', 'b'].map((id) => [id, account({ id })]));

  it('stands like one of the evidence, and behind it', () => {
    expect(standingOf(item)).toBe('candidate');
    expect(proposalOf(item)).toBe(imported);
    expect(viewOf(item, accounts)).toMatchObject({ status: 'candidate', source: 'system', confidence: 0.5 });
    const shown = { ...item, derived: derived() };
    expect(proposalOf(shown)).toBe(shown.derived);
    const { next } = applyAssessment(PLACE, shown, { support: 0 }, LATER);
    expect(next?.imported).toBe(imported);
    expect(standingOf(next)).toBe('candidate');
  });

  it.each([
    ['approve', 'activated', { status: 'active', content: B.content, source: 'system', confidence: 0.5 }],
    ['reject', 'rejected', { status: 'rejected', content: B.content, source: 'system' }],
    ['save', 'activated', { status: 'active', content: A.content, source: 'user_declared' }],
  ] as const)('is gone once a person decides: %s', (name, outcome, decided) => {
    const more = name === 'save' ? { content: A.content } : {};
    const { outcome: got, next } = act(item, name, more);
    expect(got).toBe(outcome);
    expect(next?.decided).toMatchObject(decided);
    expect(next).not.toHaveProperty('imported');
    expect(next?.turnedDown).toEqual(name === 'reject' ? [valueDigest(B)] : []);
  });

  it('is no proposal beside what was decided', () => {
    expect(proposalOf({ ...active, imported })).toBeUndefined();
    expect(standingOf({ ...active, imported })).toBe('active');
  });

  it('is of this org like any other', () => expect(item.orgId).toBe(ORG));
});
