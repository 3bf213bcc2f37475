import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dedupKeyOf, memoryIdOf } from '../../lib/domain/dedup-key.ts';
import type { MemoryBody } from '../../lib/domain/memory.ts';
import { assess, type DecidedState, PROMOTION_POLICY, subjectOf } from '../../lib/domain/promotion.ts';
import { valueDigest } from '../../lib/domain/value.ts';
import type { Vote } from '../../lib/domain/votes.ts';
import { categoryBody, MOMENT, ORG, vote } from '../support/builders.ts';

const DAY = 24 * 3_600_000;
const subject = subjectOf(categoryBody(), (key) => memoryIdOf(ORG, key));

/** One vote a value, each on a document and at a time of its own, oldest first; `-` abstains. */
function votesFor(...values: string[]): Vote[] {
  return values.map((value, index) =>
    vote({
      eventId: `e${String(index).padStart(3, '0')}`,
      at: MOMENT + index,
      documentIds: [`doc${index}`],
      says: value === '-' ? 'abstain' : categoryBody('Vercel', value),
    }),
  );
}

const decidedOn = (
  body: MemoryBody,
  status: 'active' | 'rejected' | 'archived',
  decidedAt = MOMENT - 1,
): DecidedState => ({
  decided: { status, content: body.content, source: 'user_declared', confidence: 1, evidenceCount: 0 },
  decidedAt,
  turnedDown: status === 'active' ? [] : [valueDigest(body)],
});

const reason = (votes: Vote[], memory?: DecidedState) => assess(subject, votes, memory).verdict.reason;

describe('promotion', () => {
  it.each([
    [['a', 'a', 'a'], 'promoted'],
    [['a', 'a'], 'needs-more'],
    [['b', 'a', 'a', 'a', 'a', 'a', 'a', 'a'], 'promoted'],
    [['b', 'a', 'a', 'a', 'a', 'a', 'a'], 'mixed'],
    [['b', 'b', 'a', 'a', 'a', 'a', 'a', 'a', 'a', 'a', 'a', 'a', 'a'], 'promoted'],
    [['a', 'a', 'a', 'a', 'a', 'a', 'a', 'b'], 'newest-disagrees'],
    [[], 'no-evidence'],
  ])('of %j is %s', (values, expected) => {
    expect(reason(votesFor(...values))).toBe(expected);
  });

  it('says its numbers', () => {
    expect(assess(subject, votesFor('a', 'a'), undefined).verdict).toEqual({
      promoted: false,
      reason: 'needs-more',
      k: 2,
      n: 2,
      needed: 3,
      confidence: 0.75,
    });
    expect(assess(subject, votesFor('a', 'a', 'a'), undefined).proposed).toMatchObject({
      confidence: 0.8,
      evidenceCount: 3,
      source: 'manual_correction',
    });
  });

  it('counts documents, not events: ten corrections of one document are one', () => {
    const votes = votesFor(...Array(10).fill('a')).map((one) => ({
      ...one,
      documentIds: [...vote().documentIds],
    }));
    expect(assess(subject, votes, undefined).verdict).toMatchObject({ reason: 'needs-more', k: 1, n: 1 });
  });

  it('wants two separate corrections, so that one bulk edit proposes nothing', () => {
    const bulk = vote({ documentIds: ['d1', 'd2', 'd3', 'd4'] });
    expect(reason([bulk])).toBe('needs-more');
    expect(
      reason([bulk, vote({ eventId: 'e9', at: MOMENT + 1, documentIds: ['d5'], act: 'confirmation' })]),
    ).toBe('needs-more');
    expect(reason([bulk, vote({ eventId: 'e9', at: MOMENT + 1, documentIds: ['d5'] })])).toBe('promoted');
  });

  it('lets the latest vote of a document stand for it, and an abstention take it back', () => {
    const changed = vote({
      eventId: 'late',
      at: MOMENT + 50,
      documentIds: ['doc0'],
      says: categoryBody('Vercel', 'b'),
    });
    expect(assess(subject, [...votesFor('a', 'a', 'a'), changed], undefined).verdict).toMatchObject({
      k: 2,
      n: 3,
    });
    const back = vote({ eventId: 'late', at: MOMENT + 50, documentIds: ['doc0'], says: 'abstain' });
    expect(assess(subject, [...votesFor('a', 'a', 'a'), back], undefined).verdict).toMatchObject({
      k: 2,
      n: 2,
    });
  });

  it('looks no further back than a year before the newest vote', () => {
    const old = votesFor('b', 'b', 'b', 'b').map((one) => ({ ...one, at: one.at - 366 * DAY }));
    expect(
      reason([
        ...old,
        ...votesFor('a', 'a', 'a').map((one) => ({ ...one, eventId: `${one.eventId}x` as Vote['eventId'] })),
      ]),
    ).toBe('promoted');
  });

  it('counts a vote cast a year before the newest one to the millisecond', () => {
    const [first, ...others] = votesFor('a', 'a', 'a');
    const year = { ...vote(), ...first, at: MOMENT + 2 - PROMOTION_POLICY.windowMillis };
    expect(reason([year, ...others])).toBe('promoted');
    expect(reason([{ ...year, at: year.at - 1 }, ...others])).toBe('needs-more');
  });

  it('looks at the newest two hundred events and no more', () => {
    const votes = [...votesFor(...Array(100).fill('b'), ...Array(PROMOTION_POLICY.maxEvents).fill('a'))];
    expect(assess(subject, votes, undefined).verdict).toMatchObject({ reason: 'promoted', k: 200, n: 200 });
  });

  it('leaves an active memory as it is, counts who agrees and proposes what contradicts it', () => {
    const memory = decidedOn(categoryBody('Vercel', 'a'), 'active');
    expect(assess(subject, votesFor('a', 'a'), memory)).toMatchObject({
      support: 2,
      verdict: { reason: 'covered' },
    });
    const against = assess(subject, votesFor('b', 'b', 'b'), memory);
    expect(against.proposed?.content).toEqual(categoryBody('Vercel', 'b').content);
  });

  it('counts only what came after the decision', () => {
    const memory = decidedOn(categoryBody('Vercel', 'a'), 'active', MOMENT + 1);
    expect(reason(votesFor('b', 'b', 'b', 'b'), memory)).toBe('needs-more');
  });

  it('does not count a document twice that was counted when the memory was approved', () => {
    const memory = decidedOn(categoryBody('Vercel', 'a'), 'active', MOMENT + 2);
    const again = vote({
      eventId: 'again',
      at: MOMENT + 9,
      documentIds: ['doc0'],
      says: categoryBody('Vercel', 'a'),
    });
    const fresh = vote({
      eventId: 'fresh',
      at: MOMENT + 9,
      documentIds: ['doc9'],
      says: categoryBody('Vercel', 'a'),
    });
    expect(assess(subject, [...votesFor('a', 'a', 'a'), again, fresh], memory).support).toBe(1);
  });

  it.each(['rejected', 'archived'] as const)(
    'never brings back a value that was %s, and may bring another',
    (status) => {
      const memory = decidedOn(categoryBody('Vercel', 'a'), status);
      expect(reason(votesFor('a', 'a', 'a', 'a'), memory)).toBe('turned-down');
      expect(assess(subject, votesFor('b', 'b', 'b'), memory).proposed?.content).toEqual(
        categoryBody('Vercel', 'b').content,
      );
    },
  );

  describe('with a vote caused by the memory itself', () => {
    const body = categoryBody('Vercel', 'a');
    const memory = decidedOn(body, 'active');
    const echo = (index: number, says = body) =>
      vote({
        eventId: `echo${index}`,
        at: MOMENT + 20 + index,
        documentIds: [`echoed${index}`],
        says,
        causedBy: [subject.memoryId],
      });

    it('never counts it as support', () => {
      expect(assess(subject, [echo(1), echo(2), echo(3)], memory).support).toBe(0);
    });

    it('counts it against other values', () => {
      const others = votesFor('b', 'b', 'b').map((one) => ({ ...one, at: one.at + 100 }));
      expect(reason([echo(1), ...others], memory)).toBe('mixed');
    });

    it('lets it displace no real agreement', () => {
      const real = vote({ eventId: 'real', documentIds: ['echoed1'], says: body });
      expect(assess(subject, [real, echo(1)], memory).support).toBe(1);
    });

    it('counts one that disagrees in full', () => {
      const against = [1, 2, 3].map((index) => echo(index, categoryBody('Vercel', 'b')));
      expect(reason(against, memory)).toBe('promoted');
    });
  });

  it('learns nothing about a payment intermediary', () => {
    const paypal = (id: string): MemoryBody => categoryBody('PayPal', id);
    const about = subjectOf(paypal('a'), (key) => memoryIdOf(ORG, key));
    const votes = votesFor('a', 'a', 'a').map((one) => ({
      ...one,
      range: dedupKeyOf({ scope: 'org' }, paypal('a')),
      says: paypal('a'),
    }));
    expect(assess(about, votes, undefined).verdict.reason).toBe('intermediary');
  });

  it('learns about a merchant whose name is too long to be spelt out in a key', () => {
    const body = categoryBody('株式会社東京国際情報処理技術研究開発センター'.repeat(4), 'a');
    const about = subjectOf(body, (key) => memoryIdOf(ORG, key));
    expect(about.key).toContain('~');
    const votes = votesFor('a', 'a', 'a').map((one) => ({ ...one, range: about.range, says: body }));
    expect(assess(about, votes, undefined).verdict.reason).toBe('promoted');
  });

  it('is a function of the set of votes: order and duplicates do not show', () => {
    const values = fc.array(fc.constantFrom('a', 'b', '-'), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(values, fc.array(fc.nat(99), { maxLength: 12 }), (said, seeds) => {
        const votes = votesFor(...said);
        const shuffled = votes
          .map((one, index) => ({ one, order: seeds[index] ?? index }))
          .sort((a, b) => a.order - b.order)
          .map(({ one }) => one);
        expect(assess(subject, shuffled, undefined)).toEqual(assess(subject, votes, undefined));
      }),
    );
  });
});
