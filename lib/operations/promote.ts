import { type Ballot, castVotes } from '../domain/cast-votes.ts';
import { type CorrectionEvent, MAX_CLOCK_AHEAD } from '../domain/correction.ts';
import { memoryIdOf } from '../domain/dedup-key.ts';
import { canonicalJson } from '../domain/digest.ts';
import { MemoryError } from '../domain/errors.ts';
import { PROMOTION_POLICY, type PromotionPolicy, type Subject, subjectOf } from '../domain/promotion.ts';
import type { OrgPorts } from './ports-of-org.ts';
import { settleAndTell } from './settle.ts';

/** No accounts: promotion reads votes and the memory, nothing else. */
export type PromotionPorts = Omit<OrgPorts, 'accounts'>;

export interface Promoted {
  readonly known: boolean;
  /** Whether its id was another event's before, so that what it says itself counts for nothing. */
  readonly reused: boolean;
  readonly subjects: number;
  readonly proposed: number;
  /** How often another writer was first, and a subject was settled again. */
  readonly conflicts: number;
}

/**
 * One correction event into the log and, where it votes, into what stands. Idempotent: a redelivery, also after a
 * crash at any point, ends in the same state.
 *
 * @throws MemoryError `invalid-request` for an event from the future; store faults as they are.
 */
export async function promoteCorrection(
  ports: PromotionPorts,
  received: CorrectionEvent,
  policy: PromotionPolicy = PROMOTION_POLICY,
): Promise<Promoted> {
  const now = ports.clock.now();
  refuseFuture(received, now);
  const { event, known } = await ports.log.record(received, now);
  const ballot = castVotes(event);
  await ports.log.cast(ballot.votes);
  let proposals = 0;
  let conflicts = 0;
  const subjects = subjectsOf(ports, ballot.concerns);
  for (const subject of subjects) {
    const settled = await settleAndTell(ports, subject, policy);
    if (settled.proposed) proposals += 1;
    conflicts += settled.conflicts;
  }
  const reused = known && sayingOf(ballot) !== sayingOf(castVotes(received));
  return { known, reused, subjects: subjects.length, proposed: proposals, conflicts };
}

/** What counts of an event's votes, without what an erasure may have taken since. */
function sayingOf({ votes }: Ballot): string {
  return canonicalJson(votes.map(({ range, at, documentIds, says }) => ({ range, at, documentIds, says })));
}

function subjectsOf(
  ports: PromotionPorts,
  concerns: ReturnType<typeof castVotes>['concerns'],
): readonly Subject[] {
  const subjects = concerns.map((body) => subjectOf(body, (key) => memoryIdOf(ports.memories.orgId, key)));
  return [...new Map(subjects.map((subject) => [subject.key, subject])).values()];
}

function refuseFuture(event: CorrectionEvent, now: number): void {
  if (Date.parse(event.occurredAt) > now + MAX_CLOCK_AHEAD) {
    throw new MemoryError('invalid-request', 'The event is from the future.', {
      errors: [{ path: 'occurredAt', message: 'lies more than five minutes ahead' }],
    });
  }
}
