import { AsyncLocalStorage } from 'node:async_hooks';

/** What is known of the invocation that runs: for its log lines, and for the events that it sends on. */
export interface Invocation {
  /** Fields of every log line. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** W3C trace context of what asked for it. */
  readonly traceparent?: string;
}

const running = new AsyncLocalStorage<Invocation>();

export const runInvocation = <T>(invocation: Invocation, run: () => T): T => running.run(invocation, run);

export const currentInvocation = (): Invocation | undefined => running.getStore();
