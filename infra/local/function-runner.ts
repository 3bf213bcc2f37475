import { randomUUID } from 'node:crypto';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { FunctionSpec } from './template.ts';

/** What an invocation came to. A failure has the payload that Lambda gives for it. */
export type Outcome =
  | { readonly ok: true; readonly payload: string }
  | { readonly ok: false; readonly error: FunctionError };

export interface FunctionError {
  readonly errorType: string;
  readonly errorMessage: string;
  readonly trace?: readonly string[];
}

export interface FunctionRunner {
  readonly spec: FunctionSpec;
  /** Takes the event as JSON, and settles at the latest when the function's time is up. Never rejects. */
  invoke(payload: string, requestId?: string): Promise<Outcome>;
  stop(): Promise<void>;
}

export interface RunnerOptions {
  /** The function's whole environment. */
  readonly environment: Readonly<Record<string, string>>;
  readonly log: (line: string) => void;
}

/**
 * Runs a function's bundle in a worker thread, which is started by the first invocation and takes any number at once.
 * One that overruns its time is answered for, and its worker takes no new work and ends when the rest of it is done.
 */
export function functionRunner(spec: FunctionSpec, options: RunnerOptions): FunctionRunner {
  const running = new Set<RunningWorker>();
  let current: RunningWorker | undefined;
  let stopped = false;

  const start = (): RunningWorker => {
    const worker = new RunningWorker(spec, options, () => {
      running.delete(worker);
      if (current === worker) current = undefined;
    });
    running.add(worker);
    return worker;
  };

  return {
    spec,
    invoke: async (payload, requestId = randomUUID()) => {
      if (stopped)
        return { ok: false, error: { errorType: 'Stopped', errorMessage: 'The local host has stopped' } };
      current ??= start();
      const worker = current;
      const outcome = await worker.invoke(payload, requestId);
      if (worker.isRetired && current === worker) current = undefined;
      return outcome;
    },
    stop: async () => {
      stopped = true;
      await Promise.all([...running].map((worker) => worker.end()));
    },
  };
}

class RunningWorker {
  isRetired = false;
  readonly #worker: Worker;
  readonly #spec: FunctionSpec;
  readonly #pending = new Map<string, (outcome: Outcome) => void>();

  constructor(spec: FunctionSpec, options: RunnerOptions, ended: () => void) {
    this.#spec = spec;
    this.#worker = new Worker(WORKER_FILE, {
      workerData: { directory: spec.directory, handler: spec.handler },
      env: { ...options.environment },
      execArgv: [],
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: spec.memoryMegabytes },
    });
    forwardLines(this.#worker.stdout, options.log);
    forwardLines(this.#worker.stderr, options.log);
    this.#worker.on('message', (message: WorkerMessage) => this.#take(message));
    this.#worker.on('error', (error) => {
      const { name, message, stack } = error as Error;
      this.#failAll({ errorType: name, errorMessage: message, trace: (stack ?? '').split('\n') });
    });
    this.#worker.on('exit', (code) => {
      this.#failAll({
        errorType: 'Runtime.ExitError',
        errorMessage: `Error: Runtime exited with exit status ${code}`,
      });
      ended();
    });
  }

  invoke(payload: string, requestId: string): Promise<Outcome> {
    return new Promise((resolve) => {
      const { timeoutSeconds, name, arn, memoryMegabytes } = this.#spec;
      // A caller may send one request id twice.
      const id = randomUUID();
      const timer = setTimeout(() => {
        this.isRetired = true;
        this.#settle(id, {
          ok: false,
          error: {
            errorType: 'Sandbox.Timedout',
            errorMessage: `RequestId: ${requestId} Error: Task timed out after ${timeoutSeconds.toFixed(2)} seconds`,
          },
        });
      }, timeoutSeconds * 1000);
      this.#pending.set(id, (outcome) => {
        clearTimeout(timer);
        resolve(outcome);
      });
      const context = {
        functionName: name,
        functionVersion: '$LATEST',
        invokedFunctionArn: arn,
        memoryLimitInMB: String(memoryMegabytes),
        awsRequestId: requestId,
        logGroupName: `/aws/lambda/${name}`,
        logStreamName: 'local',
        deadline: Date.now() + timeoutSeconds * 1000,
      };
      this.#worker.postMessage({ id, payload, context });
    });
  }

  async end(): Promise<void> {
    this.isRetired = true;
    await this.#worker.terminate();
  }

  #take(message: WorkerMessage): void {
    if (message.type === 'failed-to-load') {
      // As in Lambda, the next invocation tries to load the function again.
      this.#failAll(message.error);
    } else if (message.type === 'done') {
      this.#settle(message.id, { ok: true, payload: message.payload });
    } else {
      this.#settle(message.id, { ok: false, error: message.error });
    }
  }

  #settle(id: string, outcome: Outcome): void {
    this.#pending.get(id)?.(outcome);
    this.#pending.delete(id);
    if (this.isRetired && this.#pending.size === 0) void this.#worker.terminate();
  }

  #failAll(error: FunctionError): void {
    this.isRetired = true;
    for (const settle of this.#pending.values()) settle({ ok: false, error });
    this.#pending.clear();
    void this.#worker.terminate();
  }
}

type WorkerMessage =
  | { readonly type: 'failed-to-load'; readonly error: FunctionError }
  | { readonly type: 'done'; readonly id: string; readonly payload: string }
  | { readonly type: 'threw'; readonly id: string; readonly error: FunctionError };

const WORKER_FILE = fileURLToPath(new URL('./function-worker.mjs', import.meta.url));

function forwardLines(stream: Readable, log: (line: string) => void): void {
  createInterface({ input: stream }).on('line', log);
}
