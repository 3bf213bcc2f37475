import { randomUUID } from 'node:crypto';
import type { FunctionRunner } from './function-runner.ts';
import {
  awsError,
  type HostRequest,
  type HostResponse,
  joinedHeaders,
  jsonResponse,
} from './http-message.ts';

/** Path of Lambda's `Invoke`; the name may be a name, a partial or a full ARN. */
export const INVOKE_PATH = /^\/2015-03-31\/functions\/([^/?]+)\/invocations(?:\?|$)/;

/** Answers Lambda's `Invoke`. */
export async function invokeFunction(
  request: HostRequest,
  runnerOf: (name: string) => FunctionRunner | undefined,
): Promise<HostResponse> {
  const given = decodeURIComponent(INVOKE_PATH.exec(request.target)?.[1] ?? '');
  const runner = runnerOf(functionNameIn(given));
  if (!runner) return awsError(404, 'ResourceNotFoundException', `Function not found: ${given}`);
  const type = joinedHeaders(request.headers)['x-amz-invocation-type'] ?? 'RequestResponse';
  if (type === 'DryRun') return { status: 204, headers: [], body: Buffer.alloc(0) };
  if (type !== 'RequestResponse') {
    return awsError(
      400,
      'InvalidParameterValueException',
      `The local host does not know the invocation type ${type}`,
    );
  }
  if (request.body.length > MAX_PAYLOAD_BYTES) {
    return awsError(
      413,
      'RequestTooLargeException',
      `Request must be smaller than ${MAX_PAYLOAD_BYTES} bytes`,
    );
  }
  const payload = request.body.length === 0 ? '{}' : request.body.toString();
  if (!isJson(payload)) {
    return awsError(400, 'InvalidRequestContentException', 'Could not parse request body into json');
  }
  const requestId = randomUUID();
  const outcome = await runner.invoke(payload, requestId);
  const headers: [string, string][] = [
    ['x-amzn-requestid', requestId],
    ['x-amz-executed-version', '$LATEST'],
  ];
  if (!outcome.ok)
    return jsonResponse(200, outcome.error, [...headers, ['x-amz-function-error', 'Unhandled']]);
  return {
    status: 200,
    headers: [['content-type', 'application/json'], ...headers],
    body: Buffer.from(outcome.payload),
  };
}

/** What Lambda takes and gives in one synchronous invocation. */
export const MAX_PAYLOAD_BYTES = 6 * 1024 * 1024;

function functionNameIn(given: string): string {
  const parts = given.split(':');
  const at = parts.lastIndexOf('function');
  return (at < 0 ? parts[0] : parts[at + 1]) ?? given;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
