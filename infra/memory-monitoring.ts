import { Duration } from 'aws-cdk-lib';
import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import {
  Alarm,
  ComparisonOperator,
  Dashboard,
  GraphWidget,
  type IMetric,
  type IWidget,
  Metric,
  Stats,
  TextWidget,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { Topic } from 'aws-cdk-lib/aws-sns';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { FunctionName } from '../lib/routes.ts';
import { METRICS, type Metric as MetricName } from '../lib/telemetry.ts';

export interface MemoryMonitoringProps {
  readonly api: HttpApi;
  readonly functions: Readonly<Record<FunctionName, IFunction>>;
  readonly queue: IQueue;
  readonly deadLetterQueue: IQueue;
  /** @default '' */
  readonly namePrefix?: string;
  /**
   * ARN of the SNS topic that is told of alarms.
   * @default - they are seen in CloudWatch only
   */
  readonly alarmTopicArn?: string;
  /**
   * Where the runbook is read; each alarm names its entry there.
   * @default 'infra/RUNBOOK.md'
   */
  readonly runbookUrl?: string;
}

/** What an engineer on call is woken by, and the one page that they look at then. */
export class MemoryMonitoring extends Construct {
  readonly alarms: readonly Alarm[];

  constructor(scope: Construct, id: string, props: MemoryMonitoringProps) {
    super(scope, id);
    const functions = Object.entries(props.functions);
    this.alarms = [
      this.#alarm(props, 'dead-letters', {
        says: 'Corrections lie on the dead-letter queue: they are not learned from.',
        metric: props.deadLetterQueue.metricApproximateNumberOfMessagesVisible({ statistic: Stats.MAXIMUM }),
        threshold: 1,
      }),
      this.#alarm(props, 'waiting-corrections', {
        says: 'A correction has waited for a quarter of an hour: promotion does not keep up, or fails.',
        metric: props.queue.metricApproximateAgeOfOldestMessage({ statistic: Stats.MAXIMUM }),
        threshold: 900,
      }),
      this.#alarm(props, 'promotion-lag', {
        says: 'From act to candidate takes over a quarter of an hour for one correction in ten.',
        metric: measured(props, 'lag', Stats.percentile(90)),
        threshold: 900_000,
        periods: 3,
      }),
      this.#alarm(props, 'api-5xx', {
        says: 'The API answers with faults of its own.',
        metric: props.api.metricServerError({ statistic: Stats.SUM, period: FIVE_MINUTES }),
        threshold: 5,
      }),
      ...functions.map(([name, made]) =>
        this.#alarm(props, 'function-errors', {
          name: `${name}-errors`,
          says: `The function ${name} fails, or is cut off.`,
          metric: made.metricErrors({ statistic: Stats.SUM, period: FIVE_MINUTES }),
          // What retrieval refuses is thrown to its caller, and counts as an error of the function.
          threshold: name === 'retrieve' ? 5 : 1,
        }),
      ),
      ...functions.map(([name, made]) =>
        this.#alarm(props, 'function-throttles', {
          name: `${name}-throttles`,
          says: `The function ${name} is refused executions.`,
          metric: made.metricThrottles({ statistic: Stats.SUM, period: FIVE_MINUTES }),
          threshold: 1,
          periods: 2,
        }),
      ),
    ];
    this.#dashboard(props);
  }

  #alarm(
    props: MemoryMonitoringProps,
    entry: string,
    of: {
      readonly name?: string;
      readonly says: string;
      readonly metric: IMetric;
      readonly threshold: number;
      /** Of five minutes each, in a row. @default 1 */
      readonly periods?: number;
    },
  ): Alarm {
    const name = of.name ?? entry;
    const alarm = new Alarm(this, name, {
      alarmName: `${props.namePrefix ?? ''}ai-memories-${name}`,
      alarmDescription: `${of.says} ${props.runbookUrl ?? 'infra/RUNBOOK.md'}#${entry}`,
      metric: of.metric,
      threshold: of.threshold,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      evaluationPeriods: of.periods ?? 1,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
    if (props.alarmTopicArn !== undefined) {
      const topic = Topic.fromTopicArn(this, `${name}-topic`, props.alarmTopicArn);
      alarm.addAlarmAction(new SnsAction(topic));
      alarm.addOkAction(new SnsAction(topic));
    }
    return alarm;
  }

  #dashboard(props: MemoryMonitoringProps): void {
    const functions = Object.values(props.functions);
    const counted = (...names: readonly MetricName[]) =>
      names.map((name) => measured(props, name, Stats.SUM));
    const rows: IWidget[][] = [
      [
        new TextWidget({
          markdown: `What each alarm means and what to do: ${props.runbookUrl ?? 'infra/RUNBOOK.md'}`,
          width: 24,
          height: 1,
        }),
      ],
      [
        graph('Memories', counted('saved', 'approved', 'rejected', 'archived')),
        graph('Learning', counted('proposed', 'refused', 'conflicts')),
        graph('Used', counted('injected', 'unresolvable')),
      ],
      [
        graph('From act to candidate', [
          measured(props, 'lag', Stats.percentile(50)),
          measured(props, 'lag', Stats.percentile(90)),
        ]),
        graph('Corrections waiting', [
          props.queue.metricApproximateNumberOfMessagesVisible(),
          props.queue.metricApproximateAgeOfOldestMessage(),
        ]),
        graph('Dead letters', [props.deadLetterQueue.metricApproximateNumberOfMessagesVisible()]),
      ],
      [
        graph('API', [props.api.metricCount(), props.api.metricClientError(), props.api.metricServerError()]),
        graph('API latency', [
          props.api.metricLatency({ statistic: Stats.percentile(50) }),
          props.api.metricLatency({ statistic: Stats.percentile(99) }),
        ]),
        graph('Functions', [
          ...functions.map((made) => made.metricErrors()),
          ...functions.map((made) => made.metricThrottles()),
        ]),
      ],
    ];
    new Dashboard(this, 'Dashboard', {
      dashboardName: `${props.namePrefix ?? ''}ai-memories`,
      widgets: rows,
    });
  }
}

const FIVE_MINUTES = Duration.minutes(5);

function measured({ namePrefix }: MemoryMonitoringProps, name: MetricName, statistic: string): Metric {
  return new Metric({
    namespace: METRICS.namespace,
    metricName: METRICS[name],
    dimensionsMap: { service: `${namePrefix ?? ''}ai-memories` },
    statistic,
    period: FIVE_MINUTES,
  });
}

const graph = (title: string, left: IMetric[]) => new GraphWidget({ title, left, width: 8, height: 6 });
