import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sameData } from '../../lib/aws/same-data.ts';

const data = () =>
  fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      fc.string({ maxLength: 3 }),
      fc.integer({ min: -2, max: 2 }),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom('a', 'b', 'c', 'constructor'), tie('value'), { noNullPrototype: true }),
    ),
  })).value;

it('what was read twice is the same exactly where it says the same', () => {
  fc.assert(
    fc.property(data(), data(), (a, b) => {
      expect(sameData(a, structuredClone(a))).toBe(true);
      expect(sameData(a, b)).toBe(isSame(a, b));
    }),
  );
});

it.each([
  ['bytes', new Uint8Array([1]), new Uint8Array([1])],
  ['sets', new Set(['a']), new Set(['a'])],
  ['a list and a map', [1], { 0: 1 }],
  ['a member that is not there and one without a value', { a: undefined }, { b: undefined }],
])('%s are not taken for the same', (_, a, b) => {
  expect(sameData(a, b)).toBe(false);
});

const isSame = (a: unknown, b: unknown): boolean => {
  try {
    expect(a).toStrictEqual(b);
    return true;
  } catch {
    return false;
  }
};
