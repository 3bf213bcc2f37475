import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { buildSync } from 'esbuild';
import { dedupKeyOf, memoryIdOf } from '../../lib/domain/dedup-key.ts';
import { OrgId } from '../../lib/domain/ids.ts';
import type { FunctionName } from '../../lib/routes.ts';
import { categoryBody } from '../support/builders.ts';
import { apiEvent, queueEvent } from './events.ts';
import { interleaved, median } from './stats.ts';

export interface ColdStart {
  readonly name: FunctionName;
  /** Ours ÷ a bare handler that makes one read. */
  readonly toOneCall: number;
  /** Ours ÷ a bare handler that makes the same number of calls, as many side by side. */
  readonly toSameCalls: number;
  /** The same by the processor's time, which other processes disturb less. */
  readonly processorToOneCall: number;
  readonly processorToSameCalls: number;
}

/** One request for each function, and how many reads the store has of it, round for round. */
const FIRST_REQUESTS: Partial<Record<FunctionName, { event: unknown; rounds: readonly number[] }>> = (() => {
  const org = 'org_cold';
  const id = memoryIdOf(OrgId.parse(org), dedupKeyOf({ scope: 'org' }, categoryBody()));
  const label = { mapping: 'labels', merchant: 'Vercel', labels: ['software'] };
  return {
    save: {
      event: apiEvent('memories.save', org, { body: { kind: 'canonical_mapping', content: label } }),
      rounds: [1, 1],
    },
    list: { event: apiEvent('memories.list', org), rounds: [2] },
    get: { event: apiEvent('memories.get', org, { id }), rounds: [1] },
    archive: { event: apiEvent('memories.archive', org, { id, body: {} }), rounds: [1] },
    review: {
      event: apiEvent('memories.review', org, { id, body: { decision: 'approve', expectedVersion: 1 } }),
      rounds: [1],
    },
    evidence: { event: apiEvent('memories.evidence', org, { id }), rounds: [1] },
    context: { event: apiEvent('memories.context', org, { body: { merchants: ['Vercel'] } }), rounds: [3] },
    retrieve: { event: { orgId: org, merchants: ['Vercel'] }, rounds: [2] },
    promote: {
      event: queueEvent(org, [{ eventId: 'e1', merchant: 'Vercel', document: 'd1', account: '6120' }]),
      rounds: [1, 1, 1, 1, 1, 1],
    },
    accounts: { event: apiEvent('accounts.list', org), rounds: [1] },
  };
})();

// Times begin before the import and end with the answer; what Node itself needs to start is in neither.
const RUNNER = `
// As in the Lambda runtime, which has its log open before it loads a function.
console.log();
const start = performance.now();
const before = process.cpuUsage();
const { handler } = await import(process.argv[2]);
await handler(JSON.parse(process.argv[3]), { getRemainingTimeInMillis: () => 10_000 });
// The functions write their log before it.
const time = performance.now() - start;
const { user, system } = process.cpuUsage(before);
process.stdout.write('\\n' + JSON.stringify({ time, processor: user + system }), () => process.exit(0));
`;

const BARE = `
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
const client = DynamoDBDocumentClient.from(new DynamoDBClient({}));
export async function handler({ rounds }) {
  const Key = { orgId: 'org_cold', dedupKey: 'org/canonical_mapping/vercel/category' };
  const input = { TableName: process.env.MEMORIES_TABLE, Key, ConsistentRead: true };
  let item;
  for (const count of rounds) {
    const replies = await Promise.all(Array.from({ length: count }, () => client.send(new GetCommand(input))));
    item = replies[0].Item;
  }
  return { statusCode: 200, body: JSON.stringify(item ?? {}) };
}
`;

interface Start {
  readonly time: number;
  readonly processor: number;
}

/** Fresh processes, ours and the bare ones in turn, against an engine that answers. */
export async function coldStarts(
  folder: string,
  bundles: ReadonlyMap<FunctionName, string>,
  env: Readonly<Record<string, string>>,
  rounds: number,
): Promise<readonly ColdStart[]> {
  await mkdir(folder, { recursive: true });
  const runner = join(folder, 'runner.mjs');
  await writeFile(runner, RUNNER);
  const bare = join(folder, 'bare.mjs');
  buildSync({
    stdin: { contents: BARE, resolveDir: process.cwd() },
    outfile: bare,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    mainFields: ['module', 'main'],
    minify: true,
    legalComments: 'none',
    logLevel: 'warning',
  });
  const start = async (file: string, event: unknown) => {
    const child = promisify(execFile);
    const { stdout } = await child(process.execPath, [runner, file, JSON.stringify(event)], {
      env: { ...env, NODE_NO_WARNINGS: '1' },
    });
    return JSON.parse(stdout.slice(stdout.lastIndexOf('\n') + 1)) as Start;
  };
  const results: ColdStart[] = [];
  for (const [name, directory] of bundles) {
    const request = FIRST_REQUESTS[name];
    if (request === undefined) continue;
    const files: (readonly [string, unknown])[] = [
      [join(directory, 'index.mjs'), request.event],
      [bare, { rounds: [1] }],
      [bare, { rounds: request.rounds }],
    ];
    const starts: Start[][] = files.map(() => []);
    await interleaved(
      rounds,
      files.map(
        ([file, event], at) =>
          async () =>
            starts[at]?.push(await start(file, event)),
      ),
    );
    const [ours = 0, one = 1, same = 1] = starts.map((all) => median(all.map(({ time }) => time)));
    const [own = 0, first = 1, second = 1] = starts.map((all) =>
      median(all.map(({ processor }) => processor)),
    );
    results.push({
      name,
      toOneCall: ours / one,
      toSameCalls: ours / same,
      processorToOneCall: own / first,
      processorToSameCalls: own / second,
    });
  }
  return results;
}
