import { currentInvocation } from '../invocation.ts';
import { SERVICE_VARIABLE } from '../telemetry.ts';

/** One JSON line, with the field names of Powertools; ids only, never what a memory says. */
export function log(
  level: 'INFO' | 'WARN' | 'ERROR',
  message: string,
  fields: Readonly<Record<string, unknown>> = {},
): void {
  const { error, ...rest } = fields;
  const line = JSON.stringify({
    level,
    message,
    timestamp: new Date().toISOString(),
    service: serviceName(),
    ...currentInvocation()?.fields,
    ...rest,
    ...(error === undefined ? {} : { error: errorFields(error) }),
  });
  console[level === 'ERROR' ? 'error' : level === 'WARN' ? 'warn' : 'log'](line);
}

export const serviceName = (): string => process.env[SERVICE_VARIABLE] ?? 'ai-memories';

function errorFields(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { name: 'unknown' };
  const { name, message, stack, cause } = error;
  return { name, message, stack, ...(cause === undefined ? {} : { cause: errorFields(cause) }) };
}
