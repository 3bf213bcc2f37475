/*
 * What goes wrong between the functions and AWS, put where it happens: on the wire below the real SDK, at every call
 * that every operation makes. Whatever it is, the answer is the true one or a clear 429 or 503 that says when to come
 * again, a correction is done or comes again, and doing it again leaves what one run without a fault leaves.
 *
 * Where else a fault of the list is shown:
 * - order, duplicates, crashes at every step and replays of promotion: `test/operations/promotion.simulation.test.ts`
 * - a reply lost of one put, tried again by the SDK: `test/aws/lost-replies.test.ts`
 * - a poison record among others: `bad-input.test.ts`; three receives and the dead-letter queue: `test/infra/local`
 * - a rule that is too wide, and our own source: `bad-input.test.ts` (messages), `test/infra/stack.test.ts` (pattern)
 * - a page that goes on after its anchor has gone: `test/aws/stores.contract.ts`
 *
 * What does not apply: there is no TTL, so no time in the wrong unit; the audit is the history inside the item, so it is
 * written with it or not at all; a `ValidationException` is a bug of ours, so its event goes to the dead-letter queue
 * by the queue's own three receives, from where it can be sent again once the bug is mended; erasing has tests of its
 * own.
 */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { dedupKeyOf, memoryIdOf } from '../../lib/domain/dedup-key.ts';
import { OrgId } from '../../lib/domain/ids.ts';
import type { AwsCall, Fault } from '../support/aws-proxy.ts';
import { categoryBody } from '../support/builders.ts';
import { type Answered, type Call, type Handlers, startHandlers } from '../support/handlers.ts';

vi.spyOn(console, 'warn').mockImplementation(() => undefined);
const errors = vi.spyOn(console, 'error').mockImplementation(() => undefined);

let handlers: Handlers;
let seed: readonly Readonly<Record<string, unknown>>[] = [];
let orgs = 0;

beforeAll(async () => {
  handlers = await startHandlers();
  const org = 'org_seed';
  await call(org, 'PUT', '/v1/chart-of-accounts', CHART);
  await call(org, 'POST', '/v1/memories', labelled('Vercel', ['hosting']));
  await call(org, 'POST', '/v1/memories', categorised('Vercel', '6120'));
  await call(org, 'POST', '/v1/memories', preference('Totals in euros'));
  await handlers.deliver([1, 2, 3].map((n) => correction(org, n, 'Uber', '6300')));
  await handlers.deliver([4, 5].map((n) => correction(org, n, 'Hetzner', '6120')));
  seed = await handlers.items(org);
});
afterAll(() => handlers.stop());

/** What an operation came to: its answer, or that it is to be tried again. */
type Outcome =
  | { readonly answer: unknown }
  | { readonly again: 'throttled' | 'unavailable' }
  /** It was done before, by this very caller: the version it names is gone. */
  | { readonly conflict: true };

interface Scenario {
  readonly name: string;
  readonly act: (org: string, milliseconds?: number) => Promise<Outcome>;
  readonly changes?: true;
}

const request = (
  name: string,
  method: string,
  target: string | ((org: string) => string),
  body?: unknown,
): Scenario => ({
  name,
  ...(method !== 'GET' && !target.toString().includes('/v1/context') && { changes: true }),
  act: async (org, milliseconds) => {
    const path = typeof target === 'string' ? target : target(org);
    return outcomeOf(await call(org, method, path, body, milliseconds));
  },
});

/** The path of the seeded category of a merchant. */
const pathOf =
  (merchant: string, rest = '') =>
  (org: string) =>
    `/v1/memories/${memoryIdOf(OrgId.parse(org), dedupKeyOf({ scope: 'org' }, categoryBody(merchant)))}${rest}`;
const UBER = pathOf('Uber');

const SCENARIOS: readonly Scenario[] = [
  request('saving labels', 'POST', '/v1/memories', labelled('Figma', ['design'])),
  request('saving a category', 'POST', '/v1/memories', categorised('Figma', '6120')),
  request('replacing a category', 'POST', '/v1/memories', categorised('Vercel', '6300')),
  request('saving what is a candidate', 'POST', '/v1/memories', categorised('Uber', '6300')),
  request('saving a preference', 'POST', '/v1/memories', preference('Dates first')),
  request('archiving', 'POST', pathOf('Vercel', '/archive'), { reason: 'Gone' }),
  request('approving', 'POST', pathOf('Uber', '/review'), { decision: 'approve', expectedVersion: 1 }),
  request('rejecting', 'POST', pathOf('Uber', '/review'), { decision: 'reject', expectedVersion: 1 }),
  request('a get', 'GET', UBER),
  request('a list of what is active', 'GET', '/v1/memories'),
  request('a list of candidates', 'GET', '/v1/memories?status=candidate'),
  request('a list of a merchant', 'GET', '/v1/memories?merchant=Vercel'),
  request('evidence', 'GET', pathOf('Uber', '/evidence')),
  request('evidence of what is no memory yet', 'GET', '/v1/evidence?merchant=Hetzner'),
  request('a context', 'POST', '/v1/context', {}),
  request('a context of merchants', 'POST', '/v1/context', { merchants: ['Vercel', 'Uber'] }),
  request('replacing the chart', 'PUT', '/v1/chart-of-accounts', {
    accounts: [{ id: '6120', name: 'Software', type: 'expense' }],
  }),
  request('the chart', 'GET', '/v1/chart-of-accounts'),
  request('a phrase', 'GET', '/v1/chart-of-accounts/resolve?query=travel'),
  {
    name: 'hints',
    act: async (org, milliseconds) => {
      try {
        return {
          answer: plain(
            await handlers.retrieve({ orgId: org, userId: 'u_1', merchants: ['Vercel'] }, milliseconds),
          ),
        };
      } catch (error) {
        return { again: (error as Error).name as 'unavailable' };
      }
    },
  },
  {
    name: 'a correction that makes a candidate',
    changes: true,
    act: async (org, milliseconds) => {
      const failed = await handlers.deliver([correction(org, 6, 'Hetzner', '6120')], milliseconds);
      return failed.length === 0 ? { answer: 'done' } : { again: 'unavailable' };
    },
  },
];

/** `once` is one call that meets it; otherwise all do from that call on. What changes nothing meets fewer of them. */
const FAULTS: readonly {
  readonly fault: Fault;
  readonly once?: true;
  readonly writesOnly?: true;
  readonly ofChanges?: true;
}[] = [
  { fault: { exception: 'ThrottlingException', status: 400 } },
  {
    fault: { exception: 'ProvisionedThroughputExceededException', status: 400 },
    once: true,
    ofChanges: true,
  },
  { fault: { exception: 'InternalServerError', status: 500 }, once: true },
  { fault: 'lost-before' },
  { fault: 'lost-before', once: true, ofChanges: true },
  { fault: 'lost-after', writesOnly: true },
  { fault: 'lost-after', once: true, writesOnly: true },
];

describe('whatever happens to the store', () => {
  it.each(SCENARIOS)('$name is done, or can be done again', async (scenario) => {
    const reference = await referenceOf(scenario);
    const faults = FAULTS.filter(({ ofChanges }) => scenario.changes || !ofChanges);
    const runs = faults.flatMap(({ fault, once, writesOnly }) =>
      placesOf(reference.calls, writesOnly).map(
        (place): Plan =>
          (one, n) =>
            n === place || (n > place && !once && (!writesOnly || isWrite(one))) ? fault : undefined,
      ),
    );
    expect(runs.length).toBeGreaterThan(3);
    // A few at a time: with all of them at once the slow one would be this machine.
    const left = [...runs];
    const work = async () => {
      for (let plan = left.pop(); plan !== undefined; plan = left.pop())
        await thenAgain(scenario, reference, await runWith(scenario, reference, plan));
    };
    await Promise.all(Array.from({ length: 12 }, work));
  });

  it.each(SCENARIOS)('$name reads on over pages that are empty, or hold a single item', async (scenario) => {
    const reference = await referenceOf(scenario);
    const empty = new Map<string, number>();
    const sparse: Plan = (one) => (one.action === 'Query' ? emptyPages(empty, one, 3) : undefined);
    const single: Plan = (one) =>
      one.action === 'Query' ? { input: { ...one.input, Limit: 1 }, reply: (reply) => reply } : undefined;
    for (const plan of [sparse, single]) {
      expect((await runWith(scenario, reference, plan)).outcome).toEqual(reference.outcome);
    }
  });

  it('the answer comes in time where the store is silent, and nothing is done twice when it speaks again', async () => {
    const silenced = await Promise.all(
      SCENARIOS.map(async (scenario) => {
        const reference = await referenceOf(scenario);
        const places = placesOf(reference.calls).filter((n) => n === 0 || isWrite(reference.calls[n]));
        return Promise.all(
          places.map(async (place) => {
            const run = await runWith(
              scenario,
              reference,
              (_, n) => (n >= place ? 'silence' : undefined),
              1000,
            );
            if (place === 0) expect(run.outcome).toEqual({ again: 'unavailable' });
            return { scenario, reference, run };
          }),
        );
      }),
    );
    handlers.aws.endSilence();
    await new Promise((resolve) => setTimeout(resolve, 1000));
    for (const { scenario, reference, run } of silenced.flat()) await thenAgain(scenario, reference, run);
  });
});

interface Reference {
  readonly outcome: Outcome;
  readonly state: unknown;
  readonly calls: readonly AwsCall[];
}

interface Run {
  readonly org: string;
  readonly outcome: Outcome;
}

async function referenceOf({ act, changes }: Scenario): Promise<Reference> {
  const org = await freshOrg();
  const calls: AwsCall[] = [];
  plans.set(org, (one) => {
    calls.push(one);
    return undefined;
  });
  const outcome = await act(org);
  plans.delete(org);
  expect(outcome).toHaveProperty('answer');
  expect(calls.some(isWrite)).toBe(changes ?? false);
  return { outcome, state: await stateOf(org), calls };
}

async function runWith(
  { act, changes }: Scenario,
  reference: Reference,
  plan: Plan,
  milliseconds?: number,
): Promise<Run> {
  const org = await freshOrg();
  let n = -1;
  plans.set(org, (one) => {
    n += 1;
    return plan(one, n);
  });
  const started = performance.now();
  const outcome = await act(org, milliseconds);
  const elapsed = performance.now() - started;
  plans.delete(org);
  expect(elapsed).toBeLessThan((milliseconds ?? 10_000) + 2000);
  if ('answer' in outcome) expect(outcome).toEqual(reference.outcome);
  if ('answer' in outcome && changes) expect(await stateOf(org)).toEqual(reference.state);
  return { org, outcome };
}

/** Done again when the fault is over, it leaves what one run leaves. */
async function thenAgain(
  { act, changes }: Scenario,
  reference: Reference,
  { org, outcome }: Run,
): Promise<void> {
  if ('answer' in outcome) return;
  const again = await act(org);
  if (!changes) expect(again).toEqual(reference.outcome);
  else expect(await stateOf(org)).toEqual(reference.state);
}

describe('a store that', () => {
  it('never comes to an end is unavailable, and not asked for ever', async () => {
    const org = await freshOrg();
    plans.set(org, (one) =>
      one.action === 'Query' ? emptyPages(new Map(), one, Number.POSITIVE_INFINITY) : undefined,
    );
    const outcomes = await Promise.all([
      call(org, 'GET', '/v1/memories').then(outcomeOf),
      call(org, 'POST', '/v1/context', {}).then(outcomeOf),
    ]);
    expect(outcomes).toEqual([{ again: 'unavailable' }, { again: 'unavailable' }]);
  });

  it('leaves some of a batch undone is asked for the rest, alone', async () => {
    const org = await freshOrg();
    const asked: number[] = [];
    plans.set(org, (one) => {
      if (one.action !== 'BatchWriteItem') return undefined;
      const [[table, requests] = ['', []]] = Object.entries(
        one.input.RequestItems as Record<string, unknown[]>,
      );
      asked.push(requests.length);
      if (requests.length < 2) return undefined;
      const half = Math.ceil(requests.length / 2);
      return {
        input: { ...one.input, RequestItems: { [table]: requests.slice(half) } },
        reply: (reply) => ({ ...reply, UnprocessedItems: { [table]: requests.slice(0, half) } }),
      };
    });
    const accounts = Array.from({ length: 1000 }, (_, n) => ({
      id: `a${n}`,
      name: `Account ${n}`,
      type: 'expense',
    }));
    expect((await call(org, 'PUT', '/v1/chart-of-accounts', { accounts })).json).toEqual({
      version: 2,
      accounts: 1000,
    });
    expect(asked.slice(0, 4)).toEqual([8, 4, 2, 1]);
    plans.delete(org);
    expect((await call(org, 'GET', '/v1/chart-of-accounts')).json.accounts).toEqual(accounts);
  });

  it('never does any of a batch leaves the chart that stands', async () => {
    const org = await freshOrg();
    plans.set(org, (one) =>
      one.action === 'BatchWriteItem'
        ? {
            input: { ...one.input, RequestItems: { 'chart-of-accounts': [DELETE_NOTHING] } },
            reply: () => ({ UnprocessedItems: one.input.RequestItems }),
          }
        : undefined,
    );
    const answer = await call(org, 'PUT', '/v1/chart-of-accounts', { accounts: [CHART.accounts[0]] });
    expect(answer).toMatchObject({ status: 429, json: { code: 'throttled' } });
    expect(answer.headers['retry-after']).toMatch(/^\d+$/);
    plans.delete(org);
    expect((await call(org, 'GET', '/v1/chart-of-accounts')).json.accounts).toEqual(CHART.accounts);
  });

  it('leaves some keys unread is asked for them again', async () => {
    const org = await freshOrg();
    const asked: number[] = [];
    plans.set(org, (one) => {
      if (one.action !== 'BatchGetItem') return undefined;
      const [[table, { Keys, ...rest }] = ['', { Keys: [] }]] = Object.entries(
        one.input.RequestItems as Record<string, { Keys: unknown[] }>,
      );
      asked.push(Keys.length);
      if (Keys.length < 2) return undefined;
      return {
        input: { RequestItems: { [table]: { ...rest, Keys: Keys.slice(1) } } },
        reply: (reply) => ({ ...reply, UnprocessedKeys: { [table]: { ...rest, Keys: Keys.slice(0, 1) } } }),
      };
    });
    const { json } = await call(org, 'POST', '/v1/context', {});
    plans.delete(org);
    const { json: reference } = await call(org, 'POST', '/v1/context', {});
    expect(json.text).toBe(reference.text);
    expect(asked).toContain(2);
  });

  it('refuses what we ask for is a bug of ours: 500 without a word of it, and the correction comes again', async () => {
    const org = await freshOrg();
    plans.set(org, () => ({ exception: 'ValidationException', status: 400 }));
    errors.mockClear();
    const answer = await call(org, 'GET', '/v1/memories');
    expect(answer).toMatchObject({ status: 500, json: { code: 'internal-error' } });
    expect(answer.text).not.toMatch(/Validation|injected/);
    expect(await handlers.deliver([correction(org, 9, 'Uber', '6300')])).toEqual([0]);
    expect(errors.mock.calls.flat().join()).toContain('ValidationException');
  });

  it.each([
    ['a saved memory', 'POST', '/v1/memories', labelled('Figma', ['design'])],
    ['an archived one', 'POST', pathOf('Vercel', '/archive'), {}],
  ])(
    'says that others keep changing %s is tried for some seconds and no more',
    async (_, method, target, body) => {
      const org = await freshOrg();
      const path = typeof target === 'string' ? target : target(org);
      let puts = 0;
      plans.set(org, (one) => {
        if (one.action !== 'PutItem') return undefined;
        puts += 1;
        return { exception: 'ConditionalCheckFailedException', status: 400 };
      });
      const answer = await call(org, method, path, body);
      expect(answer).toMatchObject({ status: 503, json: { code: 'unavailable' } });
      expect(puts).toBeLessThan(50);
      plans.delete(org);
      expect(await stateOf(org)).toEqual(await stateOf(await freshOrg()));
    },
  );
});

describe('the bus', () => {
  it.each<[string, Fault]>([
    ['is out of reach', 'lost-before'],
    ['is silent', 'silence'],
    ['throttles', { exception: 'ThrottlingException', status: 400 }],
    [
      'takes nothing',
      { reply: () => ({ FailedEntryCount: 1, Entries: [{ ErrorCode: 'InternalFailure' }] }) },
    ],
  ])('that %s fails no save, and holds it up for no more than two seconds', async (_, fault) => {
    const org = await freshOrg();
    busFault = fault;
    errors.mockClear();
    const started = performance.now();
    const saved = await call(org, 'POST', '/v1/memories', labelled('Figma', ['design']));
    const approved = await call(org, 'POST', pathOf('Uber', '/review')(org), {
      decision: 'approve',
      expectedVersion: 1,
    });
    busFault = undefined;
    expect([saved.status, approved.status]).toEqual([201, 200]);
    expect(performance.now() - started).toBeLessThan(4000);
    const lines = errors.mock.calls.map(([line]) => String(line));
    expect(lines.filter((line) => line.includes('Notices were not sent'))).toHaveLength(2);
    expect(lines.join()).not.toMatch(/Figma|Uber|design/);
  });
});

describe('the dead-letter queue', () => {
  it.each<[string, Fault]>([
    ['out of reach', 'lost-before'],
    ['throttling', { exception: 'ThrottlingException', status: 400 }],
  ])('%s makes a bad event come again, so that it is not lost', async (_, fault) => {
    queueFault = fault;
    expect(await handlers.deliverBodies(['{"bad"'])).toEqual([0]);
    queueFault = undefined;
    expect(await handlers.deliverBodies(['{"bad"'])).toEqual([]);
    expect(handlers.aws.parked.splice(0)).toMatchObject([{ body: '{"bad"' }]);
  });
});

describe('two at once', () => {
  const review = (org: string, path: string, decision: string) =>
    call(org, 'POST', `${path}/review`, { decision, expectedVersion: 1 });

  it.each([
    ['approve', 'approve'],
    ['approve', 'reject'],
  ])('who %s and %s: one wins, the other is told the version that stands', async (first, second) => {
    const org = await freshOrg();
    const path = UBER(org);
    const answers = await Promise.all([review(org, path, first), review(org, path, second)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(answers.find(({ status }) => status === 409)?.json).toMatchObject({ version: 2 });
    expect((await call(org, 'GET', path)).json).toMatchObject({ version: 2, history: [{}] });
  });

  it('who approve and archive by the version shown: one wins', async () => {
    const org = await freshOrg();
    const path = pathOf('Vercel')(org);
    const archive = () => call(org, 'POST', `${path}/archive`, { expectedVersion: 1 });
    const answers = await Promise.all([archive(), archive()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  it('who archive: it is archived once', async () => {
    const org = await freshOrg();
    const path = pathOf('Vercel')(org);
    const answers = await Promise.all([1, 2, 3].map(() => call(org, 'POST', `${path}/archive`, {})));
    expect(answers.map(({ json }) => json.outcome).sort()).toEqual(['archived', 'unchanged', 'unchanged']);
    expect((await call(org, 'GET', path)).json.history).toHaveLength(2);
  });

  it('a hundred who save the same leave one record of one version', async () => {
    const org = await freshOrg();
    const body = labelled('Linear', ['tools']);
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => call(org, 'POST', '/v1/memories', body)),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ json }) => json.outcome === 'unchanged')).toHaveLength(99);
    const { json } = await call(org, 'GET', '/v1/memories?merchant=Linear');
    expect(json.items).toMatchObject([{ version: 1, history: [{}] }]);
  });

  it('the evidence changes what was shown, and its approval is refused', async () => {
    const org = await freshOrg();
    const path = UBER(org);
    await handlers.deliver(Array.from({ length: 20 }, (_, n) => correction(org, 30 + n, 'Uber', '6120')));
    const shown = (await call(org, 'GET', path)).json as { version: number; content: unknown };
    expect(shown.content).toMatchObject({ account: { id: '6120' } });
    expect((await review(org, path, 'approve')).status).toBe(409);
  });
});

describe('corrections', () => {
  const candidate = async (org: string) => (await call(org, 'GET', UBER(org))).json;

  it('delivered again, together or after each other, count once', async () => {
    const org = await freshOrg();
    const again = [1, 2, 3].map((n) => correction(org, n, 'Uber', '6300'));
    await handlers.deliver([...again, ...again]);
    await Promise.all([handlers.deliver(again), handlers.deliver(again)]);
    expect(await candidate(org)).toMatchObject({ evidenceCount: 3, version: 1 });
    expect(await stateOf(org)).toEqual(await stateOf(await freshOrg()));
  });

  it('of one document under two event ids are one vote of it', async () => {
    const org = await freshOrg();
    await handlers.deliver([{ ...correction(org, 3, 'Uber', '6300'), eventId: 'published_again' }]);
    expect(await candidate(org)).toMatchObject({ evidenceCount: 3 });
  });

  it('of one document from now on count for what they say last', async () => {
    const org = await freshOrg();
    await handlers.deliver([
      { ...correction(org, 3, 'Uber', '6120'), eventId: 'changed', occurredAt: '2025-11-30T02:00:00Z' },
    ]);
    expect((await call(org, 'GET', '/v1/evidence?merchant=Uber')).json).toMatchObject({ verdict: { n: 3 } });
  });

  it('that come late do not bring back what was archived; a save does, and both are told', async () => {
    const org = await freshOrg();
    const path = UBER(org);
    await call(org, 'POST', `${path}/review`, { decision: 'approve', expectedVersion: 1 });
    await call(org, 'POST', `${path}/archive`, {});
    await handlers.deliver([1, 2, 3, 20, 21, 22, 23].map((n) => correction(org, n, 'Uber', '6300')));
    expect((await call(org, 'GET', path)).json).toMatchObject({ status: 'archived' });
    const saved = await call(org, 'POST', '/v1/memories', categorised('Uber', '6300'));
    expect(saved.json).toMatchObject({ outcome: 'restored', memory: { status: 'active' } });
    expect(
      (saved.json.memory as { history: { action: string }[] }).history.map(({ action }) => action),
    ).toEqual(['approved', 'archived', 'saved']);
  });

  it('out of the window are logged and do not count', async () => {
    const org = await freshOrg();
    const old = [70, 71, 72].map((n) => ({
      ...correction(org, n, 'Hetzner', '6120'),
      occurredAt: '2024-01-01T00:00:00Z',
    }));
    expect(await handlers.deliver(old)).toEqual([]);
    const { json } = await call(org, 'GET', '/v1/evidence?merchant=Hetzner');
    expect(json).toMatchObject({ verdict: { promoted: false, k: 2, n: 2 } });
  });

  it('of one merchant cost the same however many there are, and no other workspace anything', async () => {
    const org = await freshOrg();
    const costs: number[] = [];
    for (let n = 0; n < 6; n += 1) {
      const before = handlers.aws.calls.length;
      await handlers.deliver(
        Array.from({ length: 10 }, (_, one) => correction(org, 1000 + n * 10 + one, 'Hot', '6120')),
      );
      costs.push(handlers.aws.calls.length - before);
    }
    expect(Math.max(...costs)).toBeLessThan(400);
    const before = handlers.aws.calls.length;
    await handlers.deliver([correction(org, 5000, 'Hot', '6120')]);
    const calls = handlers.aws.calls.slice(before);
    expect(calls.length).toBeLessThan(10);
    for (const { action, input } of calls)
      if (action === 'Query') expect(input.Limit).toBeLessThanOrEqual(200);
    expect((await call(org, 'GET', '/v1/memories?merchant=Hot&status=candidate')).json.items).toHaveLength(1);
  });
});

describe('a clock', () => {
  it('that jumps back changes no order: what was decided stays decided', async () => {
    const org = await freshOrg();
    const path = UBER(org);
    await call(org, 'POST', `${path}/review`, { decision: 'reject', expectedVersion: 1 });
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 3_600_000 });
    try {
      await call(org, 'POST', `${path}/review`, { decision: 'restore', expectedVersion: 2 });
      const archived = await call(org, 'POST', `${path}/archive`, { expectedVersion: 3 });
      expect(archived.json).toMatchObject({ outcome: 'archived', memory: { version: 4 } });
    } finally {
      vi.useRealTimers();
    }
    await handlers.deliver([1, 2, 3].map((n) => correction(org, n, 'Uber', '6300')));
    expect((await call(org, 'GET', path)).json).toMatchObject({ status: 'archived', version: 4 });
  });
});

describe('a chart', () => {
  it('that loses an account keeps the memory and holds it back, and gives it back with the account', async () => {
    const org = await freshOrg();
    const without = { accounts: CHART.accounts.filter(({ id }) => id !== '6120') };
    await call(org, 'PUT', '/v1/chart-of-accounts', without);
    const list = async () => (await call(org, 'GET', '/v1/memories?merchant=Vercel')).json.items;
    const hints = async () => JSON.stringify(await handlers.retrieve({ orgId: org, merchants: ['Vercel'] }));
    expect(await list()).toContainEqual(expect.objectContaining({ unresolvable: true, status: 'active' }));
    expect(await hints()).not.toContain('6120');
    expect((await call(org, 'POST', '/v1/context', {})).text).not.toContain('6120');
    await call(org, 'PUT', '/v1/chart-of-accounts', CHART);
    expect(await hints()).toContain('6120');
  });
});

describe('an item', () => {
  it('stays far below what the store takes, whatever is done to it', async () => {
    const org = await freshOrg();
    const reason = '😀'.repeat(500);
    const content = { text: '漢'.repeat(500), topic: 't'.repeat(100) };
    const { json } = await call(org, 'POST', '/v1/memories', { kind: 'preference', content });
    const { id } = json.memory as { id: string };
    for (let n = 0; n < 12; n += 1) {
      const archived = await call(org, 'POST', `/v1/memories/${id}/archive`, { reason });
      const { version } = archived.json.memory as { version: number };
      await call(org, 'POST', `/v1/memories/${id}/review`, {
        decision: 'restore',
        expectedVersion: version,
        reason,
      });
    }
    const sizes = (await handlers.items(org)).map((item) => Buffer.byteLength(JSON.stringify(item)));
    expect(Math.max(...sizes)).toBeLessThan(100_000);
  });
});

type Plan = (call: AwsCall, n: number) => Fault | undefined;
const plans = new Map<string, (call: AwsCall) => Fault | undefined>();
let busFault: Fault | undefined;
let queueFault: Fault | undefined;

/** Every run is an org of its own, so that many can fail beside each other. */
async function freshOrg(): Promise<string> {
  orgs += 1;
  const org = `org_f${orgs}x`;
  const items = seed.map((item) => ({
    ...item,
    orgId: org,
    ...(typeof item.body === 'string' && { body: item.body.replaceAll('org_seed', org) }),
  }));
  await Promise.all([
    handlers.put(
      'memories',
      items.filter((item) => 'dedupKey' in item),
    ),
    handlers.put(
      'events',
      items.filter((item) => 'entry' in item),
    ),
    handlers.put(
      'accounts',
      items.filter((item) => 'part' in item),
    ),
  ]);
  handlers.aws.fail(planned);
  return org;
}

function planned(one: AwsCall): Fault | undefined {
  if (one.service === 'events') return busFault;
  if (one.service === 'sqs') return queueFault;
  const org = /"S":"(org_f\d+x)"/.exec(JSON.stringify(one.input))?.[1] ?? '';
  return plans.get(org)?.(one);
}

async function call(
  org: string,
  method: string,
  target: string,
  body?: unknown,
  milliseconds?: number,
): Promise<Answered> {
  const sent: Call = {
    method,
    target,
    caller: { org, user: 'u_1' },
    ...(body !== undefined && { body }),
    ...(milliseconds !== undefined && { milliseconds }),
  };
  return handlers.call(sent);
}

function outcomeOf({ status, headers, json }: Answered): Outcome {
  if (status === 429 || status === 503) {
    expect(headers['retry-after']).toMatch(/^[1-9]\d*$/);
    expect(headers['content-type']).toBe('application/problem+json');
    return { again: json.code as 'throttled' };
  }
  if (status === 409) return { conflict: true };
  expect(status).toBeLessThan(300);
  return { answer: plain(json) };
}

/** Without what no two runs share: times, ids of orgs and what is made of them. */
function plain(value: unknown): unknown {
  const text = JSON.stringify(value, (name, member: unknown) => {
    if (VOLATILE.has(name)) return undefined;
    if (typeof member === 'number' && member > 1e12) return 'time';
    return typeof member === 'string'
      ? member.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z|\b\d{13}\b/g, 'time')
      : member;
  });
  return JSON.parse(text.replace(/org_f\d+x|org_seed/g, 'org'));
}

const VOLATILE = new Set(['id', 'memoryId', 'writeToken', 'receivedAt', 'replacedAt', 'snapshot']);

async function stateOf(org: string): Promise<unknown> {
  return plain(stateOfItems(await handlers.items(org)));
}

function stateOfItems(items: readonly Readonly<Record<string, unknown>>[]): unknown {
  // A chart that is put again is a new version of the same, and a set that was given up may lie there until the next.
  const head = items.find(({ part }) => part === 'head');
  const chart = items
    .filter(({ part }) => typeof part === 'string' && part.startsWith(`${head?.set}/`))
    .map(({ accounts }) => Buffer.from(accounts as Uint8Array).toString('base64'));
  return [items.filter(({ part }) => part === undefined), chart];
}

const isWrite = (one: AwsCall | undefined) => one?.action === 'PutItem' || one?.action === 'BatchWriteItem';

function placesOf(calls: readonly AwsCall[], writesOnly?: true): readonly number[] {
  return calls.flatMap((one, place) => (!writesOnly || isWrite(one) ? [place] : []));
}

/** The first pages of a query come empty and with a key to go on from, the next one is the real one. */
function emptyPages(given: Map<string, number>, { input }: AwsCall, count: number): Fault {
  const { ExclusiveStartKey: start, ...first } = input;
  const query = JSON.stringify(first.ExpressionAttributeValues);
  const page = given.get(query) ?? 0;
  given.set(query, page + 1);
  const real = start !== undefined && !JSON.stringify(start).includes(NOWHERE);
  if (real) return { input, reply: (reply) => reply };
  return page < count
    ? { input: first, reply: () => ({ Items: [], Count: 0, LastEvaluatedKey: { orgId: { S: NOWHERE } } }) }
    : { input: first, reply: (reply) => reply };
}

const NOWHERE = 'nowhere';
const DELETE_NOTHING = { DeleteRequest: { Key: { orgId: { S: 'org_nothing' }, part: { S: 'none' } } } };

const CHART = {
  accounts: [
    { id: '6120', name: 'Software subscriptions', type: 'expense' },
    { id: '6300', name: 'Travel', type: 'expense' },
  ],
};

function labelled(merchant: string, labels: readonly string[]) {
  return { kind: 'canonical_mapping', content: { mapping: 'labels', merchant, labels } };
}

function categorised(merchant: string, id: string) {
  return { kind: 'canonical_mapping', content: { mapping: 'category', merchant, account: { id } } };
}

function preference(text: string) {
  return { kind: 'preference', scope: 'user', content: { text } };
}

function correction(orgId: string, n: number, merchant: string, to: string) {
  return {
    eventId: `ev_${n}`,
    orgId,
    type: 'manual_patch',
    occurredAt: new Date(Date.UTC(2025, 10, 29, 3, 0, n)).toISOString(),
    actor: { userId: `u_${n % 3}` },
    subjectIds: [`doc_${n}`],
    changeSet: { category: { to } },
    context: { merchant },
  };
}
