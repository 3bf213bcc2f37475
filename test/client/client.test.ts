import { build } from 'esbuild';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { type Client, ConnectionError, createClient, ProblemError } from '../../lib/client/client.ts';
import { pauseBefore, RETRY_POLICY } from '../../lib/client/retry.ts';
import type { Memory } from '../../lib/domain/memory.ts';
import { type OperationId, ROUTES } from '../../lib/routes.ts';

interface Sent {
  readonly url: string;
  readonly init: RequestInit;
}

/** A client whose answers are given in their order; the last one is given for ever. */
function clientOf(answers: readonly (Response | Error)[], options: { timeout?: number } = {}) {
  const sent: Sent[] = [];
  const client = createClient({
    baseUrl: 'https://memories.test/',
    token: async () => `token-${sent.length}`,
    retry: { firstPause: 1 },
    fetch: async (url, init) => {
      sent.push({ url, init });
      const answer = answers[Math.min(sent.length, answers.length) - 1];
      if (answer instanceof Error) throw answer;
      return answer?.clone() ?? Response.error();
    },
    ...options,
  });
  return { client, sent };
}

const json = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers });
const THROTTLED = { status: 429, code: 'throttled' } as const;
const ok = json(200, { items: [] });
const busy = json(429, { message: 'Too Many Requests' }, { 'retry-after': '0' });
const down = json(503, { message: 'Service Unavailable' });
const SAVE = { kind: 'preference', scope: 'user', content: { text: 'Totals in euros.' } } as const;

describe('the client', () => {
  it('has a method for every operation of the table', () => {
    const { client } = clientOf([ok]);
    for (const id of Object.keys(ROUTES) as OperationId[]) {
      const [area = '', verb = ''] = id.split('.');
      expect(Reflect.get(Reflect.get(client, area), verb), id).toBeTypeOf('function');
    }
  });

  it('infers what goes in and what comes out from the table', () => {
    expectTypeOf<Client['memories']['list']>().returns.resolves.toHaveProperty('items');
    expectTypeOf<Client['memories']['get']>().returns.resolves.toEqualTypeOf<Memory>();
    expectTypeOf<Client['memories']['archive']>().parameter(0).toHaveProperty('id');
    expectTypeOf<Client['memories']['review']>().parameter(0).toHaveProperty('expectedVersion');
    const { client } = clientOf([ok]);
    // @ts-expect-error a status that is none
    expectTypeOf(client.memories.list).toBeCallableWith({ status: 'gone' });
    // @ts-expect-error a review without the version that was shown
    expectTypeOf(client.memories.review).toBeCallableWith({ id: 'a', decision: 'approve' });
  });

  it('puts the id in the path, and the rest in the body or the query string', async () => {
    const { client, sent } = clientOf([ok]);
    await client.memories.archive({ id: 'a b', reason: 'old' });
    await client.memories.list({ merchant: 'A & B', limit: 5, kind: undefined as never });
    await client.memories.list();
    await client.accounts.replace({ accounts: [{ id: '1', name: 'One', type: 'expense' }] });
    expect(sent.map(({ url, init }) => [init.method, url, init.body])).toEqual([
      ['POST', 'https://memories.test/v1/memories/a%20b/archive', '{"reason":"old"}'],
      ['GET', 'https://memories.test/v1/memories?merchant=A+%26+B&limit=5', undefined],
      ['GET', 'https://memories.test/v1/memories', undefined],
      [
        'PUT',
        'https://memories.test/v1/chart-of-accounts',
        '{"accounts":[{"id":"1","name":"One","type":"expense"}]}',
      ],
    ]);
  });

  it('asks for the token again before every try', async () => {
    const { client, sent } = clientOf([busy, ok]);
    await client.memories.list();
    expect(sent.map(({ init }) => new Headers(init.headers).get('authorization'))).toEqual([
      'Bearer token-0',
      'Bearer token-1',
    ]);
  });
});

describe('a refusal', () => {
  it('is a typed error with its code, its fields and what else the service says', async () => {
    const problem = {
      type: 'urn:ai-memories:problem:use-canonical-mapping',
      title: 'Save it as a canonical mapping',
      status: 422,
      detail: 'This is a mapping of a merchant; save it as one.',
      code: 'use-canonical-mapping',
      requestId: 'r1',
      errors: [{ path: 'content.text', message: 'is a mapping of a merchant' }],
      instead: { kind: 'canonical_mapping' },
    };
    const { client, sent } = clientOf([json(422, problem)]);
    const error = await client.memories.save(SAVE).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ProblemError);
    expect(error).toMatchObject({
      status: 422,
      code: 'use-canonical-mapping',
      message: problem.detail,
      requestId: 'r1',
      errors: problem.errors,
      details: { instead: problem.instead },
    });
    expect(sent).toHaveLength(1);
  });

  it.each([
    [401, 'unauthenticated'],
    [403, 'forbidden'],
    [404, 'not-found'],
    [418, 'unknown'],
    [500, 'internal-error'],
  ])('without a code is told by its status %i', async (status, code) => {
    const { client } = clientOf([json(status, { message: 'No' })]);
    await expect(client.memories.list()).rejects.toMatchObject({ status, code, message: 'No' });
  });

  it.each(['', 'null', '[1]', '<html>', '{"errors":[null,1],"detail":7}'])(
    'can have any body at all: %s',
    async (body) => {
      const { client } = clientOf([new Response(body, { status: 400 })]);
      await expect(client.memories.list()).rejects.toMatchObject({
        status: 400,
        code: 'unknown',
        errors: [],
      });
    },
  );
});

describe('trying again', () => {
  it.each([
    ['429, whatever was sent', busy, true, true],
    ['503 with Retry-After, whatever was sent', json(503, {}, { 'retry-after': '0' }), true, true],
    ['503 without one, only what may be sent twice', down, true, false],
    ['502, only what may be sent twice', json(502, {}), true, false],
    ['no answer, only what may be sent twice', new TypeError('fetch failed'), true, false],
    ['500, never', json(500, {}), false, false],
    ['409, never', json(409, {}), false, false],
    ['a Retry-After beyond all patience, never', json(503, {}, { 'retry-after': '3600' }), false, false],
  ])('%s', async (_, first, readAgain, saveAgain) => {
    const read = clientOf([first, ok]);
    await read.client.memories.list().catch(() => {});
    expect(read.sent).toHaveLength(readAgain ? 2 : 1);
    const context = clientOf([first, ok]);
    await context.client.memories.context({}).catch(() => {});
    expect(context.sent).toHaveLength(readAgain ? 2 : 1);
    const save = clientOf([first, ok]);
    await save.client.memories.save(SAVE).catch(() => {});
    expect(save.sent).toHaveLength(saveAgain ? 2 : 1);
  });

  it('waits as long as Retry-After says, in seconds or until a date', () => {
    const now = Date.UTC(2026, 10, 30, 3);
    const pause = (retryAfter: string) =>
      pauseBefore(1, { error: new ProblemError('', THROTTLED), retryAfter }, false, RETRY_POLICY, now, 0.5);
    expect(pause('7')).toBe(7000);
    expect(pause('Mon, 30 Nov 2026 03:00:07 GMT')).toBe(7000);
    expect(pause('Mon, 30 Nov 2026 02:00:00 GMT')).toBe(100);
    expect(pause('soon')).toBe(100);
  });

  it('ends after four tries with the last refusal', async () => {
    const { client, sent } = clientOf([busy]);
    await expect(client.memories.list()).rejects.toMatchObject({ code: 'throttled' });
    expect(sent).toHaveLength(4);
  });

  it('says so where no answer ever came, with the cause', async () => {
    const cause = new TypeError('fetch failed');
    const { client } = clientOf([cause]);
    const error = await client.memories.list().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toHaveProperty('cause', cause);
  });

  it('stops when the caller does, in a pause too', async () => {
    const { client, sent } = clientOf([json(429, {}, { 'retry-after': '10' })]);
    const reason = new Error('enough');
    const stop = new AbortController();
    setTimeout(() => stop.abort(reason), 20);
    await expect(client.memories.list({}, { signal: stop.signal })).rejects.toBe(reason);
    expect(sent).toHaveLength(1);
  });
});

describe('a list', () => {
  const page = (items: readonly number[], nextCursor?: string) => json(200, { items, nextCursor });

  it('is read page after page, short and empty ones too, with the filter it began with', async () => {
    const { client, sent } = clientOf([page([1], 'a'), page([], 'b'), page([2, 3])]);
    const items: unknown[] = [];
    for await (const item of client.each('memories.list', { status: 'active', limit: 2 })) items.push(item);
    expect(items).toEqual([1, 2, 3]);
    expect(sent.map(({ url }) => new URL(url).search)).toEqual([
      '?status=active&limit=2',
      '?status=active&limit=2&cursor=a',
      '?status=active&limit=2&cursor=b',
    ]);
  });

  it('is read no further than it is asked for', async () => {
    const { client, sent } = clientOf([page([1, 2], 'a'), page([3])]);
    for await (const _ of client.each('memories.list')) break;
    expect(sent).toHaveLength(1);
  });

  it('that leads back to itself is not read for ever', async () => {
    const { client } = clientOf([page([1], 'a')]);
    const all = async () => {
      for await (const _ of client.each('memories.list'));
    };
    await expect(all()).rejects.toThrow('second time');
  });
});

it('needs nothing of Node and no AWS SDK: it bundles for a browser', async () => {
  const { metafile } = await build({
    entryPoints: ['lib/client/client.ts'],
    bundle: true,
    write: false,
    metafile: true,
    platform: 'browser',
    format: 'esm',
    minify: true,
    logLevel: 'silent',
  });
  const packages = Object.keys(metafile.inputs).flatMap(
    (file) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? [],
  );
  expect(new Set(packages)).toEqual(new Set(['zod']));
  expect(Object.values(metafile.outputs)[0]?.bytes).toBeLessThan(60_000);
});
