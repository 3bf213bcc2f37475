import type { DedupKey, DocumentId, EventId, Millis, UserId } from './ids.ts';
import type { MemoryBody } from './memory.ts';

/** What one correction event says about one subject, for the documents it names. */
export interface Vote {
  /** The contiguous range of the log this vote lies in; see `voteRangeOf`. */
  readonly range: DedupKey;
  readonly at: Millis;
  readonly eventId: EventId;
  readonly userId: UserId;
  readonly documentIds: readonly DocumentId[];
  /** A correction changed something; a confirmation left it as it was. */
  readonly act: 'correction' | 'confirmation';
  /**
   * What it says: a body of the subject; `'other'` for an outcome that counts against every body and for none
   * (a rejection with feedback nobody recognises); `'abstain'` where it only takes back the documents' earlier votes.
   */
  readonly says: MemoryBody | 'other' | 'abstain';
  /** Ids of the memories whose effect the event confirms or corrects. */
  readonly causedBy: readonly string[];
}

export interface VoteOrder {
  readonly at: Millis;
  readonly eventId: string;
}

/** Oldest first: by time, then event id. Within an event, documents are ordered by their ids. */
export function byTime(a: VoteOrder, b: VoteOrder): number {
  return a.at - b.at || (a.eventId < b.eventId ? -1 : a.eventId > b.eventId ? 1 : 0);
}
