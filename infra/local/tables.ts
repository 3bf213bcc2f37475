import { mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { Readable } from 'node:stream';
import type { HostRequest, HostResponse } from './http-message.ts';
import type { TableSpec } from './template.ts';

export interface LocalTables {
  /** Answers one DynamoDB request. */
  answer(request: HostRequest): Promise<HostResponse>;
  close(): Promise<void>;
}

/** Opens the tables kept in a directory, and makes those that the template has and the directory has not. */
export async function openTables(directory: string, specs: readonly TableSpec[]): Promise<LocalTables> {
  await mkdir(directory, { recursive: true });
  await refuseIfOpen(directory);
  const server = dynalite({ path: directory, createTableMs: 0, updateTableMs: 0, deleteTableMs: 0 });
  const tables: LocalTables = {
    answer: (request) => answerWith(server, request),
    close: () => closeServer(server),
  };
  for (const spec of specs) await ensureTable(tables, spec, directory);
  return tables;
}

async function ensureTable(tables: LocalTables, spec: TableSpec, directory: string): Promise<void> {
  const wanted = {
    TableName: spec.name,
    KeySchema: spec.keySchema,
    AttributeDefinitions: spec.attributes,
    BillingMode: 'PAY_PER_REQUEST',
    ...(spec.indexes.length > 0 && { GlobalSecondaryIndexes: spec.indexes }),
  };
  const found = await describe(tables, spec.name);
  if (!found) {
    await call(tables, 'CreateTable', wanted);
    // The engine shows a table as ACTIVE a tick after it was made.
    while ((await describe(tables, spec.name))?.TableStatus !== 'ACTIVE') await new Promise(setImmediate);
    return;
  }
  const shape = (keys: unknown, indexes: readonly { IndexName: string; KeySchema: unknown }[] = []): string =>
    JSON.stringify([keys, indexes.map((index) => [index.IndexName, index.KeySchema]).sort()]);
  if (shape(found.KeySchema, found.GlobalSecondaryIndexes) !== shape(spec.keySchema, spec.indexes)) {
    throw new Error(
      `The table ${spec.name} kept in ${directory} has other keys or indexes than the template; delete the directory to start afresh`,
    );
  }
}

interface TableDescription {
  readonly TableStatus: string;
  readonly KeySchema: unknown;
  readonly GlobalSecondaryIndexes?: readonly { IndexName: string; KeySchema: unknown }[];
}

async function describe(tables: LocalTables, name: string): Promise<TableDescription | undefined> {
  const answer = await send(tables, 'DescribeTable', { TableName: name });
  if (answer.status === 200) return (JSON.parse(answer.body) as { Table: TableDescription }).Table;
  if (answer.body.includes('ResourceNotFoundException')) return undefined;
  throw new Error(`DescribeTable of ${name} failed: ${answer.body}`);
}

async function call(tables: LocalTables, action: string, input: unknown): Promise<void> {
  const answer = await send(tables, action, input);
  if (answer.status !== 200) throw new Error(`${action} failed: ${answer.body}`);
}

async function send(
  tables: LocalTables,
  action: string,
  input: unknown,
): Promise<{ status: number; body: string }> {
  const answer = await tables.answer({
    method: 'POST',
    target: '/',
    headers: [
      ['content-type', 'application/x-amz-json-1.0'],
      ['x-amz-target', `DynamoDB_20120810.${action}`],
      ['x-amz-date', '20260101T000000Z'],
      [
        'authorization',
        'AWS4-HMAC-SHA256 Credential=host/20260101/local/dynamodb/aws4_request, SignedHeaders=host, Signature=0',
      ],
    ],
    body: Buffer.from(JSON.stringify(input)),
    sourceIp: '127.0.0.1',
  });
  return { status: answer.status, body: answer.body.toString() };
}

/**
 * Hands a request that has been read in full to the engine's listener. Its own server is never opened: it takes an
 * aborted connection for a fault of its own and throws, and every store call has to pass by the host anyway.
 */
function answerWith(server: DynaliteServer, request: HostRequest): Promise<HostResponse> {
  return new Promise((settle) => {
    const incoming = Object.assign(Readable.from(request.body.length > 0 ? [request.body] : []), {
      method: request.method,
      url: request.target,
      headers: Object.fromEntries(request.headers.map(([name, value]) => [name.toLowerCase(), value])),
    });
    const headers: [string, string][] = [];
    const outgoing = {
      statusCode: 200,
      setHeader: (name: string, value: unknown) => headers.push([name.toLowerCase(), String(value)]),
      end: (body = '') =>
        settle({
          status: outgoing.statusCode,
          headers: headers.filter(([name]) => name !== 'content-length' && name !== 'transfer-encoding'),
          body: Buffer.from(body),
        }),
    };
    server.emit('request', incoming, outgoing);
  });
}

/** The engine closes its files only after its server has closed, so the server is opened for a moment. */
function closeServer(server: DynaliteServer): Promise<void> {
  return new Promise((resolve, reject) => {
    server.listen(0, '127.0.0.1', () => server.close((error) => (error ? reject(error) : resolve())));
  });
}

/** The engine would only fail at the first request, by taking the process with it. */
async function refuseIfOpen(directory: string): Promise<void> {
  const files = new Level(directory);
  try {
    await files.open();
  } catch (error) {
    if ((error as { cause?: { code?: string } }).cause?.code !== 'LEVEL_LOCKED') throw error;
    throw new Error(`The data in ${directory} is in use; another local host runs on it`, { cause: error });
  }
  await files.close();
}

interface DynaliteServer {
  emit(event: 'request', request: unknown, response: unknown): boolean;
  listen(port: number, host: string, listening: () => void): void;
  close(closed: (error?: Error | null) => void): void;
}

const require = createRequire(import.meta.url);
const dynalite = require('dynalite') as (options: {
  readonly path: string;
  readonly createTableMs: number;
  readonly updateTableMs: number;
  readonly deleteTableMs: number;
}) => DynaliteServer;
const { Level } = createRequire(require.resolve('dynalite'))('level') as {
  readonly Level: new (path: string) => { open(): Promise<void>; close(): Promise<void> };
};
