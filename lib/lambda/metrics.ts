import { currentInvocation } from '../invocation.ts';
import { METRICS, type Metric } from '../telemetry.ts';
import { serviceName } from './log.ts';

export type Counts = Readonly<Partial<Record<Metric, number>>>;

/**
 * One line in CloudWatch's embedded metric format: the numbers become metrics of the service, the fields (ids, never
 * content) can be searched for. A reason becomes a dimension beside.
 */
export function emit(counts: Counts, fields: Readonly<Record<string, unknown>> = {}, reason?: string): void {
  const values = Object.entries(counts).map(([name, value]) => [METRICS[name as Metric], value] as const);
  if (values.length === 0) return;
  console.log(
    JSON.stringify({
      _aws: {
        Timestamp: Date.now(),
        CloudWatchMetrics: [
          {
            Namespace: METRICS.namespace,
            Dimensions: [['service'], ...(reason === undefined ? [] : [['service', 'reason']])],
            Metrics: values.map(([Name]) => ({
              Name,
              Unit: Name === METRICS.lag ? 'Milliseconds' : 'Count',
            })),
          },
        ],
      },
      ...currentInvocation()?.fields,
      ...fields,
      service: serviceName(),
      ...(reason !== undefined && { reason }),
      ...Object.fromEntries(values),
    }),
  );
}
