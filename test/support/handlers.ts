import { Buffer } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import { BatchWriteCommand, DeleteCommand, QueryCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import type {
  APIGatewayProxyEventV2WithJWTAuthorizer as HttpEvent,
  APIGatewayProxyStructuredResultV2 as HttpResult,
  SQSBatchResponse,
} from 'aws-lambda';
import { chunksOf } from '../../lib/aws/batches.ts';
import { ENVIRONMENT, TABLES } from '../../lib/aws/tables.ts';
import type { Deadline } from '../../lib/lambda/deadline.ts';
import { EVENTS, type FunctionName, ROUTES } from '../../lib/routes.ts';
import { type AwsProxy, startAwsProxy } from './aws-proxy.ts';
import { startEngine } from './engines.ts';

export interface Caller {
  readonly org: string;
  readonly user: string;
  readonly scope?: string;
}

export interface Call {
  readonly method: string;
  /** As it stands in the request line, query string included. */
  readonly target: string;
  readonly caller: Caller;
  /** @default - that of JSON, where there is a body */
  readonly headers?: Readonly<Record<string, string>>;
  /** Anything but a string, bytes or `null` is sent as JSON. */
  readonly body?: unknown;
  /** How long the function has left. */
  readonly milliseconds?: number;
}

export interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly json: Record<string, unknown>;
}

/** The real function handlers over a real engine, with whatever goes wrong between them. */
export interface Handlers {
  readonly aws: AwsProxy;
  /** One request, made into the event that API Gateway would make of it. */
  call(call: Call): Promise<Answered>;
  /** The retrieval function; an error is what it throws. */
  retrieve(request: unknown, milliseconds?: number): Promise<unknown>;
  /** Corrections as the bus and the queue bring them; answers with which of them come again, by place. */
  deliver(details: readonly unknown[], milliseconds?: number): Promise<readonly number[]>;
  /** The same, with the bodies of the messages as they are. */
  deliverBodies(bodies: readonly string[], milliseconds?: number): Promise<readonly number[]>;
  /** Every item of the three tables, in order; of one org where it is named. */
  items(org?: string): Promise<readonly Readonly<Record<string, unknown>>[]>;
  /** Puts items as they are, past everything. */
  put(
    table: 'memories' | 'events' | 'accounts',
    items: readonly Readonly<Record<string, unknown>>[],
  ): Promise<void>;
  /** Takes away everything an org has, past everything. */
  clear(org: string): Promise<void>;
  stop(): Promise<void>;
}

export const ALL_SCOPES = 'memories:read memories:write memories:review';

type HttpHandler = (event: HttpEvent, context?: Deadline) => Promise<HttpResult>;

/** Once a test file: the clients of the functions find this engine when they are made. */
export async function startHandlers(): Promise<Handlers> {
  const engine = await startEngine('dynalite');
  const aws = await startAwsProxy(engine.endpoint);
  Object.assign(process.env, {
    [ENVIRONMENT.memories]: TABLES.memories.name,
    [ENVIRONMENT.events]: TABLES.events.name,
    [ENVIRONMENT.accounts]: TABLES.accounts.name,
    [ENVIRONMENT.bus]: EVENTS.defaultBusName,
    [ENVIRONMENT.deadLetters]: `${aws.endpoint}/000000000000/dead`,
    AWS_REGION: 'eu-west-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_ENDPOINT_URL_DYNAMODB: aws.endpoint,
    AWS_ENDPOINT_URL_EVENTBRIDGE: aws.endpoint,
    AWS_ENDPOINT_URL_SQS: aws.endpoint,
  });
  const [save, list, get, archive, review, evidence, context, accounts, retrieve, promote, erase, transfer] =
    await Promise.all([
      import('../../functions/save-memory.ts'),
      import('../../functions/list-memories.ts'),
      import('../../functions/get-memory.ts'),
      import('../../functions/archive-memory.ts'),
      import('../../functions/review-memory.ts'),
      import('../../functions/explain-evidence.ts'),
      import('../../functions/assistant-context.ts'),
      import('../../functions/chart-of-accounts.ts'),
      import('../../functions/retrieve-hints.ts'),
      import('../../functions/promote-corrections.ts'),
      import('../../functions/erase-memories.ts'),
      import('../../functions/transfer-memories.ts'),
    ]);
  const http: Partial<Record<FunctionName, HttpHandler>> = {
    save: save.handler,
    list: list.handler,
    get: get.handler,
    archive: archive.handler,
    review: review.handler,
    evidence: evidence.handler,
    context: context.handler,
    accounts: accounts.handler,
    erase: erase.handler,
    transfer: transfer.handler,
  };

  const deliverBodies = async (bodies: readonly string[], milliseconds?: number) => {
    const Records = bodies.map((body, index) => ({ messageId: `m${index}`, body }));
    const event = { Records } as unknown as Parameters<typeof promote.handler>[0];
    const { batchItemFailures }: SQSBatchResponse = await promote.handler(event, deadlineIn(milliseconds));
    return batchItemFailures.map(({ itemIdentifier }) => Number(itemIdentifier.slice(1)));
  };
  const handlers: Handlers = {
    aws,
    async call(call) {
      const { event, route } = eventOf(call);
      const handler = http[route.function];
      if (handler === undefined) throw new Error(`There is no function ${route.function}.`);
      const { statusCode = 0, headers = {}, body = '' } = await handler(event, deadlineIn(call.milliseconds));
      return {
        status: statusCode,
        headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
        text: body,
        json: JSON.parse(body.startsWith('{') ? (body.split('\n', 1)[0] ?? '') : body) as Record<
          string,
          unknown
        >,
      };
    },
    retrieve: (request, milliseconds) => retrieve.handler(request, deadlineIn(milliseconds)),
    deliver: (details, milliseconds) => deliverBodies(details.map(busEvent), milliseconds),
    deliverBodies,
    async items(org) {
      const pages = await Promise.all(
        [TABLES.memories, TABLES.events, TABLES.accounts].map(({ name: TableName }) =>
          org === undefined
            ? engine.client.send(new ScanCommand({ TableName, ConsistentRead: true }))
            : engine.client.send(
                new QueryCommand({
                  TableName,
                  KeyConditionExpression: 'orgId = :org',
                  ExpressionAttributeValues: { ':org': org },
                  ConsistentRead: true,
                }),
              ),
        ),
      );
      if (pages.some(({ LastEvaluatedKey }) => LastEvaluatedKey)) throw new Error('There is more than 1 MB.');
      return pages.flatMap(({ Items = [] }) => Items).sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
    },
    async put(table, items) {
      const { name } = TABLES[table];
      const Item = (item: Readonly<Record<string, unknown>>) => ({ PutRequest: { Item: { ...item } } });
      for (const chunk of chunksOf(items, 25)) {
        await engine.client.send(new BatchWriteCommand({ RequestItems: { [name]: chunk.map(Item) } }));
      }
    },
    async clear(org) {
      for (const item of await handlers.items(org)) {
        const [table, key] =
          item.dedupKey !== undefined
            ? [TABLES.memories, { orgId: org, dedupKey: item.dedupKey }]
            : item.entry !== undefined
              ? [TABLES.events, { orgId: org, entry: item.entry }]
              : [TABLES.accounts, { orgId: org, part: item.part }];
        await engine.client.send(new DeleteCommand({ TableName: table.name, Key: key }));
      }
    },
    async stop() {
      await aws.stop();
      await engine.stop();
    },
  };
  return handlers;
}

const deadlineIn = (milliseconds = 10_000): Deadline => {
  const until = Date.now() + milliseconds;
  return { getRemainingTimeInMillis: () => until - Date.now() };
};

const keyOf = ({ orgId, dedupKey, entry, part }: Record<string, unknown>): string =>
  [orgId, dedupKey ?? entry ?? part].join('\n');

/** A correction in the envelope of the bus. */
export function busEvent(detail: unknown): string {
  return JSON.stringify({
    version: '0',
    id: randomUUID(),
    source: 'receipts',
    'detail-type': EVENTS.correctionDetailType,
    detail,
  });
}

interface FoundRoute {
  readonly path: string;
  readonly method: string;
  readonly function: FunctionName;
}

/** A path that no route has is for API Gateway to answer, so asking for one is a mistake of the test. */
function routeOf(method: string, segments: readonly string[]): FoundRoute {
  const routes: readonly FoundRoute[] = Object.values(ROUTES);
  const fitting = routes.filter(({ path }) => {
    const parts = path.split('/');
    return (
      parts.length === segments.length &&
      parts.every((part, at) => (part.startsWith('{') ? segments[at] !== '' : part === segments[at]))
    );
  });
  const plainFirst = fitting.sort((a, b) => Number(a.path.includes('{')) - Number(b.path.includes('{')));
  const route = plainFirst.find((one) => one.method === method) ?? plainFirst[0];
  if (route === undefined) throw new Error(`No route has this path: ${segments.join('/')}`);
  return route;
}

function eventOf({ method, target, caller, headers, body }: Call): { event: HttpEvent; route: FoundRoute } {
  const at = target.indexOf('?');
  const path = at === -1 ? target : target.slice(0, at);
  const segments = path.split('/');
  const route = routeOf(method, segments);
  const id = segments[route.path.split('/').indexOf('{id}')];
  const routeKey = `${method} ${route.path}`;
  const requestId = randomUUID();
  const claims = { sub: caller.user, org_id: caller.org, scope: caller.scope ?? ALL_SCOPES };
  const event = {
    version: '2.0',
    routeKey,
    rawPath: path,
    rawQueryString: at === -1 ? '' : target.slice(at + 1),
    headers: headers ?? (body === undefined ? {} : { 'content-type': 'application/json' }),
    requestContext: {
      requestId,
      routeKey,
      http: { method, path },
      authorizer: { jwt: { claims, scopes: [] } },
    },
    ...(id !== undefined && { pathParameters: { id: decodeURIComponent(id) } }),
    ...bodyOf(body),
  };
  return { event: event as unknown as HttpEvent, route };
}

function bodyOf(body: unknown): { body?: unknown; isBase64Encoded: boolean } {
  if (body === undefined) return { isBase64Encoded: false };
  if (body === null || typeof body === 'string') return { body, isBase64Encoded: false };
  if (Buffer.isBuffer(body)) return { body: body.toString('base64'), isBase64Encoded: true };
  return { body: JSON.stringify(body), isBase64Encoded: false };
}

/** A person's category correction as it comes on the bus, not parsed, so that a test can send a bad one. */
export function rawCorrection(
  org: string,
  n: number,
  merchant: string,
  to: unknown,
  more: object = {},
): object {
  return {
    eventId: `ev_${n}`,
    orgId: org,
    type: 'manual_patch',
    occurredAt: new Date(Date.UTC(2025, 10, 29, 3, 0, n)).toISOString(),
    actor: { userId: 'u_9' },
    subjectIds: [`doc_${n}`],
    changeSet: { category: { to } },
    context: { merchant },
    ...more,
  };
}
