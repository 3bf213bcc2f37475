import type { Account, Chart, ChartInput } from './chart-of-accounts.ts';
import type { CorrectionEvent } from './correction.ts';
import type { Erased } from './erasure.ts';
import type { DedupKey, EventId, Millis, OrgId, UserId } from './ids.ts';
import type { MemoryStatus } from './memory.ts';
import type { StoredMemory } from './stored-memory.ts';
import type { Vote } from './votes.ts';

/**
 * The stores as the operations see them. Each is bound to one org when it is made, and no method takes an org.
 * All reads are strongly consistent but `list`, which comes from an index. A store that cannot be reached throws
 * `MemoryError('unavailable' | 'throttled')`; it never answers with nothing.
 */
export interface MemoryStore {
  readonly orgId: OrgId;
  get(key: DedupKey): Promise<StoredMemory | undefined>;
  getMany(keys: readonly DedupKey[]): Promise<readonly StoredMemory[]>;
  /**
   * One conditional write: stored only if the item's `rev` is still `expectedRev` (0: no item there).
   * `next.rev` must be `expectedRev + 1`. `'conflict'` means somebody else's write stands; a lost reply of one's own
   * write that did commit is `'stored'`.
   */
  put(next: StoredMemory, expectedRev: number): Promise<'stored' | 'conflict'>;
  /** Items whose key is ≥ `from` and < `to`, in key order, at most `limit`; `more` when there would have been others. */
  range(
    range: KeyRange,
    limit: number,
  ): Promise<{ readonly items: readonly StoredMemory[]; readonly more: boolean }>;
  /** One page of an index, newest change first. A page may be short or empty and still have a `next`. */
  list(query: ListQuery): Promise<ListPage>;
}

export interface KeyRange {
  readonly from: string;
  readonly to: string;
}

export interface ListQuery {
  /** `review` is what awaits a person: candidates, and decided memories with a proposal. */
  readonly index: Exclude<MemoryStatus, 'candidate'> | 'review';
  /** Whose: this person's own memories, or, without it, what belongs to the org and to its documents. */
  readonly userId?: UserId;
  readonly limit: number;
  /** Where the page before ended, from `ListPage.next` or `positionOf`. */
  readonly after?: ListPosition;
}

/** A place in a list: the `updatedAt` and the key of an item. */
export interface ListPosition {
  readonly updatedAt: Millis;
  readonly dedupKey: DedupKey;
}

export interface ListPage {
  readonly items: readonly StoredMemory[];
  readonly next?: ListPosition;
}

/** The learning log: every valid event once, and the votes cast by it. */
export interface CorrectionLog {
  readonly orgId: OrgId;
  /** Stores the event unless its id is known; answers with what is stored, which is the older one for a known id. */
  record(
    event: CorrectionEvent,
    receivedAt: Millis,
  ): Promise<{ readonly event: CorrectionEvent; readonly known: boolean }>;
  /** Idempotent: one put a vote, the same vote is the same item. */
  cast(votes: readonly Vote[]): Promise<void>;
  /** The newest `limit` events' votes of a range, newest first (time, then event id, both descending). */
  newestVotes(range: DedupKey, limit: number): Promise<readonly Vote[]>;
  /** One page of the events in the order of their ids. */
  events(
    after: string | undefined,
    limit: number,
  ): Promise<{ readonly events: readonly CorrectionEvent[]; readonly next?: string }>;
}

/**
 * What was and is being erased in one org, and the few writes that only an erasure makes. All of it is idempotent, so
 * that an erasure that was cut off anywhere goes on with the next call.
 */
export interface Erasures {
  readonly orgId: OrgId;
  /** `undefined` where nothing was ever erased. */
  head(): Promise<ErasureHead | undefined>;
  /** The head, made with a new secret where there is none. */
  open(): Promise<ErasureHead>;
  /** Says that the org itself is erased, with all that happened until then. */
  markOrg(at: Millis): Promise<void>;
  /** How far the erasure under this name came, done or not; a person's name is their pseudonym. */
  progress(name: string): Promise<ErasureProgress | undefined>;
  keep(progress: ErasureProgress): Promise<void>;
  /** Removes these items, whatever they say now. */
  removeMemories(keys: readonly DedupKey[]): Promise<void>;
  removeChart(): Promise<void>;
  /** One page of the log, from its beginning or after `after`: whatever names the person names the pseudonym after it. */
  rewriteLog(person: Erased, after?: string): Promise<LogPage>;
  /** The same for one event; answers with it as it is stored now, `undefined` where it is not. */
  rewriteEvent(person: Erased, eventId: EventId): Promise<CorrectionEvent | undefined>;
  /** Removes one page of the log. */
  removeLog(after?: string): Promise<LogPage>;
  /** Removes one event with its votes. */
  removeEvent(eventId: EventId, votes: readonly Vote[]): Promise<void>;
}

export interface ErasureHead {
  /** What the org's pseudonyms are made with. */
  readonly secret: string;
  readonly orgErasedAt?: Millis;
}

export interface ErasureProgress {
  readonly name: string;
  readonly startedAt: Millis;
  readonly phase: string;
  /** Where the phase goes on. */
  readonly after?: string;
  /** What was changed or removed so far. */
  readonly counts: Readonly<Record<string, number>>;
  readonly finishedAt?: Millis;
}

export interface LogPage {
  /** How many were changed or removed. */
  readonly events: number;
  readonly votes: number;
  readonly next?: string;
}

export interface AccountStore {
  readonly orgId: OrgId;
  /** Replaces the whole chart at once for every reader; answers with the new version. */
  replace(chart: ChartInput, at: Millis): Promise<{ readonly version: number; readonly accounts: number }>;
  load(): Promise<Chart | undefined>;
  /** The named accounts as they stand now; ids the chart does not have are missing. `undefined` when no chart is loaded. */
  find(ids: readonly string[]): Promise<ReadonlyMap<string, Account> | undefined>;
}

export type NoticeType = 'MemoryCandidateProposed' | 'MemorySaved' | 'MemoryReviewed' | 'MemoryArchived';

export interface Notice {
  readonly type: NoticeType;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** Best effort: a notice that cannot be sent is logged and never fails what it tells of. */
export interface EventPublisher {
  publish(notices: readonly Notice[]): Promise<void>;
}

/** Time and ids are arguments of the domain; these two give them. */
export interface Clock {
  now(): Millis;
}
