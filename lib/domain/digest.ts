import { createHash } from 'node:crypto';

/** SHA-256 as base64url, cut to `length` characters (43 in full; 22 characters are 132 bits). */
export function digest(value: string, length = 43): string {
  return createHash('sha256').update(value).digest('base64url').slice(0, length);
}

/** JSON with object keys in code-unit order, so that equal values give equal bytes. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(ordered(value));
}

function ordered(value: unknown): unknown {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map(ordered);
  const members = value as Readonly<Record<string, unknown>>;
  // From entries, so that no name is taken for a prototype.
  return Object.fromEntries(
    Object.keys(members)
      .sort()
      .map((name) => [name, ordered(members[name])]),
  );
}
