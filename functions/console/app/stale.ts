import type { Memory } from '../../../lib/domain/memory.ts';
import type { Evidence } from '../../../lib/domain/responses.ts';
import { daysSince } from './dates.ts';
import { sameContent } from './words.ts';

const STALE_DAYS = 180;
const WAITING_DAYS = 14;

/** What documents can speak for; the rest is stale once nobody has changed it for long. */
export const isLearnable = ({ kind, scope }: Memory) => kind !== 'preference' && scope === 'org';

export const isOld = ({ updatedAt }: Memory, now = Date.now()) => daysSince(updatedAt, now) > STALE_DAYS;

/**
 * Active, and neither changed nor spoken for by a document for half a year. Nothing is said of a memory whose evidence
 * was not read.
 */
export function staleOf(
  active: readonly Memory[],
  evidenceById: ReadonlyMap<string, Evidence>,
  now = Date.now(),
): readonly Memory[] {
  return active.filter((memory) => {
    if (!isOld(memory, now)) return false;
    if (!isLearnable(memory)) return true;
    return evidenceById
      .get(memory.id)
      ?.votes.every(
        ({ at, content }) =>
          content === null || !sameContent(content, memory.content) || daysSince(at, now) > STALE_DAYS,
      );
  });
}

/** Suggestions that nobody has decided on for two weeks. */
export const overdueOf = (awaiting: readonly Memory[], now = Date.now()): readonly Memory[] =>
  awaiting.filter(
    ({ updatedAt, proposal }) => daysSince(proposal?.proposedAt ?? updatedAt, now) > WAITING_DAYS,
  );
