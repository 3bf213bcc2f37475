import { memoryIdOf, voteRangeOf } from '../domain/dedup-key.ts';
import { MemoryError } from '../domain/errors.ts';
import type { DedupKey } from '../domain/ids.ts';
import { type Decision, decide, type Outcome, type Place } from '../domain/lifecycle.ts';
import type { MemoryContent } from '../domain/memory.ts';
import type { Notice } from '../domain/ports.ts';
import type { Subject } from '../domain/promotion.ts';
import { bodyOf, proposalOf, type StoredMemory } from '../domain/stored-memory.ts';
import { notFound } from './find-memory.ts';
import type { OrgPorts } from './ports-of-org.ts';
import { settleAndTell } from './settle.ts';

export interface Decided {
  readonly memory: StoredMemory;
  readonly outcome: Outcome;
}

/**
 * Runs a person's act: read, transition, one conditional write, again on a conflict. Once it is written the bus is
 * told, whatever comes after; and the subject is settled, since votes may have come while the person decided.
 *
 * @param target a place where something may come to be, or the key of what must be there already.
 * @param noticesOf what the bus is told of it.
 * @param check runs on what was read, before the transition; it refuses by throwing, and may answer with less of the
 * item where the caller is not shown all of it.
 */
export async function runDecision(
  ports: Pick<OrgPorts, 'memories' | 'log' | 'clock' | 'publisher'>,
  target: Place | DedupKey,
  act: Omit<Decision, 'now' | 'newestVoteAt'>,
  noticesOf: (decided: Decided) => readonly Notice[],
  check?: (memory: StoredMemory) => StoredMemory | Promise<StoredMemory>,
): Promise<Decided> {
  const key = typeof target === 'string' ? target : target.dedupKey;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const stored = await ports.memories.get(key);
    const memory = stored && check ? await check(stored) : stored;
    const place = memory ?? (typeof target === 'string' ? undefined : target);
    if (place === undefined) throw notFound();
    const subject = learnableSubject(
      place,
      act.content ?? memory?.decided?.content ?? (memory && proposalOf(memory)?.content),
    );
    const newest = subject && (await ports.log.newestVotes(subject.range, 1))[0];
    const { next, outcome } = decide(place, memory, {
      ...act,
      now: ports.clock.now(),
      newestVoteAt: newest?.at ?? 0,
    });
    if (next === undefined) {
      if (memory === undefined) throw new RangeError('nothing changes only where something is');
      return { memory, outcome };
    }
    if ((await ports.memories.put(next, memory?.rev ?? 0)) === 'conflict') {
      await pause(attempt);
      continue;
    }
    const told = ports.publisher.publish(noticesOf({ memory: next, outcome }));
    try {
      // A vote that came while we decided was settled against what stood before; one that comes from here on sees our
      // write by itself. So only where there is a vote is there something to settle.
      const voted =
        newest !== undefined || (subject && (await ports.log.newestVotes(subject.range, 1)).length > 0);
      const settled = subject && voted ? await settleAndTell(ports, subject) : undefined;
      return { memory: settled?.memory?.decided ? settled.memory : next, outcome };
    } finally {
      await told;
    }
  }
  throw new MemoryError('unavailable', 'The memory is being changed by others; try again.');
}

// Of a hundred that write one item at once, each round lets one through, so they step apart.
const MAX_ATTEMPTS = 18;
const LONGEST_PAUSE_MS = 400;

function pause(attempt: number): Promise<void> {
  const most = Math.min(10 * 2 ** attempt, LONGEST_PAUSE_MS);
  return new Promise((resolve) => setTimeout(resolve, Math.random() * most));
}

/** The subject promotion could learn about; nothing for preferences and labels, which are only ever declared. */
export function learnableSubject(place: Place, content: MemoryContent | undefined): Subject | undefined {
  if (content === undefined || place.kind === 'preference' || place.owner.scope !== 'org') return undefined;
  if ('mapping' in content && content.mapping === 'labels') return undefined;
  if ('hint' in content && content.hint === 'custom') return undefined;
  return {
    key: place.dedupKey,
    memoryId: memoryIdOf(place.orgId, place.dedupKey),
    kind: place.kind,
    range: voteRangeOf(bodyOf(place.kind, content)),
  };
}
