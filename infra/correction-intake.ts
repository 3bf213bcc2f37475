import { Duration, Stack } from 'aws-cdk-lib';
import { EventBus, Match, Rule } from 'aws-cdk-lib/aws-events';
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import {
  AccountPrincipal,
  AnyPrincipal,
  ArnPrincipal,
  Effect,
  type IRole,
  PolicyStatement,
  type PrincipalBase,
  ServicePrincipal,
} from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Queue, QueueEncryption, type QueueProps } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { EVENTS } from '../lib/routes.ts';
import { acknowledge } from './acknowledge.ts';
import { FUNCTION_SETTINGS } from './function-settings.ts';

export interface CorrectionIntakeProps {
  /** @default '' */
  readonly namePrefix?: string;
  /** @default - the prefix and `ai-memories` */
  readonly busName?: string;
  /** @default 30 */
  readonly archiveDays?: number;
  /**
   * Who may put corrections on the bus: account ids, or ARNs of roles. All others are refused, those of the own
   * account included.
   * @default - nobody
   */
  readonly producers?: readonly string[];
  /**
   * A key of the account's own for what waits in the queues.
   * @default - encrypted by SQS with a key of its own
   */
  readonly encryptionKey?: IKey;
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
    this.#admit(props.producers ?? []);
    // The rule hands over what is encrypted with the key, so that EventBridge must be able to use it.
    props.encryptionKey?.grantEncryptDecrypt(new ServicePrincipal('events.amazonaws.com'));
    this.deadLetterQueue = new Queue(this, 'DeadLetters', {
      queueName: `${prefix}ai-memories-corrections-dead`,
      ...queueProps(props.encryptionKey),
    });
    this.queue = new Queue(this, 'Corrections', {
      queueName: `${prefix}ai-memories-corrections`,
      ...queueProps(props.encryptionKey),
      // Six times the function's limit, as Lambda asks: a batch may be tried again by the poller before it shows.
      visibilityTimeout: Duration.seconds(6 * FUNCTION_SETTINGS.promote.timeoutSeconds),
      deadLetterQueue: { queue: this.deadLetterQueue, maxReceiveCount: 3 },
    });
    acknowledge(this.deadLetterQueue, {
      'Serverless::Serverless-SQSRedrivePolicy': 'It is the dead-letter queue.',
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
    acknowledge(target, {
      'Serverless::Serverless-LambdaEventSourceMappingDestination':
        'Queues take no destination; the queue itself gives up into its dead-letter queue.',
    });
  }

  /** Lets nobody but these roles speak as the service itself on the bus. */
  reserveOwnSource(speakers: readonly IRole[]): void {
    this.#deny('OnlyTheServiceSpeaksAsItself', {
      'ForAnyValue:StringEquals': { 'events:source': EVENTS.source },
      ...exceptFrom(speakers.map(({ roleArn }) => roleArn)),
    });
  }

  #admit(producers: readonly string[]): void {
    const { partition } = Stack.of(this);
    if (producers.length > 0) {
      this.bus.addToResourcePolicy(
        new PolicyStatement({
          sid: 'ProducersRecordCorrections',
          principals: producers.map(principalOf),
          actions: [PUT],
          resources: [this.bus.eventBusArn],
          conditions: { StringEquals: { 'events:detail-type': EVENTS.correctionDetailType } },
        }),
      );
    }
    // Within the account a role's own policy is enough to put events, so that the others have to be refused by name.
    this.#deny('OthersRecordNoCorrections', {
      StringEquals: { 'events:detail-type': EVENTS.correctionDetailType },
      ...exceptFrom(
        producers.map((producer) => (isAccount(producer) ? `arn:${partition}:*::${producer}:*` : producer)),
      ),
    });
  }

  #deny(sid: string, conditions: Readonly<Record<string, unknown>>): void {
    this.bus.addToResourcePolicy(
      new PolicyStatement({
        sid,
        effect: Effect.DENY,
        principals: [new AnyPrincipal()],
        actions: [PUT],
        resources: [this.bus.eventBusArn],
        conditions,
      }),
    );
  }
}

const PUT = 'events:PutEvents';

function queueProps(encryptionKey: IKey | undefined): QueueProps {
  return {
    retentionPeriod: Duration.days(14),
    enforceSSL: true,
    ...(encryptionKey
      ? {
          encryption: QueueEncryption.KMS,
          encryptionMasterKey: encryptionKey,
          dataKeyReuse: Duration.hours(1),
        }
      : { encryption: QueueEncryption.SQS_MANAGED }),
  };
}

const exceptFrom = (arns: readonly string[]) =>
  arns.length === 0 ? {} : { ArnNotLike: { 'aws:PrincipalArn': arns } };

const isAccount = (principal: string) => /^\d{12}$/.test(principal);

/** An account by its id, or a role by its ARN. */
export function principalOf(named: string): PrincipalBase {
  return isAccount(named) ? new AccountPrincipal(named) : new ArnPrincipal(named);
}
