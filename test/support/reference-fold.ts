import { castVotes } from '../../lib/domain/cast-votes.ts';
import type { CorrectionEvent } from '../../lib/domain/correction.ts';
import { dedupKeyOf, memoryIdOf, voteRangeOf } from '../../lib/domain/dedup-key.ts';
import type { DedupKey, OrgId } from '../../lib/domain/ids.ts';
import type { MemoryBody } from '../../lib/domain/memory.ts';
import type { DecidedState } from '../../lib/domain/promotion.ts';
import { bodyOf } from '../../lib/domain/stored-memory.ts';
import { valueDigest, valueKey } from '../../lib/domain/value.ts';

/** What should stand beside the decided part. */
export interface Expected {
  readonly proposed?: { readonly value: string; readonly confidence: number; readonly evidenceCount: number };
  readonly support: number;
}

/** All subjects that the events vote on, by key. */
export function subjectsOf(events: readonly CorrectionEvent[]): ReadonlyMap<DedupKey, MemoryBody> {
  const bodies = events.flatMap((event) => castVotes(event).concerns);
  return new Map(bodies.map((body) => [dedupKeyOf({ scope: 'org' }, body), body]));
}

/** Promotion said again from the contract, slowly and from whole events; it shares no step with `assess`. */
export function referenceFold(
  orgId: OrgId,
  about: MemoryBody,
  events: readonly CorrectionEvent[],
  memory: DecidedState | undefined,
): Expected {
  const { decided, decidedAt = 0, turnedDown = [] } = memory ?? {};
  const decidedValue = decided && valueKey(bodyOf(about.kind, decided.content));
  const isActive = decided?.status === 'active';
  const ballots = newest(ballotsOn(orgId, about, events, decidedValue));
  const fresh = latestOfDocuments(
    ballots.filter(({ at }) => at > decidedAt),
    decidedValue,
  );
  const before = latestOfDocuments(
    ballots.filter(({ at }) => at <= decidedAt),
    decidedValue,
  );

  const agreed = new Set(before.filter((one) => agrees(one, decidedValue)).map((one) => one.documentId));
  const support = fresh.filter((one) => agrees(one, decidedValue) && !agreed.has(one.documentId)).length;
  const last = fresh.at(-1);
  const value = last?.body && !last.echo ? valueKey(last.body) : undefined;
  const forIt = fresh.filter((one) => value !== undefined && agrees(one, value));
  const corrections = new Set(forIt.filter((one) => one.correction).map((one) => one.eventId)).size;
  const confidence = (forIt.length + 1) / (fresh.length + 2);
  const isUp =
    last?.body !== undefined &&
    value !== undefined &&
    forIt.length >= 3 &&
    corrections >= 2 &&
    confidence >= 0.8 &&
    !(isActive && value === decidedValue) &&
    !turnedDown.includes(valueDigest(last.body));
  return {
    support: isActive ? support : 0,
    ...(isUp ? { proposed: { value, confidence, evidenceCount: forIt.length } } : {}),
  };
}

/** What one event says for one document. */
interface Ballot {
  readonly at: number;
  readonly eventId: string;
  readonly documentId: string;
  readonly correction: boolean;
  readonly abstains: boolean;
  /** Absent where it speaks for no value of this subject. */
  readonly body?: MemoryBody;
  /** It repeats what the memory itself brought about. */
  readonly echo: boolean;
}

function ballotsOn(
  orgId: OrgId,
  about: MemoryBody,
  events: readonly CorrectionEvent[],
  decidedValue: string | undefined,
): readonly Ballot[] {
  const key = dedupKeyOf({ scope: 'org' }, about);
  const ballots: Ballot[] = [];
  for (const vote of events.flatMap((event) => castVotes(event).votes)) {
    if (vote.range !== voteRangeOf(about)) continue;
    const body =
      typeof vote.says !== 'string' && dedupKeyOf({ scope: 'org' }, vote.says) === key
        ? vote.says
        : undefined;
    for (const documentId of vote.documentIds) {
      ballots.push({
        at: vote.at,
        eventId: vote.eventId,
        documentId,
        correction: vote.act === 'correction',
        abstains: vote.says === 'abstain',
        ...(body === undefined ? {} : { body }),
        echo:
          body !== undefined &&
          valueKey(body) === decidedValue &&
          vote.causedBy.includes(memoryIdOf(orgId, key)),
      });
    }
  }
  return ballots.sort(inOrder);
}

function newest(ballots: readonly Ballot[]): readonly Ballot[] {
  const events = new Set([...new Set(ballots.map(({ eventId }) => eventId))].slice(-200));
  const end = ballots.at(-1)?.at ?? 0;
  return ballots.filter(({ eventId, at }) => events.has(eventId) && at >= end - 365 * 24 * 3_600_000);
}

function latestOfDocuments(ballots: readonly Ballot[], decidedValue: string | undefined): readonly Ballot[] {
  const documents = new Set(ballots.map(({ documentId }) => documentId));
  return [...documents]
    .flatMap((documentId) => {
      let latest: Ballot | undefined;
      for (const ballot of ballots.filter((one) => one.documentId === documentId)) {
        const agreedBefore = latest?.body !== undefined && valueKey(latest.body) === decidedValue;
        if (ballot.abstains) latest = undefined;
        else if (!(ballot.echo && agreedBefore)) latest = ballot;
      }
      return latest ?? [];
    })
    .sort(inOrder);
}

const agrees = ({ body, echo }: Ballot, value: string | undefined) =>
  body !== undefined && !echo && valueKey(body) === value;

const inOrder = (a: Ballot, b: Ballot) =>
  a.at - b.at || compare(a.eventId, b.eventId) || compare(a.documentId, b.documentId);
const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
