import { describe, expect, it } from 'vitest';
import { MemoryError } from '../../lib/domain/errors.ts';

describe('an error of the service', () => {
  it('says what it is, what is wrong with which field, and what it came of', () => {
    const cause = new Error('below');
    const errors = [{ path: 'content.merchant', message: 'names no merchant' }];
    const error = new MemoryError('no-merchant', 'It names none.', { errors, extra: { version: 1 }, cause });
    expect(error).toMatchObject({ code: 'no-merchant', errors, extra: { version: 1 } });
    expect(error.cause).toBe(cause);
    expect(String(error)).toBe('MemoryError: It names none.');
  });

  it('names no field, no more and no cause where it is told of none', () => {
    const error = new MemoryError('not-found', 'There is no such memory.');
    expect(error).toMatchObject({ errors: [], extra: {} });
    expect(error).not.toHaveProperty('cause');
  });
});
