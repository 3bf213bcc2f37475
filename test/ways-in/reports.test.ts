/*
 * What users of other memory systems and learning ledgers ran into, by project and number. Those that a way in can show
 * are here; where another test stands for one, it is named.
 *
 * Duplicates and concurrency. mem0#6515, #1674, hindsight#2188: here and `faults.test.ts` ("two at once"). hindsight#3249:
 * here. odysseus#1940, duplicate webhooks: `promotion.simulation.test.ts`, `faults.test.ts` ("corrections").
 * Contradiction. mem0#4536, #5867, #5193, graphiti#1728, mem0#3966, letta#3397: here. memory-lancedb-pro#544: hints are
 * made at every call from what stands (`retrieve.test.ts`, "is gone from the very next call").
 * Delete and resurrect. mem0#6636, #5529, MemOS#1103, langgraph#3917, graphiti#1658, omi#11447, "clear memories":
 * `erase.test.ts`, `erase-and-transfer.test.ts`. cognee#3526, paperless-ngx#11475, opencode-supermemory#66,
 * openclaw#6774: here.
 * Isolation. mastra#21863, cognee#1023, memv#35, mem0#6287, crossing webhooks: `isolation.test.ts`; a notice names its
 * org: `test/aws/event-publisher.test.ts`.
 * Lists and text. mastra#19550, mem0#3751, #5752, hermes-agent#58323: here and `stores.contract.ts` (more than a megabyte).
 * opencode-supermemory#66, claude-supermemory#86, MEM-5746, vipune#92, hermes-agent#37421, memoria#216:
 * `bad-input.test.ts`. agentcore#480: the bar from both sides is in `promotion.test.ts`. agentcore#83, #572: votes of one
 * millisecond are ordered by their event ids (`stores.contract.ts`). langchain-aws#708: here. servers#3953:
 * `attacks.test.ts` ("a flood"). MemOS#1681: a workspace is what the token says and needs no making, so none is unknown.
 * Junk, cost, safety. mem0#4573: here. signetai#1319, agent-memory#162, magic-context#340: `faults.test.ts`
 * ("corrections"). openhuman#1539, lore#281, MemWhale#77, hermes-agent#44963: the review queue itself (`memories.test.ts`).
 * Accounting. actual#2515, #6571, sure#398, hcb#14202, actual#8768, bank2ynab#260, securo#575, actual#614,
 * firefly-iii#1549, actual#5403, #4846, paperless-ai#958, whisper-money#608: `learning-reports.test.ts`,
 * `merchant-key.test.ts`, `memories.test.ts`. odoo#39265: a tax id is not among what the service is told.
 *
 * The learning ledgers' reports are in `test/operations/learning-reports.test.ts` and `test/domain/merchant-key.test.ts`,
 * and these of them here: actual#7171, App#90-odd on scope and state, App#82936, erpnext#37299, erpnext#44416,
 * accounted#1608, actual#6486, MyMoney#148, moneymanagerex#7090, #2732. Not for this service: rules on amounts, tax
 * and account types (actual#4622), off-budget accounts, undo of a merge (#6108: nothing is merged, an alias is archived
 * by its id at any time), the order of an upstream's own rules (budget-board#545), re-running old documents
 * (App#84184: every hint names its memory, whoever applies it keeps the trace), similarity of payees (reckon#135,
 * MyExpenses#472: only equal keys meet), several truths of one payee (ledger-autosync#111: mixed, so nothing is proposed).
 */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Answered, type Handlers, rawCorrection, startHandlers } from '../support/handlers.ts';

vi.spyOn(console, 'warn').mockImplementation(() => undefined);
vi.spyOn(console, 'error').mockImplementation(() => undefined);

let handlers: Handlers;
let orgs = 0;
beforeAll(async () => {
  handlers = await startHandlers();
});
afterAll(() => handlers.stop());

const CHART = {
  accounts: [
    { id: '6120', name: 'Software', type: 'expense' },
    { id: '6130', name: 'Hosting', type: 'expense' },
    { id: '6999', name: 'Closed', type: 'expense', active: false },
  ],
};

async function freshOrg() {
  orgs += 1;
  const org = `org_reports_${orgs}`;
  const call = (method: string, target: string, body?: unknown, user = 'u_1'): Promise<Answered> =>
    handlers.call({ method, target, caller: { org, user }, ...(body !== undefined && { body }) });
  await call('PUT', '/v1/chart-of-accounts', CHART);
  return {
    org,
    call,
    save: async (body: unknown, user?: string) => {
      const { json } = await call('POST', '/v1/memories', body, user);
      return json as unknown as Saved;
    },
    list: async (query = '') => (await call('GET', `/v1/memories${query}`)).json as unknown as List,
    correct: (n: number, to: unknown, more: object = {}) =>
      handlers.deliver([rawCorrection(org, n, 'Vercel', to, more)]),
  };
}

interface Shown {
  readonly id: string;
  readonly version: number;
  readonly status: string;
  readonly createdAt: string;
  readonly dedupKey: string;
  readonly content: Record<string, unknown>;
  readonly history: readonly unknown[];
  readonly evidenceCount: number;
}
interface Saved {
  readonly memory: Shown;
  readonly outcome: string;
}
interface List {
  readonly items: readonly Shown[];
  readonly nextCursor?: string;
}

const category = (merchant: string, id = '6120') => ({
  kind: 'canonical_mapping',
  content: { mapping: 'category', merchant, account: { id } },
});
const labels = (merchant: string, ...of: string[]) => ({
  kind: 'canonical_mapping',
  content: { mapping: 'labels', merchant, labels: of },
});
const preference = (text: string, topic?: string) => ({
  kind: 'preference',
  scope: 'user',
  content: { text, ...(topic !== undefined && { topic }) },
});

describe('one thing said twice', () => {
  it('is one record and the same id, also from another channel and person (mem0#1674, hindsight#2188)', async () => {
    const org = await freshOrg();
    const web = await org.save(category('Vercel'));
    const phone = await org.save(category('VERCEL  Inc.'), 'u_2');
    expect([web.outcome, phone.outcome]).toEqual(['created', 'unchanged']);
    expect(phone.memory).toMatchObject({ id: web.memory.id, version: 1 });
    expect((await org.list()).items).toHaveLength(1);
  });

  it.each([
    ['pao de acucar', 'Pão de Açúcar'],
    ['Payee ', 'Payee'],
    ['EXAMPLE GOLF CLUB', 'Example Golf Club'],
    ['Acme  Store', 'Acme Store'],
    ['COFFEEHOUSE #1234', 'COFFEEHOUSE #04567'],
  ])(
    'is one merchant as %j and as %j (securo#39, moneymanagerex#7090, #2732, MyMoney#148, actual#8768)',
    async (one, other) => {
      const org = await freshOrg();
      const first = await org.save(labels(one, 'x'));
      expect((await org.save(labels(other, 'x'))).memory.id).toBe(first.memory.id);
    },
  );

  it('has no label twice (actual#6486)', async () => {
    const org = await freshOrg();
    expect((await org.call('POST', '/v1/memories', labels('Vercel', 'travel', 'Travel'))).status).toBe(400);
  });

  it('moves nothing but the subjects it names (hindsight#3249)', async () => {
    const org = await freshOrg();
    for (let n = 0; n < 3; n += 1) await org.correct(n, '6120');
    const touched = (await handlers.items(org.org)).filter(({ dedupKey }) => dedupKey !== undefined);
    expect(touched.map(({ dedupKey }) => dedupKey)).toEqual(['org/canonical_mapping/vercel/category']);
  });
});

describe('one thing said otherwise', () => {
  it('leaves exactly one that is active, the new one, and tells of the old (mem0#4536, #5867, #5193)', async () => {
    const org = await freshOrg();
    await org.save(category('Vercel', '6120'));
    const { outcome, memory } = await org.save(category('Vercel', '6130'));
    expect(outcome).toBe('replaced');
    expect((await org.list('?merchant=Vercel')).items).toMatchObject([
      { content: { account: { id: '6130' } } },
    ]);
    expect(memory.history).toMatchObject([
      { content: { account: { id: '6120' } } },
      { content: { account: { id: '6130' } } },
    ]);
  });

  it('touches no other subject, scope or person (graphiti#1728)', async () => {
    const org = await freshOrg();
    const others = [
      await org.save(labels('Vercel', 'x')),
      await org.save(category('Vercel Sky', '6120')),
      await org.save(preference('Totals first', 'style')),
      await org.save({ ...preference('Totals first', 'style'), scope: 'org' }),
    ];
    await org.save(category('Vercel', '6130'));
    await org.save(preference('Totals last', 'style'), 'u_2');
    for (const { memory } of others)
      expect((await org.call('GET', `/v1/memories/${memory.id}`)).json).toEqual(memory);
  });

  it('keeps when it was made, its evidence and its story (mem0#3966)', async () => {
    const org = await freshOrg();
    for (let n = 0; n < 4; n += 1) await org.correct(n, '6120');
    const [candidate] = (await org.list('?status=candidate')).items;
    const approved = await org.call('POST', `/v1/memories/${candidate?.id}/review`, {
      decision: 'approve',
      expectedVersion: candidate?.version,
    });
    expect(approved.json.memory).toMatchObject({ createdAt: candidate?.createdAt, evidenceCount: 4 });
    const archived = await org.call('POST', `/v1/memories/${candidate?.id}/archive`, {});
    expect(archived.json.memory).toMatchObject({
      createdAt: candidate?.createdAt,
      evidenceCount: 4,
      history: [{}, {}],
    });
  });

  it('gives an explicit word the last say over what was learned (actual#7171, paperless-ai#958)', async () => {
    const org = await freshOrg();
    for (let n = 0; n < 3; n += 1) await org.correct(n, '6120');
    const { outcome, memory } = await org.save(category('Vercel', '6130'));
    expect([outcome, memory.status]).toEqual(['activated', 'active']);
    expect(memory.content).toMatchObject({ account: { id: '6130' } });
  });
});

describe('what is gone', () => {
  it('is gone from list, context and hints at once, and stays (cognee#3526, App#82892)', async () => {
    const org = await freshOrg();
    const { memory } = await org.save(category('Vercel'));
    await org.call('POST', `/v1/memories/${memory.id}/archive`, {});
    for (let n = 0; n < 5; n += 1) await org.correct(n, '6120');
    expect((await org.list()).items).toEqual([]);
    expect((await org.list('?status=candidate')).items).toEqual([]);
    expect((await org.call('POST', '/v1/context', { merchants: ['Vercel'] })).text).not.toContain('6120');
    expect(await handlers.retrieve({ orgId: org.org, merchants: ['Vercel'] })).toMatchObject({
      normalizationHints: [],
    });
  });

  it('stays gone for labels too, which nothing learns (paperless-ngx#11475)', async () => {
    const org = await freshOrg();
    const { memory } = await org.save(labels('Vercel', 'old'));
    await org.call('POST', `/v1/memories/${memory.id}/archive`, {});
    for (let n = 0; n < 5; n += 1)
      await org.correct(n, '6120', { changeSet: { labels: { to: ['old'] }, tags: { to: 'old' } } });
    expect((await org.list('?merchant=Vercel')).items).toEqual([]);
    expect((await org.list('?merchant=Vercel&status=candidate')).items).toEqual([]);
  });

  it('as an account is kept, held back, and never booked elsewhere (actual#614, App#82936, accounted#1608)', async () => {
    const org = await freshOrg();
    expect((await org.call('POST', '/v1/memories', category('Vercel', '69999'))).status).toBe(422);
    expect((await org.call('POST', '/v1/memories', category('Vercel', '6999'))).status).toBe(422);
    await org.save(category('Vercel', '6130'));
    await org.call('PUT', '/v1/chart-of-accounts', { accounts: CHART.accounts.slice(0, 1) });
    expect((await org.list()).items).toMatchObject([
      { unresolvable: true, content: { account: { id: '6130' } } },
    ]);
    expect(await handlers.retrieve({ orgId: org.org, merchants: ['Vercel'] })).toMatchObject({
      normalizationHints: [],
    });
  });
});

describe('an id', () => {
  it('that any answer gives is taken by every route (opencode-supermemory#66, openclaw#6774, langchain-aws#708)', async () => {
    const org = await freshOrg();
    const { memory } = await org.save(category('Vercel'));
    await org.save(preference('Totals first'));
    const { json: context } = await org.call('POST', '/v1/context', { merchants: ['Vercel'] });
    const hints = (await handlers.retrieve({
      orgId: org.org,
      userId: 'u_1',
      merchants: ['Vercel'],
    })) as Record<string, unknown>;
    const notices = handlers.aws.notices.map(
      ({ Detail }) => JSON.parse(String(Detail)) as { orgId: string; memoryId: string },
    );
    const ids = new Set([
      memory.id,
      ...(context.memories as Shown[]).map(({ id }) => id),
      ...(await org.list()).items.map(({ id }) => id),
      ...[...JSON.stringify(hints).matchAll(/"memoryId":"([^"]+)"/g)].map(([, id = '']) => id),
      ...notices.filter(({ orgId }) => orgId === org.org).map(({ memoryId }) => memoryId),
    ]);
    expect(ids.size).toBe(2);
    for (const id of ids) {
      expect((await org.call('GET', `/v1/memories/${id}`)).status).toBe(200);
      expect((await org.call('GET', `/v1/memories/${id}/evidence`)).status).toBe(200);
      expect((await org.call('POST', `/v1/memories/${id}/archive`, {})).status).toBe(200);
      expect(
        (await org.call('POST', `/v1/memories/${id}/review`, { decision: 'restore', expectedVersion: 2 }))
          .status,
      ).toBe(200);
    }
  });

  it('is what a mapping stores, with the name beside it (erpnext#37299)', async () => {
    const org = await freshOrg();
    expect((await org.call('POST', '/v1/memories', category('Vercel', 'Software'))).status).toBe(422);
    expect((await org.save(category('Vercel', '6120'))).memory.content).toMatchObject({
      account: { id: '6120', name: 'Software' },
    });
  });
});

describe('a list', () => {
  it('gives everything by its cursors, newest first, and shows all that is rendered (mem0#3751, mastra#19550, letta#3397)', async () => {
    const org = await freshOrg();
    for (let n = 0; n < 23; n += 1) await org.save(labels(`Shop ${'abcdefghijklmnopqrstuvw'[n]}x`, 'x'));
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await org.list(`?limit=5${cursor === undefined ? '' : `&cursor=${cursor}`}`);
      expect(page.items.length).toBeLessThanOrEqual(5);
      seen.push(...page.items.map(({ id }) => id));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect(seen).toHaveLength(23);
    expect(new Set(seen).size).toBe(23);
    const { json } = await org.call('POST', '/v1/context', { maxChars: 32_000 });
    for (const { id } of json.memories as Shown[]) expect(seen).toContain(id);
  });
});

describe('junk', () => {
  it('that is a rendered hint said back is no new memory and no new evidence (mem0#4573)', async () => {
    const org = await freshOrg();
    for (let n = 0; n < 3; n += 1) await org.correct(n, '6120');
    const [candidate] = (await org.list('?status=candidate')).items;
    await org.call('POST', `/v1/memories/${candidate?.id}/review`, {
      decision: 'approve',
      expectedVersion: candidate?.version,
    });
    const before = (await org.call('GET', `/v1/memories/${candidate?.id}`)).json;
    for (let n = 10; n < 15; n += 1) await org.correct(n, '6120', { causedBy: [candidate?.id] });
    expect((await org.call('GET', `/v1/memories/${candidate?.id}`)).json).toEqual(before);
    await org.save(preference('Totals first'));
    await org.save(preference('  totals FIRST '));
    expect((await org.list('?kind=preference')).items).toHaveLength(1);
  });

  it('in one event holds up no document beside it (erpnext#44416)', async () => {
    const org = await freshOrg();
    const good = [0, 1, 2].map((n) => ({
      eventId: `ev_${n}`,
      orgId: org.org,
      type: 'manual_patch',
      occurredAt: '2025-11-29T03:00:00Z',
      actor: { userId: 'u_1' },
      subjectIds: [`doc_${n}`],
      changeSet: { category: { to: '6120' } },
      context: { merchant: 'Vercel' },
    }));
    expect(
      await handlers.deliver([good[0], { ...good[1], context: { merchant: 7 } }, null, good[1], good[2]]),
    ).toEqual([]);
    expect(handlers.aws.parked.splice(0)).toHaveLength(2);
    expect((await org.list('?status=candidate')).items).toMatchObject([{ evidenceCount: 3 }]);
  });
});
