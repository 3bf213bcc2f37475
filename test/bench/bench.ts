import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { mkdir, mkdtemp } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { type BundleSize, bundle, bundleFunction } from '../../infra/bundle-function.ts';
import { ENVIRONMENT, TABLES } from '../../lib/aws/tables.ts';
import type { FunctionName } from '../../lib/routes.ts';
import { ENGINES, type EngineName, startEngine } from '../support/engines.ts';
import { MEASURED_FUNCTIONS } from '../support/measured-functions.ts';
import { type ColdStart, coldStarts } from './cold-start.ts';
import type { EngineReport, EngineTask } from './engine-report.ts';
import { buildHarness, runHarness } from './harness.ts';
import { type Comparison, comparePeers } from './peers/compare.ts';
import { printComparison } from './peers/print.ts';
import { median, round } from './stats.ts';

const { values: options } = parseArgs({
  options: {
    /** Fewer rounds, smaller orgs: to see that it runs, not to say how fast. */
    quick: { type: 'boolean', default: false },
    engine: { type: 'string', multiple: true },
    rounds: { type: 'string' },
    largest: { type: 'string' },
    drained: { type: 'string' },
    /** `engines`, `cold` or `peers`; the first two where it is not said. The peers are installed for it. */
    only: { type: 'string', multiple: true, default: ['engines', 'cold'] },
  },
});

const PARTS = ['engines', 'cold', 'peers'] as const;
const strange = options.only.filter((name) => !PARTS.some((part) => part === name));
if (strange.length > 0)
  throw new RangeError(`--only takes ${PARTS.join(', ')}, and not ${strange.join(', ')}.`);
const wants = (part: (typeof PARTS)[number]) => options.only.includes(part);

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
// Inside the project, so that what is bundled without its packages finds them.
await mkdir(join(ROOT, '.local'), { recursive: true });
const folder = await mkdtemp(join(ROOT, '.local', 'bench-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
const rounds = Number(options.rounds ?? (options.quick ? 40 : 300));
const engines = (options.engine ?? ENGINES) as readonly EngineName[];
const lastEngine = engines.at(-1) ?? 'dynalite';

const reports = wants('engines') ? await measureEngines() : undefined;
const cold = wants('cold') ? await measureColdStarts() : undefined;
const peers = wants('peers') ? await measurePeers() : undefined;
const fromEngines = reports && summaryOf(reports);
const fromCold = cold && summaryOfCold(cold);
console.log(
  JSON.stringify({
    ratios: { ...fromEngines?.ratios, ...fromCold?.ratios },
    ...fromEngines?.rest,
    ...fromCold?.rest,
    ...(peers && { peers }),
  }),
);
process.exit(0);

async function measureEngines(): Promise<ReadonlyMap<EngineName, EngineReport>> {
  const handlers = bundledHandlers();
  const harness = buildHarness('./engine-run.ts', join(folder, 'engine-run.mjs'));
  const reports = new Map<EngineName, EngineReport>();
  for (const engine of engines) {
    // Dynalite keeps its tables in this process and takes much longer to fill them.
    const largest = Number(
      options.largest ?? (options.quick ? 1000 : engine === 'dynalite' ? 10_000 : 100_000),
    );
    const task: EngineTask = {
      handlers,
      result: join(folder, `${engine}.json`),
      rounds,
      sizes: [100, 1000, 10_000, 100_000].filter((size) => size <= largest),
      orgsBeside: options.quick ? 50 : 1000,
      drained: Number(options.drained ?? (options.quick ? 500 : 10_000)),
      correctionsBefore: options.quick ? [200] : [200, 10_000],
    };
    const report = await withEngine(engine, (env) => runHarness<EngineReport>(harness, env, task));
    reports.set(engine, report);
    printEngine(engine, report);
  }
  return reports;
}

function summaryOf(reports: ReadonlyMap<EngineName, EngineReport>) {
  const all = [...reports.values()];
  // Of several engines, the one on which ours does worse.
  const worst = (of: (report: EngineReport) => number | undefined) =>
    round(Math.max(...all.map((report) => of(report) ?? Number.NaN).filter((value) => !Number.isNaN(value))));
  const ratioOf = (name: string) => worst(({ rows }) => rows.find((row) => row.name === name)?.ratio);
  const largest = all.map(({ growth }) => growth.at(-1)).sort((a, b) => (b?.size ?? 0) - (a?.size ?? 0))[0];
  const names = ['save', 'get', 'archive', 'list', 'hints', 'context', 'promote'];
  return {
    ratios: {
      ...Object.fromEntries(names.map((name) => [name, ratioOf(name)])),
      growth: round(largest?.hints ?? Number.NaN),
      growthOfContext: round(largest?.context ?? Number.NaN),
      drained: worst(({ drained }) => drained.ratio),
    },
    rest: {
      units: Object.fromEntries(
        names.map((name) => [
          name,
          worst(({ rows }) => {
            const row = rows.find((one) => one.name === name);
            return row && row.readUnits + row.writeUnits;
          }),
        ]),
      ),
      largestOrg: largest?.size,
      engines: Object.fromEntries(reports),
    },
  };
}

interface Cold {
  readonly sizes: ReadonlyMap<FunctionName, BundleSize>;
  readonly starts: readonly ColdStart[];
}

async function measureColdStarts(): Promise<Cold> {
  const sizes = new Map<FunctionName, BundleSize>(
    MEASURED_FUNCTIONS.map((name) => [name, bundleFunction(name, join(folder, name))]),
  );
  const starts = await withEngine(lastEngine, (env) =>
    coldStarts(
      join(folder, 'cold'),
      new Map(MEASURED_FUNCTIONS.map((name) => [name, join(folder, name)])),
      env,
      options.quick ? 5 : 20,
    ),
  );
  console.log(
    '\nCold start ÷ a bare handler over lib-dynamodb with the default credential chain; bytes of the bundle',
  );
  console.table(
    Object.fromEntries(
      starts.map(({ name, toOneCall, toSameCalls, processorToOneCall, processorToSameCalls }) => [
        name,
        {
          'one call': round(toOneCall, 2),
          'same calls': round(toSameCalls, 2),
          'processor, one call': round(processorToOneCall, 2),
          'processor, same calls': round(processorToSameCalls, 2),
          'bytes at start': sizes.get(name)?.startBytes,
          'all bytes': sizes.get(name)?.bytes,
        },
      ]),
    ),
  );
  return { sizes, starts };
}

function summaryOfCold({ sizes, starts }: Cold) {
  return {
    ratios: {
      coldStart: round(median(starts.map(({ toSameCalls }) => toSameCalls))),
      coldStartOfOneCall: round(median(starts.map(({ toOneCall }) => toOneCall))),
      coldStartByProcessor: round(median(starts.map(({ processorToSameCalls }) => processorToSameCalls))),
    },
    rest: {
      bundle: Object.fromEntries([...sizes].map(([name, { startBytes }]) => [name, startBytes])),
      bundleWithLazyParts: Object.fromEntries([...sizes].map(([name, { bytes }]) => [name, bytes])),
      coldStarts: starts,
    },
  };
}

async function measurePeers(): Promise<Comparison> {
  const harness = buildHarness('./peers/run.ts', join(folder, 'peers-run.mjs'));
  const task = {
    handlers: bundledHandlers(),
    result: join(folder, 'peers.json'),
    rounds,
    warm: options.quick ? 20 : 100,
    memories: 2000,
    pageSize: 50,
  };
  const comparison = await withEngine(lastEngine, (env) => comparePeers(harness, env, task));
  printComparison(comparison, task, lastEngine);
  return comparison;
}

function bundledHandlers(): string {
  const handlers = join(folder, 'handlers');
  bundle(fileURLToPath(new URL('./handlers.ts', import.meta.url)), handlers);
  return pathToFileURL(join(handlers, 'index.mjs')).href;
}

/** An engine with empty tables and a bus that takes everything, as the functions' environment. */
async function withEngine<T>(
  name: EngineName,
  use: (env: Readonly<Record<string, string>>) => Promise<T>,
): Promise<T> {
  const engine = await startEngine(name);
  const bus = await startBus();
  const busEndpoint = `http://127.0.0.1:${(bus.address() as AddressInfo).port}`;
  try {
    return await use({
      PATH: process.env.PATH ?? '',
      [ENVIRONMENT.memories]: TABLES.memories.name,
      [ENVIRONMENT.events]: TABLES.events.name,
      [ENVIRONMENT.accounts]: TABLES.accounts.name,
      [ENVIRONMENT.bus]: 'ai-memories',
      [ENVIRONMENT.deadLetters]: `${busEndpoint}/000000000000/dead`,
      AWS_REGION: 'eu-west-1',
      AWS_ACCESS_KEY_ID: 'local',
      AWS_SECRET_ACCESS_KEY: 'local',
      AWS_ENDPOINT_URL_DYNAMODB: engine.endpoint,
      AWS_ENDPOINT_URL_EVENTBRIDGE: busEndpoint,
      AWS_ENDPOINT_URL_SQS: busEndpoint,
    });
  } finally {
    bus.closeAllConnections();
    bus.close();
    await engine.stop();
  }
}

async function startBus(): Promise<Server> {
  const server = createServer((incoming, outgoing) => {
    incoming.resume().on('end', () => {
      outgoing
        .writeHead(200, { 'content-type': 'application/x-amz-json-1.1' })
        .end('{"FailedEntryCount":0,"Entries":[{"EventId":"e"}]}');
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

function printEngine(engine: EngineName, { rows, corrections, drained, growth }: EngineReport): void {
  console.log(
    `\n${engine}: ours ÷ the same calls of lib-dynamodb in a bare loop (medians, p99), and what it costs`,
  );
  console.table(
    Object.fromEntries(
      rows.map(({ name, ratio, ratioP99, ...costs }) => [
        name,
        { ratio: round(ratio, 2), 'ratio p99': round(ratioP99, 2), ...costs },
      ]),
    ),
  );
  console.log(
    `${drained.corrections} corrections drained: ${round(drained.ratio, 2)} × their bare calls, ${round(drained.callsEach, 1)} calls each`,
  );
  console.log('One correction of a merchant that has had many');
  console.table(corrections);
  console.log('Growth: beside the smallest org, and with more orgs beside');
  console.table(
    growth.map((row) =>
      Object.fromEntries(Object.entries(row).map(([key, value]) => [key, round(value, 2)])),
    ),
  );
}
