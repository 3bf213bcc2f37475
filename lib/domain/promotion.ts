import { dedupKeyOf, merchantPartOf, voteRangeOf } from './dedup-key.ts';
import type { DedupKey, MemoryId, MerchantKey, Millis } from './ids.ts';
import type { LiveKind, MemoryBody, MemorySource } from './memory.ts';
import { isIntermediary } from './merchant-key.ts';
import { bodyOf, type Derived, type StoredMemory } from './stored-memory.ts';
import { valueDigest, valueKey } from './value.ts';
import { byTime, type Vote } from './votes.ts';

/** The numbers of promotion, as data, so that a benchmark can try others. */
export interface PromotionPolicy {
  /** The newest events of a subject that are looked at. */
  readonly maxEvents: number;
  /** How far back from the newest of them votes count. Milliseconds. */
  readonly windowMillis: Millis;
  /** Documents a value needs. */
  readonly minDocuments: number;
  /** Separate corrections that must be among them. */
  readonly minCorrections: number;
  /** The least `(k + 1) / (n + 2)`. */
  readonly minConfidence: number;
}

export const PROMOTION_POLICY: PromotionPolicy = {
  maxEvents: 200,
  windowMillis: 365 * 24 * 3_600_000,
  minDocuments: 3,
  minCorrections: 2,
  minConfidence: 0.8,
};

/** What promotion is asked about: one memory, there or not. */
export interface Subject {
  readonly key: DedupKey;
  readonly memoryId: MemoryId;
  readonly kind: LiveKind;
  /** Where its votes lie. */
  readonly range: DedupKey;
}

export type VerdictReason =
  | 'promoted'
  | 'needs-more'
  | 'mixed'
  | 'newest-disagrees'
  | 'turned-down'
  | 'covered'
  | 'intermediary'
  | 'unknown-account'
  | 'no-evidence';

export interface Verdict {
  readonly promoted: boolean;
  readonly reason: VerdictReason;
  /** Documents for the leading value, documents in all, documents needed. */
  readonly k: number;
  readonly n: number;
  readonly needed: number;
  readonly confidence: number;
}

export interface TallyEntry {
  readonly body: MemoryBody;
  readonly documents: number;
  readonly corrections: number;
  readonly people: number;
  readonly firstAt: Millis;
  readonly lastAt: Millis;
}

export interface Assessment {
  readonly verdict: Verdict;
  /** Over the whole window, also what was decided on already. Most documents first. */
  readonly tally: readonly TallyEntry[];
  /** What should stand as candidate or proposal; nothing where the bar is not met. */
  readonly proposed?: Omit<Derived, 'proposedAt'>;
  /** Documents that agree with the active content since the decision and were not counted with it. */
  readonly support: number;
}

/** What the fold needs of the memory: the decided part, and nothing that promotion itself wrote. */
export type DecidedState = Pick<StoredMemory, 'decided' | 'decidedAt' | 'turnedDown'>;

/**
 * Votes and decisions → what should stand. A pure fold over the *set* of votes: their order of arrival, duplicates and
 * batches do not show. A value is proposed when enough documents agree, little disagrees, and the newest one is for it.
 */
export function assess(
  subject: Subject,
  votes: readonly Vote[],
  memory: DecidedState | undefined,
  policy: PromotionPolicy = PROMOTION_POLICY,
): Assessment {
  const decided = memory?.decided;
  const decidedBody = decided && bodyOf(subject.kind, decided.content);
  const decidedValue = decidedBody && valueKey(decidedBody);
  const window = newestWindow(votes, policy);
  const isEcho = (vote: Vote) =>
    decidedValue !== undefined &&
    vote.causedBy.includes(subject.memoryId) &&
    votedValue(vote) === decidedValue;

  const before = window.filter((vote) => vote.at <= (memory?.decidedAt ?? 0));
  const after = window.filter((vote) => vote.at > (memory?.decidedAt ?? 0));
  const fresh = latestByDocument(after, isEcho, decidedValue);
  const seen = latestByDocument(window, isEcho, decidedValue);
  const newestValue = [...fresh.values()]
    .map((stand) => stand.vote)
    .sort(byTime)
    .map(votedValue)
    .at(-1);
  const seenTally = tallyOf(subject, seen, isEcho);
  const freshLeader = tallyOf(subject, fresh, isEcho)[0];
  // With nothing new since the decision, what was decided on is what there is to explain.
  const leader = freshLeader ?? seenTally[0];
  const n = freshLeader ? fresh.size : seen.size;

  const support =
    decided?.status === 'active'
      ? countSupport(fresh, latestByDocument(before, isEcho, decidedValue), isEcho, decidedValue)
      : 0;

  const confidence = ((leader?.documents ?? 0) + 1) / (n + 2);
  const reason = reasonFor();
  const verdict: Verdict = {
    promoted: reason === 'promoted',
    reason,
    k: leader?.documents ?? 0,
    n,
    needed: policy.minDocuments,
    confidence,
  };
  const tally = seenTally.map(({ value: _, ...entry }) => entry);
  if (leader === undefined || reason !== 'promoted') return { verdict, tally, support };
  return {
    verdict,
    tally,
    support,
    proposed: {
      content: leader.body.content,
      confidence,
      evidenceCount: leader.documents,
      source: sourceOf(subject.kind),
    },
  };

  function reasonFor(): VerdictReason {
    if (leader === undefined) return 'no-evidence';
    if (isAboutIntermediary(subject)) return 'intermediary';
    if (decided?.status === 'active' && leader.value === decidedValue) return 'covered';
    if (memory?.turnedDown.includes(valueDigest(leader.body))) return 'turned-down';
    if (freshLeader === undefined) return 'no-evidence';
    if (leader.documents < policy.minDocuments) return 'needs-more';
    if (confidence < policy.minConfidence) return 'mixed';
    if (leader.corrections < policy.minCorrections) return 'needs-more';
    if (newestValue !== leader.value) return 'newest-disagrees';
    return 'promoted';
  }
}

/** The source a memory learned of this kind carries. */
function sourceOf(kind: LiveKind): MemorySource {
  return kind === 'canonical_mapping' ? 'manual_correction' : 'approval_history';
}

interface Stand {
  readonly documentId: string;
  readonly vote: Vote;
}

interface ValueTally extends TallyEntry {
  readonly value: string;
}

interface VoteForBody extends Vote {
  readonly says: MemoryBody;
}

const isForBody = (vote: Vote): vote is VoteForBody => typeof vote.says !== 'string';

function votedValue(vote: Vote): string | undefined {
  return isForBody(vote) ? valueKey(vote.says) : undefined;
}

function newestWindow(votes: readonly Vote[], policy: PromotionPolicy): Vote[] {
  const newest = [...votes].sort(byTime).slice(-policy.maxEvents);
  const end = newest.at(-1)?.at ?? 0;
  return newest.filter((vote) => vote.at >= end - policy.windowMillis);
}

/** The latest vote of each document; an abstention takes the earlier one back, an echo never displaces real agreement. */
function latestByDocument(
  votes: readonly Vote[],
  isEcho: (vote: Vote) => boolean,
  decidedValue: string | undefined,
): Map<string, Stand> {
  const latest = new Map<string, Stand>();
  for (const vote of votes) {
    for (const documentId of vote.documentIds) {
      const earlier = latest.get(documentId);
      if (vote.says === 'abstain') latest.delete(documentId);
      else if (earlier && isEcho(vote) && votedValue(earlier.vote) === decidedValue) continue;
      else latest.set(documentId, { documentId, vote });
    }
  }
  return latest;
}

function tallyOf(
  subject: Subject,
  latest: ReadonlyMap<string, Stand>,
  isEcho: (vote: Vote) => boolean,
): ValueTally[] {
  const groups = new Map<string, VoteForBody[]>();
  for (const { vote } of latest.values()) {
    if (!isForBody(vote) || isEcho(vote) || !isAbout(subject, vote.says)) continue;
    const value = valueKey(vote.says);
    const group = groups.get(value) ?? [];
    group.push(vote);
    groups.set(value, group);
  }
  return [...groups]
    .map(([value, group]) => {
      const votes = group.sort(byTime);
      return {
        value,
        body: representative(votes),
        documents: votes.length,
        corrections: new Set(votes.filter((vote) => vote.act === 'correction').map((vote) => vote.eventId))
          .size,
        people: new Set(votes.map((vote) => vote.userId)).size,
        firstAt: votes[0]?.at ?? 0,
        lastAt: votes.at(-1)?.at ?? 0,
      };
    })
    .sort((a, b) => b.documents - a.documents || b.lastAt - a.lastAt || (a.value < b.value ? -1 : 1));
}

/** All bodies of a range are about its one subject, but for hints, which share theirs. */
function isAbout(subject: Subject, body: MemoryBody): boolean {
  return body.kind !== 'workflow_hint' || dedupKeyOf({ scope: 'org' }, body) === subject.key;
}

/** How a value is shown: as the newest vote writes it, under the shortest printed name of the merchant. */
function representative(votes: readonly VoteForBody[]): MemoryBody {
  const bodies = votes.map((vote) => vote.says);
  const newest = bodies.at(-1);
  if (newest === undefined) throw new RangeError('a value has at least one vote');
  if (newest.kind !== 'canonical_mapping') return newest;
  const merchants = bodies.flatMap((body) =>
    body.kind === 'canonical_mapping' ? [body.content.merchant] : [],
  );
  const [merchant = newest.content.merchant] = merchants.sort(
    (a, b) => a.length - b.length || (a < b ? -1 : 1),
  );
  return { kind: newest.kind, content: { ...newest.content, merchant } };
}

function countSupport(
  fresh: ReadonlyMap<string, Stand>,
  before: ReadonlyMap<string, Stand>,
  isEcho: (vote: Vote) => boolean,
  decidedValue: string | undefined,
): number {
  let support = 0;
  for (const { documentId, vote } of fresh.values()) {
    if (isEcho(vote) || votedValue(vote) !== decidedValue) continue;
    const earlier = before.get(documentId);
    if (earlier === undefined || isEcho(earlier.vote) || votedValue(earlier.vote) !== decidedValue)
      support += 1;
  }
  return support;
}

function isAboutIntermediary(subject: Subject): boolean {
  const part = merchantPartOf(subject.key);
  // A part with a tilde was cut: no intermediary has a name as long as that.
  return part !== undefined && !part.includes('~') && isIntermediary(decodeURIComponent(part) as MerchantKey);
}

/** The subject a body belongs to. */
export function subjectOf(body: MemoryBody, memoryIdOf: (key: DedupKey) => MemoryId): Subject {
  const key = dedupKeyOf({ scope: 'org' }, body);
  return { key, memoryId: memoryIdOf(key), kind: body.kind, range: voteRangeOf(body) };
}
