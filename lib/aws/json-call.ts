import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { environmentCredentials } from './environment-credentials.ts';
import { isPassing } from './faults.ts';
import { signedHeaders } from './signature.ts';

/**
 * A service of which we make one call, so that its SDK client would be more to load than all that the call does.
 * DynamoDB, which is called all the time, has the SDK's own.
 */
export interface JsonService {
  /** As in a signature and in the name of its host: `events`, `sqs`. */
  readonly name: string;
  /** As in `x-amz-target`, before the dot. */
  readonly target: string;
  readonly contentType: 'application/x-amz-json-1.0' | 'application/x-amz-json-1.1';
  /** The environment variable that names another endpoint, as the SDK's own clients read it. */
  readonly endpointVariable: `AWS_ENDPOINT_URL_${string}`;
  readonly maxAttempts: number;
  /** For one attempt, connection and answer together. */
  readonly timeoutMillis: number;
}

export type JsonCall = (action: string, input: object, signal?: AbortSignal) => Promise<unknown>;

/**
 * A caller of one service. What may pass is tried again, as often as the service has it; what the service refuses is
 * thrown as the SDK throws it, by the name of the exception and with `$metadata`.
 */
export function jsonCaller(service: JsonService): JsonCall {
  return async (action, input, signal) => {
    const body = JSON.stringify(input);
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await callOnce(service, action, body, signal);
      } catch (error) {
        if (attempt >= service.maxAttempts || signal?.aborted || !isPassing(error)) throw error;
        await new Promise((resolve) => setTimeout(resolve, Math.random() * FIRST_PAUSE_MS * 2 ** attempt));
      }
    }
  };
}

const FIRST_PAUSE_MS = 50;
/** What a bus or a queue answers is far below; more is not theirs. */
const MAX_REPLY_BYTES = 1024 * 1024;

async function callOnce(service: JsonService, action: string, body: string, signal?: AbortSignal) {
  const region = process.env.AWS_REGION ?? '';
  const url = endpointOf(service, region);
  const patience = AbortSignal.timeout(service.timeoutMillis);
  const headers = signedHeaders(
    {
      url,
      headers: { 'content-type': service.contentType, 'x-amz-target': `${service.target}.${action}` },
      body,
    },
    { region, service: service.name, credentials: environmentCredentials(), at: new Date() },
  );
  try {
    const { status, text } = await post(
      url,
      headers,
      body,
      signal ? AbortSignal.any([signal, patience]) : patience,
    );
    if (status < 300) return text === '' ? {} : (JSON.parse(text) as unknown);
    throw refusal(status, text);
  } catch (error) {
    if (!patience.aborted) throw error;
    throw named(new Error(`${service.name} did not answer in time.`, { cause: error }), 'TimeoutError');
  }
}

/** The endpoint the environment names, else the region's own. */
export function endpointOf({ name, endpointVariable }: JsonService, region: string): URL {
  const named = process.env[endpointVariable] || process.env.AWS_ENDPOINT_URL;
  return new URL(named || `https://${name}.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`);
}

// Kept open between calls, as the SDK's own clients keep theirs.
const agents = { http: new HttpAgent({ keepAlive: true }), https: new HttpsAgent({ keepAlive: true }) };

function post(url: URL, headers: Readonly<Record<string, string>>, body: string, signal: AbortSignal) {
  const options = { method: 'POST', path: '/', headers, signal };
  return new Promise<{ readonly status: number; readonly text: string }>((resolve, reject) => {
    const answered = (reply: IncomingMessage) => {
      textOf(reply).then((text) => resolve({ status: reply.statusCode ?? 0, text }), reject);
    };
    const sent =
      url.protocol === 'http:'
        ? httpRequest(url, { ...options, agent: agents.http }, answered)
        : httpsRequest(url, { ...options, agent: agents.https }, answered);
    sent.on('error', reject).end(body);
  });
}

async function textOf(reply: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of reply as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_REPLY_BYTES) throw new Error('The reply does not come to an end.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** The exception's name comes as `__type`, with or without a namespace before it. */
function refusal(httpStatusCode: number, text: string): Error {
  const [, type = 'UnknownError'] = /"__type"\s*:\s*"(?:[^"#]*#)?([A-Za-z0-9_.]{1,100})"/.exec(text) ?? [];
  const error = named(new Error(`The service answered ${httpStatusCode}.`), type);
  return Object.assign(error, { $metadata: { httpStatusCode } });
}

function named(error: Error, name: string): Error {
  error.name = name;
  return error;
}
