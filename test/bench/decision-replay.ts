import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { castVotes } from '../../lib/domain/cast-votes.ts';
import type { CorrectionEvent } from '../../lib/domain/correction.ts';
import { memoryIdOf } from '../../lib/domain/dedup-key.ts';
import { DocumentId, EventId, OrgId, UserId } from '../../lib/domain/ids.ts';
import type { MemoryBody } from '../../lib/domain/memory.ts';
import {
  type Assessment,
  assess,
  PROMOTION_POLICY,
  type Subject,
  subjectOf,
} from '../../lib/domain/promotion.ts';
import { accountIdOf } from '../../lib/domain/view.ts';
import type { Vote } from '../../lib/domain/votes.ts';

export interface Row {
  readonly at: number;
  readonly org: OrgId;
  readonly descriptor: string;
  readonly refund: boolean;
  readonly account: string;
}

interface Standing {
  readonly account?: string | undefined;
  /** What is said of the leading value, proposed or not. */
  readonly leader?: { readonly account: string; readonly confidence: number };
}

export interface Policy {
  readonly name: string;
  /** Whose decisions are one subject's; `undefined` where nothing is learned. */
  subjectOf(row: Row): string | undefined;
  /** What stands after the row, in the place of what stood before it. */
  learn(row: Row, subject: string, before: Standing): Standing;
}

export interface Score {
  readonly name: string;
  readonly coverage: number;
  readonly precision: number;
  readonly contradicted: number;
}

export interface Bucket {
  readonly decisions: number;
  readonly stated: number;
  readonly true: number;
}

export function readRows(file: string): readonly Row[] {
  const bytes = readFileSync(file);
  const lines = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8').split('\n').slice(1);
  return lines
    .filter((line) => line !== '')
    .map((line, index) => {
      const [date = '', centre = '', descriptor = '', amount = '', account = ''] = line.split('\t');
      return {
        // Rows of one day keep the order of the file.
        at: Date.parse(date) + index,
        org: OrgId.parse(centre.replaceAll(/[^A-Za-z0-9._:@-]/g, '_') || '-'),
        descriptor,
        refund: Number(amount) < 0,
        account,
      };
    });
}

export function replayRows(rows: readonly Row[], policy: Policy) {
  const standing = new Map<string, Standing>();
  const begun = new Map<string, string>();
  const leading = emptyBuckets();
  const covering = emptyBuckets();
  let covered = 0;
  let right = 0;
  let candidates = 0;
  let contradicted = 0;
  for (const row of rows) {
    const subject = policy.subjectOf(row);
    if (subject === undefined) continue;
    const before = standing.get(subject) ?? {};
    if (before.account !== undefined) {
      covered += 1;
      if (before.account === row.account) right += 1;
    }
    if (before.leader && !row.refund) {
      const isRight = before.leader.account === row.account;
      count(leading, before.leader.confidence, isRight);
      if (before.account !== undefined) count(covering, before.leader.confidence, isRight);
    }
    const candidate = begun.get(subject);
    if (candidate !== undefined && !row.refund) {
      candidates += 1;
      if (candidate !== row.account) contradicted += 1;
      begun.delete(subject);
    }
    const after = policy.learn(row, subject, before);
    if (after.account !== undefined && after.account !== before.account) begun.set(subject, after.account);
    standing.set(subject, after);
  }
  const score: Score = {
    name: policy.name,
    coverage: covered / rows.length,
    precision: right / covered,
    contradicted: contradicted / candidates,
  };
  return { score, leading: leading as readonly Bucket[], standing: covering as readonly Bucket[] };
}

/** The real thing: votes as events cast them, and the fold as it is run, over each subject's newest votes. */
export function ours(name: string, confirming = false): Policy {
  const votes = new Map<string, Vote[]>();
  const subjects = new Map<string, Subject>();
  const voteOf = voteCaster();
  return {
    name,
    subjectOf(row) {
      const vote = voteOf(row, false);
      return vote && `${row.org} ${vote.range}`;
    },
    learn(row, subject, before) {
      const vote = voteOf(row, confirming && before.account === row.account && !row.refund);
      if (vote === undefined) return before;
      const known = [...(votes.get(subject) ?? []), vote].slice(-PROMOTION_POLICY.maxEvents);
      votes.set(subject, known);
      const about = subjects.get(subject) ?? categoryOf(row);
      subjects.set(subject, about);
      return standingOf(assess(about, known, undefined));
    },
  };
}

/**
 * What `castVotes` makes of a row, its vote on the category. Folding a merchant is most of the work and depends on the
 * descriptor alone, so it is done once for each; a test holds that this changes no vote.
 */
export function voteCaster(): (row: Row, confirms: boolean) => Vote | undefined {
  const cast = new Map<string, Vote | undefined>();
  return (row, confirms) => {
    const kind = `${row.refund}/${confirms}/${row.descriptor}`;
    if (!cast.has(kind)) cast.set(kind, categoryVote(row, confirms));
    const like = cast.get(kind);
    return (
      like && {
        ...like,
        at: row.at,
        eventId: EventId.parse(nameOf(row)),
        documentIds: [DocumentId.parse(nameOf(row))],
        says: typeof like.says === 'string' ? like.says : withAccount(like.says, row.account),
      }
    );
  };
}

export function categoryVote(row: Row, confirms: boolean): Vote | undefined {
  return castVotes(eventOf(row, confirms)).votes.find(({ range }) => range.endsWith('/category'));
}

function withAccount(body: MemoryBody, id: string): MemoryBody {
  return body.kind === 'canonical_mapping' && body.content.mapping === 'category'
    ? { kind: body.kind, content: { ...body.content, account: { id } } }
    : body;
}

const nameOf = (row: Row) => `e${row.at}`;

/** The same fold where the merchant is the descriptor to the letter. */
export function gateOnDescriptor(): Policy {
  const votes = new Map<string, Vote[]>();
  return {
    name: 'the gate, on descriptors',
    subjectOf: descriptorOf,
    learn(row, subject) {
      const known = [...(votes.get(subject) ?? []), descriptorVote(row)].slice(-PROMOTION_POLICY.maxEvents);
      votes.set(subject, known);
      return standingOf(assess(ANY_SUBJECT, known, undefined));
    },
  };
}

export function lastValue(): Policy {
  return byHistory('last value', 1, ([last]) => last);
}

/** As Actual Budget learns a payee's category. */
export function threeOfFive(): Policy {
  return byHistory('3 of the last 5', 5, (newest) => mostFrequent(newest, 3));
}

/** As GnuCash's import matcher: one account has nine tenths of what was seen. */
export function shareOfNine(): Policy {
  return byHistory('share of 0.9', Number.POSITIVE_INFINITY, (all) => mostFrequent(all, all.length * 0.9));
}

function byHistory(
  name: string,
  keep: number,
  choose: (newestFirst: readonly string[]) => string | undefined,
): Policy {
  const histories = new Map<string, string[]>();
  return {
    name,
    subjectOf: descriptorOf,
    learn(row, subject, before) {
      if (row.refund) return before;
      const history = [row.account, ...(histories.get(subject) ?? [])].slice(0, keep);
      histories.set(subject, history);
      return { account: choose(history) };
    },
  };
}

function mostFrequent(values: readonly string[], atLeast: number): string | undefined {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  const [top] = [...counts].sort(([, a], [, b]) => b - a);
  return top !== undefined && top[1] >= atLeast ? top[0] : undefined;
}

const descriptorOf = (row: Row) => `${row.org} ${row.descriptor}`;

function eventOf(row: Row, confirms: boolean): CorrectionEvent {
  const name = nameOf(row);
  return {
    eventId: EventId.parse(name),
    orgId: row.org,
    type: confirms ? 'document_confirm' : 'manual_patch',
    occurredAt: new Date(row.at).toISOString(),
    actor: { userId: CARDHOLDER },
    subjectType: 'document',
    subjectIds: [DocumentId.parse(name)],
    ...(confirms ? {} : { changeSet: { category: { to: row.account } } }),
    context: {
      merchant: row.descriptor,
      direction: row.refund ? 'refund' : 'purchase',
      ...(confirms ? { confirmed: { category: row.account } } : {}),
    },
  };
}

function descriptorVote(row: Row): Vote {
  const name = nameOf(row);
  return {
    range: ANY_SUBJECT.range,
    at: row.at,
    eventId: EventId.parse(name),
    userId: CARDHOLDER,
    documentIds: [DocumentId.parse(name)],
    act: 'correction',
    says: row.refund
      ? 'abstain'
      : {
          kind: 'canonical_mapping',
          content: { mapping: 'category', merchant: row.descriptor, account: { id: row.account } },
        },
    causedBy: [],
  };
}

function categoryOf({ org, descriptor, account }: Row): Subject {
  return subjectOf(
    {
      kind: 'canonical_mapping',
      content: { mapping: 'category', merchant: descriptor.trim(), account: { id: account } },
    },
    (key) => memoryIdOf(org, key),
  );
}

const CARDHOLDER = UserId.parse('cardholder');
const ANY_SUBJECT = categoryOf({
  at: 0,
  org: OrgId.parse('any'),
  descriptor: 'Any',
  refund: false,
  account: '-',
});

function standingOf({ verdict, proposed, tally }: Assessment): Standing {
  const [leader] = tally;
  const account = leader && accountIdOf(leader.body.content);
  return {
    ...(proposed ? { account: accountIdOf(proposed.content) } : {}),
    ...(account === undefined ? {} : { leader: { account, confidence: verdict.confidence } }),
  };
}

type OpenBucket = { -readonly [Key in keyof Bucket]: Bucket[Key] };

const emptyBuckets = (): OpenBucket[] =>
  Array.from({ length: 10 }, () => ({ decisions: 0, stated: 0, true: 0 }));

/** Keeps means, so that a bucket can be read at any time. */
function count(buckets: OpenBucket[], confidence: number, isRight: boolean): void {
  const bucket = buckets[Math.min(9, Math.floor(confidence * 10 + 1e-9))];
  if (bucket === undefined) return;
  bucket.decisions += 1;
  bucket.stated += (confidence - bucket.stated) / bucket.decisions;
  bucket.true += ((isRight ? 1 : 0) - bucket.true) / bucket.decisions;
}

/** How far what is stated lies from what is true, over all decisions. */
export function meanGap(buckets: readonly Bucket[]): number {
  const decisions = buckets.reduce((sum, bucket) => sum + bucket.decisions, 0);
  return (
    buckets.reduce((sum, bucket) => sum + bucket.decisions * Math.abs(bucket.stated - bucket.true), 0) /
    decisions
  );
}
