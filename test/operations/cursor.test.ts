/*
 * Mutants that nothing can tell from the code, and why:
 * - another empty match: the time and the key are read from its second and third place, which it does not have
 */
import { Buffer } from 'node:buffer';
import { describe, expect, it } from 'vitest';
import { digest } from '../../lib/domain/digest.ts';
import { DedupKey } from '../../lib/domain/ids.ts';
import { decodeCursor, encodeCursor } from '../../lib/operations/cursor.ts';

const POSITION = { updatedAt: 1_796_004_000_000, dedupKey: DedupKey.parse('org/preference/café~/x') };
const REFUSED = {
  code: 'invalid-cursor',
  message: 'The cursor was not made for this list.',
  errors: [{ path: 'cursor', message: 'was not made for this list' }],
};

/** A cursor for any text, sealed as ours are: what somebody who knew how could send. */
function sealed(text: string, audience = 'a'): string {
  const place = Buffer.from(text, 'utf8').toString('base64url');
  return place + digest(`${audience}\n${place}`, 22);
}
const refusal = (cursor: string, audience = 'a') => {
  try {
    return decodeCursor(cursor, audience);
  } catch (error) {
    return error;
  }
};

describe('a cursor', () => {
  it('gives back the place it was made of, whatever the key is written with', () => {
    const cursor = encodeCursor(POSITION, 'a');
    expect(cursor).toMatch(/^[A-Za-z0-9_-]+$/);
    expect(decodeCursor(cursor, 'a')).toEqual(POSITION);
    expect(decodeCursor(sealed('0/k'), 'a')).toEqual({ updatedAt: 0, dedupKey: 'k' });
    expect(decodeCursor(sealed('1/two\nlines'), 'a')).toEqual({ updatedAt: 1, dedupKey: 'two\nlines' });
  });

  it('is refused by any audience but its own', () => {
    expect(refusal(encodeCursor(POSITION, 'a'), 'b')).toMatchObject(REFUSED);
  });

  it('is refused where one character of it is another', () => {
    const cursor = encodeCursor(POSITION, 'a');
    for (let at = 0; at < cursor.length; at += 1) {
      const forged = cursor.slice(0, at) + (cursor[at] === 'A' ? 'B' : 'A') + cursor.slice(at + 1);
      expect(refusal(forged), `at ${at}`).toMatchObject(REFUSED);
    }
  });

  it.each([
    ['nothing', ''],
    ['a seal alone', 'A'.repeat(22)],
    ['no time', sealed('/key')],
    ['no key', sealed('1/')],
    ['a time that is none', sealed('x1/key')],
    ['a time of sixteen digits', sealed('1234567890123456/key')],
    ['no slash', sealed('1')],
    ['a key longer than any', sealed(`1/${'k'.repeat(513)}`)],
    ['a place that is cut off', encodeCursor(POSITION, 'a').slice(1)],
  ])('is refused for %s, though its seal may be right', (_, cursor) => {
    expect(refusal(cursor)).toMatchObject(REFUSED);
  });
});
