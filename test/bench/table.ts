import { readFileSync } from 'node:fs';

/** The rows of a tab-separated table with a header line, by column name. */
export function readTable(text: string): readonly Readonly<Record<string, string>>[] {
  const [header = '', ...lines] = text.split(/\r?\n/).filter((line) => line !== '');
  const columns = header.split('\t');
  return lines.map((line) => {
    const cells = line.split('\t');
    return Object.fromEntries(columns.map((column, index) => [column, cells[index] ?? '']));
  });
}

/** A file to measure on. Where it cannot be read, the command ends and says how it is called. */
export function readMeasured(file: string, usage: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\nUsage: ${usage}`);
    return process.exit(2);
  }
}
