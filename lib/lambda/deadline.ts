import { MemoryError } from '../domain/errors.ts';
import type { LambdaContext } from './observed.ts';

/** The part of Lambda's context that is needed here. */
export interface Deadline extends LambdaContext {
  getRemainingTimeInMillis(): number;
}

/** For the answer itself to be made and sent. */
const MARGIN_MS = 500;

/**
 * What the work comes to, or `unavailable` shortly before the function's time is up: a function that is cut off
 * answers nothing at all, and its caller cannot tell a slow store from a broken service.
 */
export async function withinTime<T>(deadline: Deadline | undefined, work: Promise<T>): Promise<T> {
  if (deadline === undefined) return work;
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new MemoryError('unavailable', 'The store did not answer in time.')),
      Math.max(0, deadline.getRemainingTimeInMillis() - MARGIN_MS),
    );
  });
  try {
    return await Promise.race([work, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
