import { Buffer } from 'node:buffer';
import { canonicalJson } from '../domain/digest.ts';
import type { Identity } from '../domain/identity.ts';
import type { DedupKey } from '../domain/ids.ts';
import type { ExportRequest } from '../domain/requests.ts';
import { type ExportedMemory, exportedOf } from '../domain/transfer.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';
import { FIRST_KEY, keyAfter } from './erase-person.ts';
import type { OrgPorts } from './ports-of-org.ts';

export interface ExportPage {
  readonly items: readonly ExportedMemory[];
  readonly nextCursor?: string;
}

/**
 * transfer.export: what the org knows and what was decided about it, in the order of the keys, each item as it stood
 * when its page was read. What is one person's own is theirs and not in it.
 */
export async function exportMemories(
  { memories }: Pick<OrgPorts, 'memories'>,
  identity: Identity,
  { cursor, limit = DEFAULT_LIMIT }: ExportRequest,
): Promise<ExportPage> {
  const audience = canonicalJson(['transfer.export', identity.orgId, identity.userId]);
  const after = cursor === undefined ? undefined : decodeCursor(cursor, audience).dedupKey;
  const from = after === undefined ? FIRST_KEY : keyAfter(after);
  // Keys of what is one person's own begin with `user/`, and sort behind all others.
  const read = await memories.range({ from, to: 'user/' }, limit);
  const items: ExportedMemory[] = [];
  let bytes = 0;
  let last: DedupKey | undefined;
  for (const stored of read.items) {
    const line = exportedOf(stored);
    bytes += line === undefined ? 0 : Buffer.byteLength(JSON.stringify(line));
    if (bytes > MAX_PAGE_BYTES && last !== undefined) return { items, nextCursor: cursorAt(last) };
    if (line !== undefined) items.push(line);
    last = stored.dedupKey;
  }
  return { items, ...(read.more && last ? { nextCursor: cursorAt(last) } : {}) };

  function cursorAt(dedupKey: DedupKey): string {
    return encodeCursor({ updatedAt: 0, dedupKey }, audience);
  }
}

const DEFAULT_LIMIT = 500;
/** A function's answer may have 6 MB. */
const MAX_PAGE_BYTES = 4 * 1024 * 1024;
