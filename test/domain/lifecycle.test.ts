import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Act,
  applyAssessment,
  type Decision,
  decide,
  type Outcome,
  type Standing,
  standingOf,
  visibleVersion,
} from '../../lib/domain/lifecycle.ts';
import { HISTORY_LIMIT, type StoredMemory } from '../../lib/domain/stored-memory.ts';
import { valueDigest } from '../../lib/domain/value.ts';
import { categoryBody, decided, derived, MOMENT, storedMemory } from '../support/builders.ts';

const A = categoryBody('Vercel', 'a');
const B = categoryBody('Vercel', 'b');

const ITEMS: Readonly<Record<Standing, StoredMemory | undefined>> = {
  absent: undefined,
  candidate: storedMemory({ body: A, decided: null, derived: {} }),
  active: storedMemory({ body: A }),
  'active+proposal': storedMemory({ body: A, derived: { content: B.content } }),
  rejected: storedMemory({ body: A, decided: { status: 'rejected' }, turnedDown: [valueDigest(A)] }),
  'rejected+proposal': storedMemory({
    body: A,
    decided: { status: 'rejected' },
    derived: { content: B.content },
    turnedDown: [valueDigest(A)],
  }),
  archived: storedMemory({ body: A, decided: { status: 'archived' }, turnedDown: [valueDigest(A)] }),
  'archived+proposal': storedMemory({
    body: A,
    decided: { status: 'archived' },
    derived: { content: B.content },
    turnedDown: [valueDigest(A)],
  }),
};

const PLACE = storedMemory({ body: A });
const LATER = MOMENT + 1000;

function act(standing: Standing, name: Act, more: Partial<Decision> = {}) {
  const content = name === 'save' ? { content: B.content } : {};
  return decide(PLACE, ITEMS[standing], {
    act: name,
    by: 'u_2',
    now: LATER,
    newestVoteAt: 0,
    ...content,
    ...more,
  });
}

describe('the transition table', () => {
  it.each<[Standing, Act, Outcome, Standing]>([
    ['absent', 'save', 'created', 'active'],
    ['candidate', 'save', 'activated', 'active'],
    ['active', 'save', 'replaced', 'active'],
    ['active+proposal', 'save', 'replaced', 'active'],
    ['rejected', 'save', 'restored', 'active'],
    ['rejected+proposal', 'save', 'restored', 'active'],
    ['archived', 'save', 'restored', 'active'],
    ['archived+proposal', 'save', 'restored', 'active'],
    ['candidate', 'approve', 'activated', 'active'],
    ['active+proposal', 'approve', 'replaced', 'active'],
    ['rejected+proposal', 'approve', 'replaced', 'active'],
    ['archived+proposal', 'approve', 'replaced', 'active'],
    ['candidate', 'reject', 'rejected', 'rejected'],
    ['active+proposal', 'reject', 'proposal-rejected', 'active'],
    ['rejected+proposal', 'reject', 'proposal-rejected', 'rejected'],
    ['archived+proposal', 'reject', 'proposal-rejected', 'archived'],
    ['rejected', 'restore', 'restored', 'active'],
    ['archived', 'restore', 'restored', 'active'],
    ['active', 'archive', 'archived', 'archived'],
    ['active+proposal', 'archive', 'archived', 'archived'],
  ])('%s, %s: %s, then %s', (from, name, outcome, to) => {
    const { next, outcome: got } = act(from, name);
    expect(got).toBe(outcome);
    expect(standingOf(next)).toBe(to);
    expect(next?.version).toBe((ITEMS[from]?.version ?? 0) + 1);
    expect(next?.rev).toBe((ITEMS[from]?.rev ?? 0) + 1);
    expect(next?.history.at(-1)).toMatchObject({ by: 'u_2', to: to.split('+')[0] });
  });

  it.each<[Standing, Act]>([
    ['active', 'approve'],
    ['active', 'reject'],
    ['active', 'restore'],
    ['rejected', 'approve'],
    ['rejected', 'reject'],
    ['rejected', 'archive'],
    ['archived', 'approve'],
    ['candidate', 'archive'],
    ['candidate', 'restore'],
  ])('has nothing for %s, %s', (from, name) => {
    expect(() => act(from, name)).toThrow(expect.objectContaining({ code: 'not-applicable' }));
  });

  it.each<Act>(['approve', 'reject', 'restore', 'archive'])(
    'finds nothing to %s where nothing is',
    (name) => {
      expect(() => act('absent', name)).toThrow(expect.objectContaining({ code: 'not-found' }));
      expect(() => act('absent', name, { expectedVersion: 3 })).toThrow(
        expect.objectContaining({ code: 'not-found' }),
      );
    },
  );

  it.each<Standing>(['archived', 'archived+proposal'])('archives %s again without a write', (standing) => {
    expect(act(standing, 'archive')).toEqual({ outcome: 'unchanged' });
  });
});

describe('a decision', () => {
  it('is bound to the version that was shown', () => {
    expect(() => act('candidate', 'approve', { expectedVersion: 7 })).toThrow(
      expect.objectContaining({ code: 'version-conflict' }),
    );
    expect(act('candidate', 'approve', { expectedVersion: 1 }).outcome).toBe('activated');
    expect(() => act('active', 'save', { expectedVersion: 0 })).toThrow(
      expect.objectContaining({ code: 'version-conflict' }),
    );
    expect(act('absent', 'save', { expectedVersion: 0 }).outcome).toBe('created');
  });

  it('saves the same again without a write, but over a proposal it is a word against the proposal', () => {
    expect(act('active', 'save', { content: A.content })).toEqual({ outcome: 'unchanged' });
    const { outcome, next } = act('active+proposal', 'save', { content: A.content });
    expect(outcome).toBe('unchanged');
    expect(next?.derived).toBeUndefined();
    expect(next?.version).toBe(2);
  });

  it('moves past what was assessed, whatever the clock says', () => {
    expect(act('candidate', 'approve').next?.decidedAt).toBe(LATER);
    expect(act('candidate', 'approve', { newestVoteAt: LATER + 99 }).next?.decidedAt).toBe(LATER + 100);
    expect(act('active', 'archive', { now: 5 }).next?.decidedAt).toBe(MOMENT + 1);
  });

  it('remembers what was turned down, and forgets it when a person says it again', () => {
    expect(act('candidate', 'reject').next?.turnedDown).toEqual([valueDigest(A)]);
    expect(act('active+proposal', 'reject').next?.turnedDown).toEqual([valueDigest(B)]);
    expect(act('active', 'archive').next?.turnedDown).toEqual([valueDigest(A)]);
    expect(act('archived', 'restore').next?.turnedDown).toEqual([]);
    expect(act('rejected', 'save', { content: A.content }).next?.turnedDown).toEqual([]);
    expect(act('rejected', 'save', { content: B.content }).next?.turnedDown).toEqual([valueDigest(A)]);
  });

  it('keeps the count and confidence it approves, and starts a declared memory at none', () => {
    expect(act('candidate', 'approve').next?.decided).toMatchObject({
      confidence: 0.8,
      evidenceCount: 3,
      source: 'manual_correction',
    });
    expect(act('candidate', 'save').next?.decided).toMatchObject({
      confidence: 1,
      evidenceCount: 0,
      source: 'user_declared',
    });
  });

  it('counts the support so far in when it keeps the content', () => {
    const supported = storedMemory({
      body: A,
      decided: { evidenceCount: 3 },
      support: 4,
      derived: { content: B.content },
    });
    const { next } = decide(PLACE, supported, { act: 'reject', by: 'u', now: LATER, newestVoteAt: 0 });
    expect(next?.decided?.evidenceCount).toBe(7);
    expect(next?.support).toBe(0);
  });

  it('tells the last twenty acts, newest last', () => {
    let memory: StoredMemory | undefined = storedMemory({ body: A });
    for (let round = 0; round < 15; round += 1) {
      memory = decide(PLACE, memory, { act: 'archive', by: `u${round}`, now: LATER, newestVoteAt: 0 }).next;
      memory = decide(PLACE, memory, { act: 'restore', by: `u${round}`, now: LATER, newestVoteAt: 0 }).next;
    }
    expect(memory?.history).toHaveLength(HISTORY_LIMIT);
    expect(memory?.history.at(-1)).toMatchObject({ by: 'u14', action: 'restored' });
  });

  it('mutates nothing it is given', () => {
    const standings = Object.keys(ITEMS) as Standing[];
    fc.assert(
      fc.property(
        fc.constantFrom(...standings),
        fc.constantFrom<Act>('save', 'approve', 'reject', 'restore', 'archive'),
        (standing, name) => {
          const before = JSON.stringify(ITEMS[standing]);
          try {
            act(standing, name);
          } catch {}
          expect(JSON.stringify(ITEMS[standing])).toBe(before);
        },
      ),
    );
  });
});

describe('an assessment', () => {
  const proposed = {
    content: B.content,
    confidence: 0.8,
    evidenceCount: 3,
    source: 'manual_correction',
  } as const;

  it('makes a candidate where nothing was decided and a proposal where something was, never more', () => {
    expect(standingOf(applyAssessment(PLACE, undefined, { proposed, support: 0 }, LATER).next)).toBe(
      'candidate',
    );
    const { next } = applyAssessment(PLACE, ITEMS.active, { proposed, support: 0 }, LATER);
    expect(standingOf(next)).toBe('active+proposal');
    expect(next?.decided).toEqual(ITEMS.active?.decided);
    expect(next?.turnedDown).toEqual(ITEMS.active?.turnedDown);
    expect(next?.decidedAt).toBe(ITEMS.active?.decidedAt);
  });

  it('withdraws a candidate by leaving an item that shows nothing', () => {
    const { next } = applyAssessment(PLACE, ITEMS.candidate, { support: 0 }, LATER);
    expect(standingOf(next)).toBe('absent');
    expect(visibleVersion(next)).toBe(0);
    expect(next?.version).toBe(2);
  });

  it('moves the version when what is proposed changes, and not when a count does', () => {
    const counted = applyAssessment(
      PLACE,
      ITEMS.candidate,
      { proposed: { ...proposed, content: A.content, evidenceCount: 4 }, support: 0 },
      LATER,
    );
    expect(counted.next).toMatchObject({ version: 1, rev: 2, updatedAt: MOMENT });
    expect(counted.proposes).toBe(false);
    const other = applyAssessment(PLACE, ITEMS.candidate, { proposed, support: 0 }, LATER);
    expect(other.next).toMatchObject({ version: 2, rev: 2, updatedAt: LATER });
    expect(other.proposes).toBe(true);
    const supported = applyAssessment(PLACE, ITEMS.active, { support: 2 }, LATER);
    expect(supported.next).toMatchObject({ version: 1, rev: 2, support: 2 });
  });

  it('writes nothing where it stands already, in whatever order its members were read', () => {
    const { source, evidenceCount, confidence, content, proposedAt } = derived();
    const read = storedMemory({
      body: A,
      decided: null,
      derived: { source, evidenceCount, confidence, content, proposedAt },
    });
    const standing = { proposed: { confidence, content, evidenceCount, source }, support: 0 };
    expect(applyAssessment(PLACE, read, standing, LATER).next).toBeUndefined();
    expect(applyAssessment(PLACE, undefined, { support: 0 }, LATER).next).toBeUndefined();
    expect(decided().status).toBe('active');
  });
});
