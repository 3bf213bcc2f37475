import { describe, expect, it } from 'vitest';
import { byTime } from '../../lib/domain/votes.ts';

describe('the order of votes', () => {
  const vote = (at: number, eventId: string) => ({ at, eventId });

  it('is by time, and of one moment by the id of the event', () => {
    expect(byTime(vote(1, 'b'), vote(2, 'a'))).toBeLessThan(0);
    expect(byTime(vote(2, 'a'), vote(1, 'b'))).toBeGreaterThan(0);
    expect(byTime(vote(1, 'a'), vote(1, 'b'))).toBeLessThan(0);
    expect(byTime(vote(1, 'b'), vote(1, 'a'))).toBeGreaterThan(0);
  });

  it('has no first among votes of one event', () => {
    expect(byTime(vote(1, 'a'), vote(1, 'a'))).toBe(0);
  });
});
