import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromVoteItem, toVoteItem, votePrefix } from '../../lib/aws/vote-item.ts';
import { DedupKey } from '../../lib/domain/ids.ts';
import type { MemoryBody } from '../../lib/domain/memory.ts';
import { textFault } from '../../lib/domain/text.ts';
import { byTime, type Vote } from '../../lib/domain/votes.ts';
import { categoryBody, MOMENT, vote } from '../support/builders.ts';

const identifier = fc.stringMatching(/^[A-Za-z0-9._:@-]{1,128}$/);
const slug = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._-]{0,20}$/);
const name = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
  .filter((value) => textFault(value, false) === undefined);
const optional = <T>(key: string, value: fc.Arbitrary<T>) =>
  fc.option(value).map((one) => (one === null ? {} : { [key]: one }));
const merge = (...parts: fc.Arbitrary<object>[]) =>
  fc.tuple(...parts).map((all) => Object.assign({}, ...all));

const category = fc
  .tuple(name, merge(fc.record({ id: name }), optional('name', name)))
  .map(([merchant, account]) => ({ mapping: 'category', merchant, account }));
const mapping = fc.oneof(
  category,
  fc.record({ mapping: fc.constant('merchant_name'), merchant: name, canonicalName: name }),
  fc
    .record({
      mapping: fc.constant('labels'),
      merchant: name,
      labels: name.map((label) => [label.slice(0, 1)]),
    })
    .filter(({ labels }) => textFault(labels[0] ?? '', false) === undefined),
);
const body = fc.oneof(
  mapping.map((content) => ({ kind: 'canonical_mapping', content })),
  merge(
    fc.record({ hint: fc.constantFrom('preview_first', 'one_at_a_time') }),
    optional('text', name),
    optional('capability', slug),
    fc.constantFrom({}, { senderDomain: 'vercel.com' }),
  ).map((content) => ({ kind: 'workflow_hint', content })),
  merge(
    fc.record({ capability: slug, integration: slug }),
    optional('documentType', slug),
    optional('target', name),
  ).map((content) => ({ kind: 'integration_preference', content })),
  merge(fc.record({ text: name }), optional('topic', slug)).map((content) => ({
    kind: 'preference',
    content,
  })),
) as fc.Arbitrary<MemoryBody>;

const anyVote = fc.record({
  range: fc.string({ minLength: 1, maxLength: 60 }).map((key) => DedupKey.parse(key)),
  at: fc.oneof(fc.nat(), fc.integer({ min: 0, max: 253_370_764_799_999 })),
  eventId: identifier,
  userId: identifier,
  documentIds: fc.array(identifier, { maxLength: 5 }),
  act: fc.constantFrom('correction', 'confirmation'),
  says: fc.oneof(body, fc.constantFrom('other', 'abstain')),
  causedBy: fc.array(name, { maxLength: 3 }),
}) as unknown as fc.Arbitrary<Vote>;

describe('a vote as an item', () => {
  it('is the same vote when it is read back', () => {
    fc.assert(
      fc.property(anyVote, (one) => {
        expect(fromVoteItem(one.range, toVoteItem(one))).toEqual(one);
      }),
      { numRuns: 500 },
    );
  });

  it('sorts by its entry as it sorts by time and event id', () => {
    fc.assert(
      fc.property(anyVote, anyVote, (a, b) => {
        const entries = [a, { ...b, range: a.range }].map((one) => Buffer.from(toVoteItem(one).entry));
        const [first, second] = entries;
        if (first === undefined || second === undefined) throw new Error('no entries');
        expect(Math.sign(Buffer.compare(first, second))).toBe(Math.sign(byTime(a, b)));
      }),
    );
  });

  it('says nothing twice and leaves out what is as usual', () => {
    expect(toVoteItem(vote({ range: vote().range, says: categoryBody('VERCEL INC.', '6120') }))).toEqual({
      entry: `${votePrefix(vote().range)}00${MOMENT.toString(36)}/ev_1`,
      u: 'u_1',
      d: 'doc_1',
      m: 'VERCEL INC.',
      a: '6120',
    });
  });

  it('is refused under another range, and without what it needs', () => {
    const item = toVoteItem(vote());
    expect(() => fromVoteItem(DedupKey.parse('org/elsewhere'), item)).toThrow('no vote of this range');
    const { a: _, ...withoutAccount } = item;
    expect(() => fromVoteItem(vote().range, withoutAccount)).toThrow();
    expect(() => fromVoteItem(vote().range, { ...item, b: '{"kind":"preference","content":{}}' })).toThrow();
    expect(() => fromVoteItem(vote().range, { ...item, o: 'maybe' })).toThrow();
  });
});
