import { jsonCaller } from './json-call.ts';

/** The attribute of a parked message that says why it was refused. */
export const REASON_ATTRIBUTE = 'reason';

/** Puts a refused event on the dead-letter queue with its reason. @throws what the queue answers. */
export function deadLetters(queueUrl: string) {
  const call = jsonCaller({
    name: 'sqs',
    target: 'AmazonSQS',
    contentType: 'application/x-amz-json-1.0',
    endpointVariable: 'AWS_ENDPOINT_URL_SQS',
    maxAttempts: 3,
    timeoutMillis: 3000,
  });
  return async ({ body, reason }: { readonly body: string; readonly reason: string }): Promise<void> => {
    await call('SendMessage', {
      QueueUrl: queueUrl,
      MessageBody: body,
      MessageAttributes: { [REASON_ATTRIBUTE]: { DataType: 'String', StringValue: reason } },
    });
  };
}
