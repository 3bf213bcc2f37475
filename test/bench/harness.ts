import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

/** Makes one file of what measures; it finds its packages where it is put. */
export function buildHarness(entry: string, outfile: string): string {
  buildSync({
    entryPoints: [fileURLToPath(new URL(entry, import.meta.url))],
    outfile,
    bundle: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
  });
  return outfile;
}

/** Measures in a process of its own. */
export async function runHarness<Report>(
  harness: string,
  env: Readonly<Record<string, string>>,
  task: { readonly result: string },
): Promise<Report> {
  const child = spawn(process.execPath, [harness], {
    env: { ...env, BENCH_TASK: JSON.stringify(task), NODE_NO_WARNINGS: '1' },
    // What the functions log is theirs to write, and nobody's to read here.
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`The measuring ended with ${code}.`);
  return JSON.parse(await readFile(task.result, 'utf8')) as Report;
}
