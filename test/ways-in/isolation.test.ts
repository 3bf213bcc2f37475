/*
 * One workspace never meets another, nor a person another person's own. What would have to be wrong for that is tried
 * through every way in; and any run of commands of one org is answered alike, byte for byte, whatever another org does
 * beside it on the same warm functions.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { DedupKey } from '../../lib/domain/ids.ts';
import { encodeCursor } from '../../lib/operations/cursor.ts';
import { ALL_SCOPES, type Answered, type Handlers, startHandlers } from '../support/handlers.ts';

vi.spyOn(console, 'warn').mockImplementation(() => undefined);

const SECRET = 'Quokka';
const START = Date.UTC(2026, 10, 30, 3);
let handlers: Handlers;
beforeAll(async () => {
  // Before the functions are loaded: one of them keeps the clock it finds then.
  vi.useFakeTimers({ toFake: ['Date'], now: START });
  handlers = await startHandlers();
});
afterAll(async () => {
  vi.useRealTimers();
  await handlers.stop();
});

interface Who {
  readonly org: string;
  readonly user: string;
}
const A1: Who = { org: 'org_a', user: 'u_1' };
const A2: Who = { org: 'org_a', user: 'u_2' };
const B1: Who = { org: 'org_b', user: 'u_1' };

const call = (caller: Who, method: string, target: string, body?: unknown): Promise<Answered> =>
  handlers.call({ method, target, caller, ...(body !== undefined && { body }) });
const saved = async (caller: Who, body: unknown): Promise<string> => {
  const { json } = await call(caller, 'POST', '/v1/memories', body);
  return (json.memory as { id: string }).id;
};
const bytes = ({ status, headers, text, json }: Answered) => ({
  status,
  headers,
  text: text.replace(String(json.requestId), 'request'),
});

const CHART = {
  accounts: [
    { id: '6120', name: `Software ${SECRET}`, type: 'expense' },
    { id: '6300', name: 'Travel', type: 'expense' },
  ],
};
const category = (merchant: string, id = '6120') => ({
  kind: 'canonical_mapping',
  content: { mapping: 'category', merchant, account: { id } },
});
const labels = (merchant: string, label = SECRET) => ({
  kind: 'canonical_mapping',
  content: { mapping: 'labels', merchant, labels: [label] },
});
const preference = (scope: string, text: string, documentId?: string) => ({
  kind: 'preference',
  scope,
  content: { text },
  ...(documentId !== undefined && { documentId }),
});
const correction = (orgId: string, n: number, merchant: string, to: string, more: object = {}) => ({
  eventId: `ev_${n}`,
  orgId,
  type: 'manual_patch',
  occurredAt: new Date(Date.UTC(2026, 10, 1, 0, 0, n)).toISOString(),
  actor: { userId: 'u_1' },
  subjectIds: [`doc_${n}`],
  changeSet: { category: { to } },
  context: { merchant },
  ...more,
});

describe('what is of another', () => {
  const ids: Record<'mapping' | 'document' | 'own' | 'candidate', string> = {
    mapping: '',
    document: '',
    own: '',
    candidate: '',
  };
  let before: readonly unknown[] = [];

  beforeAll(async () => {
    await call(A1, 'PUT', '/v1/chart-of-accounts', CHART);
    ids.mapping = await saved(A1, labels('Vercel'));
    await saved(A1, category('Vercel'));
    await saved(A1, preference('org', `Everybody ${SECRET}`));
    ids.document = await saved(A1, preference('document', `Of this document ${SECRET}`, 'doc_1'));
    ids.own = await saved(A1, preference('user', `Mine alone ${SECRET}`));
    await handlers.deliver([1, 2, 3].map((n) => correction('org_a', n, 'Uber', '6120')));
    const { json } = await call(A1, 'GET', '/v1/memories?status=candidate');
    ids.candidate = (json.items as { id: string }[])[0]?.id ?? '';
    before = await handlers.items('org_a');
  });

  const UNKNOWN = 'b3JnL2Nhbm9uaWNhbF9tYXBwaW5nL25vYm9keS9sYWJlbHMAAAAAAAAAAAAAAAA';
  const routes = (id: string): readonly [string, string, unknown?][] => [
    ['GET', `/v1/memories/${id}`],
    ['GET', `/v1/memories/${id}/evidence`],
    ['POST', `/v1/memories/${id}/archive`, {}],
    ['POST', `/v1/memories/${id}/archive`, { expectedVersion: 1 }],
    ['POST', `/v1/memories/${id}/review`, { decision: 'approve', expectedVersion: 1 }],
    ['POST', `/v1/memories/${id}/review`, { decision: 'reject', expectedVersion: 9 }],
    ['POST', `/v1/memories/${id}/review`, { decision: 'restore', expectedVersion: 1 }],
  ];

  it.each([
    ['another workspace', B1, ['mapping', 'document', 'own', 'candidate'] as const],
    ['another person of the workspace', A2, ['own'] as const],
  ])('has, for %s, the same 404 as what is unknown', async (_, caller, kinds) => {
    for (const kind of kinds) {
      for (const [at, [method, target, body]] of routes(ids[kind]).entries()) {
        const foreign = await call(caller, method, target, body);
        const [unknownMethod = '', unknownTarget = '', unknownBody] = routes(UNKNOWN)[at] ?? [];
        const unknown = await call(caller, unknownMethod, unknownTarget, unknownBody);
        expect(foreign.status, `${kind} ${method} ${target}`).toBe(404);
        expect(bytes(foreign)).toEqual(bytes(unknown));
      }
    }
    expect(await handlers.items('org_a')).toEqual(before);
  });

  it('is in no answer, whatever the other asks for', async () => {
    const questions: readonly [Who, string, string, unknown?][] = [
      ...['active', 'candidate', 'rejected', 'archived'].map(
        (status) => [B1, 'GET', `/v1/memories?status=${status}`] as [Who, string, string],
      ),
      [B1, 'GET', '/v1/memories?merchant=Vercel'],
      [B1, 'GET', '/v1/memories?documentId=doc_1'],
      [B1, 'GET', '/v1/memories?scope=user'],
      [B1, 'GET', '/v1/evidence?merchant=Uber'],
      [B1, 'POST', '/v1/context', { merchants: ['Vercel', 'Uber'], documentId: 'doc_1' }],
      [B1, 'POST', '/v1/context', {}],
      [B1, 'GET', '/v1/chart-of-accounts'],
      [B1, 'GET', '/v1/chart-of-accounts/resolve?query=software'],
      [B1, 'POST', '/v1/memories', category('Vercel')],
    ];
    for (const [caller, method, target, body] of questions) {
      const { text } = await call(caller, method, target, body);
      expect(text, target).not.toContain(SECRET);
      expect(text, target).not.toMatch(/doc_[123]\b|ev_[123]\b|org_a/);
    }
    const hints = await handlers.retrieve({
      orgId: 'org_b',
      userId: 'u_1',
      documentId: 'doc_1',
      merchants: ['Vercel', 'Uber'],
    });
    expect(hints).toMatchObject({
      promptHints: [],
      routingHints: [],
      entityHints: [],
      normalizationHints: [],
    });
  });

  it("of a person is in no other person's list, context or hints, and with nobody named in none", async () => {
    for (const target of ['/v1/memories', '/v1/memories?scope=user', '/v1/memories?kind=preference'])
      expect((await call(A2, 'GET', target)).text).not.toContain('Mine alone');
    expect((await call(A2, 'POST', '/v1/context', { documentId: 'doc_1' })).text).not.toContain('Mine alone');
    for (const userId of ['u_2', undefined]) {
      const hints = await handlers.retrieve({ orgId: 'org_a', ...(userId !== undefined && { userId }) });
      expect(JSON.stringify(hints)).not.toContain('Mine alone');
    }
    expect((await call(A1, 'POST', '/v1/context', {})).text).toContain('Mine alone');
  });

  it('of a document is of that document only', async () => {
    const told = async (body: object) => (await call(A2, 'POST', '/v1/context', body)).text;
    expect(await told({ documentId: 'doc_1' })).toContain('Of this document');
    expect(await told({ documentId: 'doc_2' })).not.toContain('Of this document');
    expect(await told({})).not.toContain('Of this document');
  });

  it('stays as it is when the other saves, archives and corrects the same', async () => {
    const own = await saved(B1, labels('Vercel', 'mine'));
    expect(own).not.toBe(ids.mapping);
    await call(B1, 'PUT', '/v1/chart-of-accounts', {
      accounts: [{ id: '6120', name: 'B', type: 'expense' }],
    });
    await call(B1, 'POST', `/v1/memories/${own}/archive`, {});
    // The same event ids, documents and merchant, and a cause that is the other's memory.
    await handlers.deliver(
      [1, 2, 3, 4].map((n) => correction('org_b', n, 'Uber', '6120', { causedBy: [ids.candidate] })),
    );
    expect(await handlers.items('org_a')).toEqual(before);
    const { json } = await call(B1, 'GET', '/v1/memories?status=candidate');
    expect(json.items).toMatchObject([{ orgId: 'org_b', evidenceCount: 4 }]);
    await handlers.clear('org_b');
  });

  it('is not reached by a cursor: each is for its org, person, filter and no other', async () => {
    const { json } = await call(A1, 'GET', '/v1/memories?limit=1');
    const cursor = String(json.nextCursor);
    const refused = await call(A1, 'GET', '/v1/memories?cursor=AAAA');
    expect((await call(A1, 'GET', `/v1/memories?limit=1&cursor=${cursor}`)).status).toBe(200);
    const elsewhere: readonly [Who, string][] = [
      [B1, '/v1/memories?'],
      [A2, '/v1/memories?'],
      [A1, '/v1/memories?status=archived&'],
      [A1, '/v1/memories?scope=org&'],
      [A1, '/v1/memories?kind=preference&'],
      [A1, '/v1/memories?merchant=Vercel&'],
      [A1, '/v1/memories?documentId=doc_1&'],
    ];
    for (const [caller, target] of elsewhere) {
      const answer = await call(caller, 'GET', `${target}cursor=${cursor}`);
      expect(bytes(answer), target).toEqual(bytes(refused));
    }
    for (let at = 0; at < cursor.length; at += 7) {
      const other = cursor[at] === 'A' ? 'B' : 'A';
      const forged = cursor.slice(0, at) + other + cursor.slice(at + 1);
      expect((await call(A1, 'GET', `/v1/memories?cursor=${forged}`)).status).toBe(400);
    }
  });

  it('is not reached by a cursor that somebody sealed who knows how', async () => {
    const audience = JSON.stringify(['memories.list', 'org_b', 'u_1', { status: 'active' }]);
    const keys = [
      'user/u_2/x',
      'org_a',
      '\u0000',
      '\uffff'.repeat(500),
      '../org_a',
      "' OR 1=1",
      '0',
      'user/u_1/active/',
    ];
    for (const key of keys) {
      for (const updatedAt of [0, 1, 9_999_999_999_999, 999_999_999_999_999]) {
        const cursor = encodeCursor({ updatedAt, dedupKey: DedupKey.parse(key) }, audience);
        const answer = await call(B1, 'GET', `/v1/memories?cursor=${cursor}`);
        expect([200, 400]).toContain(answer.status);
        expect(answer.text).not.toContain(SECRET);
      }
    }
  });

  it('is not reached without the scope for it', async () => {
    const withScope = (scope: string, method: string, target: string, body?: unknown) =>
      handlers.call({ method, target, caller: { ...A1, scope }, ...(body !== undefined && { body }) });
    const none = ALL_SCOPES.replaceAll(':', '.');
    expect((await withScope(none, 'GET', `/v1/memories/${ids.mapping}`)).status).toBe(403);
    expect((await withScope('memories:read', 'POST', `/v1/memories/${ids.mapping}/archive`, {})).status).toBe(
      403,
    );
    const review = { decision: 'approve', expectedVersion: 1 };
    expect(
      (
        await withScope(
          'memories:read memories:write',
          'POST',
          `/v1/memories/${ids.candidate}/review`,
          review,
        )
      ).status,
    ).toBe(403);
    expect((await withScope('memories:write', 'POST', '/v1/memories', preference('org', 'x'))).status).toBe(
      403,
    );
    expect(await handlers.items('org_a')).toEqual(before);
  });

  it('leaves nothing in a warm function for the next', async () => {
    for (const caller of [A1, { org: 'org_c', user: 'u_1' }, A1, { org: 'org_c', user: 'u_9' }]) {
      const answers = await Promise.all([
        call(caller, 'GET', '/v1/memories'),
        call(caller, 'POST', '/v1/context', { merchants: ['Vercel'], documentId: 'doc_1' }),
        call(caller, 'GET', '/v1/chart-of-accounts'),
        call(caller, 'GET', '/v1/evidence?merchant=Uber'),
      ]);
      const text =
        answers.map((answer) => answer.text).join() +
        JSON.stringify(await handlers.retrieve({ orgId: caller.org }));
      expect(text.includes(SECRET)).toBe(caller.org === 'org_a');
    }
  });
});

describe('commands of one org', () => {
  /** Indexes are into the ids the org has seen so far. */
  type Command =
    | { readonly do: 'call'; readonly method: string; readonly target: string; readonly body?: unknown }
    | {
        readonly do: 'on';
        readonly memory: number;
        readonly method: string;
        readonly rest: string;
        readonly body?: unknown;
      }
    | { readonly do: 'next'; readonly target: string }
    | { readonly do: 'correct'; readonly n: number; readonly merchant: string; readonly to: string }
    | { readonly do: 'hints'; readonly merchants: readonly string[] };

  const merchant = fc.constantFrom('Vercel', 'Uber', 'Figma');
  const account = fc.constantFrom('6120', '6300');
  const version = fc.integer({ min: 0, max: 3 });
  const get = (target: string): Command => ({ do: 'call', method: 'GET', target });
  const post = (target: string, body: unknown): Command => ({ do: 'call', method: 'POST', target, body });
  const command: fc.Arbitrary<Command> = fc.oneof(
    fc.tuple(merchant, account).map(([name, id]) => post('/v1/memories', category(name, id))),
    merchant.map((name) => post('/v1/memories', labels(name))),
    fc
      .tuple(fc.constantFrom('user', 'org', 'document'), fc.constantFrom('Short', 'Long'))
      .map(([scope, text]) =>
        post('/v1/memories', preference(scope, text, scope === 'document' ? 'doc_1' : undefined)),
      ),
    fc.constant<Command>({ do: 'call', method: 'PUT', target: '/v1/chart-of-accounts', body: CHART }),
    fc
      .constantFrom(
        '',
        '?status=candidate',
        '?status=archived',
        '?merchant=Uber',
        '?documentId=doc_1',
        '?limit=1',
      )
      .map((query) => get(`/v1/memories${query}`)),
    merchant.map((name) => get(`/v1/evidence?merchant=${name}`)),
    fc.constant<Command>({ do: 'next', target: '/v1/memories?limit=1' }),
    fc.tuple(fc.nat(5), version).map(
      ([memory, expectedVersion]): Command => ({
        do: 'on',
        memory,
        method: 'POST',
        rest: '/archive',
        body: { expectedVersion },
      }),
    ),
    fc.tuple(fc.nat(5), version, fc.constantFrom('approve', 'reject', 'restore')).map(
      ([memory, expectedVersion, decision]): Command => ({
        do: 'on',
        memory,
        method: 'POST',
        rest: '/review',
        body: { decision, expectedVersion },
      }),
    ),
    fc
      .tuple(fc.nat(5), fc.constantFrom('', '/evidence'))
      .map(([memory, rest]): Command => ({ do: 'on', memory, method: 'GET', rest })),
    fc
      .constantFrom({}, { merchants: ['Uber'] }, { documentId: 'doc_1' })
      .map((body) => post('/v1/context', body)),
    fc
      .tuple(fc.integer({ min: 1, max: 12 }), merchant, account)
      .map(([n, name, to]): Command => ({ do: 'correct', n, merchant: name, to })),
    merchant.map((name): Command => ({ do: 'hints', merchants: [name] })),
  );

  /** Runs them, each at its own moment; between them whatever the other org does. */
  async function answersTo(
    commands: readonly Command[],
    who: Who,
    between?: (n: number) => Promise<unknown>,
  ) {
    const answers: unknown[] = [];
    const ids: string[] = [];
    let cursor: unknown;
    for (const [n, one] of commands.entries()) {
      await between?.(n);
      vi.setSystemTime(START + n * 1000);
      const answer = await answerTo(one);
      const text = typeof answer === 'string' ? answer : JSON.stringify(bytes(answer));
      for (const [, id = ''] of text.matchAll(/\\?"id\\?":\\?"([A-Za-z0-9_-]{17,})/g))
        if (!ids.includes(id)) ids.push(id);
      if (typeof answer !== 'string') cursor = answer.json.nextCursor ?? cursor;
      answers.push(text);
    }
    return answers;

    async function answerTo(one: Command): Promise<Answered | string> {
      switch (one.do) {
        case 'call':
          return call(who, one.method, one.target, one.body);
        case 'on':
          return call(who, one.method, `/v1/memories/${ids[one.memory] ?? 'none'}${one.rest}`, one.body);
        case 'next':
          return call(who, 'GET', cursor === undefined ? one.target : `${one.target}&cursor=${cursor}`);
        case 'correct':
          return JSON.stringify(await handlers.deliver([correction(who.org, one.n, one.merchant, one.to)]));
        case 'hints':
          return JSON.stringify(
            await handlers.retrieve({ orgId: who.org, userId: who.user, merchants: one.merchants }),
          );
      }
    }
  }

  it('are answered with the same bytes with and without another org beside it', async () => {
    const prelude: readonly Command[] = [
      { do: 'call', method: 'PUT', target: '/v1/chart-of-accounts', body: CHART },
      ...[1, 2, 3].map((n): Command => ({ do: 'correct', n, merchant: 'Uber', to: '6300' })),
      get('/v1/memories?status=candidate'),
    ];
    await fc.assert(
      fc.asyncProperty(
        fc.array(command, { minLength: 4, maxLength: 14 }),
        fc.array(command, { minLength: 4, maxLength: 14 }),
        async (own, others) => {
          const commands = [...prelude, ...own];
          for (const org of ['org_d', 'org_e']) await handlers.clear(org);
          const alone = await answersTo(commands, { org: 'org_d', user: 'u_1' });
          const items = comparable(await handlers.items('org_d'));
          await handlers.clear('org_d');
          const beside = await answersTo(commands, { org: 'org_d', user: 'u_1' }, (n) =>
            answersTo([...prelude, ...others].slice(n, n + 2), { org: 'org_e', user: 'u_1' }),
          );
          expect(beside).toEqual(alone);
          expect(comparable(await handlers.items('org_d'))).toEqual(items);
        },
      ),
      { numRuns: 8, seed: Number(process.env.SEED ?? 7), endOnFailure: true },
    );
  });

  /** A write has a token of its own, and so has a set of accounts; nothing else differs. */
  const comparable = (items: readonly Readonly<Record<string, unknown>>[]) =>
    items.filter(({ part }) => part === undefined).map(({ writeToken: _, ...item }) => item);
});
