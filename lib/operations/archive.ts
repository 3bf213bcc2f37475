import type { Identity } from '../domain/identity.ts';
import type { Outcome } from '../domain/lifecycle.ts';
import type { Memory } from '../domain/memory.ts';
import type { ArchiveRequest } from '../domain/requests.ts';
import { runDecision } from './decide.ts';
import { isVisibleTo, keyOfId, notFound, shownOf } from './find-memory.ts';
import { noticeOf } from './notices.ts';
import type { OrgPorts } from './ports-of-org.ts';

/**
 * memories.archive: it stops acting from the next call on, and its value stays down.
 *
 * @throws MemoryError `not-found`, `not-applicable`, `version-conflict`.
 */
export async function archiveMemory(
  ports: OrgPorts,
  identity: Identity,
  id: string,
  request: ArchiveRequest,
): Promise<{ readonly memory: Memory; readonly outcome: Outcome }> {
  const { memory, outcome } = await runDecision(
    ports,
    keyOfId(identity, id),
    {
      act: 'archive',
      by: identity.userId,
      ...(request.expectedVersion === undefined ? {} : { expectedVersion: request.expectedVersion }),
      ...(request.reason === undefined ? {} : { reason: request.reason }),
    },
    (decided) => [noticeOf('MemoryArchived', decided.memory)],
    (stored) => {
      if (!isVisibleTo(identity, stored)) throw notFound();
      return stored;
    },
  );
  return { memory: await shownOf(ports, memory), outcome };
}
