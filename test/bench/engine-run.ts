import { writeFileSync } from 'node:fs';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { APIGatewayProxyStructuredResultV2 as HttpResult } from 'aws-lambda';
import { CLIENT_BOUNDS } from '../../lib/aws/clients.ts';
import { TABLES } from '../../lib/aws/tables.ts';
import { votePrefix } from '../../lib/aws/vote-item.ts';
import { dedupKeyOf, memoryIdOf, voteRangeOf } from '../../lib/domain/dedup-key.ts';
import { OrgId } from '../../lib/domain/ids.ts';
import { categoryBody, chart } from '../support/builders.ts';
import type { EngineReport, EngineTask, Row } from './engine-report.ts';
import { apiEvent, type Correction, queueEvent } from './events.ts';
import { type RecordedCall, recordCalls, replay, roundsOf, unitsOf } from './recorder.ts';
import { ambientMemories, mappings, merchantNamed, putMemories, putVotes, stored } from './seeds.ts';
import { interleaved, median, p99, timed } from './stats.ts';

// One engine, one process: the functions' own client is made once, for the engine that the environment names.
const task = JSON.parse(process.env.BENCH_TASK ?? '') as EngineTask;
const handlers: typeof import('./handlers.ts') = await import(task.handlers);
const bare = DynamoDBDocumentClient.from(new DynamoDBClient(CLIENT_BOUNDS), {
  marshallOptions: { removeUndefinedValues: true },
});
const bus = new EventBridgeClient(CLIENT_BOUNDS);
const org = 'org_bench';
const HTTP_CONTEXT = { getRemainingTimeInMillis: () => 10_000 };

type Inputs = ReturnType<typeof roundsOf>;
type HttpHandler = typeof handlers.get;

/** One operation: how ours is called, and what must be there before. `n` says which of many like it. */
interface Operation {
  readonly name: string;
  /** Makes the request; what comes back carries it out, and only that is timed. */
  readonly request: (n: number) => () => Promise<unknown>;
  readonly prepare?: (ns: readonly number[]) => Promise<unknown>;
  /** Notices that the call puts on the bus, and so must the bare one. */
  readonly notices?: number;
  /** It writes, so that it can be done once for each `n`. */
  readonly once?: true;
}

async function operationRows(): Promise<readonly Row[]> {
  await handlers.accounts(apiEvent('accounts.replace', org, { body: chart(100) }), HTTP_CONTEXT);
  await putMemories(bare, [...ambientMemories(org), ...mappings(org, 200)]);
  const rows: Row[] = [];
  for (const operation of operations()) rows.push(await compared(operation));
  return rows;
}

function operations(): readonly Operation[] {
  const idOf = (merchant: string) =>
    memoryIdOf(OrgId.parse(org), dedupKeyOf({ scope: 'org' }, categoryBody(merchant)));
  const archived = (n: number) => merchantNamed(200_000 + n);
  const promoted = (n: number) => merchantNamed(400_000 + n);
  const correction = (n: number, of: number): Correction => ({
    eventId: `e${of}-${promoted(n)}`,
    merchant: promoted(n),
    document: `doc-${of}-${promoted(n)}`,
    account: '6001',
  });
  const saved = (n: number) => ({
    kind: 'canonical_mapping',
    content: { mapping: 'category', merchant: merchantNamed(100_000 + n), account: { id: '6001' } },
  });
  const api = (
    status: number,
    handler: HttpHandler,
    ...asked: Parameters<typeof apiEvent>
  ): (() => Promise<unknown>) => {
    const event = apiEvent(...asked);
    return () => answered(status, handler(event, HTTP_CONTEXT));
  };
  const { save, get, archive, list, context, retrieve } = handlers;
  return [
    {
      name: 'save',
      once: true,
      notices: 1,
      request: (n) => api(201, save, 'memories.save', org, { body: saved(n) }),
    },
    {
      name: 'get',
      request: (n) => api(200, get, 'memories.get', org, { id: idOf(merchantNamed(n % 200)) }),
    },
    {
      name: 'archive',
      once: true,
      notices: 1,
      prepare: (ns) =>
        putMemories(
          bare,
          ns.map((n) => stored(org, categoryBody(archived(n), '6001'), n)),
        ),
      request: (n) => api(200, archive, 'memories.archive', org, { id: idOf(archived(n)), body: {} }),
    },
    { name: 'list', request: () => api(200, list, 'memories.list', org, { query: 'limit=50' }) },
    {
      name: 'hints',
      request: (n) => {
        const event = { orgId: org, userId: 'u_1', merchants: [merchantNamed(n % 200)] };
        return () => retrieve(event);
      },
    },
    {
      name: 'context',
      request: (n) =>
        api(200, context, 'memories.context', org, { body: { merchants: [merchantNamed(n % 200)] } }),
    },
    {
      name: 'promote',
      once: true,
      notices: 1,
      prepare: async (ns) => {
        for (const n of ns) await deliver([correction(n, 1), correction(n, 2)])();
      },
      request: (n) => deliver([correction(n, 3)]),
    },
  ];

  function deliver(corrections: readonly Correction[]) {
    const event = queueEvent(org, corrections);
    return async () => {
      const { batchItemFailures } = await handlers.promote(event, HTTP_CONTEXT);
      if (batchItemFailures.length > 0) throw new Error('A correction failed.');
    };
  }
}

async function answered(status: number, answer: Promise<HttpResult>): Promise<void> {
  const { statusCode, body } = await answer;
  if (statusCode !== status) throw new Error(`Answered ${statusCode} in place of ${status}: ${body}`);
}

/** Ours and the bare loop of its own calls, in turn. The calls are those that ours makes when it is warm. */
async function compared({ name, request, prepare, notices = 0, once }: Operation): Promise<Row> {
  // Enough for what is compiled as it runs to have been.
  const warm = Math.max(100, task.rounds);
  const [sample, ours, theirs] = [0, 10_000, 50_000];
  const numbers = (from: number, count: number) => Array.from({ length: count }, (_, n) => from + n);
  await prepare?.([
    ...numbers(sample, warm + 1),
    ...numbers(ours, task.rounds),
    ...(once ? numbers(theirs, task.rounds + warm) : []),
  ]);
  for (const n of numbers(sample + 1, warm)) await request(n)();
  const calls = await recordCalls(handlers.documentClient(), request(sample));
  const requests = numbers(ours, task.rounds).map(request);
  const rounds = roundsOf(calls);
  const plans = new Map(
    numbers(theirs, task.rounds + warm).map((n) => [n, once ? renamed(rounds, sample, n) : rounds]),
  );
  const runBare = async (n: number) => {
    await replay(bare, plans.get(n) ?? []);
    if (notices > 0) await notify(notices);
  };
  for (const n of numbers(theirs + task.rounds, warm)) await runBare(n);
  const [own = [], others = []] = await interleaved(task.rounds, [
    async (at) => requests[at]?.(),
    (at) => runBare(theirs + at),
  ]);
  return {
    name,
    ratio: median(own) / median(others),
    ratioP99: p99(own) / p99(others),
    calls: calls.length,
    rounds: rounds.length,
    readUnits: unitsOf(calls.filter(({ input }) => !isWrite(input))),
    writeUnits: unitsOf(calls.filter(({ input }) => isWrite(input))),
  };
}

const isWrite = (input: Readonly<Record<string, unknown>>) => 'Item' in input;

async function notify(count: number) {
  const Detail = JSON.stringify({ memoryId: 'b3JnL2Nhbm9uaWNhbF9tYXBwaW5n', orgId: org, version: 1 });
  const entry = { EventBusName: 'ai-memories', Source: 'ai-memories', DetailType: 'MemorySaved', Detail };
  await bus.send(new PutEventsCommand({ Entries: Array.from({ length: count }, () => entry) }));
}

/** The same inputs about another merchant: whatever was named after the sample's is named after this one's. */
function renamed(rounds: Inputs, sample: number, n: number): Inputs {
  let text = JSON.stringify(rounds);
  for (const base of [100_000, 200_000, 400_000]) {
    const from = merchantNamed(base + sample);
    const to = merchantNamed(base + n);
    text = text.replaceAll(from, to).replaceAll(rangeOf(from), rangeOf(to));
  }
  return JSON.parse(text) as Inputs;
}

const rangeOf = (merchant: string) => votePrefix(voteRangeOf(categoryBody(merchant)));

/** What one correction costs on a subject that has had many: where nothing changes, and where something does. */
async function correctionCosts(): Promise<EngineReport['corrections']> {
  const costs: EngineReport['corrections'][number][] = [];
  for (const nth of task.correctionsBefore) {
    for (const changes of [false, true]) {
      const busy = `org_busy_${nth}_${changes}`;
      const merchant = 'Quovadis';
      // What stands before is what the same votes said already, or nothing yet.
      await putVotes(bare, busy, merchant, changes ? nth - 1 : nth);
      const correct = (eventId: string) =>
        handlers.promote(
          queueEvent(busy, [{ eventId, merchant, document: eventId, account: '6001' }]),
          HTTP_CONTEXT,
        );
      if (!changes) await correct('z-before');
      const calls = await recordCalls(handlers.documentClient(), () => correct('z-nth'));
      costs.push({ nth, changes, ...costOf(calls) });
    }
  }
  return costs;
}

/** Of a subject are its memory and its votes; the log's are the puts, and whether somebody was erased. */
function costOf(calls: readonly RecordedCall[]) {
  const ofSubject = ({ input }: RecordedCall) =>
    input.TableName === TABLES.memories.name || 'KeyConditionExpression' in input;
  const subject = calls.filter(ofSubject);
  return {
    callsOfSubject: subject.length,
    callsOfLog: calls.length - subject.length,
    readUnitsOfSubject: unitsOf(subject.filter(({ input }) => !isWrite(input))),
    readUnits: unitsOf(calls.filter(({ input }) => !isWrite(input))),
    writeUnits: unitsOf(calls.filter(({ input }) => isWrite(input))),
  };
}

/** Many corrections of many merchants, ten to a batch as the queue brings them, and then their bare calls. */
async function drained(): Promise<EngineReport['drained']> {
  const busy = 'org_drained';
  const batches = Array.from({ length: Math.ceil(task.drained / 10) }, (_, batch) =>
    Array.from({ length: 10 }, (_, place) => {
      const n = batch * 10 + place;
      // A few merchants come up often, most of them seldom.
      const merchant = merchantNamed(Math.floor(200 * ((n * 0.618) % 1) ** 3));
      return { eventId: `d-${n}`, merchant, document: `doc-${n}`, account: n % 11 === 0 ? '6002' : '6001' };
    }),
  );
  const ours: number[] = [];
  const theirs: number[] = [];
  let made = 0;
  for (const [index, batch] of batches.entries()) {
    const event = queueEvent(busy, batch);
    // Every fifth batch is done a second time by bare calls: its reads and its puts, the latter without conditions,
    // which would fail by now.
    if (index % 5 !== 0) {
      ours.push(await timed(() => handlers.promote(event, HTTP_CONTEXT)));
      continue;
    }
    const calls = await recordCalls(handlers.documentClient(), () => handlers.promote(event, HTTP_CONTEXT));
    made += calls.length;
    const took = await timed(() => replay(bare, unconditional(roundsOf(calls))));
    theirs.push(took);
  }
  return {
    corrections: batches.length * 10,
    callsEach: made / (theirs.length * 10),
    ratio: median(ours) / median(theirs),
  };
}

function unconditional(rounds: Inputs): Inputs {
  return rounds.map((inputs) =>
    inputs.map((input) => {
      if (!('ConditionExpression' in input)) return input;
      const { ConditionExpression: _, ReturnValuesOnConditionCheckFailure: __, ...rest } = input;
      const { ExpressionAttributeValues: ___, ...plain } = rest as Record<string, unknown>;
      return 'Item' in plain ? plain : rest;
    }),
  );
}

/** The same request in orgs of every size, in turn; then again with a thousand orgs beside them. */
async function growth(): Promise<EngineReport['growth']> {
  const orgs = task.sizes.map((size) => ({ size, org: `org_of_${size}` }));
  for (const { size, org: of } of orgs) {
    await handlers.accounts(apiEvent('accounts.replace', of, { body: chart(100) }), HTTP_CONTEXT);
    await putMemories(bare, [...ambientMemories(of), ...mappings(of, size - 20)]);
  }
  const measure = async () => {
    const hints = orgs.map(
      ({ org: of }) =>
        (at: number) =>
          hintsIn(of, at),
    );
    const context = orgs.map(
      ({ org: of }) =>
        () =>
          contextIn(of),
    );
    const [plain] = [baseline()];
    for (const run of [...hints, ...context]) for (let at = 0; at < 20; at += 1) await run(at);
    const times = await interleaved(task.rounds, [...hints, ...context, plain]);
    const base = median(times.at(-1) ?? []);
    const relative = times.map((values) => median(values) / base);
    return { hints: relative.slice(0, orgs.length), context: relative.slice(orgs.length, -1) };
  };
  const alone = await measure();
  for (let n = 0; n < task.orgsBeside; n += 1) await putMemories(bare, mappings(`org_beside_${n}`, 25));
  const beside = await measure();
  return orgs.map(({ size }, at) => ({
    size,
    hints: (alone.hints[at] ?? 0) / (alone.hints[0] ?? 1),
    context: (alone.context[at] ?? 0) / (alone.context[0] ?? 1),
    hintsBeside: (beside.hints[at] ?? 0) / (alone.hints[at] ?? 1),
    contextBeside: (beside.context[at] ?? 0) / (alone.context[at] ?? 1),
  }));
}

const hintsIn = (of: string, at: number) =>
  handlers.retrieve({ orgId: of, userId: 'u_1', merchants: [merchantNamed(at % 60)] });

const contextIn = (of: string) =>
  answered(200, handlers.context(apiEvent('memories.context', of, { body: {} }), HTTP_CONTEXT));

/** One read of one item, by which two measurements at different times can be compared. */
function baseline() {
  const key = dedupKeyOf({ scope: 'org' }, categoryBody(merchantNamed(0)));
  const input = { TableName: 'ai-memories', Key: { orgId: org, dedupKey: key }, ConsistentRead: true };
  return () => replay(bare, [[input]]);
}

const report: EngineReport = {
  rows: await operationRows(),
  corrections: await correctionCosts(),
  drained: await drained(),
  growth: await growth(),
};
writeFileSync(task.result, JSON.stringify(report));
process.exit(0);
