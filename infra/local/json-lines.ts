import { readFileSync } from 'node:fs';

/** A file of one JSON value a line, as it was appended to; empty where there is no file yet. */
export function readJsonLines<T>(file: string): readonly T[] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
  // What follows the last line end is a line that a crash cut short, and was never acknowledged.
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as T);
}
