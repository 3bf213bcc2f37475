import { dedupKeyOfId } from '../domain/dedup-key.ts';
import { MemoryError } from '../domain/errors.ts';
import type { Identity } from '../domain/identity.ts';
import type { DedupKey } from '../domain/ids.ts';
import type { Memory } from '../domain/memory.ts';
import type { StoredMemory } from '../domain/stored-memory.ts';
import { judge } from './judge.ts';
import type { OrgPorts } from './ports-of-org.ts';

/**
 * The item an id names for this caller. Unknown, malformed, foreign and another person's own are the same `not-found`.
 */
export async function findStored(
  ports: Pick<OrgPorts, 'memories'>,
  identity: Identity,
  id: string,
): Promise<StoredMemory> {
  const key = keyOfId(identity, id);
  const stored = await ports.memories.get(key);
  if (stored === undefined || !isVisibleTo(identity, stored)) throw notFound();
  return stored;
}

export function keyOfId(identity: Identity, id: string): DedupKey {
  const key = dedupKeyOfId(identity.orgId, id);
  if (key === undefined) throw notFound();
  return key;
}

/** memories.get: the record as it stands, read consistently. */
export async function getMemory(
  ports: Pick<OrgPorts, 'memories' | 'accounts'>,
  identity: Identity,
  id: string,
): Promise<Memory> {
  return shownOf(ports, await findStored(ports, identity, id));
}

/** The record as it shows now; `not-found` where nothing of the item does. */
export async function shownOf(
  ports: Pick<OrgPorts, 'memories' | 'accounts'>,
  stored: StoredMemory,
): Promise<Memory> {
  const [judged] = await judge(ports, [stored]);
  if (judged?.view === undefined) throw notFound();
  return judged.view;
}

/** A person's own memories are theirs alone; everything else of the org is the org's. */
export function isVisibleTo(identity: Identity, stored: StoredMemory): boolean {
  return stored.owner.scope !== 'user' || stored.owner.userId === identity.userId;
}

export function notFound(): MemoryError {
  return new MemoryError('not-found', 'There is no such memory.');
}
