import * as z from 'zod/mini';
import { MemoryError } from '../domain/errors.ts';

/**
 * What to throw for what the SDK threw: `MemoryError('throttled' | 'unavailable')`, with the cause kept, for a store
 * that is busy or out of reach; anything else (a validation error, a refused permission, a bug) as it is.
 */
export function storeFault(error: unknown): unknown {
  if (error instanceof MemoryError) return error;
  const marks = marksOf(error);
  if (marks.some((mark) => THROTTLED.has(mark))) {
    return new MemoryError('throttled', 'The store is busy.', { cause: error });
  }
  if (marks.some((mark) => UNAVAILABLE.has(mark)) || statusOf(error) >= 500) {
    return new MemoryError('unavailable', 'The store cannot be reached.', { cause: error });
  }
  return error;
}

/** Whether the same call may go well the next time. */
export function isPassing(error: unknown): boolean {
  return storeFault(error) instanceof MemoryError;
}

/** The same promise, rejecting with `storeFault` of its reason. */
export async function translated<T>(promise: Promise<T>): Promise<T> {
  try {
    return await promise;
  } catch (error) {
    throw storeFault(error);
  }
}

export function isConditionFailure(error: unknown): boolean {
  return error instanceof Error && error.name === 'ConditionalCheckFailedException';
}

/** What is stored does not have the shape it was written with. Names the item and the field, never the value. */
export class CorruptItemError extends Error {
  override readonly name = 'CorruptItemError';

  constructor(table: string, key: string, cause: unknown) {
    super(`Item ${key} of ${table} is corrupt${whereIn(cause)}.`, { cause });
  }
}

/** Runs a parser on an item that was read; what it throws becomes a `CorruptItemError` that names the item. */
export function reading<T>(table: string, key: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw new CorruptItemError(table, key, error);
  }
}

const THROTTLED = new Set([
  'ProvisionedThroughputExceededException',
  'ProvisionedThroughputExceeded',
  'RequestLimitExceeded',
  'RequestThrottled',
  'RequestThrottledException',
  'SlowDown',
  'Throttling',
  'ThrottledException',
  'ThrottlingException',
  'TooManyRequests',
  'TooManyRequestsException',
]);

const UNAVAILABLE = new Set([
  'InternalFailure',
  'InternalServerError',
  'NetworkingError',
  'RequestTimeout',
  'RequestTimeoutException',
  'ServiceUnavailable',
  'ServiceUnavailableException',
  'TimeoutError',
  'EAI_AGAIN',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
]);

const SdkError = z.lazy(() =>
  z.object({
    code: z.optional(z.unknown()),
    $metadata: z.optional(z.object({ httpStatusCode: z.optional(z.number()) })),
  }),
);

/** The names under which an error may be known: its own, and the code of a failed system call. */
function marksOf(error: unknown): readonly string[] {
  if (!(error instanceof Error)) return [];
  const { data } = SdkError.safeParse(error);
  return typeof data?.code === 'string' ? [error.name, data.code] : [error.name];
}

function statusOf(error: unknown): number {
  return SdkError.safeParse(error).data?.$metadata?.httpStatusCode ?? 0;
}

// By its form and not by its class: naming the class takes all of zod into every bundle.
const Refusal = z.lazy(() =>
  z.object({
    issues: z.array(z.object({ path: z.array(z.union([z.string(), z.number()])), code: z.string() })),
  }),
);

function whereIn(cause: unknown): string {
  const issue = Refusal.safeParse(cause).data?.issues[0];
  return issue === undefined ? '' : ` at ${issue.path.join('.') || 'its root'} (${issue.code})`;
}
