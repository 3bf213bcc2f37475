import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { awsError, type HostResponse, jsonResponse } from './http-message.ts';
import { type LocalQueue, type LocalQueues, md5, type ReceivedMessage } from './queues.ts';

/** As much of the SQS API as the service and an operator at the dead-letter queue use. */
export function sqsApi(queues: LocalQueues): (action: string, input: unknown) => Promise<HostResponse> {
  return async (action, input) => {
    const handle = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined;
    if (!handle) return awsError(400, 'UnknownOperationException', `The local host does not know ${action}`);
    try {
      return await handle(input, queues);
    } catch (error) {
      if (error instanceof QueueDoesNotExist) {
        return awsError(400, 'com.amazonaws.sqs#QueueDoesNotExist', 'The specified queue does not exist.');
      }
      if (error instanceof z.ZodError) return awsError(400, 'InvalidParameterValue', z.prettifyError(error));
      throw error;
    }
  };
}

/** The queue that a request is about, by its address; empty where it names none. */
export function queueUrlIn(input: unknown): string {
  const parsed = OfQueue.safeParse(input);
  return parsed.data?.QueueUrl ?? '';
}

type Action = (input: unknown, queues: LocalQueues) => HostResponse | Promise<HostResponse>;

const ACTIONS: Readonly<Record<string, Action>> = {
  SendMessage: (input, queues) => {
    const { QueueUrl, MessageBody, MessageAttributes, DelaySeconds } = SendMessage.parse(input);
    const message = queueAt(QueueUrl, queues).send(MessageBody, {
      attributes: MessageAttributes as Readonly<Record<string, { DataType: string; StringValue?: string }>>,
      delaySeconds: DelaySeconds,
    });
    return jsonResponse(200, { MessageId: message.id, MD5OfMessageBody: md5(MessageBody) });
  },
  ReceiveMessage: async (input, queues) => {
    const { QueueUrl, MaxNumberOfMessages, VisibilityTimeout, WaitTimeSeconds } = ReceiveMessage.parse(input);
    const queue = queueAt(QueueUrl, queues);
    const until = Date.now() + WaitTimeSeconds * 1000;
    let messages = queue.receive(MaxNumberOfMessages, VisibilityTimeout);
    while (messages.length === 0 && Date.now() < until) {
      await sleep(100);
      messages = queue.receive(MaxNumberOfMessages, VisibilityTimeout);
    }
    return jsonResponse(200, messages.length === 0 ? {} : { Messages: messages.map(shown) });
  },
  DeleteMessage: (input, queues) => {
    const { QueueUrl, ReceiptHandle } = z
      .looseObject({ QueueUrl: z.string(), ReceiptHandle: z.string() })
      .parse(input);
    queueAt(QueueUrl, queues).delete(ReceiptHandle);
    return jsonResponse(200, {});
  },
  PurgeQueue: (input, queues) => {
    queueAt(OfQueue.parse(input).QueueUrl, queues).purge();
    return jsonResponse(200, {});
  },
  GetQueueUrl: (input, queues) => {
    const { QueueName } = z.looseObject({ QueueName: z.string() }).parse(input);
    const queue = queues.all.find(({ spec }) => spec.name === QueueName);
    if (!queue) throw new QueueDoesNotExist();
    return jsonResponse(200, { QueueUrl: queue.spec.url });
  },
  ListQueues: (_, queues) => jsonResponse(200, { QueueUrls: queues.all.map(({ spec }) => spec.url) }),
  GetQueueAttributes: (input, queues) => {
    const { QueueUrl, AttributeNames } = OfQueue.parse(input);
    const attributes = Object.entries(attributesOf(queueAt(QueueUrl, queues)));
    const wanted = attributes.filter(
      ([name]) => AttributeNames.includes('All') || AttributeNames.includes(name),
    );
    return jsonResponse(200, wanted.length === 0 ? {} : { Attributes: Object.fromEntries(wanted) });
  },
  StartMessageMoveTask: (input, queues) => {
    const { SourceArn, DestinationArn } = z
      .looseObject({ SourceArn: z.string(), DestinationArn: z.string().optional() })
      .parse(input);
    const source = queues.byArn(SourceArn);
    const destination = DestinationArn === undefined ? undefined : queues.byArn(DestinationArn);
    if (!source || (DestinationArn !== undefined && !destination)) throw new QueueDoesNotExist();
    source.moveBack(destination);
    return jsonResponse(200, { TaskHandle: Buffer.from(randomUUID()).toString('base64') });
  },
};

class QueueDoesNotExist extends Error {}

const SendMessage = z.looseObject({
  QueueUrl: z.string(),
  MessageBody: z.string().min(1),
  DelaySeconds: z.number().default(0),
  MessageAttributes: z
    .record(
      z.string(),
      z.looseObject({
        DataType: z.string(),
        StringValue: z.string().optional(),
        BinaryValue: z.string().optional(),
      }),
    )
    .default({}),
});

const ReceiveMessage = z.looseObject({
  QueueUrl: z.string(),
  MaxNumberOfMessages: z.number().min(1).max(10).default(1),
  VisibilityTimeout: z.number().optional(),
  WaitTimeSeconds: z.number().max(20).default(0),
});

const OfQueue = z.looseObject({ QueueUrl: z.string(), AttributeNames: z.array(z.string()).default([]) });

function queueAt(url: string, queues: LocalQueues): LocalQueue {
  const queue = queues.byUrl(url);
  if (!queue) throw new QueueDoesNotExist();
  return queue;
}

function shown(message: ReceivedMessage): unknown {
  return {
    MessageId: message.id,
    ReceiptHandle: message.receiptHandle,
    Body: message.body,
    MD5OfBody: md5(message.body),
    Attributes: {
      ApproximateReceiveCount: String(message.receiveCount),
      SentTimestamp: String(message.sentAt),
      ApproximateFirstReceiveTimestamp: String(message.firstReceivedAt ?? message.sentAt),
      ...(message.givenUpBy !== undefined && { DeadLetterQueueSourceArn: message.givenUpBy }),
    },
    ...(Object.keys(message.attributes).length > 0 && { MessageAttributes: message.attributes }),
  };
}

function attributesOf(queue: LocalQueue): Readonly<Record<string, string>> {
  const { visible, hidden } = queue.counts();
  const { spec } = queue;
  return {
    QueueArn: spec.arn,
    ApproximateNumberOfMessages: String(visible),
    ApproximateNumberOfMessagesNotVisible: String(hidden),
    ApproximateNumberOfMessagesDelayed: '0',
    VisibilityTimeout: String(spec.visibilitySeconds),
    MessageRetentionPeriod: String(spec.retentionSeconds),
    ...(spec.redrive && {
      RedrivePolicy: JSON.stringify({
        deadLetterTargetArn: spec.redrive.deadLetterArn,
        maxReceiveCount: spec.redrive.maxReceiveCount,
      }),
    }),
  };
}
