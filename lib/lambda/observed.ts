import { currentInvocation, type Invocation, runInvocation } from '../invocation.ts';

/** The part of Lambda's context that logs name. */
export interface LambdaContext {
  readonly awsRequestId?: string;
  readonly functionName?: string;
  readonly memoryLimitInMB?: string;
  readonly invokedFunctionArn?: string;
}

/** Runs an invocation so that its log lines name it, and what it sends on names the trace it belongs to. */
export function observed<T>(
  context: LambdaContext | undefined,
  traceparent: string | undefined,
  run: () => T,
): T {
  const xray = process.env._X_AMZN_TRACE_ID;
  const trace = wellFormed(traceparent) ?? traceparentOf(xray);
  const fields = {
    cold_start: isFirst,
    function_name: context?.functionName,
    function_memory_size:
      context?.memoryLimitInMB === undefined ? undefined : Number(context.memoryLimitInMB),
    function_arn: context?.invokedFunctionArn,
    function_request_id: context?.awsRequestId,
    xray_trace_id: rootOf(xray),
    trace_id: trace?.slice(3, 35),
  };
  isFirst = false;
  return runInvocation({ fields, ...(trace !== undefined && { traceparent: trace }) }, run);
}

/** Runs a part of an invocation with more to say in its log lines, or with a trace of its own. */
export function within<T>(
  more: { readonly fields?: Readonly<Record<string, unknown>>; readonly xrayHeader?: string | undefined },
  run: () => T,
): T {
  const outer = currentInvocation();
  const trace = traceparentOf(more.xrayHeader);
  const invocation: Invocation = {
    ...outer,
    fields: {
      ...outer?.fields,
      ...(trace !== undefined && { xray_trace_id: rootOf(more.xrayHeader), trace_id: trace.slice(3, 35) }),
      ...more.fields,
    },
    ...(trace !== undefined && { traceparent: trace }),
  };
  return runInvocation(invocation, run);
}

let isFirst = true;

const wellFormed = (traceparent: string | undefined) =>
  traceparent !== undefined &&
  /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/.test(traceparent)
    ? traceparent
    : undefined;

const rootOf = (header: string | undefined) => /Root=([\w-]+)/.exec(header ?? '')?.[1];

/** X-Ray's header says the same as W3C's, in another spelling. */
function traceparentOf(header: string | undefined): string | undefined {
  const [, time, rest] = /Root=1-([0-9a-f]{8})-([0-9a-f]{24})/.exec(header ?? '') ?? [];
  const parent = /Parent=([0-9a-f]{16})/.exec(header ?? '')?.[1];
  if (time === undefined || parent === undefined) return undefined;
  return `00-${time}${rest}-${parent}-${/Sampled=1/.test(header ?? '') ? '01' : '00'}`;
}
