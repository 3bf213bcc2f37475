import * as z from 'zod/mini';
import { digest } from '../domain/digest.ts';
import { type DedupKey, DocumentId, EventId, UserId } from '../domain/ids.ts';
import { MemoryBody } from '../domain/memory.ts';
import type { Vote } from '../domain/votes.ts';

/**
 * A vote as attributes of one item. Names are one letter and nothing that the key or the kind says is said again: two
 * hundred of these are read for each event, and every 4 KB of them costs a read unit.
 *
 * | attribute | |
 * |---|---|
 * | `entry` | `v/<digest of the range>/<time>/<event id>` |
 * | `u` | user id |
 * | `d` | document ids, joined by commas, which no id has |
 * | `m`, `a`, `n` | a category: merchant as printed, account id and name |
 * | `m`, `t` | a merchant's name: merchant as printed, canonical name |
 * | `b` | any other body, as JSON |
 * | `o` | `other` or `abstain` |
 * | `c` | `y` for a confirmation |
 * | `y` | ids of the memories that caused it |
 */
export function toVoteItem(vote: Vote): VoteItem {
  return {
    entry: `${votePrefix(vote.range)}${fixedTime(vote.at)}/${vote.eventId}`,
    u: vote.userId,
    ...(vote.documentIds.length > 0 && { d: vote.documentIds.join(',') }),
    ...saysAttributes(vote.says),
    ...(vote.act === 'confirmation' && { c: 'y' as const }),
    ...(vote.causedBy.length > 0 && { y: [...vote.causedBy] }),
  };
}

/** @throws Error when the attributes are no vote of this range. */
export function fromVoteItem(range: DedupKey, attributes: unknown): Vote {
  const item = VoteItem.parse(attributes);
  const prefix = votePrefix(range);
  const key = VOTE_KEY.exec(item.entry);
  if (!item.entry.startsWith(prefix) || key?.[1] === undefined)
    throw new Error('The entry is no vote of this range.');
  return {
    range,
    at: Number.parseInt(key[1], 36),
    eventId: EventId.parse(key[2]),
    userId: item.u,
    documentIds: item.d === undefined ? [] : DocumentIds.parse(item.d.split(',')),
    act: item.c === 'y' ? 'confirmation' : 'correction',
    says: saysOf(item),
    causedBy: item.y ?? [],
  };
}

/** What the entries of all votes of a range begin with; in their order, the votes are in the order of `byTime`. */
export function votePrefix(range: DedupKey): string {
  return `v/${digest(range, RANGE_DIGEST)}/`;
}

// 72 bits keep the subjects of one org apart; each byte here is paid for two hundred times a read.
const RANGE_DIGEST = 12;
const TIME_DIGITS = 10;
const VOTE_KEY = /^v\/[A-Za-z0-9_-]{12}\/([0-9a-z]{10})\/(.+)$/;

const DocumentIds = z.lazy(() => z.array(DocumentId));
const VoteItem = z.lazy(() =>
  z.object({
    entry: z.string(),
    u: UserId,
    d: z.optional(z.string()),
    m: z.optional(z.string()),
    a: z.optional(z.string()),
    n: z.optional(z.string()),
    t: z.optional(z.string()),
    b: z.optional(z.string()),
    o: z.optional(z.enum(['other', 'abstain'])),
    c: z.optional(z.literal('y')),
    y: z.optional(z.array(z.string())),
  }),
);
type VoteItem = z.infer<typeof VoteItem>;

const fixedTime = (at: number) => at.toString(36).padStart(TIME_DIGITS, '0');

function saysAttributes(says: Vote['says']): Partial<VoteItem> {
  if (typeof says === 'string') return { o: says };
  if (says.kind === 'canonical_mapping' && says.content.mapping === 'category') {
    const { merchant, account } = says.content;
    return { m: merchant, a: account.id, ...(account.name !== undefined && { n: account.name }) };
  }
  if (says.kind === 'canonical_mapping' && says.content.mapping === 'merchant_name') {
    return { m: says.content.merchant, t: says.content.canonicalName };
  }
  return { b: JSON.stringify(says) };
}

function saysOf({
  m: merchant,
  a: id,
  n: name,
  t: canonicalName,
  b: body,
  o: outcome,
}: VoteItem): Vote['says'] {
  if (outcome !== undefined) return outcome;
  if (body !== undefined) return MemoryBody.parse(JSON.parse(body));
  const content =
    id === undefined
      ? { mapping: 'merchant_name', merchant, canonicalName }
      : { mapping: 'category', merchant, account: name === undefined ? { id } : { id, name } };
  return MemoryBody.parse({ kind: 'canonical_mapping', content });
}
