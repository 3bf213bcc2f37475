import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { merchantNamed } from '../seeds.ts';
import { interleaved, median, p99 } from '../stats.ts';
import { openBare } from './bare.ts';
import { openOurs } from './ours.ts';
import {
  BARE,
  type Mapping,
  OURS,
  type PeersReport,
  type PeersTask,
  type Ratio,
  reasonOf,
  type Store,
} from './peer.ts';
import { PEERS } from './peers.ts';

const task = JSON.parse(process.env.BENCH_TASK ?? '') as PeersTask;
const handlers: typeof import('../handlers.ts') = await import(task.handlers);
const memories = Array.from({ length: task.memories }, (_, n) => mapping(n));
const stores = new Map<string, Store>();
const notRun: Record<string, string> = {};

function mapping(n: number): Mapping {
  return { merchant: merchantNamed(n), account: String(6000 + (n % 100)) };
}

/** One that has not been stored yet. */
const newMapping = (at: number) => mapping(100_000 + at);

type Run = (at: number) => Promise<unknown>;
type Runs = ReadonlyMap<string, Run>;

/** A peer that fails says why once, and runs no more. */
function guarded(runs: Runs): readonly Run[] {
  return [...runs].map(([name, run]) => async (at) => {
    if (name in notRun) return;
    try {
      await run(at);
    } catch (error) {
      if (!(name in task.folders)) throw error;
      notRun[name] = reasonOf(error);
    }
  });
}

/** The heap is made clean between two, so that each pays for its own garbage and for no other's. */
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as (options: object) => void;
const sweep: Run = async () => collect({ type: 'minor' });

/** All in turn, each after it has run itself warm. */
async function measured(runs: Runs): Promise<ReadonlyMap<string, Ratio>> {
  const all = guarded(runs);
  for (const run of all) for (let at = 0; at < task.warm; at += 1) await run(at);
  const times = await interleaved(
    task.rounds,
    all.flatMap((run): Run[] => [(at) => run(task.warm + at), sweep]),
  );
  return new Map(
    [...runs.keys()].map((name, at) => {
      const own = times[2 * at] ?? [];
      return [name, { median: median(own), p99: p99(own) }];
    }),
  );
}

const each = (run: (store: Store, at: number) => Promise<unknown>): Runs =>
  new Map([...stores].map(([name, store]) => [name, (at) => run(store, at)]));

async function expected<T>(wanted: T, answer: Promise<T>): Promise<void> {
  const got = await answer;
  if (got !== wanted) throw new Error(`It answered ${got} in place of ${wanted}.`);
}

try {
  const ours = await openOurs(handlers, memories);
  stores.set(OURS, ours);
  stores.set(BARE, await openBare(memories));
  for (const peer of PEERS) {
    const folder = task.folders[peer.name];
    if (folder === undefined) continue;
    try {
      const load = createRequire(join(folder, 'package.json'));
      const { postgresUrl } = task;
      const surroundings = { folder, load, memories, ...(postgresUrl !== undefined && { postgresUrl }) };
      stores.set(peer.name, await peer.open(surroundings));
    } catch (error) {
      notRun[peer.name] = reasonOf(error);
    }
  }
  // Merchants from all over, so that none is the first or the last that was stored.
  const sought = (at: number) => mapping((at * 619) % task.memories);
  const lookUps = each((store, at) => expected(sought(at).account, store.accountOf(sought(at).merchant)));
  const hints: Run = (at) => expected(sought(at).account, ours.hintedAccountOf(sought(at).merchant));
  const lookUp = await measured(new Map([...lookUps, ['hints', hints]]));
  const firstPage = await measured(each((store) => expected(task.pageSize, store.firstPage(task.pageSize))));
  // The last, so that the others read no more than was to be stored.
  const save = await measured(each((store, at) => store.save(newMapping(at))));
  // What was saved must be there.
  const { merchant, account } = newMapping(task.warm + task.rounds - 1);
  for (const run of guarded(each((store) => expected(account, store.accountOf(merchant))))) await run(0);

  const ratio = (times: ReadonlyMap<string, Ratio>, name: string, to = OURS) => {
    const [of, by] = [times.get(name), times.get(to)];
    return { median: (of?.median ?? NaN) / (by?.median ?? NaN), p99: (of?.p99 ?? NaN) / (by?.p99 ?? NaN) };
  };
  const ran = [...stores.keys()].filter((name) => !(name in notRun));
  const report: PeersReport = {
    ratios: Object.fromEntries(
      ran.map((name) => [
        name,
        {
          save: ratio(save, name),
          lookUp: ratio(lookUp, name),
          lookUpToHints: ratio(lookUp, name, 'hints'),
          firstPage: ratio(firstPage, name),
        },
      ]),
    ),
    notRun,
  };
  writeFileSync(task.result, JSON.stringify(report));
} finally {
  await Promise.allSettled([...stores.values()].map((store) => store.close()));
}
process.exit(0);
