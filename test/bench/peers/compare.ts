import { rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runHarness } from '../harness.ts';
import { install, installedVersion } from './install.ts';
import { type PeersReport, type PeersTask, reasonOf } from './peer.ts';
import { PEERS } from './peers.ts';
import { type Postgres, postgresHere } from './postgres-server.ts';

export interface Comparison extends PeersReport {
  readonly versions: Readonly<Record<string, string>>;
}

/** Installs the peers, measures them beside ours, and takes away what it brought. */
export async function comparePeers(
  harness: string,
  env: Readonly<Record<string, string>>,
  task: Omit<PeersTask, 'folders' | 'postgresUrl'>,
): Promise<Comparison> {
  // Outside the project, so that a peer finds its own packages alone.
  const root = await mkdtemp(join(tmpdir(), 'peers-'));
  process.once('exit', () => rmSync(root, { recursive: true, force: true }));
  const folders: Record<string, string> = {};
  const versions: Record<string, string> = {};
  const notRun: Record<string, string> = {};
  let postgres: Postgres | undefined;
  let noPostgres = 'no PostgreSQL here';
  try {
    postgres = await postgresHere().catch((error) => {
      noPostgres = reasonOf(error);
      return undefined;
    });
    for (const [at, { name, packages, needsPostgres }] of PEERS.entries()) {
      const [own = ''] = Object.keys(packages);
      const folder = join(root, String(at));
      try {
        if (needsPostgres && postgres === undefined) throw new Error(noPostgres);
        await install(packages, folder);
        versions[name] = await installedVersion(own, folder);
        folders[name] = folder;
      } catch (error) {
        notRun[name] = reasonOf(error);
      }
    }
    const whole: PeersTask = { ...task, folders, ...(postgres && { postgresUrl: postgres.url }) };
    const report = await runHarness<PeersReport>(harness, env, whole);
    return { ...report, notRun: { ...notRun, ...report.notRun }, versions };
  } finally {
    await postgres?.stop();
    await rm(root, { recursive: true, force: true });
  }
}
