import { expect, it } from 'vitest';
import { boundedCache } from '../../lib/aws/bounded-cache.ts';

it('a bounded cache keeps the values used last', () => {
  const cache = boundedCache<number>(2);
  expect(cache.get('a')).toBeUndefined();
  expect(cache.set('a', 1)).toBe(1);
  cache.set('b', 2);
  expect(cache.get('a')).toBe(1);
  cache.set('c', 3);
  expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual([1, undefined, 3]);
  cache.set('c', 4);
  expect([cache.get('a'), cache.get('c')]).toEqual([1, 4]);
});
