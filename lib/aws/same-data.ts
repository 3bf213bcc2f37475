/**
 * Whether two values that were read say the same: text, numbers, booleans and null, in lists and maps of them. Anything
 * else is the same only as itself.
 */
export function sameData(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((member, at) => sameData(member, b[at]));
  }
  if (!isMap(a) || !isMap(b)) return false;
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && sameData(a[name], b[name]))
  );
}

const isMap = (value: object): value is Readonly<Record<string, unknown>> =>
  Object.getPrototypeOf(value) === Object.prototype;
