import { MemoryError } from '../domain/errors.ts';
import { MAX_LINES } from '../domain/requests.ts';
import { parseStrictJson } from './strict-json.ts';

/** Exactly `application/x-ndjson`, with charset=utf-8 as its only parameter. */
export const isNdjson = (type: string | undefined) =>
  /^application\/x-ndjson\s*(?:;\s*charset="?utf-8"?\s*)?$/i.test(type ?? '');

/** Whether a page may be answered as lines: unless the caller asks for JSON and not for lines. */
export function takesLines(accept: string | undefined): boolean {
  return accept === undefined || /x-ndjson/i.test(accept) || !/application\/json/i.test(accept);
}

/**
 * The body that the lines of a file make: `{ lines }`, a blank one as `null`, and one that is no JSON as `undefined`,
 * which no JSON body can have.
 */
export function bodyOfLines(text: string): { readonly lines: readonly unknown[] } {
  const lines = text.replace(/\r?\n$/, '').split('\n');
  if (lines.length > MAX_LINES)
    throw new MemoryError('too-large', `The body has more than ${MAX_LINES} lines.`);
  return { lines: lines.map((line) => (line.trim() === '' ? null : parseLine(line))) };
}

/** A page as lines: an item each, and an end that says how it goes on. */
export function linesOfPage(page: unknown): string {
  const { items = [], ...end } = page as { readonly items?: readonly unknown[] };
  return [...items, { type: 'end', ...end }].map((line) => `${JSON.stringify(line)}\n`).join('');
}

function parseLine(line: string): unknown {
  try {
    return parseStrictJson(line, MAX_KEYS);
  } catch (error) {
    if (error instanceof MemoryError) return undefined;
    throw error;
  }
}

const MAX_KEYS = 1000;
