import { Duration } from 'aws-cdk-lib';
import { EventBus, Match, Rule } from 'aws-cdk-lib/aws-events';
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { EVENTS } from '../lib/routes.ts';
import { FUNCTION_SETTINGS } from './function-settings.ts';

export interface CorrectionIntakeProps {
  /** @default '' */
  readonly namePrefix?: string;
  /** @default - the prefix and `ai-memories` */
  readonly busName?: string;
  /** @default 30 */
  readonly archiveDays?: number;
}

/**
 * The way of a correction from the bus to promotion: rule, queue, dead-letter queue, archive.
 * A queue stands between, since a rule that calls a function directly never sees the function fail.
 */
export class CorrectionIntake extends Construct {
  readonly bus: EventBus;
  readonly queue: Queue;
  readonly deadLetterQueue: Queue;

  constructor(scope: Construct, id: string, props: CorrectionIntakeProps = {}) {
    super(scope, id);
    const prefix = props.namePrefix ?? '';
    const archiveDays = props.archiveDays ?? 30;
    if (archiveDays < 1 || archiveDays > 30) throw new Error('archiveDays must be 1 to 30');

    this.bus = new EventBus(this, 'Bus', {
      eventBusName: props.busName ?? `${prefix}${EVENTS.defaultBusName}`,
    });
    this.deadLetterQueue = new Queue(this, 'DeadLetters', {
      queueName: `${prefix}ai-memories-corrections-dead`,
      retentionPeriod: Duration.days(14),
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
    });
    this.queue = new Queue(this, 'Corrections', {
      queueName: `${prefix}ai-memories-corrections`,
      retentionPeriod: Duration.days(14),
      // Six times the function's limit, as Lambda asks: a batch may be tried again by the poller before it shows.
      visibilityTimeout: Duration.seconds(6 * FUNCTION_SETTINGS.promote.timeoutSeconds),
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      deadLetterQueue: { queue: this.deadLetterQueue, maxReceiveCount: 3 },
    });
    const pattern = {
      detailType: [EVENTS.correctionDetailType],
      // Only the service itself speaks as its own source; its notices never come back in.
      source: Match.anythingBut(EVENTS.source),
    };
    new Rule(this, 'CorrectionRecorded', {
      eventBus: this.bus,
      eventPattern: pattern,
      targets: [new SqsQueue(this.queue, { deadLetterQueue: this.deadLetterQueue })],
    });
    this.bus.archive('Archive', {
      archiveName: `${prefix}ai-memories-corrections`,
      description: 'Corrections, for a replay',
      eventPattern: pattern,
      retention: Duration.days(archiveDays),
    });
  }

  /** Feeds the queue to the function, a batch at a time; a failed event comes back without its neighbours. */
  deliverTo(target: IFunction, maxConcurrency: number): void {
    target.addEventSource(
      new SqsEventSource(this.queue, {
        batchSize: 10,
        maxBatchingWindow: Duration.seconds(1),
        reportBatchItemFailures: true,
        maxConcurrency,
      }),
    );
  }
}
