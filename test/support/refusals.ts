import type * as z from 'zod/mini';
import { MemoryError } from '../../lib/domain/errors.ts';
import { parse } from '../../lib/lambda/parse.ts';

/** What a caller reads where a schema does not take a value: each field by its path, and what is wrong with it. */
export function refusalsOf(schema: z.ZodMiniType, value: unknown): readonly string[] {
  try {
    parse(schema, value);
    return [];
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
    return error.errors.map(({ path, message }) => `${path} ${message}`.trim());
  }
}
