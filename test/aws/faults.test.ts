import {
  InternalServerError,
  ProvisionedThroughputExceededException,
  RequestLimitExceeded,
  ThrottlingException,
} from '@aws-sdk/client-dynamodb';
import { describe, expect, it } from 'vitest';
import { storeFault, translated } from '../../lib/aws/faults.ts';
import { MemoryError } from '../../lib/domain/errors.ts';

const sdk = { $metadata: {}, message: 'from the SDK' };
const system = (code: string, name = 'Error') => Object.assign(new Error('system'), { code, name });

describe('a fault of the store', () => {
  it.each([
    new ProvisionedThroughputExceededException(sdk),
    new ThrottlingException(sdk),
    new RequestLimitExceeded(sdk),
    system('x', 'TooManyRequestsException'),
  ])('is throttled where the store was too busy: $name', (error) => {
    expect(storeFault(error)).toMatchObject({ name: 'MemoryError', code: 'throttled', cause: error });
  });

  it.each([
    new InternalServerError(sdk),
    system('ECONNREFUSED'),
    system('ECONNRESET'),
    system('ENOTFOUND'),
    system('ETIMEDOUT', 'TimeoutError'),
    Object.assign(new Error('bad gateway'), { name: 'UnknownError', $metadata: { httpStatusCode: 502 } }),
  ])('is unavailable where the store was not reached or failed: $name $code', (error) => {
    expect(storeFault(error)).toMatchObject({ name: 'MemoryError', code: 'unavailable', cause: error });
  });

  it.each([
    Object.assign(new Error('bad key'), { name: 'ValidationException', $metadata: { httpStatusCode: 400 } }),
    Object.assign(new Error('no'), { name: 'AccessDeniedException', $metadata: { httpStatusCode: 400 } }),
    new TypeError('a bug'),
    new MemoryError('not-found', 'already ours'),
  ])('is left as it is where it is anything else: $name', async (error) => {
    expect(storeFault(error)).toBe(error);
    await expect(translated(Promise.reject(error))).rejects.toBe(error);
  });

  it('is left as it is where it is not even an error', () => {
    expect(storeFault('text')).toBe('text');
    expect(storeFault(undefined)).toBeUndefined();
    expect(storeFault({ $metadata: { httpStatusCode: 'x' } })).toEqual({
      $metadata: { httpStatusCode: 'x' },
    });
  });
});
