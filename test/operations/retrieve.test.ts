import { describe, expect, it } from 'vitest';
import { memoryIdOf } from '../../lib/domain/dedup-key.ts';
import { MemoryError } from '../../lib/domain/errors.ts';
import { OrgId, UserId } from '../../lib/domain/ids.ts';
import type { MemoryBody } from '../../lib/domain/memory.ts';
import { ContextRequest, HintsRequest } from '../../lib/domain/requests.ts';
import type { StoredMemory } from '../../lib/domain/stored-memory.ts';
import { assistantContext, retrieveHints } from '../../lib/operations/retrieve.ts';
import {
  account,
  categoryBody,
  decided,
  MOMENT,
  ORG,
  preferenceBody,
  storedMemory,
  USER,
} from '../support/builders.ts';
import { type Hooks, inMemoryState, inMemoryStores, type Operation } from '../support/in-memory-stores.ts';

const CHART = {
  accounts: [account(), account({ id: '6300', name: 'Travel' }), account({ id: '6400', name: 'Meals' })],
};

const aliasBody = (merchant: string, canonicalName: string): MemoryBody => ({
  kind: 'canonical_mapping',
  content: { mapping: 'merchant_name', merchant, canonicalName },
});
const workflowBody = (content: Extract<MemoryBody, { kind: 'workflow_hint' }>['content']): MemoryBody => ({
  kind: 'workflow_hint',
  content,
});
const idOf = (memory: StoredMemory) => memoryIdOf(memory.orgId, memory.dedupKey);

async function world(
  items: readonly StoredMemory[],
  { chart = true, hooks = {} }: { chart?: boolean; hooks?: Hooks } = {},
) {
  const state = inMemoryState();
  const writer = inMemoryStores(state, ORG);
  if (chart) await writer.accounts.replace(CHART, MOMENT);
  for (const item of items) await writer.memories.put({ ...item, rev: 1 }, 0);
  const calls: { readonly operation: Operation; readonly args: readonly unknown[] }[] = [];
  const stores = inMemoryStores(state, ORG, {
    ...hooks,
    before: async (operation, args) => {
      calls.push({ operation, args });
      await hooks.before?.(operation, args);
    },
  });
  return {
    state,
    calls,
    writer,
    hints: (request: Record<string, unknown> = {}) =>
      retrieveHints(stores, HintsRequest.parse({ orgId: ORG, ...request })),
    context: async (request: Record<string, unknown> = {}, userId = USER) => {
      const answer = await assistantContext(stores, { userId }, ContextRequest.parse(request));
      if ('unchanged' in answer) throw new Error('unchanged');
      return answer;
    },
    ask: (request: Record<string, unknown>) =>
      assistantContext(stores, { userId: USER }, ContextRequest.parse(request)),
  };
}

const counts = (calls: readonly { readonly operation: Operation }[]) => {
  const made: Partial<Record<Operation, number>> = {};
  for (const { operation } of calls) made[operation] = (made[operation] ?? 0) + 1;
  return made;
};

const VERCEL = storedMemory({ body: categoryBody('Vercel', '6120') });
const UBER = storedMemory({ body: categoryBody('Uber', '6300') });
const ALIAS = storedMemory({ body: aliasBody('VERCEL SF', 'Vercel') });
const TOTALS = storedMemory({ body: preferenceBody('Show totals in euros.') });

describe('hints for the merchants named', () => {
  it('are theirs and nobody else’s', async () => {
    const { hints } = await world([VERCEL, UBER, TOTALS]);
    const { normalizationHints, promptHints } = await hints({ merchants: ['VERCEL', 'POS 1234'] });
    expect(normalizationHints).toEqual([
      {
        field: 'category',
        merchantKey: 'vercel',
        account: { id: '6120', name: 'Software subscriptions' },
        memoryId: idOf(VERCEL),
      },
    ]);
    expect(promptHints.map(({ memoryId }) => memoryId)).toEqual([idOf(TOTALS)]);
  });

  it('come through an alias under the key of the merchant as printed', async () => {
    const { hints } = await world([VERCEL, ALIAS]);
    const { normalizationHints, entityHints } = await hints({ merchants: ['Vercel SF'] });
    expect(entityHints).toEqual([
      { type: 'merchant', merchantKey: 'vercelsf', canonicalName: 'Vercel', memoryId: idOf(ALIAS) },
    ]);
    expect(normalizationHints).toEqual([
      expect.objectContaining({ merchantKey: 'vercelsf', memoryId: idOf(VERCEL) }),
    ]);
  });

  it('prefer what is known under the printed name, mapping by mapping', async () => {
    const own = storedMemory({ body: categoryBody('VERCEL SF', '6400') });
    const labels = storedMemory({
      body: {
        kind: 'canonical_mapping',
        content: { mapping: 'labels', merchant: 'Vercel', labels: ['cloud'] },
      },
    });
    const { hints } = await world([VERCEL, ALIAS, own, labels]);
    const { normalizationHints } = await hints({ merchants: ['Vercel SF'] });
    expect(normalizationHints.map(({ field, memoryId }) => [field, memoryId])).toEqual([
      ['labels', idOf(labels)],
      ['category', idOf(own)],
    ]);
  });

  it('fall back to the canonical name where their own account is dead', async () => {
    const own = storedMemory({ body: categoryBody('VERCEL SF', '9999') });
    const { hints } = await world([VERCEL, ALIAS, own]);
    expect(
      (await hints({ merchants: ['Vercel SF'] })).normalizationHints.map(({ memoryId }) => memoryId),
    ).toEqual([idOf(VERCEL)]);
  });

  it('follow an alias once, never back and never in a circle', async () => {
    const { hints, calls } = await world([
      VERCEL,
      ALIAS,
      storedMemory({ body: aliasBody('Vercel', 'Zeit') }),
      storedMemory({ body: aliasBody('Zeit', 'Vercel SF') }),
      storedMemory({ body: categoryBody('Zeit', '6300') }),
    ]);
    const { normalizationHints, entityHints } = await hints({ merchants: ['Vercel SF'] });
    expect(entityHints.map(({ canonicalName }) => canonicalName)).toEqual(['Vercel']);
    expect(normalizationHints.map(({ memoryId }) => memoryId)).toEqual([idOf(VERCEL)]);
    expect(counts(calls)).toEqual({ 'memories.range': 3, 'accounts.find': 1 });
  });

  it('do not follow an alias that awaits review or was archived', async () => {
    for (const decision of [{ decided: null, derived: {} }, { decided: { status: 'archived' as const } }]) {
      const { hints } = await world([
        VERCEL,
        storedMemory({ body: aliasBody('VERCEL SF', 'Vercel'), ...decision }),
      ]);
      const { normalizationHints, entityHints } = await hints({ merchants: ['Vercel SF'] });
      expect([...normalizationHints, ...entityHints]).toEqual([]);
    }
  });

  it('cost two rounds of calls, three through an alias, however many memories there are', async () => {
    const others = Array.from({ length: 3000 }, (_, n) =>
      storedMemory({
        body: categoryBody(
          `Shop ${'abcdefghij'[n % 10]}${'klmnopqrst'[Math.floor(n / 10) % 10]} x${n}`,
          '6400',
        ),
      }),
    );
    const small = await world([VERCEL, TOTALS]);
    const large = await world([VERCEL, TOTALS, ...others]);
    const answers = await Promise.all([small, large].map(({ hints }) => hints({ merchants: ['Vercel'] })));
    expect(answers[0]).toEqual(answers[1]);
    expect(counts(large.calls)).toEqual({ 'memories.range': 2, 'accounts.find': 1 });
    expect(counts(small.calls)).toEqual(counts(large.calls));
  });

  it('look accounts up once for all merchants, and not at all where none is named', async () => {
    const { hints, calls } = await world([VERCEL, UBER, ALIAS]);
    await hints({ merchants: ['Vercel', 'Uber', 'VERCEL SF', 'Uber'] });
    expect(counts(calls)).toEqual({ 'memories.range': 4, 'accounts.find': 1 });
    calls.length = 0;
    await hints({});
    expect(counts(calls)).toEqual({ 'memories.range': 1 });
  });

  it('start every independent read before any has answered', async () => {
    let release = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { hints, calls } = await world([VERCEL, UBER], { hooks: { before: () => gate } });
    const answer = hints({ merchants: ['Vercel', 'Uber'], userId: USER, documentId: 'doc_1' });
    await new Promise((resolve) => setImmediate(resolve));
    expect(counts(calls)).toEqual({ 'memories.range': 5 });
    release();
    expect((await answer).normalizationHints).toHaveLength(2);
  });
});

describe('what is never retrieved', () => {
  const dead = storedMemory({ body: categoryBody('Dead', '9999') });
  const archived = storedMemory({ body: preferenceBody('archived'), decided: { status: 'archived' } });
  const candidate = storedMemory({ body: categoryBody('Cand', '6120'), decided: null, derived: {} });
  const theirs = storedMemory({
    owner: { scope: 'user', userId: UserId.parse('u_2') },
    body: preferenceBody('theirs'),
  });
  const elsewhere = storedMemory({
    owner: { scope: 'document', documentId: 'doc_2' as never },
    body: preferenceBody('elsewhere'),
  });
  const hidden = [dead, archived, candidate, theirs, elsewhere];

  it('is a dead account, an archived memory, a candidate, and what belongs to another', async () => {
    const { hints, context } = await world(hidden);
    const request = { merchants: ['Dead', 'Cand'], documentId: 'doc_1' };
    for (const answer of [
      await hints({ ...request, userId: USER }),
      await hints(request),
      await context(request),
      await context(),
    ]) {
      for (const memory of hidden) expect(JSON.stringify(answer)).not.toContain(idOf(memory));
    }
  });

  it('is any category where no chart is loaded', async () => {
    const { hints, context } = await world([VERCEL], { chart: false });
    expect((await hints({ merchants: ['Vercel'] })).normalizationHints).toEqual([]);
    expect((await context()).memories).toEqual([]);
  });

  it('is gone from the very next call', async () => {
    const { hints, context, writer } = await world([VERCEL]);
    expect((await hints({ merchants: ['Vercel'] })).normalizationHints).toHaveLength(1);
    await writer.accounts.replace({ accounts: [account({ active: false })] }, MOMENT + 1);
    expect((await hints({ merchants: ['Vercel'] })).normalizationHints).toEqual([]);
    expect((await context({ merchants: ['Vercel'] })).memories).toEqual([]);
    expect((await context()).memories).toEqual([]);
  });

  it('is a value that was turned down or only proposed, though the record carries it', async () => {
    const replaced = storedMemory({
      body: categoryBody('Vercel', '6120'),
      derived: { content: categoryBody('Vercel', '6300').content },
      history: [
        {
          at: '2026-11-30T03:00:00.000Z',
          by: USER,
          action: 'saved',
          content: categoryBody('Vercel', '6400').content,
        },
      ],
    });
    const { context } = await world([replaced]);
    const answer = JSON.stringify(await context({ merchants: ['Vercel'] }));
    expect(answer).toContain('6120');
    expect(answer).not.toContain('6300');
    expect(answer).not.toContain('6400');
  });

  it('is pushed out by a flood of candidates of another kind or of its own', async () => {
    const flood = Array.from({ length: 1200 }, (_, n) =>
      storedMemory({
        body: { kind: 'integration_preference', content: { capability: `a${n}`, integration: 'x' } },
        decided: null,
        derived: {},
      }),
    );
    const hintFlood = Array.from({ length: 700 }, (_, n) =>
      storedMemory({
        body: workflowBody({ hint: 'preview_first', capability: `a${n}` }),
        decided: null,
        derived: {},
      }),
    );
    const last = storedMemory({ body: workflowBody({ hint: 'ask_before_sending', capability: 'z' }) });
    const first = storedMemory({
      body: { kind: 'integration_preference', content: { capability: 'zz', integration: 'xero' } },
    });
    const { hints, context } = await world([...flood, ...hintFlood, TOTALS, last, first]);
    const { promptHints, normalizationHints, truncated } = await hints();
    expect(promptHints.map(({ memoryId }) => memoryId)).toEqual([idOf(TOTALS), idOf(last)]);
    expect(normalizationHints.map(({ memoryId }) => memoryId)).toEqual([idOf(first)]);
    expect(truncated).toBe(false);
    expect((await context()).memories).toHaveLength(3);
  });

  it('is anything of an org that the stores are not bound to', async () => {
    const { hints } = await world([VERCEL]);
    await expect(hints({ orgId: OrgId.parse('org_2') })).rejects.toThrow(/another org/);
  });
});

describe('context', () => {
  it('has the org’s, the caller’s and the document’s, and the merchants’ own mappings', async () => {
    const mine = storedMemory({ owner: { scope: 'user', userId: USER }, body: preferenceBody('Be brief.') });
    const document = storedMemory({
      owner: { scope: 'document', documentId: 'doc_1' as never },
      body: preferenceBody('Split the tip.'),
    });
    const { context } = await world([mine, document, TOTALS, VERCEL, UBER]);
    const answer = await context({ merchants: ['Vercel'], documentId: 'doc_1' });
    expect(answer.memories.map(({ id }) => id)).toEqual([document, VERCEL, TOTALS, mine].map(idOf));
    expect(answer.text.split('\n')).toHaveLength(6);
    expect(answer.truncated).toBe(false);
    expect((await context({}, UserId.parse('u_3'))).memories.map(({ id }) => id)).toEqual(
      [UBER, VERCEL, TOTALS].map(idOf),
    );
  });

  it('answers unchanged, and nothing else, to one who holds the snapshot', async () => {
    const { context, ask, writer } = await world([VERCEL, TOTALS]);
    const { snapshot } = await context();
    expect(await ask({ knownSnapshot: snapshot })).toEqual({ unchanged: true, snapshot });
    expect(await ask({ knownSnapshot: 'other' })).toMatchObject({ snapshot });
    const stored = await writer.memories.get(TOTALS.dedupKey);
    if (stored === undefined) throw new Error('not stored');
    await writer.memories.put({ ...stored, support: 5, rev: 2 }, 1);
    expect(await ask({ knownSnapshot: snapshot })).toEqual({ unchanged: true, snapshot });
    await writer.memories.put(
      { ...stored, decided: decided({ status: 'archived', content: preferenceBody().content }), rev: 3 },
      2,
    );
    const next = await context({ knownSnapshot: snapshot });
    expect(next.snapshot).not.toBe(snapshot);
  });

  it('without merchants takes the most recently changed mappings that fit, active ones only', async () => {
    const many = Array.from({ length: 300 }, (_, n) =>
      storedMemory({
        body: categoryBody(
          `Shop q${String.fromCharCode(97 + (n % 26))}x${String.fromCharCode(97 + Math.floor(n / 26))}`,
          n % 3 === 0 ? '9999' : '6400',
        ),
        updatedAt: MOMENT + n,
      }),
    );
    const { context, calls } = await world([...many, TOTALS]);
    const { memories, text, truncated } = await context();
    expect(truncated).toBe(true);
    expect(text.length).toBeLessThanOrEqual(4000);
    expect(text.length).toBeGreaterThan(3900);
    const live = many.filter((_, n) => n % 3 !== 0).reverse();
    const shown = new Set(memories.map(({ id }) => id).filter((id) => id !== idOf(TOTALS)));
    expect(new Set(live.slice(0, shown.size).map(idOf))).toEqual(shown);
    expect(counts(calls)['memories.getMany']).toBe(1);
    expect(calls.find(({ operation }) => operation === 'memories.getMany')?.args[0]).toHaveLength(shown.size);
  });

  it('reads again what the index named, and drops what has changed since', async () => {
    const { context, writer } = await world([VERCEL, UBER], {
      hooks: {
        after: async (operation) => {
          if (operation !== 'memories.list') return;
          const stored = await writer.memories.get(UBER.dedupKey);
          if (stored?.rev === 1 && stored.decided)
            await writer.memories.put(
              { ...stored, decided: { ...stored.decided, status: 'archived' }, rev: 2 },
              1,
            );
          const moved = await writer.memories.get(VERCEL.dedupKey);
          if (moved?.rev === 1 && moved.decided)
            await writer.memories.put(
              {
                ...moved,
                decided: { ...moved.decided, content: categoryBody('Vercel', '6300').content },
                rev: 2,
              },
              1,
            );
        },
      },
    });
    const { memories } = await context();
    expect(memories.map(({ content }) => content)).toEqual([
      { mapping: 'category', merchant: 'Vercel', account: { id: '6300', name: 'Travel' } },
    ]);
  });

  it('takes no recent mappings where merchants are named, though none of them has an identity', async () => {
    const { context, calls } = await world([VERCEL]);
    expect((await context({ merchants: ['POS 1234'] })).memories).toEqual([]);
    expect(counts(calls)).not.toHaveProperty('memories.list');
    expect((await context({ merchants: [] })).memories).toHaveLength(1);
  });

  it('reads no more of the index than its bound', async () => {
    const dead = Array.from({ length: 1200 }, (_, n) => {
      const body = categoryBody(`Shop ${String.fromCharCode(0x4e00 + n)}`, '9999');
      return storedMemory({ body, updatedAt: MOMENT + 1 + n });
    });
    const { context, calls } = await world([...dead, VERCEL]);
    const { memories, truncated } = await context();
    expect(memories).toEqual([]);
    expect(truncated).toBe(true);
    expect(counts(calls)['memories.list']).toBe(10);
  });

  it('is the same bytes whatever the order of writes', async () => {
    const items = [VERCEL, UBER, ALIAS, TOTALS];
    const [one, other] = await Promise.all(
      [
        items,
        [...items]
          .reverse()
          .map((item, n) => ({ ...item, updatedAt: MOMENT + n, createdAt: MOMENT + n, version: n + 1 })),
      ].map((each) => world(each)),
    );
    const [a, b] = [await one?.context(), await other?.context()];
    expect(a?.text).toBe(b?.text);
    expect(a?.snapshot).toBe(b?.snapshot);
  });
});

describe('a store that cannot be reached', () => {
  it.each(['memories.range', 'memories.list', 'memories.getMany', 'accounts.find'] as const)(
    'is an error and never an empty answer: %s',
    async (failing) => {
      const { hints, context } = await world([VERCEL], {
        hooks: {
          before: async (operation) => {
            if (operation === failing) throw new MemoryError('unavailable', 'The store cannot be reached.');
          },
        },
      });
      await expect(context()).rejects.toMatchObject({ code: 'unavailable' });
      if (failing === 'memories.range' || failing === 'accounts.find') {
        await expect(hints({ merchants: ['Vercel'] })).rejects.toMatchObject({ code: 'unavailable' });
      }
    },
  );
});
