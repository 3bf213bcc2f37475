import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DynamoDBClient,
  type DynamoDBClientConfig,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { TABLES } from '../../lib/aws/tables.ts';

export type EngineName = 'dynalite' | 'dynoxide';

export interface Engine {
  readonly name: EngineName;
  readonly endpoint: string;
  readonly client: DynamoDBDocumentClient;
  stop(): Promise<void>;
}

const require = createRequire(import.meta.url);

/** Dynalite is on every platform; the dynoxide binary is an optional dependency. */
export const ENGINES: readonly EngineName[] =
  dynoxidePath() === undefined ? ['dynalite'] : ['dynalite', 'dynoxide'];

/** Starts an engine in memory on a free port of the loopback address, with the three tables in it. */
export async function startEngine(name: EngineName): Promise<Engine> {
  const { endpoint, stop } = await (name === 'dynalite' ? startDynalite() : startDynoxide());
  const client = clientAt(endpoint);
  const close = async () => {
    client.destroy();
    await stop();
  };
  try {
    await createTables(client);
  } catch (error) {
    await close();
    throw error;
  }
  return { name, endpoint, client, stop: close };
}

/** A document client for an engine; `tune` may add middleware to the client below it. */
export function clientAt(
  endpoint: string,
  config: DynamoDBClientConfig = {},
  tune: (client: DynamoDBClient) => void = () => undefined,
): DynamoDBDocumentClient {
  const client = new DynamoDBClient({
    endpoint,
    region: 'eu-west-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    ...config,
  });
  tune(client);
  return DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });
}

/** Creates the tables `memories`, `events` and `accounts` with their indexes and waits until they can be used. */
export async function createTables(client: DynamoDBDocumentClient): Promise<void> {
  await Promise.all(
    tableInputs().map(async (input) => {
      await client.send(new CreateTableCommand(input));
      const waiter = { client, minDelay: 0.01, maxDelay: 0.1, maxWaitTime: 10 };
      await waitUntilTableExists(waiter, { TableName: input.TableName });
    }),
  );
}

export function tableInputs(): readonly CreateTableCommandInput[] {
  const { memories, events, accounts } = TABLES;
  return [
    tableInput(memories, [memories.byStatus, memories.awaitingReview]),
    tableInput(events, []),
    tableInput(accounts, []),
  ];
}

interface KeyedBy {
  readonly name: string;
  readonly partitionKey: string;
  readonly sortKey: string;
}

function tableInput(table: KeyedBy, indexes: readonly KeyedBy[]): CreateTableCommandInput {
  const names = new Set([table, ...indexes].flatMap(({ partitionKey, sortKey }) => [partitionKey, sortKey]));
  return {
    TableName: table.name,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [...names].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
    KeySchema: keySchema(table),
    ...(indexes.length > 0 && {
      GlobalSecondaryIndexes: indexes.map((index) => ({
        IndexName: index.name,
        KeySchema: keySchema(index),
        Projection: { ProjectionType: 'ALL' as const },
      })),
    }),
  };
}

function keySchema({ partitionKey, sortKey }: KeyedBy): CreateTableCommandInput['KeySchema'] {
  return [
    { AttributeName: partitionKey, KeyType: 'HASH' },
    { AttributeName: sortKey, KeyType: 'RANGE' },
  ];
}

async function startDynalite() {
  const dynalite: (options: object) => Server = require('dynalite');
  const server = dynalite({ createTableMs: 0, deleteTableMs: 0, updateTableMs: 0 });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const endpoint = `http://127.0.0.1:${portOf(server)}`;
  const stop = async () => {
    server.closeAllConnections();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  };
  return { endpoint, stop };
}

async function startDynoxide() {
  const binary = dynoxidePath();
  if (binary === undefined) throw new Error('The dynoxide binary is not installed.');
  const port = await freePort();
  // The shell ends the engine when its own input closes, which happens however this process ends.
  const script = '"$0" --port "$1" >/dev/null 2>&1 & read -r _; kill -9 $!; wait';
  const shell = spawn('sh', ['-c', script, binary, String(port)], { stdio: ['pipe', 'ignore', 'ignore'] });
  const endpoint = `http://127.0.0.1:${port}`;
  const stop = () => ended(shell);
  try {
    await answering(endpoint);
  } catch (error) {
    await stop();
    throw error;
  }
  return { endpoint, stop };
}

async function ended(shell: ChildProcess): Promise<void> {
  if (shell.exitCode !== null) return;
  const exit = once(shell, 'exit');
  shell.stdin?.end();
  await exit;
}

async function answering(endpoint: string): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    const answered = await fetch(endpoint).then(
      () => true,
      () => false,
    );
    if (answered) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`Nothing answers at ${endpoint}.`);
}

function dynoxidePath(): string | undefined {
  try {
    return join(dirname(require.resolve('@dynoxide/linux-x64/package.json')), 'dynoxide');
  } catch {
    return undefined;
  }
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const port = portOf(server);
  await new Promise<void>((resolve) => server.close(() => resolve()));
  return port;
}

const portOf = (server: Server) => (server.address() as AddressInfo).port;
