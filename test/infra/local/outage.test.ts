import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  DescribeReplayCommand,
  EventBridgeClient,
  PutEventsCommand,
  StartReplayCommand,
} from '@aws-sdk/client-eventbridge';
import { GetQueueAttributesCommand, SQSClient, StartMessageMoveTaskCommand } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AwsCall, type LocalHost, startLocalHost } from '../../../infra/local/host.ts';
import { awsError } from '../../../infra/local/http-message.ts';
import { TABLES } from '../../../lib/aws/tables.ts';
import { EVENTS } from '../../../lib/routes.ts';

/** 200 are enough to see it, and soon done; `DRILL_EVENTS=1000` is the drill at its full size. */
const EVENT_COUNT = Number(process.env.DRILL_EVENTS ?? 200);
const MERCHANTS = 20;
const PATIENCE = { timeoutSeconds: 30 + EVENT_COUNT / 5 };
const ORG = 'org_drill';

let host: LocalHost;
let directory = '';
/** Whether the store refuses this call of promotion's. */
let isRefused: (call: AwsCall) => boolean = () => false;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'outage-'));
  host = await startLocalHost({
    port: 0,
    quiet: true,
    dataDir: directory,
    // Longer than a batch takes, as the deployed one is: what is still being worked on must not come again.
    visibilitySeconds: 2 + EVENT_COUNT / 100,
    onCall: (call) =>
      call.caller === 'ai-memories-promote' && call.action.startsWith('dynamodb:') && isRefused(call)
        ? awsError(400, 'ThrottlingException', 'The store is busy')
        : undefined,
  });
}, 120_000);
afterAll(async () => {
  await host?.stop();
  await rm(directory, { recursive: true, force: true });
});

describe('an outage of the store', { timeout: 10 * PATIENCE.timeoutSeconds * 1000 }, () => {
  it('loses no correction: what was given up lies on the dead-letter queue, the rest is learned from', async () => {
    isRefused = () => true;
    for (let from = 0; from < EVENT_COUNT; from += 10) await put(from);
    await until(async () => (await deadLetters()) > EVENT_COUNT / 10);
    isRefused = () => false;
    await host.settled(PATIENCE);
    const { events } = await snapshot();
    expect(await deadLetters()).toBeGreaterThan(0);
    expect(count(events, 'e/') + (await deadLetters())).toBe(EVENT_COUNT);
  });

  it('ends with one redrive, and nothing is learned twice', async () => {
    await putEvent({ eventId: 'never-valid' });
    await host.settled();
    await redrive();
    const { events, memories } = await snapshot();
    expect(count(events, 'e/')).toBe(EVENT_COUNT);
    expect(count(events, 'v/')).toBe(EVENT_COUNT);
    expect(memories.map(({ derived }) => (derived as { evidenceCount: number }).evidenceCount)).toEqual(
      Array(MERCHANTS).fill(EVENT_COUNT / MERCHANTS),
    );
    // What can never be understood is back where it was.
    expect(await deadLetters()).toBe(1);
  });

  it('leaves nothing for a second redrive to do', async () => {
    const before = await snapshot();
    await redrive();
    expect(await snapshot()).toEqual(before);
    expect(await deadLetters()).toBe(1);
  });
});

describe('a replay of the archive', { timeout: 10 * PATIENCE.timeoutSeconds * 1000 }, () => {
  it('brings every correction again and changes nothing', async () => {
    const before = await snapshot();
    let calls = 0;
    isRefused = () => {
      calls += 1;
      return false;
    };
    const [archive] = host.deployment.archives;
    const replay = {
      ReplayName: 'again',
      EventSourceArn: archive?.arn,
      EventStartTime: new Date(Date.now() - 3_600_000),
      EventEndTime: new Date(Date.now() + 1000),
      Destination: { Arn: archive?.busArn },
    };
    await bus().send(new StartReplayCommand(replay));
    await host.settled(PATIENCE);
    const { State } = await bus().send(new DescribeReplayCommand({ ReplayName: 'again' }));
    expect(State).toBe('COMPLETED');
    expect(calls).toBeGreaterThan(EVENT_COUNT);
    expect(await snapshot()).toEqual(before);
  });
});

function connection() {
  return {
    endpoint: host.url,
    region: 'us-east-1',
    credentials: { accessKeyId: 'operator', secretAccessKey: 'local' },
  };
}

const bus = () => new EventBridgeClient(connection());

async function put(from: number): Promise<void> {
  await bus().send(
    new PutEventsCommand({
      Entries: Array.from({ length: 10 }, (_, n) => entryOf(correction(from + n))),
    }),
  );
}

const putEvent = (detail: object) => bus().send(new PutEventsCommand({ Entries: [entryOf(detail)] }));

const entryOf = (detail: object) => ({
  EventBusName: EVENTS.defaultBusName,
  Source: 'receipts',
  DetailType: EVENTS.correctionDetailType,
  Detail: JSON.stringify(detail),
});

function correction(n: number): object {
  return {
    eventId: `e_${n}`,
    orgId: ORG,
    type: 'manual_patch',
    occurredAt: new Date(Date.UTC(2026, 0, 1) + n * 60_000).toISOString(),
    actor: { userId: 'u_1' },
    subjectIds: [`doc_${n}`],
    changeSet: { category: { to: '6300' } },
    context: { merchant: `Drillmerchant ${letters(n % MERCHANTS)}` },
  };
}

/** Digits after a name are a store's number, and no part of who it is. */
const letters = (n: number) => String.fromCharCode(97 + Math.floor(n / 26), 97 + (n % 26)).repeat(2);

async function deadLetters(): Promise<number> {
  const { Attributes } = await new SQSClient(connection()).send(
    new GetQueueAttributesCommand({
      QueueUrl: `${host.url}/000000000000/ai-memories-corrections-dead`,
      AttributeNames: ['ApproximateNumberOfMessages'],
    }),
  );
  return Number(Attributes?.ApproximateNumberOfMessages);
}

async function redrive(): Promise<void> {
  const [queue, dead] = ['corrections', 'corrections-dead'].map(
    (name) => host.deployment.queues.find((spec) => spec.name === `ai-memories-${name}`)?.arn,
  );
  await new SQSClient(connection()).send(
    new StartMessageMoveTaskCommand({ SourceArn: dead, DestinationArn: queue }),
  );
  await host.settled(PATIENCE);
}

type Item = Readonly<Record<string, unknown>>;

async function snapshot(): Promise<{ readonly memories: readonly Item[]; readonly events: readonly Item[] }> {
  const [memories, events] = await Promise.all([itemsOf(TABLES.memories), itemsOf(TABLES.events)]);
  return { memories, events };
}

async function itemsOf({ name }: { readonly name: string }): Promise<readonly Item[]> {
  const client = DynamoDBDocumentClient.from(new DynamoDBClient(connection()));
  const items: Item[] = [];
  let start: Record<string, unknown> | undefined;
  do {
    const page = await client.send(
      new QueryCommand({
        TableName: name,
        KeyConditionExpression: 'orgId = :org',
        ExpressionAttributeValues: { ':org': ORG },
        ConsistentRead: true,
        ...(start && { ExclusiveStartKey: start }),
      }),
    );
    items.push(...(page.Items ?? []));
    start = page.LastEvaluatedKey;
  } while (start);
  return items;
}

const count = (items: readonly Item[], prefix: string) =>
  items.filter(({ entry }) => String(entry).startsWith(prefix)).length;

async function until(holds: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + PATIENCE.timeoutSeconds * 1000;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error('It took too long');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
