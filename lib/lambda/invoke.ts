import type * as z from 'zod/mini';
import { MemoryError } from '../domain/errors.ts';
import { type Deadline, withinTime } from './deadline.ts';
import { log } from './log.ts';
import { observed } from './observed.ts';
import { parse } from './parse.ts';

/**
 * A directly invoked handler. A refusal is thrown, as Lambda has it: the error's name is its code, its message names
 * the fields.
 */
export function invokeHandler<S extends z.ZodMiniType, R>(
  schema: S,
  run: (request: z.infer<S>) => Promise<R>,
  measure: (answer: R) => void = () => {},
): (event: unknown, context?: Deadline) => Promise<R> {
  return async (event, context) =>
    observed(context, undefined, async () => {
      try {
        const answer = await withinTime(context, run(parse(schema, event)));
        measure(answer);
        return answer;
      } catch (error) {
        if (!(error instanceof MemoryError)) {
          log('ERROR', 'invoke failed', { error });
          throw new InvokeError('internal-error', 'The request could not be carried out.');
        }
        const fields = error.errors.map(({ path, message }) => `${path} ${message}`).join('; ');
        throw new InvokeError(error.code, fields === '' ? error.message : `${error.message} ${fields}`);
      }
    });
}

class InvokeError extends Error {
  constructor(code: string, message: string) {
    super(message);
    this.name = code;
    // The stack would tell the caller of our files.
    this.stack = `${code}: ${message}`;
  }
}
