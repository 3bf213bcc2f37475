/*
 * What an assessment shows of the evidence, to the member.
 *
 * Mutants that nothing can tell from the code, and why:
 * - `votes[0]?.at ?? 0` and its like without the `?`: a value in the tally has at least one vote, as the types cannot say
 * - the check for `undefined` beside another one that is never true without it (`leader`)
 * - the order of two values that are equal in everything, or of two merchants printed alike
 * - the scope `org` by another name: it leads to the key it has
 * - what tells a body from `other` where its value is asked for: `other` has none
 */
import { describe, expect, it } from 'vitest';
import { memoryIdOf } from '../../lib/domain/dedup-key.ts';
import type { MemoryBody } from '../../lib/domain/memory.ts';
import { assess, type DecidedState, PROMOTION_POLICY, subjectOf } from '../../lib/domain/promotion.ts';
import { valueDigest } from '../../lib/domain/value.ts';
import type { Vote } from '../../lib/domain/votes.ts';
import { categoryBody, MOMENT, ORG, type VoteOverrides, vote } from '../support/builders.ts';

const about = (body: MemoryBody) => subjectOf(body, (key) => memoryIdOf(ORG, key));
const subject = about(categoryBody());
const hint = (name: 'preview_first' | 'one_at_a_time'): MemoryBody => ({
  kind: 'workflow_hint',
  content: { hint: name, capability: 'send' },
});
const said = (n: number, says: Vote['says'], more: VoteOverrides = {}) =>
  vote({ eventId: `e${n}`, at: MOMENT + n, documentIds: [`d${n}`], says, ...more });
const A = categoryBody('Vercel', 'a');
const B = categoryBody('Vercel', 'b');
const C = categoryBody('Vercel', 'c');
const activeOn = (body: MemoryBody, decidedAt = MOMENT - 1): DecidedState => ({
  decided: {
    status: 'active',
    content: body.content,
    source: 'user_declared',
    confidence: 1,
    evidenceCount: 0,
  },
  decidedAt,
  turnedDown: [],
});

describe('the subject', () => {
  it('is the memory of the org that a body belongs to, and where its votes lie', () => {
    expect(subject).toEqual({
      key: 'org/canonical_mapping/vercel/category',
      memoryId: memoryIdOf(ORG, subject.key),
      kind: 'canonical_mapping',
      range: 'org/canonical_mapping/vercel/category',
    });
  });
});

describe('the tally', () => {
  it('counts documents, corrections and people of each value, from its first vote to its last', () => {
    const votes = [
      said(5, A, { userId: 'u_2', documentIds: ['d5', 'd6'] }),
      said(1, A),
      said(3, B, { userId: 'u_3' }),
      said(4, A, { act: 'confirmation' }),
      said(2, 'other'),
    ];
    expect(assess(subject, votes, undefined).tally).toEqual([
      { body: A, documents: 4, corrections: 2, people: 2, firstAt: MOMENT + 1, lastAt: MOMENT + 5 },
      { body: B, documents: 1, corrections: 1, people: 1, firstAt: MOMENT + 3, lastAt: MOMENT + 3 },
    ]);
  });

  it('has the value of most documents first, then the one voted for last, then by the value', () => {
    const values = (...votes: Vote[]) => assess(subject, votes, undefined).tally.map(({ body }) => body);
    expect(values(said(9, A), said(1, B), said(2, B), said(3, C))).toEqual([B, A, C]);
    expect(values(said(1, A), said(2, C), said(3, B))).toEqual([B, C, A]);
    expect(values(said(1, C), said(1, A, { eventId: 'x', documentIds: ['x'] }))).toEqual([A, C]);
    expect(values(said(1, A), said(1, C, { eventId: 'x', documentIds: ['x'] }))).toEqual([A, C]);
  });

  it('writes a value as its newest vote does, under the shortest merchant that was printed', () => {
    const named = (merchant: string, name: string) => categoryBody(merchant, 'a', name);
    const votes = [
      said(1, named('VERCEL INC', 'Old')),
      said(2, named('vercel', 'Hosting')),
      said(3, named('Vercel', 'Software')),
      said(4, named('Vercel Inc.', 'Cloud')),
    ];
    const [entry] = assess(subject, votes, undefined).tally;
    expect(entry?.body.content).toEqual({
      mapping: 'category',
      merchant: 'Vercel',
      account: { id: 'a', name: 'Cloud' },
    });
    expect(assess(subject, [...votes].reverse(), undefined).tally[0]).toEqual(entry);
  });

  it('goes by when a document last voted, though it voted before others did', () => {
    const votes = [said(1, A, { documentIds: ['d'] }), said(5, A), said(9, A, { documentIds: ['d'] })];
    expect(assess(subject, votes, undefined).tally).toMatchObject([
      { documents: 2, firstAt: MOMENT + 5, lastAt: MOMENT + 9 },
    ]);
  });

  it('takes of merchants that are as short the one that sorts first, whichever was printed last', () => {
    for (const merchants of [
      ['Vercel', 'vercel'],
      ['vercel', 'Vercel'],
    ]) {
      const votes = merchants.map((merchant, n) => said(n, categoryBody(merchant, 'a')));
      expect(assess(subject, votes, undefined).tally[0]?.body.content).toMatchObject({ merchant: 'Vercel' });
    }
  });

  it('has only its own hint of those that share a range, and counts the others against it', () => {
    const mine = about(hint('preview_first'));
    const votes = [1, 2, 3, 4].map((n) => said(n, hint('preview_first')));
    const assessment = assess(mine, [...votes, said(0, hint('one_at_a_time')), said(-1, 'other')], undefined);
    expect(assessment.tally).toHaveLength(1);
    expect(assessment.verdict).toMatchObject({ k: 4, n: 6, reason: 'mixed' });
    const clear = assess(mine, votes, undefined);
    expect(clear.proposed).toStrictEqual({
      content: { hint: 'preview_first', capability: 'send' },
      confidence: 5 / 6,
      evidenceCount: 4,
      source: 'approval_history',
    });
  });

  it('has what lies in its range, though the merchant would be read as another one today', () => {
    const renamed = [1, 2, 3].map((n) => said(n, categoryBody('Vercel Hosting GmbH', 'a')));
    const [entry] = assess(subject, renamed, undefined).tally;
    expect(entry).toMatchObject({ documents: 3, body: { content: { account: { id: 'a' } } } });
  });

  it('leaves out what only echoes the memory', () => {
    const echo = said(5, A, { causedBy: [subject.memoryId] });
    expect(assess(subject, [echo, said(6, B)], activeOn(A)).tally.map(({ body }) => body)).toEqual([B]);
  });
});

describe('the verdict', () => {
  it('proposes exactly what it says is promoted', () => {
    const three = [1, 2, 3].map((n) => said(n, A));
    const { verdict, proposed } = assess(subject, three, undefined);
    expect(verdict).toEqual({
      promoted: true,
      reason: 'promoted',
      k: 3,
      n: 3,
      needed: 3,
      confidence: 0.8,
    });
    expect(proposed).toEqual({
      content: A.content,
      confidence: 0.8,
      evidenceCount: 3,
      source: 'manual_correction',
    });
    const none = assess(subject, [], undefined);
    expect(none).toEqual({
      verdict: { promoted: false, reason: 'no-evidence', k: 0, n: 0, needed: 3, confidence: 0.5 },
      tally: [],
      support: 0,
    });
    expect(assess(subject, three.slice(1), undefined)).not.toHaveProperty('proposed');
  });

  it('with nothing new since the decision tells of what was decided on, and proposes none of it', () => {
    const votes = [1, 2, 3].map((n) => said(n, B));
    const { verdict, proposed } = assess(subject, votes, activeOn(A, MOMENT + 10));
    expect(verdict).toMatchObject({ reason: 'no-evidence', k: 3, n: 3 });
    expect(proposed).toBeUndefined();
    expect(assess(subject, votes, activeOn(B, MOMENT + 10)).verdict.reason).toBe('covered');
  });

  it('goes by the newest vote of the set, not of the list', () => {
    const votes = [said(9, B), ...[1, 2, 3, 4, 5, 6, 7].map((n) => said(n, A))];
    expect(assess(subject, votes, undefined).verdict.reason).toBe('newest-disagrees');
    const other = [said(9, 'other'), ...[1, 2, 3, 4, 5, 6, 7].map((n) => said(n, A))];
    expect(assess(subject, other, undefined).verdict.reason).toBe('newest-disagrees');
  });

  it('goes by the newest vote also where its document was the first to vote, and where nothing was decided', () => {
    const agreed = [2, 3, 4, 5, 6, 7, 8].map((n) => said(n, A));
    const first = { documentIds: ['first'] };
    const changed = [said(1, A, first), ...agreed, said(9, B, first)];
    expect(assess(subject, changed, undefined).verdict.reason).toBe('newest-disagrees');
    const other = [said(1, 'other', first), ...agreed];
    expect(assess(subject, other, undefined).verdict.reason).toBe('promoted');
    const again = [...other, said(9, 'other', { ...first, causedBy: [subject.memoryId] })];
    expect(assess(subject, again, undefined).verdict.reason).toBe('newest-disagrees');
  });

  it('takes the newest events of the set, and of each document its latest vote, in any order', () => {
    const policy = { ...PROMOTION_POLICY, maxEvents: 3 };
    const votes = [said(4, A), said(3, A), said(2, A), said(1, B)];
    expect(assess(subject, votes, undefined, policy).verdict).toMatchObject({ k: 3, n: 3 });
    const changed = [said(9, B, { documentIds: ['d1'] }), said(1, A)];
    expect(assess(subject, changed, undefined).tally.map(({ body }) => body)).toEqual([B]);
  });

  it('does not call a decision on another value covered, and a turned-down one by its digest', () => {
    const votes = [1, 2, 3].map((n) => said(n, B));
    const memory = { ...activeOn(A), turnedDown: [valueDigest(B)] };
    expect(assess(subject, votes, memory).verdict.reason).toBe('turned-down');
    expect(assess(subject, votes, { ...memory, turnedDown: [valueDigest(C)] }).verdict.reason).toBe(
      'promoted',
    );
  });
});

describe('support', () => {
  it('is of fresh documents that agree, counted only while the memory is active', () => {
    const votes = [said(1, A), said(2, A), said(3, B), said(4, 'other')];
    expect(assess(subject, votes, activeOn(A)).support).toBe(2);
    const { decided, ...rest } = activeOn(A);
    if (decided === undefined) throw new Error('it was decided');
    const archived = { ...rest, decided: { ...decided, status: 'archived' as const } };
    expect(assess(subject, votes, archived).support).toBe(0);
    expect(assess(subject, votes, undefined).support).toBe(0);
  });

  it('counts a document that disagreed before the decision, or only echoed it', () => {
    const echo = { causedBy: [subject.memoryId] };
    const votes = [
      said(1, B, { documentIds: ['changed'] }),
      said(2, A, { documentIds: ['echoed'], ...echo }),
      said(3, A, { documentIds: ['counted'] }),
      said(11, A, { documentIds: ['changed'] }),
      said(12, A, { documentIds: ['echoed'] }),
      said(13, A, { documentIds: ['counted'] }),
    ];
    expect(assess(subject, votes, activeOn(A, MOMENT + 10)).support).toBe(2);
  });

  it('takes a vote of the very moment of the decision for one that was counted with it', () => {
    const votes = [said(10, A, { documentIds: ['d'] }), said(11, A, { documentIds: ['d'] })];
    expect(assess(subject, votes, activeOn(A, MOMENT + 10)).support).toBe(0);
    expect(assess(subject, votes, activeOn(A, MOMENT + 9)).support).toBe(1);
  });

  it('is not displaced by an echo, which stands where nothing agreed before it', () => {
    const echo = { causedBy: [subject.memoryId] };
    const disagreed = [said(1, B, { documentIds: ['d'] }), said(2, A, { documentIds: ['d'], ...echo })];
    expect(assess(subject, disagreed, activeOn(A)).tally).toEqual([]);
    const agreed = [said(1, A, { documentIds: ['d'] }), said(2, A, { documentIds: ['d'], ...echo })];
    expect(assess(subject, agreed, activeOn(A)).support).toBe(1);
  });
});
