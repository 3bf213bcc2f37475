import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { kindPrefix, mappingKey, merchantPrefix } from '../../lib/domain/dedup-key.ts';
import { DedupKey, DocumentId, OrgId, UserId } from '../../lib/domain/ids.ts';
import type { MemoryOwner } from '../../lib/domain/memory.ts';
import { merchantKey } from '../../lib/domain/merchant-key.ts';
import type {
  AccountStore,
  CorrectionLog,
  ListPage,
  ListQuery,
  MemoryStore,
} from '../../lib/domain/ports.ts';
import type { StoredMemory } from '../../lib/domain/stored-memory.ts';
import {
  account,
  categoryBody,
  chart,
  correctionEvent,
  MOMENT,
  preferenceBody,
  storedMemory,
  USER,
  vote,
} from '../support/builders.ts';

export interface Stores {
  readonly memories: MemoryStore;
  readonly log: CorrectionLog;
  readonly accounts: AccountStore;
}

export interface StoresUnderTest {
  stores(orgId: OrgId): Stores;
  close(): Promise<void>;
}

/** What every implementation of the stores must do; `open` is run once. */
export function storesContract(name: string, open: () => Promise<StoresUnderTest>): void {
  describe(`the stores on ${name}`, () => {
    let under: StoresUnderTest;

    beforeAll(async () => {
      under = await open();
    }, 30_000);
    afterAll(() => under.close());

    const fresh = () => {
      const orgId = OrgId.parse(`org_${randomUUID()}`);
      return { orgId, ...under.stores(orgId) };
    };

    describe('memories', () => {
      it('gives back exactly what was put', async () => {
        const { memories, orgId } = fresh();
        const full = storedMemory({
          orgId,
          body: preferenceBody('Line one\nline two — ünïcode 🧾', 'tone'),
          owner: { scope: 'document', documentId: DocumentId.parse('doc_1') },
          decided: { status: 'archived', confidence: 0.8333333333333334, evidenceCount: 4 },
          derived: { confidence: 0.9, evidenceCount: 9, source: 'approval_history' },
          support: 2,
          turnedDown: ['digest-1', 'digest-2'],
          version: 7,
          history: [
            {
              at: '2026-11-30T03:00:00.000Z',
              by: 'u_1',
              action: 'saved',
              to: 'active',
              content: { text: 'x' },
            },
            {
              at: '2026-11-30T03:00:01.000Z',
              by: 'u_2',
              action: 'archived',
              from: 'active',
              to: 'archived',
              reason: 'r',
            },
          ],
        });
        const plain = storedMemory({ orgId, decided: null, derived: {} });
        const personal = storedMemory({
          orgId,
          body: preferenceBody(),
          owner: { scope: 'user', userId: USER },
        });
        for (const memory of [full, plain, personal]) {
          expect(await memories.put(memory, 0)).toBe('stored');
          expect(await memories.get(memory.dedupKey)).toEqual(memory);
        }
      });

      it('has nothing under a key that was never put', async () => {
        expect(await fresh().memories.get(storedMemory().dedupKey)).toBeUndefined();
      });

      it('stores a first write only where no item is', async () => {
        const { memories, orgId } = fresh();
        expect(await memories.put(storedMemory({ orgId, updatedBy: 'first' }), 0)).toBe('stored');
        expect(await memories.put(storedMemory({ orgId, updatedBy: 'second' }), 0)).toBe('conflict');
        expect((await memories.get(storedMemory().dedupKey))?.updatedBy).toBe('first');
      });

      it('stores a later write only on the rev it was read with', async () => {
        const { memories, orgId } = fresh();
        const memory = storedMemory({ orgId });
        expect(await memories.put({ ...memory, rev: 2 }, 1)).toBe('conflict');
        await memories.put(memory, 0);
        expect(await memories.put({ ...memory, rev: 2, updatedBy: 'a' }, 1)).toBe('stored');
        expect(await memories.put({ ...memory, rev: 2, updatedBy: 'b' }, 1)).toBe('conflict');
        expect(await memories.put({ ...memory, rev: 4, updatedBy: 'c' }, 3)).toBe('conflict');
        expect(await memories.get(memory.dedupKey)).toMatchObject({ rev: 2, updatedBy: 'a' });
      });

      it('refuses a write with a rev out of step and a memory of another org', async () => {
        const { memories, orgId } = fresh();
        await expect(memories.put(storedMemory({ orgId, rev: 3 }), 1)).rejects.toThrow('rev after');
        await expect(memories.put(storedMemory(), 0)).rejects.toThrow('another org');
      });

      it('leaves exactly one of 100 concurrent first writes of one key', async () => {
        const { memories, orgId } = fresh();
        const writes = Array.from({ length: 100 }, (_, n) => storedMemory({ orgId, updatedBy: `u_${n}` }));
        const outcomes = await Promise.all(writes.map((memory) => memories.put(memory, 0)));
        expect(outcomes.filter((outcome) => outcome === 'stored')).toHaveLength(1);
        const stored = await memories.get(storedMemory().dedupKey);
        expect(stored).toEqual(writes[outcomes.indexOf('stored')]);
      });

      it('loses no update when writers read, change and retry at once', async () => {
        const { memories, orgId } = fresh();
        await memories.put(storedMemory({ orgId }), 0);
        const raise = async (): Promise<void> => {
          const now = await memories.get(storedMemory().dedupKey);
          if (now === undefined) throw new Error('gone');
          const outcome = await memories.put({ ...now, rev: now.rev + 1, support: now.support + 1 }, now.rev);
          if (outcome === 'conflict') await raise();
        };
        await Promise.all(Array.from({ length: 12 }, raise));
        expect(await memories.get(storedMemory().dedupKey)).toMatchObject({ support: 12, rev: 13 });
      });

      it('reads many keys at once, each once, in the order asked, without those that are not there', async () => {
        const { memories, orgId } = fresh();
        const stored = await putAll(memories, 130, (n) => storedMemory({ orgId, body: numbered(n) }));
        const keys = stored.map(({ dedupKey }) => dedupKey).reverse();
        const absent = mappingKey(merchantKey('Nobody') as never, 'category');
        const [first] = keys;
        const read = await memories.getMany([...keys, absent, first as DedupKey]);
        expect(read).toEqual([...stored].reverse());
        expect(await memories.getMany([])).toEqual([]);
      });

      it('gives the items of a range from its start up to and without its end, in key order', async () => {
        const { memories, orgId } = fresh();
        for (const key of ['b', 'a', 'd', 'c', 'ca']) await memories.put(at(orgId, key), 0);
        const keys = async (from: string, to: string, limit = 10) => {
          const { items, more } = await memories.range({ from, to }, limit);
          return { keys: items.map(({ dedupKey }) => dedupKey), more };
        };
        expect(await keys('a', 'd')).toEqual({ keys: ['a', 'b', 'c', 'ca'], more: false });
        expect(await keys('b', 'ca')).toEqual({ keys: ['b', 'c'], more: false });
        expect(await keys('b', 'ca', 2)).toEqual({ keys: ['b', 'c'], more: false });
        expect(await keys('a', 'd', 3)).toEqual({ keys: ['a', 'b', 'c'], more: true });
        expect(await keys('a', 'd', 4)).toEqual({ keys: ['a', 'b', 'c', 'ca'], more: false });
        expect(await keys('c', 'c')).toEqual({ keys: [], more: false });
        expect(await keys('d', 'a')).toEqual({ keys: [], more: false });
        expect(await keys('x', 'y')).toEqual({ keys: [], more: false });
      });

      it('keeps all mappings of one merchant in one range and those of its neighbours out', async () => {
        const { memories, orgId } = fresh();
        for (const merchant of ['Uber', 'Uber Eats', 'Ube', 'Uberto']) {
          await memories.put(storedMemory({ orgId, body: categoryBody(merchant) }), 0);
        }
        const from = merchantPrefix(merchantKey('Uber') as never);
        const { items } = await memories.range({ from, to: `${from.slice(0, -1)}0` }, 10);
        expect(items.map(({ dedupKey }) => dedupKey)).toEqual([
          mappingKey(merchantKey('Uber') as never, 'category'),
        ]);
      });

      it('returns more than a megabyte of memories in one answer', async () => {
        const { memories, orgId } = fresh();
        const stored = await putAll(memories, 320, (n) =>
          storedMemory({
            orgId,
            body: preferenceBody('w'.repeat(500), `topic-${String(n).padStart(3, '0')}`),
            history: Array.from({ length: 6 }, () => ({
              at: '2026-11-30T03:00:00.000Z',
              by: 'u_1',
              action: 'saved' as const,
              content: { text: 'w'.repeat(500) },
            })),
          }),
        );
        const from = kindPrefix({ scope: 'org' }, 'preference');
        const { items, more } = await memories.range({ from, to: `${from}~` }, 1000);
        expect(items).toEqual(stored);
        expect(more).toBe(false);
        expect(Buffer.byteLength(JSON.stringify(items))).toBeGreaterThan(1_100_000);
        const listed = await memories.list({ index: 'active', limit: 400 });
        expect(listed.items).toHaveLength(320);
        expect(listed.next).toBeUndefined();
      }, 30_000);

      it('lists by status, newest change first, and what awaits review by itself', async () => {
        const { memories, orgId } = fresh();
        const put = (key: string, age: number, parts: Parameters<typeof storedMemory>[0]) =>
          memories.put(
            { ...storedMemory({ orgId, ...parts }), dedupKey: DedupKey.parse(key), updatedAt: MOMENT - age },
            0,
          );
        await put('old', 300, {});
        await put('new', 100, {});
        await put('proposed', 200, { derived: {} });
        await put('archived', 0, { decided: { status: 'archived' } });
        await put('rejected', 0, { decided: { status: 'rejected' } });
        await put('candidate', 50, { decided: null, derived: {} });
        await put('withdrawn', 0, { decided: null });
        const keys = async (index: ListQuery['index']) =>
          (await memories.list({ index, limit: 10 })).items.map(({ dedupKey }) => dedupKey);
        expect(await keys('active')).toEqual(['new', 'proposed', 'old']);
        expect(await keys('archived')).toEqual(['archived']);
        expect(await keys('rejected')).toEqual(['rejected']);
        expect(await keys('review')).toEqual(['candidate', 'proposed']);
      });

      it("keeps a person's own memories out of the org's list and out of every other person's", async () => {
        const { memories, orgId } = fresh();
        const [ann, bob] = [UserId.parse('ann'), UserId.parse('ann.b')];
        const documentId = DocumentId.parse('doc_1');
        const of = (owner: MemoryOwner) =>
          storedMemory({ orgId, owner, body: preferenceBody(), derived: {} });
        const [shared, paper] = [of({ scope: 'org' }), of({ scope: 'document', documentId })];
        const [anns, bobs] = [of({ scope: 'user', userId: ann }), of({ scope: 'user', userId: bob })];
        for (const memory of [shared, paper, anns, bobs]) await memories.put(memory, 0);
        for (const index of ['active', 'review'] as const) {
          expect(await memories.list({ index, limit: 9 })).toEqual({ items: [shared, paper] });
          expect(await memories.list({ index, limit: 9, userId: ann })).toEqual({ items: [anns] });
          expect(await memories.list({ index, limit: 9, userId: bob })).toEqual({ items: [bobs] });
          expect(await memories.list({ index, limit: 9, userId: UserId.parse('an') })).toEqual({ items: [] });
        }
        expect(await memories.list({ index: 'archived', limit: 9, userId: ann })).toEqual({ items: [] });
      });

      it('pages through a list without a gap or a repeat, also among changes of the same millisecond', async () => {
        const { memories, orgId } = fresh();
        await putAll(memories, 23, (n) => ({
          ...storedMemory({ orgId, body: numbered(n), derived: {} }),
          updatedAt: MOMENT + Math.floor(n / 7),
        }));
        for (const index of ['active', 'review'] as const) {
          const all = (await memories.list({ index, limit: 100 })).items;
          for (const limit of [1, 5, 22, 23, 24]) {
            const pages = await pagesOf(memories, { index, limit });
            expect(pages.flatMap(({ items }) => items)).toEqual(all);
            expect(pages).toHaveLength(Math.ceil(23 / limit));
          }
        }
      });

      it('goes on from a position whose item has changed its status or its time between two pages', async () => {
        const { memories, orgId } = fresh();
        const stored = await putAll(memories, 9, (n) => ({
          ...storedMemory({ orgId, body: numbered(n) }),
          updatedAt: MOMENT - n,
        }));
        const first = await memories.list({ index: 'active', limit: 3 });
        const [, , last] = first.items;
        if (last === undefined || stored[4] === undefined || stored[5] === undefined)
          throw new Error('no page');
        const change = { rev: 2, updatedAt: MOMENT + 10 };
        await memories.put({ ...last, ...change, decided: { ...decidedOf(last), status: 'archived' } }, 1);
        await memories.put(
          { ...stored[4], ...change, decided: { ...decidedOf(stored[4]), status: 'rejected' } },
          1,
        );
        await memories.put({ ...stored[5], ...change }, 1);
        const rest = await pagesOf(memories, {
          index: 'active',
          limit: 3,
          ...(first.next && { after: first.next }),
        });
        const shown = [...first.items, ...rest.flatMap(({ items }) => items)].map(({ dedupKey }) => dedupKey);
        expect(shown).toEqual([0, 1, 2, 3, 6, 7, 8].map((n) => stored[n]?.dedupKey));
      });

      it('takes a position that never existed as a mere place in the list', async () => {
        const { memories, orgId } = fresh();
        const memory = storedMemory({ orgId });
        await memories.put(memory, 0);
        const listFrom = (updatedAt: number, key: string) =>
          memories.list({ index: 'active', limit: 5, after: { updatedAt, dedupKey: DedupKey.parse(key) } });
        expect((await listFrom(MOMENT + 1, 'zzz/forged')).items).toEqual([memory]);
        expect((await listFrom(MOMENT - 1, 'zzz/forged')).items).toEqual([]);
        expect((await listFrom(MOMENT, memory.dedupKey)).items).toEqual([]);
        expect((await listFrom(0, 'a')).items).toEqual([]);
      });
    });

    describe('two orgs side by side', () => {
      it('share nothing', async () => {
        const [a, b] = [fresh(), fresh()];
        const memory = storedMemory({ orgId: a.orgId, derived: {} });
        const event = correctionEvent({ orgId: a.orgId });
        await a.memories.put(memory, 0);
        await a.log.record(event, MOMENT);
        await a.log.cast([vote()]);
        await a.accounts.replace(chart(), MOMENT);

        expect(await b.memories.get(memory.dedupKey)).toBeUndefined();
        expect(await b.memories.getMany([memory.dedupKey])).toEqual([]);
        expect(await b.memories.range({ from: '!', to: '~' }, 10)).toEqual({ items: [], more: false });
        expect(await b.memories.list({ index: 'active', limit: 10 })).toEqual({ items: [] });
        expect(await b.memories.list({ index: 'review', limit: 10 })).toEqual({ items: [] });
        expect(await b.log.newestVotes(vote().range, 10)).toEqual([]);
        expect(await b.log.events(undefined, 10)).toEqual({ events: [] });
        expect(await b.accounts.load()).toBeUndefined();
        expect(await b.accounts.find(['6000'])).toBeUndefined();

        expect(await b.memories.put(storedMemory({ orgId: b.orgId, updatedBy: 'b' }), 0)).toBe('stored');
        expect(await b.log.record(correctionEvent({ orgId: b.orgId }), MOMENT)).toMatchObject({
          known: false,
        });
        expect(await b.accounts.replace(chart(1), MOMENT)).toEqual({ version: 1, accounts: 1 });
        expect(await a.memories.get(memory.dedupKey)).toEqual(memory);
        expect((await a.accounts.load())?.accounts).toHaveLength(3);
      });
    });

    describe('the correction log', () => {
      it('gives back an event as it came, whatever its free fields hold', async () => {
        const { log, orgId } = fresh();
        const event = correctionEvent({
          orgId,
          subjectIds: ['doc_1', 'doc_2'],
          changeSet: { total: { from: { S: 'x', constructor_: [1, null, true] }, to: '' } },
          causedBy: ['memory-1'],
        });
        expect(await log.record(event, MOMENT)).toEqual({ event, known: false });
        expect(await log.record(event, MOMENT + 1)).toEqual({ event, known: true });
        expect(await log.events(undefined, 5)).toEqual({ events: [event] });
      });

      it('keeps the first of two events with one id and answers with it', async () => {
        const { log, orgId } = fresh();
        const first = correctionEvent({ orgId, subjectIds: ['doc_1'] });
        await log.record(first, MOMENT);
        const second = await log.record(correctionEvent({ orgId, subjectIds: ['doc_2'] }), MOMENT + 5);
        expect(second).toEqual({ event: first, known: true });
        expect((await log.events(undefined, 5)).events).toEqual([first]);
      });

      it('takes one of many concurrent deliveries of an event for new', async () => {
        const { log, orgId } = fresh();
        const event = correctionEvent({ orgId });
        const answers = await Promise.all(Array.from({ length: 20 }, () => log.record(event, MOMENT)));
        expect(answers.filter(({ known }) => !known)).toHaveLength(1);
        expect(answers.every((answer) => answer.event.eventId === event.eventId)).toBe(true);
      });

      it('refuses an event of another org', async () => {
        await expect(fresh().log.record(correctionEvent(), MOMENT)).rejects.toThrow('another org');
      });

      it('pages through the events in the order of their ids, votes left out', async () => {
        const { log, orgId } = fresh();
        const ids = Array.from({ length: 11 }, (_, n) => `ev_${letters(n)}`);
        for (const eventId of [...ids].reverse())
          await log.record(correctionEvent({ orgId, eventId }), MOMENT);
        await log.cast([vote()]);
        const seen: string[] = [];
        let after: string | undefined;
        do {
          const page = await log.events(after, 4);
          seen.push(...page.events.map(({ eventId }) => eventId));
          after = page.next;
        } while (after !== undefined);
        expect(seen).toEqual(ids);
        expect((await log.events('ev_', 100)).events).toHaveLength(11);
        expect((await log.events('ev_ac0', 100)).events.map(({ eventId }) => eventId)).toEqual(ids.slice(3));
      });

      it('answers with the newest votes first, at most as many as asked', async () => {
        const { log } = fresh();
        const votes = Array.from({ length: 30 }, (_, n) =>
          vote({ at: MOMENT + ((n * 7) % 30) * 1000, eventId: `ev_${n}` }),
        );
        await log.cast(votes);
        const newest = [...votes].sort((a, b) => b.at - a.at);
        expect(await log.newestVotes(vote().range, 200)).toEqual(newest);
        expect(await log.newestVotes(vote().range, 7)).toEqual(newest.slice(0, 7));
      });

      it('orders votes by their numeric time however many digits it has', async () => {
        const { log } = fresh();
        const times = [0, 35, 36, 1_000_000, MOMENT, 253_370_764_799_999];
        await log.cast(times.map((at, n) => vote({ at, eventId: `ev_${n}` })));
        expect((await log.newestVotes(vote().range, 10)).map(({ at }) => at)).toEqual([...times].reverse());
      });

      it('orders two votes of the same millisecond by their event ids, descending', async () => {
        const { log } = fresh();
        const ids = ['B', 'a', 'Z', '-', '9', 'aa', ':', '_'];
        await log.cast(ids.map((eventId) => vote({ eventId })));
        const order = (await log.newestVotes(vote().range, 10)).map(({ eventId }) => eventId);
        expect(order).toEqual([...ids].sort().reverse());
      });

      it('takes the same vote cast again for the same vote', async () => {
        const { log } = fresh();
        const votes = [vote(), vote({ eventId: 'ev_2', says: 'abstain' })];
        await log.cast(votes);
        await Promise.all([log.cast(votes), log.cast(votes)]);
        await log.cast([]);
        expect(await log.newestVotes(vote().range, 10)).toHaveLength(2);
      });

      it('keeps the votes of one subject apart from every other', async () => {
        const { log } = fresh();
        const other = vote({ says: categoryBody('Slack') });
        await log.cast([vote(), other]);
        expect(await log.newestVotes(vote().range, 10)).toEqual([vote()]);
        expect(await log.newestVotes(other.range, 10)).toEqual([other]);
      });

      it('keeps all documents of a bulk edit in one vote', async () => {
        const { log } = fresh();
        const bulk = vote({ documentIds: Array.from({ length: 1000 }, (_, n) => `document-${n}`) });
        await log.cast([bulk]);
        expect(await log.newestVotes(bulk.range, 1)).toEqual([bulk]);
      });
    });

    describe('the chart of accounts', () => {
      it('is not there until it is put', async () => {
        const { accounts } = fresh();
        expect(await accounts.load()).toBeUndefined();
        expect(await accounts.find([])).toBeUndefined();
        expect(await accounts.find(['6120'])).toBeUndefined();
      });

      it('gives back what was put, in the order it was put, under a version that goes up by one', async () => {
        const { accounts } = fresh();
        const first = {
          accounts: [
            account({ id: 'z', name: 'Zürich — Büro', code: '1', aliases: ['a', 'b'] }),
            account({ id: '10', parentId: 'z', group: true }),
            account({ id: '9', active: false, type: 'cost_of_sales' }),
          ],
        };
        expect(await accounts.replace(first, MOMENT)).toEqual({ version: 1, accounts: 3 });
        expect(await accounts.load()).toEqual({ version: 1, accounts: first.accounts });
        expect(await accounts.replace(chart(2), MOMENT + 1)).toEqual({ version: 2, accounts: 2 });
        expect(await accounts.load()).toEqual({ version: 2, accounts: chart(2).accounts });
      });

      it('finds the named accounts as they stand now, also in a warm process', async () => {
        const { accounts } = fresh();
        await accounts.replace(chart(400, 'Old'), MOMENT);
        const find = async (...ids: string[]) =>
          [...((await accounts.find(ids)) ?? [])].map(([id, one]) => [id, one.name]);
        expect(await find('6000', '6399', '6200')).toEqual([
          ['6000', 'Old 0'],
          ['6399', 'Old 399'],
          ['6200', 'Old 200'],
        ]);
        expect(await find('5', '6400', '6000x', '')).toEqual([]);
        await accounts.replace(chart(200, 'New'), MOMENT);
        expect(await find('6399', '6000')).toEqual([['6000', 'New 0']]);
      });

      it('holds 5,000 accounts', async () => {
        const { accounts } = fresh();
        expect(await accounts.replace(chart(5000), MOMENT)).toEqual({ version: 1, accounts: 5000 });
        expect(await accounts.load()).toEqual({ version: 1, accounts: chart(5000).accounts });
        const ids = chart(5000).accounts.map(({ id }) => id);
        expect((await accounts.find(ids))?.size).toBe(5000);
      }, 30_000);

      it('changes at once for every reader while it is being replaced', async () => {
        const { accounts, orgId } = fresh();
        await accounts.replace(chart(300, 'v1'), MOMENT);
        let done = false;
        const reader = async () => {
          // A store of its own reads as another process would.
          const { accounts: own } = under.stores(orgId);
          let last = 0;
          while (!done) {
            const loaded = await own.load();
            expect(loaded?.accounts).toHaveLength(300);
            expect(new Set(loaded?.accounts.map(({ name }) => name.split(' ')[0]))).toEqual(
              new Set([`v${loaded?.version}`]),
            );
            expect(loaded?.version).toBeGreaterThanOrEqual(last);
            last = loaded?.version ?? 0;
            const found = [...((await own.find(['6000', '6150', '6299'])) ?? new Map()).values()];
            expect(found).toHaveLength(3);
            expect(new Set(found.map(({ name }) => name.split(' ')[0])).size).toBe(1);
            await new Promise((resolve) => setTimeout(resolve, 1));
          }
        };
        const readers = [reader(), reader(), reader()];
        for (let version = 2; version <= 12; version += 1) {
          expect(await accounts.replace(chart(300, `v${version}`), MOMENT)).toEqual({
            version,
            accounts: 300,
          });
        }
        done = true;
        await Promise.all(readers);
      }, 30_000);

      it('gives each of several concurrent replacements a version of its own, and one whole chart stands', async () => {
        const { accounts } = fresh();
        const sizes = [130, 260, 10, 390];
        const answers = await Promise.all(
          sizes.map((size) => accounts.replace(chart(size, `size-${size}`), MOMENT)),
        );
        expect(answers.map(({ version }) => version).sort()).toEqual([1, 2, 3, 4]);
        const winner = answers.find(({ version }) => version === 4)?.accounts ?? 0;
        expect(await accounts.load()).toEqual({
          version: 4,
          accounts: chart(winner, `size-${winner}`).accounts,
        });
      }, 30_000);
    });
  });
}

/** A memory under a key of the test's choosing. */
function at(orgId: OrgId, key: string): StoredMemory {
  return { ...storedMemory({ orgId }), dedupKey: DedupKey.parse(key) };
}

/** Puts `count` memories and answers with them in key order. */
async function putAll(memories: MemoryStore, count: number, make: (n: number) => StoredMemory) {
  const made = Array.from({ length: count }, (_, n) => make(n));
  for (let n = 0; n < count; n += 20) {
    await Promise.all(made.slice(n, n + 20).map((memory) => memories.put(memory, 0)));
  }
  return made;
}

async function pagesOf(memories: MemoryStore, query: ListQuery): Promise<readonly ListPage[]> {
  const page = await memories.list(query);
  return page.next === undefined
    ? [page]
    : [page, ...(await pagesOf(memories, { ...query, after: page.next }))];
}

function decidedOf(memory: StoredMemory) {
  if (memory.decided === undefined) throw new Error('not decided');
  return memory.decided;
}

/** A body whose key sorts like the number. */
const numbered = (n: number) => preferenceBody('Show totals in euros.', `topic-${letters(n)}`);

/** Two letters that sort like the number. */
function letters(n: number): string {
  return String.fromCharCode(97 + Math.floor(n / 26), 97 + (n % 26));
}
