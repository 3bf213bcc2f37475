import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { devNull } from 'node:os';
import { join } from 'node:path';
import type { JWTPayload } from 'jose';
import { accessOf, type CheckAccess, callerOf, tablesIn } from './access.ts';
import { type Archives, openArchives } from './archives.ts';
import { assembleStack, PROJECT_ROOT } from './assembly.ts';
import { type EventBuses, entriesIn, eventBuses } from './event-bus.ts';
import { type FunctionRunner, functionRunner } from './function-runner.ts';
import { httpApi, MAX_BODY_BYTES } from './http-api.ts';
import {
  awsError,
  type HostRequest,
  type HostResponse,
  joinedHeaders,
  jsonResponse,
} from './http-message.ts';
import type { Surroundings } from './intrinsics.ts';
import { ISSUER_PATHS, localIssuer } from './issuer.ts';
import { jwtAuthorizer } from './jwt-authorizer.ts';
import { accessTokenClaims, openSigningKey } from './keys.ts';
import { INVOKE_PATH, invokeFunction } from './lambda-api.ts';
import { type QueuePoller, startPoller } from './queue-poller.ts';
import { type LocalQueues, openQueues } from './queues.ts';
import { queueUrlIn, sqsApi } from './sqs-api.ts';
import { type LocalTables, openTables } from './tables.ts';
import { type Deployment, type FunctionSpec, readDeployment } from './template.ts';

export interface LocalHostOptions {
  /** 0 takes any free port. @default 4600 */
  readonly port?: number;
  /** Where tables, queues and the signing key are kept. @default `.local` in the project */
  readonly dataDir?: string;
  /** A cloud assembly to run. @default - the project's stack, synthesized when its sources have changed */
  readonly assembly?: string;
  /** Says nothing, what functions print included. @default false */
  readonly quiet?: boolean;
  /** Where lines go that are not for a caller. @default - standard output */
  readonly log?: (line: string) => void;
  /** How long a message that failed stays hidden. @default - the queue's visibility timeout */
  readonly visibilitySeconds?: number;
  /** Sees each call of an AWS service before it is made, and may answer it instead. */
  readonly onCall?: (call: AwsCall) => HostResponse | undefined | Promise<HostResponse | undefined>;
  /** Ends a start that is under way. */
  readonly signal?: AbortSignal;
}

/** One call of an AWS service. */
export interface AwsCall {
  /** The function's name, or an operator's key. */
  readonly caller: string;
  /** As policies have it: `dynamodb:GetItem`. */
  readonly action: string;
  /** ARNs. */
  readonly resources: readonly string[];
}

export interface LocalHost {
  /** Where everything is served, without a slash at the end. */
  readonly url: string;
  readonly deployment: Deployment;
  /** An access token: the demo user's with all scopes, but for the claims given. */
  token(claims?: JWTPayload): Promise<string>;
  /** Waits until every event that was put has been handled or given up. */
  settled(options?: { readonly timeoutSeconds?: number }): Promise<void>;
  stop(): Promise<void>;
}

export class PortInUse extends Error {
  readonly port: number;
  constructor(port: number) {
    super(`Port ${port} is in use`);
    this.port = port;
  }
}

/** Runs the stack's template on this machine, on one port of the loopback interface. */
export async function startLocalHost(options: LocalHostOptions = {}): Promise<LocalHost> {
  const log = options.quiet ? () => {} : (options.log ?? ((line: string) => console.log(line)));
  const dataDir = options.dataDir ?? join(PROJECT_ROOT, '.local');
  const closing: (() => Promise<void> | void)[] = [];
  const stop = async (): Promise<void> => {
    for (const close of closing.splice(0).reverse()) await close();
  };

  let answer: (request: HostRequest) => Promise<HostResponse> = async () =>
    jsonResponse(503, { message: 'Service Unavailable' });
  try {
    // First of all, so that a port in use is known before anything else is done.
    const { server, port } = await listen(options.port ?? 4600, (request) => answer(request));
    closing.push(() => closeServer(server));

    const here: Surroundings = {
      accountId: '000000000000',
      region: 'us-east-1',
      stackName: 'ai-memories',
      origin: `http://127.0.0.1:${port}`,
    };
    const assembly =
      options.assembly ?? (await assembleStack({ log, ...(options.signal && { signal: options.signal }) }));
    const deployment = await readDeployment(assembly, here);
    log(`Left out, as it does nothing on one machine: ${deployment.ignored.join(', ')}`);

    const key = await openSigningKey(join(dataDir, 'signing-key.json'));
    const tables = await openTables(join(dataDir, 'data', 'tables'), deployment.tables);
    closing.push(() => tables.close());
    const queues = openQueues(join(dataDir, 'data', 'queues'), deployment.queues);
    closing.push(() => queues.close());
    const runners = deployment.functions.map((spec) =>
      functionRunner(spec, {
        environment: environmentOf(spec, here),
        // Numbers for CloudWatch's metrics, which nobody reads in a terminal.
        log: (line) => line.startsWith('{"_aws":') || log(`[${spec.name}] ${line}`),
      }),
    );
    closing.push(async () => {
      await Promise.all(runners.map((runner) => runner.stop()));
    });
    const runnerOf = (name: string): FunctionRunner | undefined =>
      runners.find(({ spec }) => spec.name === name || spec.arn === name);
    const archives: Archives = openArchives(
      join(dataDir, 'data', 'archives'),
      deployment.archives,
      (bus, event, rules) => buses.redeliver(bus, event, rules),
    );
    const buses: EventBuses = eventBuses(
      deployment,
      here,
      (arn, event) => queueAt(queues, arn).send(event),
      (bus, event) => archives.keep(bus, event),
    );
    for (const { targetArns } of deployment.rules) for (const arn of targetArns) queueAt(queues, arn);
    const pollers = startPollers(deployment, queues, runnerOf, { ...options, log, region: here.region });
    closing.push(() => {
      for (const poller of pollers) poller.stop();
    });

    const api = httpApi(deployment.api, {
      authorize: jwtAuthorizer(key.publicKey),
      invoke: (arn, payload, requestId) => {
        const runner = runnerOf(arn);
        if (!runner) throw new Error(`There is no function ${arn}`);
        return runner.invoke(payload, requestId);
      },
      here,
    });
    const refuse = accessOf(deployment, log);
    const access: AskAccess = async (request, action, resources, facts) =>
      (await options.onCall?.({ caller: callerOf(request), action, resources })) ??
      refuse(request, action, resources, facts);
    const aws = awsApis({ tables, buses, archives, queues, runnerOf, access, here });
    const authorizer = deployment.api.routes.find((route) => route.authorizer)?.authorizer;
    const demoClaims = (claims?: JWTPayload) =>
      accessTokenClaims(authorizer ?? { issuer: '', audience: [] }, claims);
    const issuer = localIssuer(key, demoClaims);
    answer = async (request) =>
      isAwsRequest(request) ? aws(request) : ((await issuer(request)) ?? api(request));

    return {
      url: here.origin,
      deployment,
      token: (claims) => key.sign(demoClaims(claims)),
      settled: (wait) => settled(pollers, wait?.timeoutSeconds ?? 30),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * What Lambda would set, and where the SDK finds the local host. The access key is the function's own name, so that a
 * store call tells who makes it.
 */
function environmentOf(spec: FunctionSpec, here: Surroundings): Readonly<Record<string, string>> {
  return {
    ...spec.environment,
    AWS_REGION: here.region,
    AWS_DEFAULT_REGION: here.region,
    AWS_LAMBDA_FUNCTION_NAME: spec.name,
    AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(spec.memoryMegabytes),
    AWS_ACCESS_KEY_ID: spec.name,
    AWS_SECRET_ACCESS_KEY: 'local',
    // The issuer itself is elsewhere; its keys are here.
    JWKS_URI: `${here.origin}${ISSUER_PATHS.keys}`,
    AWS_ENDPOINT_URL_DYNAMODB: here.origin,
    AWS_ENDPOINT_URL_EVENTBRIDGE: here.origin,
    AWS_ENDPOINT_URL_SQS: here.origin,
    // The developer's own AWS settings are not the function's.
    AWS_CONFIG_FILE: devNull,
    AWS_SHARED_CREDENTIALS_FILE: devNull,
    // It is about this machine's Node, not the runtime's.
    AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
    TZ: 'UTC',
  };
}

function startPollers(
  deployment: Deployment,
  queues: LocalQueues,
  runnerOf: (name: string) => FunctionRunner | undefined,
  options: {
    readonly visibilitySeconds?: number;
    readonly log: (line: string) => void;
    readonly region: string;
  },
): readonly QueuePoller[] {
  return deployment.mappings.map((mapping) => {
    const runner = runnerOf(mapping.function);
    if (!runner)
      throw new Error(`An event source mapping names the function ${mapping.function}, which is not there`);
    return startPoller(queueAt(queues, mapping.queueArn), runner, mapping, {
      log: options.log,
      region: options.region,
      ...(options.visibilitySeconds !== undefined && { visibilitySeconds: options.visibilitySeconds }),
    });
  });
}

function queueAt(queues: LocalQueues, arn: string) {
  const queue = queues.byArn(arn);
  if (!queue) throw new Error(`The local host delivers to queues of the stack only, not to ${arn}`);
  return queue;
}

/** A caller of an AWS API signs its request; a caller of the service bears a token. */
function isAwsRequest(request: HostRequest): boolean {
  return request.headers.some(
    ([name, value]) => name.toLowerCase() === 'authorization' && value.startsWith('AWS4-HMAC-SHA256'),
  );
}

type AskAccess = (...asked: Parameters<CheckAccess>) => Promise<HostResponse | undefined>;

interface AwsParts {
  readonly tables: LocalTables;
  readonly buses: EventBuses;
  readonly archives: Archives;
  readonly queues: LocalQueues;
  readonly runnerOf: (name: string) => FunctionRunner | undefined;
  readonly access: AskAccess;
  readonly here: Surroundings;
}

function awsApis(parts: AwsParts): (request: HostRequest) => Promise<HostResponse> {
  const { tables, buses, archives, queues, runnerOf, access, here } = parts;
  const sqs = sqsApi(queues);
  const arn = (service: string, name: string): string =>
    `arn:aws:${service}:${here.region}:${here.accountId}:${name}`;
  return async (request) => {
    const headers = joinedHeaders(request.headers);
    // Signatures are not checked here, so that a page in the same browser must not pass for a client.
    if (headers.origin !== undefined) return awsError(403, 'AccessDeniedException', 'Not for web pages');
    const invoked = request.method === 'POST' ? INVOKE_PATH.exec(request.target)?.[1] : undefined;
    if (invoked !== undefined) {
      const refusal = await access(request, 'lambda:InvokeFunction', [arn('lambda', `function:${invoked}`)]);
      return refusal ?? invokeFunction(request, runnerOf);
    }
    const input = parse(request.body);
    if (input === undefined) return awsError(400, 'SerializationException', 'The body is not JSON');
    const target = headers['x-amz-target'] ?? '';
    const [service, action = ''] = target.split('.');
    if (service === 'DynamoDB_20120810') {
      const resources = tablesIn(input, (name) => arn('dynamodb', `table/${name}`));
      return (await access(request, `dynamodb:${action}`, resources)) ?? tables.answer(request);
    }
    if (target === 'AWSEvents.PutEvents') {
      for (const { bus, facts } of entriesIn(input)) {
        const refusal = await access(request, 'events:PutEvents', [arn('events', `event-bus/${bus}`)], facts);
        if (refusal) return refusal;
      }
      return buses.putEvents(input);
    }
    if (service === 'AWSEvents') {
      const refusal = await access(request, `events:${action}`, ['*']);
      const answered = refusal ?? archives.answer(action, input);
      if (answered) return answered;
    }
    if (service === 'AmazonSQS') {
      const queue = queues.byUrl(queueUrlIn(input));
      return (await access(request, `sqs:${action}`, [queue?.spec.arn ?? '*'])) ?? sqs(action, input);
    }
    return awsError(
      400,
      'UnknownOperationException',
      `The local host does not know ${target || request.target}`,
    );
  };
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString() || '{}');
  } catch {
    return undefined;
  }
}

async function settled(pollers: readonly QueuePoller[], timeoutSeconds: number): Promise<void> {
  const isEmpty = ({ queue }: QueuePoller): boolean => {
    const { visible, hidden } = queue.counts();
    return visible + hidden === 0;
  };
  const until = Date.now() + timeoutSeconds * 1000;
  while (!pollers.every(isEmpty)) {
    if (Date.now() > until) throw new Error(`Events were still waiting after ${timeoutSeconds} seconds`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

async function listen(
  port: number,
  answer: (request: HostRequest) => Promise<HostResponse>,
): Promise<{ readonly server: Server; readonly port: number }> {
  const server = createServer(
    { maxHeaderSize: MAX_HEADER_BYTES, keepAliveTimeout: 60_000 },
    (incoming, outgoing) => {
      incoming.on('error', () => {});
      outgoing.on('error', () => {});
      void serve(incoming, outgoing, answer);
    },
  );
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(error.code === 'EADDRINUSE' ? new PortInUse(port) : error),
    );
    server.listen(port, '127.0.0.1', resolve);
  });
  return { server, port: (server.address() as AddressInfo).port };
}

// API Gateway's limit for the request line and all headers; signed requests of the SDK stay far below.
const MAX_HEADER_BYTES = 10_240;
const MAX_AWS_BODY_BYTES = 16 * 1024 * 1024;

async function serve(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  answer: (request: HostRequest) => Promise<HostResponse>,
): Promise<void> {
  try {
    const request = await readRequest(incoming);
    const response = request
      ? await answer(request)
      : jsonResponse(413, { message: 'Request Entity Too Large' });
    if (!request) outgoing.setHeader('connection', 'close');
    write(outgoing, response, incoming.method === 'HEAD');
  } catch (error) {
    if (incoming.destroyed && !incoming.complete) return;
    // A fault of the local host's own, which must not pass for an answer of the service.
    console.error(error);
    write(outgoing, jsonResponse(500, { message: 'The local host failed' }), false);
  }
}

/** The whole request, or nothing when it is larger than the service that it is for takes. */
async function readRequest(incoming: IncomingMessage): Promise<HostRequest | undefined> {
  const headers: [string, string][] = [];
  for (let at = 0; at + 1 < incoming.rawHeaders.length; at += 2) {
    headers.push([incoming.rawHeaders[at] ?? '', incoming.rawHeaders[at + 1] ?? '']);
  }
  const request = {
    method: incoming.method ?? 'GET',
    target: incoming.url ?? '/',
    headers,
    sourceIp: incoming.socket.remoteAddress ?? '127.0.0.1',
    body: Buffer.alloc(0),
  };
  const limit = isAwsRequest(request) ? MAX_AWS_BODY_BYTES : MAX_BODY_BYTES;
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length;
    // Read to the end even so: a client that is still sending would not see the answer.
    if (size <= limit) chunks.push(chunk);
  }
  return size > limit ? undefined : { ...request, body: Buffer.concat(chunks) };
}

function write(outgoing: ServerResponse, response: HostResponse, headOnly: boolean): void {
  if (outgoing.headersSent || outgoing.destroyed) return;
  outgoing.statusCode = response.status;
  for (const [name, value] of response.headers) outgoing.appendHeader(name, value);
  const empty = response.status === 204 || response.status === 304;
  if (!empty) outgoing.setHeader('content-length', response.body.length);
  outgoing.end(headOnly || empty ? undefined : response.body);
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
