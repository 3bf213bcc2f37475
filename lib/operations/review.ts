import { MemoryError } from '../domain/errors.ts';
import type { Identity } from '../domain/identity.ts';
import type { Outcome } from '../domain/lifecycle.ts';
import type { Memory } from '../domain/memory.ts';
import type { ReviewRequest } from '../domain/requests.ts';
import { proposalOf, type StoredMemory } from '../domain/stored-memory.ts';
import { runDecision } from './decide.ts';
import { isVisibleTo, keyOfId, notFound, shownOf } from './find-memory.ts';
import { judge } from './judge.ts';
import { noticeOf } from './notices.ts';
import type { OrgPorts } from './ports-of-org.ts';

/**
 * memories.review: a person decides on the version that was shown to them.
 *
 * @throws MemoryError `not-found`, `version-conflict`, `not-applicable`, `unknown-account`.
 */
export async function reviewMemory(
  ports: OrgPorts,
  identity: Identity,
  id: string,
  request: ReviewRequest,
): Promise<{ readonly memory: Memory; readonly outcome: Outcome }> {
  const { memory, outcome } = await runDecision(
    ports,
    keyOfId(identity, id),
    {
      act: request.decision,
      by: identity.userId,
      expectedVersion: request.expectedVersion,
      ...(request.reason === undefined ? {} : { reason: request.reason }),
    },
    (decided) => [
      noticeOf('MemoryReviewed', decided.memory, { decision: request.decision, outcome: decided.outcome }),
    ],
    (stored) => refuseHidden(ports, identity, stored, request),
  );
  return { memory: await shownOf(ports, memory), outcome };
}

/** What is hidden from every list cannot be approved behind its back. */
async function refuseHidden(
  ports: OrgPorts,
  identity: Identity,
  stored: StoredMemory,
  request: ReviewRequest,
): Promise<StoredMemory> {
  if (!isVisibleTo(identity, stored)) throw notFound();
  if (proposalOf(stored) === undefined || request.decision !== 'approve') return stored;
  const [judged] = await judge(ports, [stored]);
  if (judged?.hidden === 'unknown-account') {
    throw new MemoryError(
      'unknown-account',
      'The account it proposes is not in the chart, or cannot be posted to.',
    );
  }
  if (judged?.hidden === 'covered') {
    throw new MemoryError('not-applicable', 'An active memory says so already, through an alias.');
  }
  return stored;
}
