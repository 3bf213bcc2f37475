import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ISSUER_PATHS } from './issuer.ts';

export const PROJECT_ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Context of `cdk.json`, as the CDK's own command would hand it to the app. */
export async function readContext(root = PROJECT_ROOT): Promise<Readonly<Record<string, unknown>>> {
  const settings = JSON.parse(await readFile(join(root, 'cdk.json'), 'utf8')) as {
    context?: Record<string, unknown>;
  };
  return settings.context ?? {};
}

export interface AssemblyOptions {
  /** @default - this project */
  readonly root?: string;
  readonly log?: (line: string) => void;
  readonly signal?: AbortSignal;
}

/**
 * The stack's cloud assembly: template and bundles. Made once for each state of its inputs and then found again, since
 * making it takes seconds. Answers with its directory.
 */
export async function assembleStack(options: AssemblyOptions = {}): Promise<string> {
  const root = options.root ?? PROJECT_ROOT;
  const cache = join(root, '.local', 'cdk.out');
  let directory = join(cache, await hashOfInputs(root));
  if (!existsSync(directory)) {
    await mkdir(cache, { recursive: true });
    const release = await takeTurn(join(cache, 'lock'), options.signal);
    try {
      directory = await synthesizeInto(cache, root, options);
      await dropOldest(cache);
    } finally {
      await release();
    }
  }
  const now = new Date();
  await utimes(directory, now, now);
  return directory;
}

/** Makes the assembly of the sources as they are now; when one changes meanwhile, what was made is of neither state. */
async function synthesizeInto(cache: string, root: string, options: AssemblyOptions): Promise<string> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const hash = await hashOfInputs(root);
    const directory = join(cache, hash);
    if (existsSync(directory)) return directory;
    options.log?.('Synthesizing the stack; it takes some seconds, and only when its sources have changed …');
    const draft = join(cache, `draft-${process.pid}`);
    await rm(draft, { recursive: true, force: true });
    await synthesize(root, draft, options.signal);
    if ((await hashOfInputs(root)) !== hash) continue;
    await rename(draft, directory);
    return directory;
  }
  throw new Error('The sources of the stack changed each time while it was synthesized');
}

const MAX_TRIES = 5;
const INPUTS = ['infra', 'lib', 'functions', 'package-lock.json', 'cdk.json'];
// A host that runs loads its bundles when they are first called, so what it was started with must not go soon.
const KEPT_ASSEMBLIES = 20;

/** Settings of this machine in place of a stage's: people sign in with the local host itself, whatever its port. */
const LOCAL_CONTEXT = {
  authorizeEndpoint: ISSUER_PATHS.authorize,
  tokenEndpoint: ISSUER_PATHS.token,
} as const;

async function hashOfInputs(root: string): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify(LOCAL_CONTEXT));
  for (const file of (await Promise.all(INPUTS.map((input) => filesAt(root, join(root, input)))))
    .flat()
    .sort()) {
    hash
      .update(`${file}\0`)
      .update(await readFile(join(root, file)))
      .update('\0');
  }
  return hash.digest('hex').slice(0, 32);
}

async function filesAt(root: string, path: string): Promise<readonly string[]> {
  const name = relative(root, path);
  if (name === join('infra', 'local')) return [];
  const found = await stat(path);
  if (!found.isDirectory()) return [name.split(sep).join('/')];
  const entries = await readdir(path);
  return (await Promise.all(entries.map((entry) => filesAt(root, join(path, entry))))).flat();
}

async function synthesize(root: string, outdir: string, signal?: AbortSignal): Promise<void> {
  const child = spawn(process.execPath, ['--import', 'tsx', join('infra', 'app.ts')], {
    cwd: root,
    env: {
      ...process.env,
      CDK_OUTDIR: outdir,
      CDK_CONTEXT_JSON: JSON.stringify({ ...(await readContext(root)), ...LOCAL_CONTEXT }),
      // Test runners set it, and esbuild bundles React's development build and the like for it.
      NODE_ENV: 'production',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(signal && { signal }),
  });
  const output: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => output.push(chunk));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  if (code !== 0) throw new Error(`The stack could not be synthesized:\n${Buffer.concat(output).toString()}`);
}

/** One synthesis at a time: test files that start together would each make the same one. */
async function takeTurn(lock: string, signal?: AbortSignal): Promise<() => Promise<void>> {
  for (;;) {
    try {
      await writeFile(lock, String(process.pid), { flag: 'wx' });
      return () => rm(lock, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const owner = Number(await readFile(lock, 'utf8').catch(() => ''));
    const age = Date.now() - (await stat(lock).catch(() => ({ mtimeMs: Date.now() }))).mtimeMs;
    if (age > 120_000 || (owner > 0 && !isRunning(owner))) await rm(lock, { force: true });
    else await sleep(100, undefined, signal ? { signal } : {});
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

async function dropOldest(cache: string): Promise<void> {
  const names = (await readdir(cache)).filter((name) => name !== 'lock');
  const dated = await Promise.all(
    names.map(async (name) => ({
      name,
      at: (await stat(join(cache, name)).catch(() => ({ mtimeMs: 0 }))).mtimeMs,
    })),
  );
  const old = dated.sort((a, b) => b.at - a.at).slice(KEPT_ASSEMBLIES);
  await Promise.all(old.map(({ name }) => rm(join(cache, name), { recursive: true, force: true })));
}
