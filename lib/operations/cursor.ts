import { Buffer } from 'node:buffer';
import { digest } from '../domain/digest.ts';
import { MemoryError } from '../domain/errors.ts';
import { DedupKey } from '../domain/ids.ts';
import type { ListPosition } from '../domain/ports.ts';

const SEAL_LENGTH = 22;

/** A place in a list as an opaque string, sealed to `audience`: the caller, the route and the filter it was made for. */
export function encodeCursor(position: ListPosition, audience: string): string {
  const place = Buffer.from(`${position.updatedAt}/${position.dedupKey}`).toString('base64url');
  return place + sealOf(place, audience);
}

/** @throws MemoryError `invalid-cursor` for a cursor of another caller, route or filter, and for what is no cursor. */
export function decodeCursor(cursor: string, audience: string): ListPosition {
  const place = cursor.slice(0, -SEAL_LENGTH);
  const [, updatedAt, key] =
    /^(\d{1,15})\/(.{1,512})$/s.exec(Buffer.from(place, 'base64url').toString()) ?? [];
  const dedupKey = DedupKey.safeParse(key);
  if (sealOf(place, audience) !== cursor.slice(-SEAL_LENGTH) || !dedupKey.success) {
    throw new MemoryError('invalid-cursor', 'The cursor was not made for this list.', {
      errors: [{ path: 'cursor', message: 'was not made for this list' }],
    });
  }
  return { updatedAt: Number(updatedAt), dedupKey: dedupKey.data };
}

function sealOf(place: string, audience: string): string {
  return digest(`${audience}\n${place}`, SEAL_LENGTH);
}
