import { Buffer } from 'node:buffer';
import type { Readable } from 'node:stream';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { type JsonCall, jsonCaller } from './json-call.ts';

/** How long a client tries: three times, three seconds each, so that an answer of ours comes before API Gateway's. */
export const CLIENT_BOUNDS = {
  maxAttempts: 3,
  retryMode: 'standard',
  // Without `throwOnRequestTimeout` the SDK only warns about a request that takes too long, and waits on.
  requestHandler: { connectionTimeout: 1000, requestTimeout: 3000, throwOnRequestTimeout: true },
};

let documents: DynamoDBDocumentClient | undefined;
let events: JsonCall | undefined;

/** The module's one DynamoDB client. Region, credentials and endpoint come from the SDK's own environment variables. */
export function documentClient(): DynamoDBDocumentClient {
  documents ??= DynamoDBDocumentClient.from(
    new DynamoDBClient({ ...CLIENT_BOUNDS, streamCollector: bytesOf }),
    {
      marshallOptions: { removeUndefinedValues: true },
    },
  );
  return documents;
}

/** The module's one caller of EventBridge. Less patient than `documentClient`: nothing waits long for a notice. */
export function eventBridgeClient(): JsonCall {
  events ??= jsonCaller({
    name: 'events',
    target: 'AWSEvents',
    contentType: 'application/x-amz-json-1.1',
    endpointVariable: 'AWS_ENDPOINT_URL_EVENTBRIDGE',
    maxAttempts: 2,
    timeoutMillis: 1000,
  });
  return events;
}

// The SDK's own asks first whether a reply is one of the browser's streams, and loads those to tell.
function bytesOf(reply: Readable): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    reply
      .on('data', (chunk: Uint8Array) => chunks.push(chunk))
      .on('end', () => resolve(Buffer.concat(chunks)))
      .on('error', reject);
  });
}
