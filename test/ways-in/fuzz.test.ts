/*
 * Values made from the schemas, through every way in: what is valid, what is valid but for one thing, and what is made
 * to hurt. Ten seconds with the rest of the suite, longer with `FUZZ_SECONDS` or `npm run fuzz`; a failure names its
 * seed and path, which `FUZZ_SEED` takes.
 */
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type * as z from 'zod/mini';
import { CorrectionEvent } from '../../lib/domain/correction.ts';
import { HintsRequest } from '../../lib/domain/requests.ts';
import { type OperationId, ROUTES } from '../../lib/routes.ts';
import { fromSchema } from '../support/from-schema.ts';
import { type Answered, type Handlers, startHandlers } from '../support/handlers.ts';
import { hostileText } from '../support/hostile-text.ts';

vi.spyOn(console, 'warn').mockImplementation(() => undefined);

const MARK = 'Zq9-echo';
const CALLER = { org: 'org_fuzz', user: 'u_1' };
const SECONDS = Number(process.env.FUZZ_SECONDS ?? 10);

interface Fuzzed {
  readonly method: string;
  readonly path: string;
  readonly body?: z.ZodMiniType;
  readonly query: z.ZodMiniType;
}
const OPERATIONS = (Object.keys(ROUTES) as OperationId[]).map((id): readonly [OperationId, Fuzzed] => [
  id,
  ROUTES[id],
]);
const PROPERTIES = OPERATIONS.length * 3 + 6;
const BOUNDS: fc.Parameters<unknown> = {
  interruptAfterTimeLimit: (SECONDS * 1000) / PROPERTIES,
  numRuns: SECONDS * 100,
  endOnFailure: SECONDS <= 10,
  ...(process.env.FUZZ_SEED !== undefined && { seed: Number(process.env.FUZZ_SEED) }),
};

let handlers: Handlers;
let id = '';
const prototype = Object.getOwnPropertyNames(Object.prototype).join();

beforeAll(async () => {
  handlers = await startHandlers();
  const accounts = [
    { id: '6120', name: 'Software', type: 'expense' },
    { id: '6300', name: 'Travel', type: 'expense' },
  ];
  await handlers.call({ method: 'PUT', target: '/v1/chart-of-accounts', caller: CALLER, body: { accounts } });
  const body = {
    kind: 'canonical_mapping',
    content: { mapping: 'labels', merchant: 'Vercel', labels: ['x'] },
  };
  const { json } = await handlers.call({ method: 'POST', target: '/v1/memories', caller: CALLER, body });
  id = (json.memory as { id: string }).id;
});
afterEach(() => {
  expect(Object.getOwnPropertyNames(Object.prototype).join()).toBe(prototype);
});
afterAll(() => handlers.stop());

/** Once at the least, and then as often as time allows. */
async function always<T>(arbitrary: fc.Arbitrary<T>, holds: (value: T) => Promise<void>): Promise<void> {
  for (const value of fc.sample(arbitrary, 1)) await holds(value);
  const details = await fc.check(fc.asyncProperty(arbitrary, holds), BOUNDS as fc.Parameters<[T]>);
  if (details.failed && details.counterexample !== null) throw new Error(fc.defaultReportMessage(details));
}

/** Strings made to hurt, each with the mark in it. */
const hurtful = fc.oneof(
  hostileText.map((text) => MARK + text),
  fc.string({ unit: 'binary' }).map((text) => MARK + text),
  fc.constantFrom(
    `${MARK}\ud800`,
    `${MARK}\u{e0041}\u{e0042}`,
    `${MARK}\u202e`,
    MARK.repeat(100),
    `${MARK}${'a'.repeat(5000)}`,
    `__proto__${MARK}`,
  ),
);
const anything = fc.oneof(
  hurtful,
  fc.jsonValue({ maxDepth: 4 }),
  fc.double(),
  fc.constantFrom<unknown>(null, true, [], {}, -1, 2 ** 53, 1e21, ['__proto__'], {
    constructor: { name: 'Set' },
  }),
);
/** A key that is plainly a name is told as the path of what is wrong, so the mark is in none of these. */
const hurtfulKey = fc.oneof(
  fc.constantFrom(
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'then',
    'toJSON',
    'orgId',
    'S',
    '$ref',
    '',
  ),
  hurtful.map((text) => `<${text}`),
);

type Json = unknown;

/** One place of a value: a member taken away, added, or replaced. */
function mutated(value: Json): fc.Arbitrary<Json> {
  const places = placesOf(value);
  return fc
    .tuple(fc.nat(places.length - 1), fc.constantFrom('take', 'add', 'replace'), hurtfulKey, anything)
    .map(([at, how, key, other]) => changedAt(value, places[at] ?? [], how, key, other));
}

function placesOf(value: Json, path: readonly string[] = []): readonly (readonly string[])[] {
  if (value === null || typeof value !== 'object') return [path];
  return [path, ...Object.entries(value).flatMap(([name, member]) => placesOf(member, [...path, name]))];
}

function changedAt(value: Json, path: readonly string[], how: string, key: string, other: Json): Json {
  const [name, ...rest] = path;
  if (name === undefined) {
    if (how !== 'add' || value === null || typeof value !== 'object') return other;
    if (Array.isArray(value)) return [...value, other];
    const added: object = { ...value };
    Object.defineProperty(added, key, { value: other, enumerable: true, configurable: true, writable: true });
    return added;
  }
  const copy: Record<string, Json> | Json[] = Array.isArray(value) ? [...value] : { ...(value as object) };
  const members = copy as Record<string, Json>;
  if (rest.length === 0 && how === 'take') delete members[name];
  else members[name] = changedAt(members[name], rest, how, key, other);
  return copy;
}

const ids = fc.oneof(
  { weight: 4, arbitrary: fc.constant('') },
  { weight: 1, arbitrary: fc.stringMatching(/^[A-Za-z0-9_-]{1,60}$/) },
);

async function send(operation: Fuzzed, at: string, body: unknown, query: unknown): Promise<Answered> {
  const pairs = Object.entries((query ?? {}) as Record<string, unknown>).map(
    ([name, value]) =>
      `${encodeURIComponent(wellFormed(name))}=${encodeURIComponent(wellFormed(typeof value === 'string' ? value : JSON.stringify(value)))}`,
  );
  const path = operation.path.replace('{id}', at === '' ? id : at);
  return handlers.call({
    method: operation.method,
    target: pairs.length === 0 ? path : `${path}?${pairs.join('&')}`,
    caller: CALLER,
    ...(body !== undefined && {
      body: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
    }),
    ...(typeof body === 'string' && { headers: { 'content-type': 'application/json' } }),
    ...(Buffer.isBuffer(body) && { headers: { 'content-type': 'application/json' } }),
  });
}

const wellFormed = (text: string) => text.toWellFormed();

/** What stands after a hurtful request must be an answer, and no mirror. */
function expectSound({ status, text, json, headers }: Answered): void {
  expect(status, text).toBeLessThan(500);
  if (status < 400) return;
  expect(headers['content-type']).toBe('application/problem+json');
  expect(json).toMatchObject({ status, code: expect.any(String), requestId: expect.any(String) });
  // The structured body to send instead says what was said.
  if (json.code !== 'use-canonical-mapping') expect(text).not.toContain(MARK);
}

describe.each(OPERATIONS)('%s', (_, operation) => {
  const bodies = operation.body === undefined ? fc.constant(undefined) : fromSchema(operation.body);
  const queries = fromSchema(operation.query);

  it('takes what is valid, or refuses it by a rule', async () => {
    await always(fc.tuple(ids, bodies, queries), async ([at, body, query]) => {
      const answer = await send(operation, at, body, query);
      expectSound(answer);
      const asked = [200, 201, 403, 404, 409, 422];
      // Which scope a kind takes, what a kind needs beside it and what is reserved, no schema says.
      const unsaid = ['reserved-kind', 'invalid-cursor'].includes(String(answer.json.code));
      const errors = (answer.json.errors ?? []) as { path: string }[];
      const rule = errors.every(({ path }) => RULED.has(path));
      expect(asked.includes(answer.status) || (answer.status === 400 && (unsaid || rule)), answer.text).toBe(
        true,
      );
    });
  });

  it('refuses what is valid but for one thing, and does not say it back', async () => {
    const requests = fc
      .tuple(bodies, queries)
      .chain(([body, query]) =>
        fc.tuple(
          body === undefined ? fc.constant(body) : mutated(body),
          body === undefined ? mutated(query) : fc.constant(query),
        ),
      );
    await always(fc.tuple(ids, requests), async ([at, [body, query]]) => {
      expectSound(await send(operation, at, body, query));
    });
  });

  it('withstands what is made to hurt', async () => {
    const hostile = fc.oneof(
      anything,
      fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
      fc
        .array(fc.constantFrom('{', '}', '[', ']', '"', ':', ',', '\\', 'a', '1', ' ', '\u0000', MARK))
        .map((parts) => parts.join('')),
      fc.dictionary(hurtfulKey, anything),
    );
    await always(
      fc.tuple(hostile, fc.dictionary(hurtfulKey, hurtful, { maxKeys: 3 })),
      async ([body, query]) => {
        expectSound(
          await send(
            operation,
            '',
            operation.body === undefined ? undefined : body,
            operation.body === undefined ? query : {},
          ),
        );
      },
    );
  });
});

const RULED = new Set(['scope', 'documentId', 'kind', 'merchant', 'capability', 'confirm']);

describe('an invocation for hints', () => {
  const org = fc.constant('org_fuzz');

  it('answers what is valid', async () => {
    await always(fc.tuple(fromSchema(HintsRequest), org), async ([asked, orgId]) => {
      expect(await handlers.retrieve({ ...(asked as object), orgId })).toMatchObject({
        orgId,
        snapshot: expect.any(String),
      });
    });
  });

  it.each([
    ['valid but for one thing', fromSchema(HintsRequest).chain(mutated)],
    ['made to hurt', anything],
  ])('refuses what is %s by a name, and does not say it back', async (_, requests) => {
    await always(requests, async (asked) => {
      const error = await handlers.retrieve(asked).then(
        () => undefined,
        (reason: Error) => reason,
      );
      if (error === undefined) return;
      expect(error.name).toBe('invalid-request');
      expect(`${error.message}${error.stack}`).not.toContain(MARK);
    });
  });
});

describe('a correction', () => {
  const events = fromSchema(CorrectionEvent).map((event) => ({ ...(event as object), orgId: 'org_events' }));

  it('that is valid is logged', async () => {
    await always(events, async (event) => {
      expect(await handlers.deliver([event])).toEqual([]);
      expect(handlers.aws.parked.splice(0)).toEqual([]);
    });
  });

  it.each([
    ['valid but for one thing', events.chain(mutated)],
    ['made to hurt', anything],
  ])('that is %s is taken or parked, and never comes again', async (_, details) => {
    await always(details, async (detail) => {
      expect(await handlers.deliver([detail])).toEqual([]);
      for (const { reason } of handlers.aws.parked.splice(0)) expect(reason).not.toContain(MARK);
    });
  });
});
