import { createHash } from 'node:crypto';

/** SHA-256 as base64url, cut to `length` characters (43 in full; 22 characters are 132 bits). */
export function digest(value: string, length = 43): string {
  return createHash('sha256').update(value, 'utf8').digest('base64url').slice(0, length);
}

/** JSON with object keys in code-unit order, so that equal values give equal bytes. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    member !== null && typeof member === 'object' && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
      : member,
  );
}
