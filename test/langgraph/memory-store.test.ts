import { randomUUID } from 'node:crypto';
import {
  Annotation,
  END,
  type LangGraphRunnableConfig,
  MemorySaver,
  START,
  StateGraph,
} from '@langchain/langgraph';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Client, createClient } from '../../lib/client/client.ts';
import { LangGraphMemoryStore, memoryNamespace } from '../../lib/langgraph/memory-store.ts';
import { startTestHost, type TestHost } from '../support/local.ts';

let test: TestHost;
beforeAll(async () => {
  test = await startTestHost();
}, 120_000);
afterAll(() => test?.stop());

/** A store of a person in a workspace of its own. */
async function storeOf(userId = 'ann@example.com', orgId = `org.${randomUUID()}`) {
  const token = await test.host.token({ org_id: orgId, sub: userId });
  const client: Client = createClient({ baseUrl: test.host.url, token });
  const store = new LangGraphMemoryStore({ client, orgId, userId });
  const place = (
    scope: 'org' | 'user' | 'document',
    kind: 'preference' | 'canonical_mapping',
    documentId = '',
  ) =>
    memoryNamespace({
      orgId,
      scope,
      kind,
      scopeId: { org: orgId, user: userId, document: documentId }[scope],
    });
  return { orgId, userId, client, store, place };
}

describe('the LangGraph store', () => {
  it('serves a graph that saves in one thread and reads in another', async () => {
    const { store, place } = await storeOf();
    const State = Annotation.Root({ said: Annotation<string>(), known: Annotation<string[]>() });
    const graph = new StateGraph(State)
      .addNode('listen', async ({ said }, config: LangGraphRunnableConfig) => {
        if (said.startsWith('Remember: ')) {
          await config.store?.put(place('user', 'preference'), 'totals', { text: said.slice(10) });
        }
        return {};
      })
      .addNode('recall', async (_, config: LangGraphRunnableConfig) => {
        const items = (await config.store?.search(place('user', 'preference'))) ?? [];
        return { known: items.map(({ value }) => String(value.text)) };
      })
      .addEdge(START, 'listen')
      .addEdge('listen', 'recall')
      .addEdge('recall', END)
      .compile({ checkpointer: new MemorySaver(), store });
    const run = (thread_id: string, said: string) => graph.invoke({ said }, { configurable: { thread_id } });
    expect((await run('one', 'Hello')).known).toEqual([]);
    expect((await run('one', 'Remember: totals in euros')).known).toEqual(['totals in euros']);
    expect((await run('two', 'Hello')).known).toEqual(['totals in euros']);
  });

  it('saves as the person, and reads back what was put under its key', async () => {
    const { store, client, place, userId } = await storeOf();
    await store.batch([
      { namespace: place('user', 'preference'), key: 'Totals', value: { text: 'In euros.' } },
    ]);
    const item = await store.batch([{ namespace: place('user', 'preference'), key: 'totals' }]);
    expect(item).toEqual([
      {
        namespace: place('user', 'preference'),
        key: 'totals',
        value: { text: 'In euros.', topic: 'Totals' },
        createdAt: expect.any(Date),
        updatedAt: expect.any(Date),
      },
    ]);
    const { items } = await client.memories.list();
    expect(items).toMatchObject([{ source: 'user_declared', status: 'active', userId, createdBy: userId }]);
  });

  it('keeps a mapping under the key of what it is about, and tells that key', async () => {
    const { store, place } = await storeOf();
    const namespace = place('org', 'canonical_mapping');
    const value = { mapping: 'merchant_name', merchant: 'VERCEL INC.', canonicalName: 'Vercel' };
    expect(store.keyOf(namespace, value)).toBe('vercel/merchant_name');
    await expect(store.batch([{ namespace, key: 'other', value }])).rejects.toThrow('vercel/merchant_name');
    await store.batch([{ namespace, key: 'vercel/merchant_name', value }]);
    expect(await store.batch([{ namespace, key: 'vercel/merchant_name' }])).toMatchObject([{ value }]);
  });

  it('archives on delete, silently where there is nothing, and finds it no more', async () => {
    const { store, client, place } = await storeOf();
    const namespace = place('user', 'preference');
    await store.batch([{ namespace, key: 'a', value: { text: 'A.' } }]);
    await store.batch([
      { namespace, key: 'a', value: null },
      { namespace, key: 'a', value: null },
      { namespace, key: 'never', value: null },
    ]);
    expect(await store.batch([{ namespace, key: 'a' }, { namespacePrefix: namespace }])).toEqual([null, []]);
    expect((await client.memories.list({ status: 'archived' })).items).toHaveLength(1);
  });

  it('searches by prefix, filter and words, newest first, with limit and offset', async () => {
    const { store, place, orgId } = await storeOf();
    const own = place('user', 'preference');
    const ofDocument = place('document', 'preference', 'doc:1');
    for (const key of ['one', 'two', 'three']) {
      await store.batch([{ namespace: own, key, value: { text: `The ${key} thing` } }]);
    }
    await store.batch([{ namespace: ofDocument, key: 'note', value: { text: 'Of a document' } }]);
    const keys = async (options: { namespacePrefix: string[] } & Record<string, unknown>) => {
      const [items] = await store.batch([options]);
      return items?.map(({ key }) => key);
    };
    expect(await keys({ namespacePrefix: [] })).toEqual(['note', 'three', 'two', 'one']);
    expect(await keys({ namespacePrefix: own.slice(0, 2) })).toEqual(['three', 'two', 'one']);
    expect(await keys({ namespacePrefix: ofDocument })).toEqual(['note']);
    expect(await keys({ namespacePrefix: own, limit: 1, offset: 1 })).toEqual(['two']);
    expect(await keys({ namespacePrefix: own, filter: { topic: 'one' } })).toEqual(['one']);
    expect(await keys({ namespacePrefix: own, filter: { topic: { $ne: 'one' } } })).toEqual(['three', 'two']);
    expect(await keys({ namespacePrefix: own, query: 'thing two', limit: 1 })).toEqual(['two']);
    expect(await store.listNamespaces()).toEqual([ofDocument, own].sort());
    expect(await store.listNamespaces({ prefix: [own[0] ?? '', 'user'], maxDepth: 2 })).toEqual([
      [orgId.replaceAll('.', '%2E'), 'user'],
    ]);
    expect(await store.listNamespaces({ suffix: ['doc%3A1', '*'] })).toEqual([ofDocument]);
  });

  it('shows no candidates', async () => {
    const { store, orgId, userId, place } = await storeOf();
    await test.putEvents(
      ...[1, 2, 3].map((n) => ({
        eventId: `e${n}`,
        orgId,
        type: 'manual_patch',
        occurredAt: '2026-11-30T03:00:00Z',
        actor: { userId },
        subjectIds: [`d${n}`],
        changeSet: { merchant: { from: 'VERCEL INC.', to: 'Vercel' } },
      })),
    );
    const namespace = place('org', 'canonical_mapping');
    const results = await store.batch([{ namespacePrefix: [] }, { namespace, key: 'vercel/merchant_name' }]);
    expect(results).toEqual([[], null]);
  });

  it('is for one person in one workspace, and refuses the namespaces of others', async () => {
    const { store, orgId, place } = await storeOf();
    const others = [
      memoryNamespace({ orgId: 'org_x', scope: 'org', scopeId: 'org_x', kind: 'preference' }),
      memoryNamespace({ orgId, scope: 'user', scopeId: 'bob', kind: 'preference' }),
    ];
    for (const namespace of others) {
      await expect(store.batch([{ namespace, key: 'a', value: { text: 'A.' } }])).rejects.toThrow(RangeError);
      await expect(store.batch([{ namespace, key: 'a' }])).rejects.toThrow(RangeError);
      await expect(store.batch([{ namespacePrefix: namespace }])).rejects.toThrow(RangeError);
    }
    await expect(store.batch([{ namespace: ['a'], key: 'a' }])).rejects.toThrow('[orgId, org | user');
    const stranger = await storeOf('bob', orgId);
    await store.batch([{ namespace: place('user', 'preference'), key: 'a', value: { text: 'Mine.' } }]);
    expect(await stranger.store.batch([{ namespacePrefix: [] }])).toEqual([[]]);
  });

  it('passes on what the service refuses, with its code', async () => {
    const { store, place } = await storeOf();
    const save = store.batch([{ namespace: place('user', 'preference'), key: 'a', value: { text: '' } }]);
    await expect(save).rejects.toMatchObject({ code: 'invalid-request' });
  });
});
