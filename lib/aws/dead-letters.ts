import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { CLIENT_BOUNDS } from './clients.ts';

/** The attribute of a parked message that says why it was refused. */
export const REASON_ATTRIBUTE = 'reason';

/** Puts a refused event on the dead-letter queue with its reason. @throws what the queue answers. */
export function deadLetters(queueUrl: string) {
  const client = new SQSClient(CLIENT_BOUNDS);
  return async ({ body, reason }: { readonly body: string; readonly reason: string }): Promise<void> => {
    await client.send(
      new SendMessageCommand({
        QueueUrl: queueUrl,
        MessageBody: body,
        MessageAttributes: { [REASON_ATTRIBUTE]: { DataType: 'String', StringValue: reason } },
      }),
    );
  };
}
