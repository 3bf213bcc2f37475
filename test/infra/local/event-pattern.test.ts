import { describe, expect, it } from 'vitest';
import { compilePattern } from '../../../infra/local/event-pattern.ts';

const event = {
  source: 'upstream',
  'detail-type': 'Happened',
  detail: { amount: 3, tags: ['a', 'b'], none: null },
};

describe('event patterns', () => {
  it.each([
    { source: ['upstream'] },
    { source: ['other', 'upstream'], 'detail-type': ['Happened'] },
    { source: [{ 'anything-but': ['self'] }] },
    { source: [{ 'anything-but': 'self' }] },
    { source: [{ 'anything-but': { prefix: 'aws.' } }] },
    { source: [{ prefix: 'up' }] },
    { source: [{ suffix: 'stream' }] },
    { source: [{ 'equals-ignore-case': 'UPSTREAM' }] },
    { detail: { amount: [3] } },
    { detail: { tags: ['b'] } },
    { detail: { none: [null] } },
    { detail: { missing: [{ exists: false }], amount: [{ exists: true }] } },
  ])('matches with %j', (pattern) => {
    expect(compilePattern(pattern)(event)).toBe(true);
  });

  it.each([
    { source: ['other'] },
    { source: [{ 'anything-but': ['upstream'] }] },
    { source: [{ prefix: 'down' }] },
    { detail: { amount: ['3'] } },
    { detail: { missing: [{ 'anything-but': ['x'] }] } },
    { detail: { missing: [null] } },
    { source: ['upstream'], detail: { amount: [4] } },
  ])('does not match with %j', (pattern) => {
    expect(compilePattern(pattern)(event)).toBe(false);
  });

  it.each([
    [{ detail: { amount: [{ numeric: ['>', 1] }] } }, /amount: .*operator numeric/],
    [{ $or: [{ source: ['a'] }] }, /operator \$or/],
    [{ source: 'upstream' }, /must be an object/],
  ])('refuses %j rather than match nothing', (pattern, reason) => {
    expect(() => compilePattern(pattern)).toThrow(reason);
  });
});
