import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { chown, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from '../../support/engines.ts';

export interface Postgres {
  readonly url: string;
  stop(): Promise<void>;
}

const run = promisify(execFile);
const DEBIAN = '/usr/lib/postgresql';

/** The server that `PEERS_POSTGRES_URL` names, or one of our own where its binaries are. */
export async function postgresHere(): Promise<Postgres | undefined> {
  const url = process.env.PEERS_POSTGRES_URL;
  if (url !== undefined && url !== '') return { url, stop: async () => undefined };
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [
    ...(process.env.PATH ?? '').split(delimiter),
    ...versions.map((version) => join(DEBIAN, version, 'bin')),
  ];
  const binaries = folders.find((folder) =>
    ['initdb', 'postgres'].every((name) => existsSync(join(folder, name))),
  );
  return binaries === undefined ? undefined : start(binaries);
}

/** On a free port of the loopback address, with the settings it comes with: what it has committed is on the disk. */
async function start(binaries: string): Promise<Postgres> {
  const folder = await mkdtemp(join(tmpdir(), 'peers-postgres-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const owner = await ownerOfServer();
    const data = join(folder, 'data');
    const passwordFile = join(folder, 'password');
    const password = randomBytes(16).toString('hex');
    await writeFile(passwordFile, password, { mode: 0o600 });
    if (owner !== undefined) {
      for (const path of [folder, passwordFile]) await chown(path, owner.uid, owner.gid);
    }
    const login = ['-U', 'bench', '--pwfile', passwordFile, '--auth', 'scram-sha-256'];
    const as = { cwd: folder, ...owner };
    await run(join(binaries, 'initdb'), ['-D', data, ...login, '--no-locale', '-E', 'UTF8', '--no-sync'], as);
    const port = String(await freePort());
    // The shell ends the server, and takes its folder away, when its own input closes, which happens however this
    // process ends.
    const script =
      '"$0" -D "$1/data" -k "$1" -h 127.0.0.1 -p "$2" >/dev/null 2>&1 & read -r _; kill -INT $!; wait; rm -rf "$1"';
    const shell = spawn('sh', ['-c', script, join(binaries, 'postgres'), folder, port], {
      ...as,
      // Else the terminal's Ctrl-C would end the shell before it can.
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    const stop = async () => {
      const exit = once(shell, 'exit');
      shell.stdin?.end();
      if (shell.exitCode === null) await exit;
      await remove();
    };
    try {
      await ready(join(data, 'postmaster.pid'));
    } catch (error) {
      await stop();
      throw error;
    }
    return { url: `postgresql://bench:${password}@127.0.0.1:${port}/postgres`, stop };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** PostgreSQL refuses to run as root. */
async function ownerOfServer(): Promise<{ readonly uid: number; readonly gid: number } | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  for (const name of ['postgres', 'nobody']) {
    const idOf = async (which: string) => Number((await run('id', [which, name])).stdout);
    try {
      return { uid: await idOf('-u'), gid: await idOf('-g') };
    } catch {
      // Nobody of that name.
    }
  }
  return undefined;
}

/** Where the server itself notes that it takes connections. */
async function ready(file: string): Promise<void> {
  for (let tries = 0; tries < 300; tries += 1) {
    const status = await readFile(file, 'utf8').catch(() => '');
    if (/^ready\s*$/m.test(status)) return;
    await sleep(100);
  }
  throw new Error('PostgreSQL did not start.');
}
