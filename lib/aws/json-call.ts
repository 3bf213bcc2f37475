import { Sha256 } from '@smithy/core/checksum';
import { HttpRequest } from '@smithy/core/protocols';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { SignatureV4 } from '@smithy/signature-v4';
import { environmentCredentials } from './environment-credentials.ts';
import { isPassing } from './faults.ts';

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
  const patience = AbortSignal.timeout(service.timeoutMillis);
  const request = await signed(service, region, action, body);
  try {
    const { response } = await transport.handle(new HttpRequest(request), {
      abortSignal: signal ? AbortSignal.any([signal, patience]) : patience,
    });
    const text = await textOf(response.body);
    if (response.statusCode < 300) return text === '' ? {} : (JSON.parse(text) as unknown);
    throw refusal(response.statusCode, text);
  } catch (error) {
    if (!patience.aborted) throw error;
    throw named(new Error(`${service.name} did not answer in time.`, { cause: error }), 'TimeoutError');
  }
}

/** A POST to the root of the service, signed by the SDK's own signer, which is in every bundle already. */
function signed(service: JsonService, region: string, action: string, body: string) {
  const { protocol, hostname, port, host } = endpointOf(service, region);
  const request = new HttpRequest({
    protocol,
    hostname,
    ...(port === '' ? {} : { port: Number(port) }),
    method: 'POST',
    path: '/',
    headers: {
      host,
      'content-type': service.contentType,
      'content-length': String(Buffer.byteLength(body)),
      'x-amz-target': `${service.target}.${action}`,
    },
    body,
  });
  const signer = new SignatureV4({
    service: service.name,
    region,
    credentials: environmentCredentials(),
    sha256: Sha256,
  });
  return signer.sign(request);
}

// Kept open between calls, as the SDK's own clients keep theirs.
const transport = new NodeHttpHandler();

/** The endpoint the environment names, else the region's own. */
export function endpointOf({ name, endpointVariable }: JsonService, region: string): URL {
  const named = process.env[endpointVariable] || process.env.AWS_ENDPOINT_URL;
  return new URL(named || `https://${name}.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`);
}

async function textOf(reply: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of reply) {
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
