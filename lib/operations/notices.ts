import { memoryIdOf } from '../domain/dedup-key.ts';
import { standingOf } from '../domain/lifecycle.ts';
import type { Notice, NoticeType } from '../domain/ports.ts';
import type { StoredMemory } from '../domain/stored-memory.ts';

/** What the bus is told of a change: which memory, how it stands, never its content. */
export function noticeOf(
  type: NoticeType,
  stored: StoredMemory,
  more: Readonly<Record<string, string>> = {},
): Notice {
  const [status = 'absent'] = standingOf(stored).split('+');
  return {
    type,
    detail: {
      orgId: stored.orgId,
      memoryId: memoryIdOf(stored.orgId, stored.dedupKey),
      kind: stored.kind,
      scope: stored.owner.scope,
      status,
      version: stored.version,
      ...more,
    },
  };
}
