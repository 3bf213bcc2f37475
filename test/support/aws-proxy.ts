import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse, request as sendOn } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** One call of the SDK as it passes by. */
export interface AwsCall {
  readonly service: 'dynamodb' | 'events' | 'sqs';
  /** `PutItem`, `Query`, `PutEvents`, `SendMessage` … */
  readonly action: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/**
 * What goes wrong with a call: an exception of the service by its name; the connection lost before the service has
 * seen it, or after it has done it; no answer at all; or another input and another reply than those that were given.
 */
export type Fault =
  | { readonly exception: string; readonly status: 400 | 500 | 503 }
  | 'lost-before'
  | 'lost-after'
  | 'silence'
  | {
      readonly input?: Readonly<Record<string, unknown>>;
      readonly reply: (reply: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;
    };

export type Faults = (call: AwsCall) => Fault | undefined;

export interface AwsProxy {
  readonly endpoint: string;
  readonly calls: AwsCall[];
  /** What was put on the bus. */
  readonly notices: Readonly<Record<string, unknown>>[];
  /** What was put on the dead-letter queue. */
  readonly parked: { readonly body: string; readonly reason: string }[];
  /** From now on; without an argument nothing goes wrong any more. */
  fail(faults?: Faults): void;
  /** Ends the connections that got no answer, so that the clients try again. */
  endSilence(): void;
  stop(): Promise<void>;
}

/**
 * Stands between the real SDK clients and a DynamoDB engine, so that faults come as they come from AWS: over the wire,
 * through the SDK's own retries and errors. Answers for EventBridge and SQS itself.
 */
export async function startAwsProxy(engineEndpoint: string): Promise<AwsProxy> {
  let faults: Faults = () => undefined;
  const calls: AwsCall[] = [];
  const notices: Record<string, unknown>[] = [];
  const silent = new Set<Socket>();
  const parked: { body: string; reason: string }[] = [];

  const carryOut = async (call: AwsCall, incoming: IncomingMessage, body: Buffer): Promise<Reply> => {
    if (call.service === 'dynamodb') return forwarded(engineEndpoint, incoming, body);
    if (call.service === 'events') {
      const entries = call.input.Entries as Record<string, unknown>[];
      notices.push(...entries);
      return {
        status: 200,
        json: { FailedEntryCount: 0, Entries: entries.map(() => ({ EventId: randomUUID() })) },
      };
    }
    const { MessageBody, MessageAttributes } = call.input as {
      MessageBody: string;
      MessageAttributes: { reason: { StringValue: string } };
    };
    parked.push({ body: MessageBody, reason: MessageAttributes.reason.StringValue });
    const digest = createHash('md5').update(MessageBody).digest('hex');
    return { status: 200, json: { MessageId: randomUUID(), MD5OfMessageBody: digest } };
  };

  const server = createServer({ keepAliveTimeout: 60_000 }, async (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const call = callOf(incoming, body);
    calls.push(call);
    const fault = faults(call);
    if (fault === 'silence') return void silent.add(incoming.socket);
    if (fault === 'lost-before') return void incoming.socket.destroy();
    if (typeof fault === 'object' && 'exception' in fault) {
      return answer(outgoing, {
        status: fault.status,
        json: { __type: `com.amazonaws#${fault.exception}`, message: 'injected' },
      });
    }
    const changed = typeof fault === 'object' ? fault : undefined;
    const sent = changed?.input === undefined ? body : Buffer.from(JSON.stringify(changed.input));
    const reply = await carryOut(call, incoming, sent);
    if (fault === 'lost-after') return void incoming.socket.destroy();
    answer(outgoing, changed === undefined ? reply : { ...reply, json: changed.reply(reply.json) });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    notices,
    parked,
    fail: (next = () => undefined) => {
      faults = next;
    },
    endSilence: () => {
      for (const socket of silent) socket.destroy();
      silent.clear();
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

interface Reply {
  readonly status: number;
  readonly json: Readonly<Record<string, unknown>>;
}

function callOf(incoming: IncomingMessage, body: Buffer): AwsCall {
  const [service = '', action = ''] = String(incoming.headers['x-amz-target']).split('.');
  const input = JSON.parse(body.toString() || '{}') as Record<string, unknown>;
  return {
    service: service.startsWith('DynamoDB') ? 'dynamodb' : service === 'AWSEvents' ? 'events' : 'sqs',
    action,
    input,
  };
}

function answer(outgoing: ServerResponse, { status, json }: Reply): void {
  outgoing.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' }).end(JSON.stringify(json));
}

function forwarded(endpoint: string, incoming: IncomingMessage, body: Buffer): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const { connection: _, 'content-length': __, ...headers } = incoming.headers;
    const outgoing = sendOn(endpoint, { method: 'POST', headers, agent: false }, async (reply) => {
      const chunks: Buffer[] = [];
      for await (const chunk of reply) chunks.push(chunk as Buffer);
      const json = JSON.parse(Buffer.concat(chunks).toString()) as Reply['json'];
      resolve({ status: reply.statusCode ?? 500, json });
    });
    outgoing.on('error', reject).end(body);
  });
}
