import type { AnswerOf } from '../answers.ts';
import { type OperationInput, requestOf } from '../operation-input.ts';
import { type OperationId, ROUTES } from '../routes.ts';
import { ConnectionError, problemFrom } from './errors.ts';
import { pauseBefore, RETRY_POLICY, type RetryPolicy } from './retry.ts';

export { ConnectionError, type ProblemCode, ProblemError } from './errors.ts';

export interface ClientOptions {
  /** Where the service is, without `/v1`: `https://abc.execute-api.eu-west-1.amazonaws.com`. */
  readonly baseUrl: string;
  /** The bearer token, or what gives one; asked before every try, so that it can be renewed. */
  readonly token: string | (() => string | Promise<string>);
  /** @default - the platform's own */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** @default - four tries, Retry-After waited for up to 20 seconds */
  readonly retry?: Partial<RetryPolicy>;
  /** How long one try may take. Milliseconds. @default 30000 */
  readonly timeout?: number;
  /** Sent with every request, for example `traceparent`. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
}

/** Operations with nothing to say take nothing. */
type Arguments<Id extends OperationId> =
  Record<never, never> extends OperationInput<Id>
    ? [input?: OperationInput<Id>, options?: CallOptions]
    : [input: OperationInput<Id>, options?: CallOptions];

/** Operations that answer in pages. */
export type PagedOperation = {
  [Id in OperationId]: AnswerOf<Id> extends { items: readonly unknown[]; nextCursor?: string | undefined }
    ? Id
    : never;
}[OperationId];
type ItemOf<Id extends PagedOperation> =
  AnswerOf<Id> extends { items: readonly (infer Item)[] } ? Item : never;

type Area = OperationId extends `${infer Name}.${string}` ? Name : never;
type Operations = {
  readonly [Name in Area]: {
    readonly [Id in OperationId as Id extends `${Name}.${infer Verb}` ? Verb : never]: (
      ...given: Arguments<Id>
    ) => Promise<AnswerOf<Id>>;
  };
};

/**
 * One method an operation, `client.memories.save({ … })`, and the same by name: `client.call('memories.save', { … })`.
 *
 * @throws ProblemError where the service says no, ConnectionError where no answer came.
 */
export interface Client extends Operations {
  call<Id extends OperationId>(
    id: Id,
    input: OperationInput<Id>,
    options?: CallOptions,
  ): Promise<AnswerOf<Id>>;
  /** All items of a list, page after page as they are asked for: `for await (const memory of client.each('memories.list'))`. */
  each<Id extends PagedOperation>(
    id: Id,
    input?: OperationInput<Id>,
    options?: CallOptions,
  ): AsyncGenerator<ItemOf<Id>, void, undefined>;
}

/** A client of the service for any platform with `fetch`. Holds no state but its options. */
export function createClient(options: ClientOptions): Client {
  const call = (id: OperationId, input: object = {}, given: CallOptions = {}): Promise<unknown> =>
    send(id, { ...input }, options, given);
  const areas: Record<string, Record<string, unknown>> = {};
  for (const id of Object.keys(ROUTES) as OperationId[]) {
    const [area = '', verb = ''] = id.split('.');
    areas[area] ??= {};
    areas[area][verb] = (input?: object, given?: CallOptions) => call(id, input, given);
  }
  const each = async function* (id: OperationId, input: object = {}, given?: CallOptions) {
    const seen = new Set<string>();
    let cursor: string | undefined;
    do {
      const page = (await call(id, cursor === undefined ? input : { ...input, cursor }, given)) as {
        items: unknown[];
        nextCursor?: string;
      };
      yield* page.items;
      cursor = page.nextCursor;
      // A list that leads back to itself would be read for ever.
      if (cursor !== undefined && seen.has(cursor)) throw new ConnectionError('A cursor came a second time.');
      if (cursor !== undefined) seen.add(cursor);
    } while (cursor !== undefined);
  };
  return { ...areas, call, each } as unknown as Client;
}

async function send(
  id: OperationId,
  input: Readonly<Record<string, unknown>>,
  options: ClientOptions,
  { signal }: CallOptions,
): Promise<unknown> {
  const policy = { ...RETRY_POLICY, ...options.retry };
  const { method, target, body } = requestOf(id, input);
  const url = options.baseUrl.replace(/\/+$/, '') + target;
  const repeatable = method !== 'POST' || ROUTES[id].scope === 'memories:read';
  for (let attempt = 1; ; attempt += 1) {
    signal?.throwIfAborted();
    const answer = await tryOnce(url, { method, body }, options, signal);
    if (answer.ok) return answer.value;
    const pause = pauseBefore(attempt, answer, repeatable, policy, Date.now(), Math.random());
    if (pause === undefined) throw answer.error;
    await sleep(pause, signal);
  }
}

type Answer =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly error: unknown; readonly retryAfter?: string | null };

async function tryOnce(
  url: string,
  { method, body }: { readonly method: string; readonly body?: unknown },
  options: ClientOptions,
  signal: AbortSignal | undefined,
): Promise<Answer> {
  const token = typeof options.token === 'string' ? options.token : await options.token();
  const timeout = AbortSignal.timeout(options.timeout ?? 30_000);
  try {
    const response = await (options.fetch ?? fetch)(url, {
      method,
      headers: {
        accept: 'application/json, application/problem+json',
        ...options.headers,
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
    const text = await response.text();
    if (response.ok) return { ok: true, value: text === '' ? undefined : JSON.parse(text) };
    const requestId = response.headers.get('apigw-requestid') ?? undefined;
    const error = problemFrom(response.status, text, requestId);
    return { ok: false, error, retryAfter: response.headers.get('retry-after') };
  } catch (cause) {
    // The caller's own stop is theirs to see as it is.
    if (signal?.aborted) throw signal.reason;
    return { ok: false, error: new ConnectionError('The service gave no answer.', { cause }) };
  }
}

function sleep(millis: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, millis);
    signal?.addEventListener('abort', stop, { once: true });
  });
}
