import { ConnectionError, ProblemError } from './errors.ts';

export interface RetryPolicy {
  /** Tries in all. */
  readonly attempts: number;
  /** The pause before the second try, doubled before each further one; the real one is anywhere below it. Milliseconds. */
  readonly firstPause: number;
  /** The longest pause, and the longest `Retry-After` that is waited for. Milliseconds. */
  readonly longestPause: number;
}

export const RETRY_POLICY: RetryPolicy = { attempts: 4, firstPause: 200, longestPause: 20_000 };

export interface Failure {
  readonly error: unknown;
  /** The `Retry-After` of the answer, where it had one. */
  readonly retryAfter?: string | null;
}

/**
 * How long to wait before trying again, or `undefined` to give up. With `Retry-After` the service says itself that
 * nothing was done. Without it, what was sent may have been carried out although no answer came, and only what changes
 * nothing when it is done twice is sent again.
 */
export function pauseBefore(
  attempt: number,
  failure: Failure,
  repeatable: boolean,
  policy: RetryPolicy,
  now: number,
  random: number,
): number | undefined {
  if (attempt >= policy.attempts) return undefined;
  const asked = retryAfterMillis(failure.retryAfter, now);
  const { error } = failure;
  const passes =
    error instanceof ConnectionError
      ? repeatable
      : error instanceof ProblemError &&
        (error.status === 429 ||
          (error.status === 503 && (asked !== undefined || repeatable)) ||
          ((error.status === 502 || error.status === 504) && repeatable));
  if (!passes || (asked ?? 0) > policy.longestPause) return undefined;
  const pause = Math.min(policy.firstPause * 2 ** (attempt - 1), policy.longestPause) * random;
  return Math.max(asked ?? 0, pause);
}

/** Seconds or a date, as RFC 9110 has it. */
function retryAfterMillis(value: string | null | undefined, now: number): number | undefined {
  if (value === null || value === undefined || value.trim() === '') return undefined;
  if (/^\d{1,9}$/.test(value.trim())) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
