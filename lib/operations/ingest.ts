import { castVotes } from '../domain/cast-votes.ts';
import type { CorrectionEvent } from '../domain/correction.ts';
import { memoryIdOf } from '../domain/dedup-key.ts';
import { type Erased, eventWithout, personOf } from '../domain/erasure.ts';
import type { DedupKey } from '../domain/ids.ts';
import { standingOf } from '../domain/lifecycle.ts';
import type { ErasureHead, Erasures } from '../domain/ports.ts';
import { subjectOf } from '../domain/promotion.ts';
import type { OrgPorts } from './ports-of-org.ts';
import { type Promoted, type PromotionPorts, promoteCorrection } from './promote.ts';
import { settle } from './settle.ts';

export interface WithErasures {
  readonly erasures: Erasures;
}

export type IngestPorts = PromotionPorts & WithErasures;

/** What it takes to learn anew of what was written, with the erasures in sight. */
export type RelearningPorts = Pick<OrgPorts, 'memories' | 'log' | 'clock'> & WithErasures;

/**
 * A correction on its way in: what was erased stays erased, though the archive or a dead letter brings it again. The
 * event of an erased person is their pseudonym's; one from before its org was erased is refused.
 *
 * It is asked before anything is written and again after: an erasure that began in between may have been past the
 * place of what was written, and is then done here.
 */
export async function ingestCorrection(
  ports: IngestPorts,
  received: CorrectionEvent,
): Promise<Promoted | 'erased'> {
  const before = await ports.erasures.head();
  if (isFromBeforeErasure(received, before)) return 'erased';
  const known = await erasedActor(ports, received, before);
  const event = (known && eventWithout(received, known)) ?? received;
  const promoted = await promoteCorrection(ports, event);

  return (await heedErasures(ports, received, event)) === 'erased' ? 'erased' : promoted;
}

/**
 * What was written of an event, as the erasures that there are by now would have it: gone, or the pseudonym's. An
 * erasure may have been past the place of it when it was written.
 *
 * @param written the event as it was written, where that is not as it was received.
 */
export async function heedErasures(
  ports: RelearningPorts,
  received: CorrectionEvent,
  written = received,
): Promise<'erased' | 'kept'> {
  const head = await ports.erasures.head();
  if (isFromBeforeErasure(written, head)) {
    await forget(ports, written);
    return 'erased';
  }
  const person = await erasedActor(ports, received, head);
  const stored = person && (await ports.erasures.rewriteEvent(person, written.eventId));
  if (stored !== undefined) await ports.log.cast(castVotes(stored).votes);
  return 'kept';
}

function isFromBeforeErasure(event: CorrectionEvent, head: ErasureHead | undefined): boolean {
  return head?.orgErasedAt !== undefined && Date.parse(event.occurredAt) <= head.orgErasedAt;
}

async function erasedActor(
  { erasures }: WithErasures,
  { actor }: CorrectionEvent,
  head: ErasureHead | undefined,
): Promise<Erased | undefined> {
  if (head === undefined || actor === undefined) return undefined;
  const person = personOf(head.secret, actor.userId);
  return (await erasures.progress(person.alias)) === undefined ? undefined : person;
}

/** Takes one event back, with its votes and what was proposed of them. */
async function forget(ports: RelearningPorts, event: CorrectionEvent): Promise<void> {
  const { votes, concerns } = castVotes(event);
  await ports.erasures.removeEvent(event.eventId, votes);
  const emptied: DedupKey[] = [];
  for (const body of concerns) {
    const subject = subjectOf(body, (key) => memoryIdOf(ports.memories.orgId, key));
    const { memory } = await settle(ports, subject);
    if (memory !== undefined && standingOf(memory) === 'absent' && memory.history.length === 0) {
      emptied.push(subject.key);
    }
  }
  await ports.erasures.removeMemories(emptied);
}
