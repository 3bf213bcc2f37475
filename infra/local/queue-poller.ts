import type { FunctionRunner, Outcome } from './function-runner.ts';
import { type LocalQueue, md5, type ReceivedMessage } from './queues.ts';
import type { MappingSpec } from './template.ts';

export interface QueuePoller {
  readonly queue: LocalQueue;
  stop(): void;
}

export interface PollerOptions {
  readonly region: string;
  readonly log: (line: string) => void;
  /** How long a failed message stays hidden. @default - the queue's own visibility timeout */
  readonly visibilitySeconds?: number;
}

/** An event source mapping: batches from a queue to a function; what it handled is deleted, the rest comes again. */
export function startPoller(
  queue: LocalQueue,
  runner: FunctionRunner,
  mapping: MappingSpec,
  options: PollerOptions,
): QueuePoller {
  const visibilitySeconds = options.visibilitySeconds ?? queue.spec.visibilitySeconds;
  let active = 0;
  let stopped = false;
  let waitingSince: number | undefined;
  let timer: NodeJS.Timeout | undefined;

  const wakeIn = (milliseconds: number): void => {
    clearTimeout(timer);
    timer = setTimeout(pump, Math.max(1, milliseconds));
  };

  const pump = (): void => {
    while (!stopped && active < mapping.maxConcurrency) {
      const now = Date.now();
      const { visible, nextVisibleAt } = queue.counts(now);
      if (visible === 0) {
        waitingSince = undefined;
        if (nextVisibleAt !== undefined) wakeIn(nextVisibleAt - now);
        return;
      }
      waitingSince ??= now;
      const left = waitingSince + mapping.windowSeconds * 1000 - now;
      if (visible < mapping.batchSize && left > 0) {
        wakeIn(left);
        return;
      }
      waitingSince = undefined;
      const batch = queue.receive(mapping.batchSize, visibilitySeconds);
      if (batch.length > 0) void run(batch);
    }
  };

  const run = async (batch: readonly ReceivedMessage[]): Promise<void> => {
    active += 1;
    try {
      const records = batch.map((message) => recordOf(message, queue.spec.arn, options.region));
      const outcome = await runner.invoke(JSON.stringify({ Records: records }));
      if (stopped) return;
      const failed = failedIn(outcome, batch, mapping.partialFailures);
      for (const message of batch) if (!failed.has(message.id)) queue.delete(message.receiptHandle);
      if (failed.size > 0) {
        const why = outcome.ok ? '' : `: ${outcome.error.errorType}: ${outcome.error.errorMessage}`;
        options.log(`${failed.size} of ${batch.length} messages of ${queue.spec.name} failed${why}`);
      }
    } finally {
      active -= 1;
      pump();
    }
  };

  const unsubscribe = queue.onChange(pump);
  pump();
  return {
    queue,
    stop: () => {
      stopped = true;
      clearTimeout(timer);
      unsubscribe();
    },
  };
}

/** The failed messages of a batch; an answer that Lambda cannot make sense of fails all of them. */
function failedIn(
  outcome: Outcome,
  batch: readonly ReceivedMessage[],
  partialFailures: boolean,
): ReadonlySet<string> {
  const all = new Set(batch.map((message) => message.id));
  if (!outcome.ok) return all;
  if (!partialFailures) return new Set();
  const answer = JSON.parse(outcome.payload) as { batchItemFailures?: unknown } | null;
  const failures = answer?.batchItemFailures ?? [];
  if (!Array.isArray(failures)) return all;
  const ids = failures.map((failure: { itemIdentifier?: unknown } | null) => failure?.itemIdentifier);
  return ids.every((id) => typeof id === 'string' && all.has(id)) ? new Set(ids as string[]) : all;
}

function recordOf(message: ReceivedMessage, arn: string, region: string): unknown {
  return {
    messageId: message.id,
    receiptHandle: message.receiptHandle,
    body: message.body,
    attributes: {
      ApproximateReceiveCount: String(message.receiveCount),
      SentTimestamp: String(message.sentAt),
      SenderId: 'local',
      ApproximateFirstReceiveTimestamp: String(message.firstReceivedAt ?? message.sentAt),
    },
    messageAttributes: Object.fromEntries(
      Object.entries(message.attributes).map(([name, attribute]) => [
        name,
        {
          dataType: attribute.DataType,
          ...(attribute.StringValue !== undefined && { stringValue: attribute.StringValue }),
          ...(attribute.BinaryValue !== undefined && { binaryValue: attribute.BinaryValue }),
          stringListValues: [],
          binaryListValues: [],
        },
      ]),
    ),
    md5OfBody: md5(message.body),
    eventSource: 'aws:sqs',
    eventSourceARN: arn,
    awsRegion: region,
  };
}
