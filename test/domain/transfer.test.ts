/*
 * Mutants that nothing can tell from the code, and why:
 * - the scope `org` by another name: whatever is neither a person nor a document is the org
 * - what is done with an error that is none of ours: nothing on that way throws one
 * - another path where there is no issue to have one: one that is no plain name is not told
 */
import { describe, expect, it } from 'vitest';
import { UserId } from '../../lib/domain/ids.ts';
import { HISTORY_LIMIT, type StoredMemory } from '../../lib/domain/stored-memory.ts';
import { exportedOf, type Imported, importInto, readLine } from '../../lib/domain/transfer.ts';
import { valueDigest } from '../../lib/domain/value.ts';
import { categoryBody, derived, MOMENT, preferenceBody, storedMemory } from '../support/builders.ts';

const A = categoryBody('Vercel', 'a');
const B = categoryBody('Vercel', 'b');
const LATER = MOMENT + 1000;
const AT = new Date(LATER).toISOString();
const { orgId, dedupKey, owner, kind } = storedMemory({ body: A });
const PLACE = { orgId, dedupKey, owner, kind };
const part = { content: A.content, source: 'system', confidence: 0.5, evidenceCount: 0 };

const take = (memory: StoredMemory | undefined, imported: Partial<Imported> = {}) =>
  importInto(PLACE, memory, { body: A, turnedDown: [], ...imported }, { by: 'u_2', now: LATER });

describe('a line of an export', () => {
  it('is the whole of what was decided and proposed', () => {
    const stored = storedMemory({
      body: A,
      decided: { evidenceCount: 3 },
      derived: { content: B.content },
      support: 2,
      turnedDown: ['x'.repeat(12)],
      history: [{ at: AT, by: 'u_1', action: 'saved' }],
    });
    const at = new Date(MOMENT).toISOString();
    expect(exportedOf(stored)).toEqual({
      type: 'memory',
      scope: 'org',
      kind: 'canonical_mapping',
      content: A.content,
      status: 'active',
      source: 'user_declared',
      confidence: 1,
      evidenceCount: 5,
      proposal: { ...derived({ content: B.content }), proposedAt: at },
      turnedDown: ['x'.repeat(12)],
      createdAt: at,
      createdBy: 'u_1',
      updatedAt: at,
      updatedBy: 'u_1',
      history: [{ at: AT, by: 'u_1', action: 'saved' }],
    });
  });

  it('names no values that were turned down where there are none, and counts a candidate as it is', () => {
    const line = exportedOf(
      storedMemory({ body: A, decided: null, derived: { evidenceCount: 4 }, support: 9 }),
    );
    expect(line).not.toHaveProperty('turnedDown');
    expect(line).not.toHaveProperty('proposal');
    expect(line).toMatchObject({ status: 'candidate', evidenceCount: 4 });
  });

  it("is nothing of what shows nothing, and nothing of a person's own", () => {
    expect(exportedOf(storedMemory({ body: A, decided: null }))).toBeUndefined();
    const own = { scope: 'user', userId: UserId.parse('u_1') } as const;
    expect(exportedOf(storedMemory({ owner: own, body: preferenceBody() }))).toBeUndefined();
  });
});

describe('a line of an import', () => {
  const memory = { type: 'memory', kind: 'canonical_mapping', content: A.content };

  it('is what it says, and whether it was turned down', () => {
    const imported = { body: A, turnedDown: [] };
    expect(readLine(memory)).toEqual({ kind: 'memory', imported });
    expect(readLine({ ...memory, status: 'active' })).toEqual({ kind: 'memory', imported });
    expect(readLine({ ...memory, status: 'rejected', turnedDown: ['y'.repeat(12)] })).toEqual({
      kind: 'memory',
      imported: { body: A, inert: 'rejected', turnedDown: ['y'.repeat(12)] },
    });
    expect(readLine({ ...memory, status: 'archived' })).toMatchObject({ imported: { inert: 'archived' } });
  });

  it('names the first field that is wrong, and never one that is no plain name', () => {
    expect(readLine({ ...memory, a: 1, b: 2 })).toEqual({ kind: 'refused', reason: 'invalid', path: 'a' });
    for (const odd of ['<b>', 'x'.repeat(65), 'a b', 'é', 'a\n']) {
      expect(readLine({ ...memory, [odd]: 1 }), odd).toEqual({ kind: 'refused', reason: 'invalid' });
    }
    const nested = { ...memory, content: { ...A.content, '<b>': 1 } };
    expect(readLine(nested)).toEqual({ kind: 'refused', reason: 'invalid' });
    expect(readLine({ ...memory, content: { ...A.content, account: {} } })).toEqual({
      kind: 'refused',
      reason: 'invalid',
      path: 'content.account.id',
    });
    expect(readLine('x')).toEqual({ kind: 'refused', reason: 'invalid' });
  });
});

describe('an import', () => {
  it('into nothing is the whole item, a candidate of the one who imports it', () => {
    expect(take(undefined)).toEqual({
      outcome: 'imported',
      next: {
        ...PLACE,
        imported: { ...part, proposedAt: LATER },
        support: 0,
        turnedDown: [],
        decidedAt: 0,
        version: 1,
        rev: 1,
        createdAt: LATER,
        createdBy: 'u_2',
        updatedAt: LATER,
        updatedBy: 'u_2',
        history: [{ at: AT, by: 'u_2', action: 'imported', to: 'candidate', content: A.content }],
      },
    });
  });

  it.each(['rejected', 'archived'] as const)('of what was %s is as inert, and stays down', (inert) => {
    const { outcome, next } = take(undefined, { inert });
    expect(outcome).toBe('imported');
    expect(next?.decided).toEqual({ ...part, status: inert });
    expect(next).not.toHaveProperty('imported');
    expect(next?.turnedDown).toEqual([valueDigest(A)]);
    expect(next?.decidedAt).toBe(0);
    expect(next?.history.at(-1)).toMatchObject({ action: 'imported', to: inert });
    expect(take(next, { inert })).toEqual({ outcome: 'unchanged' });
  });

  it('again changes nothing, and of another value takes the place of the one before', () => {
    const first = take(undefined).next;
    expect(take(first)).toEqual({ outcome: 'unchanged' });
    const second = take(first, { body: B });
    expect(second.next?.imported?.content).toEqual(B.content);
    expect(second.next).toMatchObject({ version: 2, rev: 2, createdBy: 'u_2' });
    expect(second.next?.history).toHaveLength(2);
  });

  it('of a value that is down here is kept out, however it came to be down', () => {
    const down = storedMemory({ body: A, decided: null, turnedDown: [valueDigest(A)] });
    expect(take(down)).toEqual({ outcome: 'kept' });
    expect(take(undefined, { turnedDown: [valueDigest(A)] }).next).not.toHaveProperty('imported');
  });

  it('adds what is down to what is down here, each once, and never what is active here', () => {
    const active = storedMemory({ body: A, turnedDown: ['x'] });
    const { outcome, next } = take(active, { turnedDown: ['x', 'y', 'y', valueDigest(A)] });
    expect(outcome).toBe('imported');
    expect(next?.turnedDown).toEqual(['x', 'y']);
    expect(next?.decided).toEqual(active.decided);
    expect(take(active, { turnedDown: ['x'] })).toEqual({ outcome: 'unchanged' });
    expect(take(active, { body: B })).toEqual({ outcome: 'kept' });
  });

  it('leaves an imported candidate where only more is down now', () => {
    const first = take(undefined).next;
    const { next } = take(first, { turnedDown: ['y'] });
    expect(next?.imported).toEqual(first?.imported);
    expect(next?.turnedDown).toEqual(['y']);
  });

  it('of a turned-down value takes down the candidate that says it, and leaves another', () => {
    const same = storedMemory({ body: A, decided: null, derived: {} });
    expect(take(same, { inert: 'rejected' }).next?.decided).toMatchObject({ status: 'rejected' });
    const other = storedMemory({ body: A, decided: null, derived: { content: B.content } });
    const { next } = take(other, { inert: 'rejected' });
    expect(next).not.toHaveProperty('decided');
    expect(next?.derived?.content).toEqual(B.content);
    expect(next?.turnedDown).toEqual([valueDigest(A)]);
  });

  it('tells the last twenty acts', () => {
    const history = Array.from({ length: HISTORY_LIMIT }, () => ({
      at: AT,
      by: 'u',
      action: 'saved' as const,
    }));
    const { next } = take(storedMemory({ body: A, decided: null, history }));
    expect(next?.history).toHaveLength(HISTORY_LIMIT);
    expect(next?.history.at(-1)?.action).toBe('imported');
  });
});
