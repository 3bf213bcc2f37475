import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

/** How long a client tries: three times, three seconds each, so that an answer of ours comes before API Gateway's. */
export const CLIENT_BOUNDS = {
  maxAttempts: 3,
  retryMode: 'standard',
  // Without `throwOnRequestTimeout` the SDK only warns about a request that takes too long, and waits on.
  requestHandler: { connectionTimeout: 1000, requestTimeout: 3000, throwOnRequestTimeout: true },
};

/** For notices, which nothing waits for longer than this. */
const NOTICE_BOUNDS = {
  ...CLIENT_BOUNDS,
  maxAttempts: 2,
  requestHandler: { ...CLIENT_BOUNDS.requestHandler, connectionTimeout: 500, requestTimeout: 1000 },
};

let documents: DynamoDBDocumentClient | undefined;
let events: EventBridgeClient | undefined;

/** The module's one DynamoDB client. Region, credentials and endpoint come from the SDK's own environment variables. */
export function documentClient(): DynamoDBDocumentClient {
  documents ??= DynamoDBDocumentClient.from(new DynamoDBClient(CLIENT_BOUNDS), {
    marshallOptions: { removeUndefinedValues: true },
  });
  return documents;
}

/** The module's one EventBridge client, configured like `documentClient` but less patient. */
export function eventBridgeClient(): EventBridgeClient {
  events ??= new EventBridgeClient(NOTICE_BOUNDS);
  return events;
}
