import { MemoryError } from '../domain/errors.ts';
import { applyAssessment, placeOf } from '../domain/lifecycle.ts';
import { assess, PROMOTION_POLICY, type PromotionPolicy, type Subject } from '../domain/promotion.ts';
import type { StoredMemory } from '../domain/stored-memory.ts';
import { noticeOf } from './notices.ts';
import type { OrgPorts } from './ports-of-org.ts';

export interface Settled {
  readonly memory: StoredMemory | undefined;
  /** Whether this run put a value up that did not stand before. */
  readonly proposed: boolean;
  /** How often another writer was first, and it was done again. */
  readonly conflicts: number;
}

/**
 * Makes what promotion derives for one subject agree with its votes and decisions. Reads the memory, *then* its votes,
 * so that votes seen are never older than the memory; after a write it looks again until nothing changes, so that a
 * worker that saw fewer votes and writes later is put right by itself.
 *
 * @throws MemoryError `unavailable` when others kept writing for all tries; the caller tries the message again.
 */
export async function settle(
  ports: Pick<OrgPorts, 'memories' | 'log' | 'clock'>,
  subject: Subject,
  policy: PromotionPolicy = PROMOTION_POLICY,
  onWrite: (written: StoredMemory, proposes: boolean) => void = () => {},
): Promise<Settled> {
  const place = placeOf(ports.memories.orgId, subject);
  let proposed = false;
  let conflicts = 0;
  // What this run wrote itself need not be read again: a write of another's since then fails the next one of ours.
  let written: StoredMemory | undefined;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const memory = written ?? (await ports.memories.get(subject.key));
    const votes = await ports.log.newestVotes(subject.range, policy.maxEvents);
    const assessment = assess(subject, votes, memory, policy);
    const { next, proposes } = applyAssessment(place, memory, assessment, ports.clock.now());
    if (next === undefined) return { memory, proposed, conflicts };
    const result = await ports.memories.put(next, memory?.rev ?? 0);
    if (result === 'conflict') {
      written = undefined;
      conflicts += 1;
      continue;
    }
    written = next;
    proposed ||= proposes;
    onWrite(next, proposes);
  }
  throw new MemoryError('unavailable', 'The memory is being changed by others; try again.');
}

const MAX_ATTEMPTS = 12;

/**
 * Settles, and tells the bus of the value that this put up. Also where it fails on the way: what stands by then is not
 * put up a second time when it is tried again.
 */
export async function settleAndTell(
  ports: Pick<OrgPorts, 'memories' | 'log' | 'clock' | 'publisher'>,
  subject: Subject,
  policy: PromotionPolicy = PROMOTION_POLICY,
): Promise<Settled> {
  let news: StoredMemory | undefined;
  try {
    return await settle(ports, subject, policy, (written, proposes) => {
      const isNews = written.derived !== undefined && (proposes || news !== undefined);
      news = isNews ? written : undefined;
    });
  } finally {
    if (news !== undefined) await ports.publisher.publish([noticeOf('MemoryCandidateProposed', news)]);
  }
}
