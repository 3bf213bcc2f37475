import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { buildSync } from 'esbuild';
import { type BundleSize, bundle, bundleFunction } from '../../infra/bundle-function.ts';
import { ENVIRONMENT, TABLES } from '../../lib/aws/tables.ts';
import type { FunctionName } from '../../lib/routes.ts';
import { ENGINES, type EngineName, startEngine } from '../support/engines.ts';
import { MEASURED_FUNCTIONS } from '../support/measured-functions.ts';
import { coldStarts } from './cold-start.ts';
import type { EngineReport, EngineTask } from './engine-report.ts';
import { median, round } from './stats.ts';

const { values: options } = parseArgs({
  options: {
    /** Fewer rounds, smaller orgs: to see that it runs, not to say how fast. */
    quick: { type: 'boolean', default: false },
    engine: { type: 'string', multiple: true },
    rounds: { type: 'string' },
    largest: { type: 'string' },
    drained: { type: 'string' },
  },
});

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
// Inside the project, so that what is bundled without its packages finds them.
await mkdir(join(ROOT, '.local'), { recursive: true });
const folder = await mkdtemp(join(ROOT, '.local', 'bench-'));
const rounds = Number(options.rounds ?? (options.quick ? 40 : 300));
const engines = (options.engine ?? ENGINES) as readonly EngineName[];

try {
  const sizes = new Map<FunctionName, BundleSize>(
    MEASURED_FUNCTIONS.map((name) => [name, bundleFunction(name, join(folder, name))]),
  );
  const handlers = join(folder, 'handlers');
  bundle(fileURLToPath(new URL('./handlers.ts', import.meta.url)), handlers);
  const harness = join(folder, 'engine-run.mjs');
  buildSync({
    entryPoints: [fileURLToPath(new URL('./engine-run.ts', import.meta.url))],
    outfile: harness,
    bundle: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
  });

  const reports = new Map<EngineName, EngineReport>();
  for (const engine of engines) {
    // Dynalite keeps its tables in this process and takes much longer to fill them.
    const largest = Number(
      options.largest ?? (options.quick ? 1000 : engine === 'dynalite' ? 10_000 : 100_000),
    );
    const task: EngineTask = {
      handlers: pathToFileURL(join(handlers, 'index.mjs')).href,
      result: join(folder, `${engine}.json`),
      rounds,
      sizes: [100, 1000, 10_000, 100_000].filter((size) => size <= largest),
      orgsBeside: options.quick ? 50 : 1000,
      drained: Number(options.drained ?? (options.quick ? 500 : 10_000)),
      correctionsBefore: options.quick ? [200] : [200, 10_000],
    };
    const report = await measured(engine, harness, task);
    reports.set(engine, report);
    printEngine(engine, report);
  }

  const cold = await withEngine(engines.at(-1) ?? 'dynalite', (env) =>
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
      cold.map(({ name, toOneCall, toSameCalls, processorToOneCall, processorToSameCalls }) => [
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
  const all = [...reports.values()];
  // Of several engines, the one on which ours does worse.
  const worst = (of: (report: EngineReport) => number | undefined) =>
    round(Math.max(...all.map((report) => of(report) ?? Number.NaN).filter((value) => !Number.isNaN(value))));
  const ratioOf = (name: string) => worst(({ rows }) => rows.find((row) => row.name === name)?.ratio);
  const largest = all.map(({ growth }) => growth.at(-1)).sort((a, b) => (b?.size ?? 0) - (a?.size ?? 0))[0];
  const names = ['save', 'get', 'archive', 'list', 'hints', 'context', 'promote'];
  console.log(
    JSON.stringify({
      ratios: {
        ...Object.fromEntries(names.map((name) => [name, ratioOf(name)])),
        growth: round(largest?.hints ?? Number.NaN),
        growthOfContext: round(largest?.context ?? Number.NaN),
        drained: worst(({ drained }) => drained.ratio),
        coldStart: round(median(cold.map(({ toSameCalls }) => toSameCalls))),
        coldStartOfOneCall: round(median(cold.map(({ toOneCall }) => toOneCall))),
        coldStartByProcessor: round(median(cold.map(({ processorToSameCalls }) => processorToSameCalls))),
      },
      units: Object.fromEntries(
        names.map((name) => [
          name,
          worst(({ rows }) => {
            const row = rows.find((one) => one.name === name);
            return row && row.readUnits + row.writeUnits;
          }),
        ]),
      ),
      bundle: Object.fromEntries([...sizes].map(([name, { startBytes }]) => [name, startBytes])),
      bundleWithLazyParts: Object.fromEntries([...sizes].map(([name, { bytes }]) => [name, bytes])),
      largestOrg: largest?.size,
      engines: Object.fromEntries(reports),
      coldStarts: cold,
    }),
  );
} finally {
  await rm(folder, { recursive: true, force: true });
}
process.exit(0);

async function measured(engine: EngineName, harness: string, task: EngineTask): Promise<EngineReport> {
  return withEngine(engine, async (env) => {
    const child = spawn(process.execPath, [harness], {
      env: { ...env, BENCH_TASK: JSON.stringify(task), NODE_NO_WARNINGS: '1' },
      // What the functions log is theirs to write, and nobody's to read here.
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const [code] = await once(child, 'exit');
    if (code !== 0) throw new Error(`The measuring of ${engine} ended with ${code}.`);
    return JSON.parse(await readFile(task.result, 'utf8')) as EngineReport;
  });
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
