import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { DeleteMessageCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { type LocalHost, startLocalHost } from '../../infra/local/host.ts';
import { TABLES } from '../../lib/aws/tables.ts';
import { EVENTS } from '../../lib/routes.ts';

export interface RawRequest {
  readonly method: string;
  /** Goes into the request line as it is. */
  readonly target: string;
  /** Go onto the wire as they are, repeated names included; `host`, `connection` and `content-length` are added. */
  readonly headers?: readonly (readonly [string, string])[];
  readonly body?: string | Buffer;
}

export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** The local host with the project's stack, in a directory of its own, and what tests do with it over the wire. */
export interface TestHost {
  readonly host: LocalHost;
  /** One request, byte for byte: nothing in between puts it right. */
  send(request: RawRequest): Promise<RawAnswer>;
  putEvents(...details: readonly unknown[]): Promise<void>;
  /** The payload of an invocation as text; `failed` when it is an error. */
  invoke(name: string, payload: string): Promise<{ readonly failed: boolean; readonly text: string }>;
  /** Takes what lies on the dead-letter queue. */
  takeParked(): Promise<readonly { readonly body: string; readonly reason: string }[]>;
  /** Every item of the three tables, in order. */
  items(): Promise<readonly unknown[]>;
  stop(): Promise<void>;
}

export async function startTestHost(): Promise<TestHost> {
  const dataDir = await mkdtemp(join(tmpdir(), 'ai-memories-'));
  const host = await startLocalHost({ port: 0, dataDir, quiet: true, visibilitySeconds: 0.1 });
  const { hostname, port } = new URL(host.url);
  const at = {
    endpoint: host.url,
    region: 'us-east-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  };
  const tables = DynamoDBDocumentClient.from(new DynamoDBClient(at));
  const bus = new EventBridgeClient(at);
  const lambda = new LambdaClient(at);
  const queue = new SQSClient(at);
  const dead = host.deployment.queues.find(({ name }) => /dead|dlq/i.test(name));
  const QueueUrl = `${host.url}/000000000000/${dead?.name}`;
  return {
    host,
    send: (request) => overSocket(hostname, Number(port), request),
    async putEvents(...details) {
      const Entries = details.map((detail) => ({
        EventBusName: EVENTS.defaultBusName,
        Source: 'receipts',
        DetailType: EVENTS.correctionDetailType,
        Detail: typeof detail === 'string' ? detail : JSON.stringify(detail),
      }));
      await bus.send(new PutEventsCommand({ Entries }));
      await host.settled();
    },
    async invoke(name, payload) {
      const { FunctionError, Payload } = await lambda.send(
        new InvokeCommand({ FunctionName: name, Payload: payload }),
      );
      return { failed: FunctionError !== undefined, text: Payload?.transformToString() ?? '' };
    },
    async takeParked() {
      const { Messages = [] } = await queue.send(
        new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, MessageAttributeNames: ['All'] }),
      );
      for (const { ReceiptHandle } of Messages)
        await queue.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
      return Messages.map(({ Body = '', MessageAttributes }) => ({
        body: Body,
        reason: MessageAttributes?.reason?.StringValue ?? '',
      }));
    },
    async items() {
      const pages = await Promise.all(
        [TABLES.memories, TABLES.events, TABLES.accounts].map(({ name }) =>
          tables.send(new ScanCommand({ TableName: name, ConsistentRead: true })),
        ),
      );
      return pages.flatMap(({ Items = [] }) => Items.map((item) => JSON.stringify(item)).sort());
    },
    async stop() {
      for (const client of [tables, bus, lambda, queue]) client.destroy();
      await host.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

function overSocket(
  hostname: string,
  port: number,
  { method, target, headers = [], body = '' }: RawRequest,
): Promise<RawAnswer> {
  const bytes = Buffer.from(body);
  const head = [
    `${method} ${target} HTTP/1.1`,
    `host: ${hostname}:${port}`,
    'connection: close',
    ...(bytes.length > 0 ? [`content-length: ${bytes.length}`] : []),
    ...headers.map(([name, value]) => `${name}: ${value}`),
  ].join('\r\n');
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(port, hostname);
    socket.setTimeout(20_000, () => socket.destroy(new Error('The host did not answer.')));
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', reject);
    socket.on('close', () => {
      const text = Buffer.concat(chunks).toString();
      const end = text.indexOf('\r\n\r\n');
      const [statusLine = '', ...lines] = text.slice(0, end).split('\r\n');
      const pairs = lines.map((line) => {
        const colon = line.indexOf(':');
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
      });
      resolve({
        status: Number(statusLine.split(' ')[1]),
        headers: Object.fromEntries(pairs),
        text: text.slice(end + 4),
      });
    });
    socket.write(Buffer.concat([Buffer.from(`${head}\r\n\r\n`, 'latin1'), bytes]));
  });
}
