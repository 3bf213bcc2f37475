import { RetentionDays } from 'aws-cdk-lib/aws-logs';

/** How long logs are kept. CloudWatch has a list of its own. */
export function retentionOf(days: number): RetentionDays {
  if (!ALLOWED.has(days))
    throw new Error(`logDays must be one of ${[...ALLOWED].sort((a, b) => a - b).join(', ')}`);
  return days;
}

const ALLOWED: ReadonlySet<number> = new Set(
  Object.values(RetentionDays).filter(
    (days): days is RetentionDays => typeof days === 'number' && days < 9999,
  ),
);
