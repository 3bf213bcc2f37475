import { type DynamoDBDocumentClient, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accountStore } from '../../lib/aws/account-store.ts';
import { correctionLog } from '../../lib/aws/correction-log.ts';
import { erasureStore } from '../../lib/aws/erasure-store.ts';
import { memoryStore } from '../../lib/aws/memory-store.ts';
import { TABLES } from '../../lib/aws/tables.ts';
import { aliasOf, personOf } from '../../lib/domain/erasure.ts';
import { MemoryError } from '../../lib/domain/errors.ts';
import { EventId, OrgId } from '../../lib/domain/ids.ts';
import { eraseOrg } from '../../lib/operations/erase-org.ts';
import { erasePerson } from '../../lib/operations/erase-person.ts';
import { chart, correctionEvent, MOMENT, ORG } from '../support/builders.ts';
import { ENGINES, type Engine, startEngine } from '../support/engines.ts';
import { seeded } from '../support/seeded.ts';
import { eventsOf, memoriesOf, OTHER, ownMemory, PERSON, traces, votesOf } from '../support/traced-person.ts';

const LATER = Number.POSITIVE_INFINITY;
const clock = { now: () => MOMENT };

for (const name of ENGINES) {
  describe(`erasing on ${name}`, () => {
    let engine: Engine;
    beforeAll(async () => {
      engine = await startEngine(name);
    });
    afterAll(() => engine.stop());

    it('erases a person from 2,500 memories and 10,000 votes, through kills, without a trace in the tables', async () => {
      const { client } = engine;
      const stores = storesOn(client);
      await inTurns([...memoriesOf(2500), ownMemory], (memory) => stores.memories.put(memory, 0));
      await inTurns(eventsOf(500), (event) => stores.log.record(event, MOMENT));
      await inTurns(chunks(votesOf(10_000), 10), (votes) => stores.log.cast(votes));
      const before = await itemsOf(client);
      const random = seeded(5);
      let calls = 0;
      const killed = storesOn(client, () => calls < 12 && random.chance(0.01));
      for (let done = false; !done; calls += 1) {
        done = await erasePerson({ ...killed, clock: { now: Date.now } }, PERSON, Date.now() + 20_000).then(
          (answer) => answer.done,
          (error: unknown) => {
            if (error instanceof MemoryError) return false;
            throw error;
          },
        );
      }
      const after = await itemsOf(client);
      expect(traces(JSON.stringify(before))).toHaveLength(3);
      expect(traces(JSON.stringify(after))).toEqual([]);
      const votes = (items: typeof after) => items.filter(({ entry }) => String(entry).startsWith('v/'));
      expect(votes(after)).toHaveLength(10_000);
      const unnamed = (items: typeof after) => votes(items).map(({ u: _, y: _y, ...rest }) => rest);
      expect(unnamed(after)).toEqual(unnamed(before));
    }, 180_000);

    it('erases an org whole and leaves only that it was erased', async () => {
      const org = OrgId.parse('org_whole');
      const stores = storesOn(engine.client, undefined, org);
      const identity = { orgId: org, userId: OTHER, scopes: new Set<string>() };
      await inTurns(memoriesOf(300), (memory) => stores.memories.put({ ...memory, orgId: org }, 0));
      await inTurns(eventsOf(20), (event) => stores.log.record({ ...event, orgId: org }, MOMENT));
      await stores.log.cast(votesOf(1500));
      await stores.accounts.replace(chart(300), MOMENT);
      expect(await eraseOrg({ ...stores, clock }, identity, org, LATER)).toEqual({
        done: true,
        counts: { memories: 300, events: 20, votes: 1500 },
      });
      const left = (await itemsOf(engine.client)).filter((item) => item.orgId === org);
      expect(left.map(({ entry }) => entry).sort()).toEqual(['x/head', 'x/org']);
    }, 60_000);

    it('makes one secret an org, however many ask for it at once', async () => {
      const org = OrgId.parse('org_secret');
      const { erasures } = storesOn(engine.client, undefined, org);
      expect(await erasures.head()).toBeUndefined();
      const heads = await Promise.all(Array.from({ length: 20 }, () => erasures.open()));
      expect(new Set(heads.map(({ secret }) => secret)).size).toBe(1);
      await erasures.markOrg(MOMENT);
      expect(await erasures.head()).toEqual({ secret: heads[0]?.secret, orgErasedAt: MOMENT });
    });

    it('gets both of two people out of one event when they are erased at once', async () => {
      const org = OrgId.parse('org_two');
      const { log, erasures } = storesOn(engine.client, undefined, org);
      const event = { ...eventsOf(1)[0], orgId: org, changeSet: { a: { to: `${PERSON} and ${OTHER}` } } };
      await log.record(correctionEvent(event), MOMENT);
      const id = EventId.parse('log_00000');
      await Promise.all([PERSON, OTHER].map((userId) => erasures.rewriteEvent(personOf('s', userId), id)));
      const [stored] = (await log.events(undefined, 1)).events;
      expect(stored?.changeSet?.a?.to).toBe(`${aliasOf('s', PERSON)} and ${aliasOf('s', OTHER)}`);
      expect(await erasures.rewriteEvent(personOf('s', PERSON), id)).toEqual(stored);
      expect(await erasures.rewriteEvent(personOf('s', PERSON), EventId.parse('none'))).toBeUndefined();
    });
  });
}

/** The stores of an org; `kills` is asked before and after every call, and a call that is killed was made or was not. */
function storesOn(client: DynamoDBDocumentClient, kills: () => boolean = () => false, orgId = ORG) {
  const names = {
    memories: TABLES.memories.name,
    events: TABLES.events.name,
    accounts: TABLES.accounts.name,
  };
  const mortal = <T extends object>(store: T): T =>
    new Proxy(store, {
      get: (target, property) => {
        const member: unknown = Reflect.get(target, property);
        if (typeof member !== 'function') return member;
        return async (...given: unknown[]) => {
          if (kills()) throw new MemoryError('unavailable', 'killed');
          const answer: unknown = await Reflect.apply(member, target, given);
          if (kills()) throw new MemoryError('unavailable', 'killed');
          return answer;
        };
      },
    });
  return {
    memories: mortal(memoryStore(orgId, { client, table: names.memories })),
    log: mortal(correctionLog(orgId, { client, table: names.events })),
    accounts: mortal(accountStore(orgId, { client, table: names.accounts })),
    erasures: mortal(erasureStore(orgId, { client, ...names })),
  };
}

/** Every raw item of both tables. */
async function itemsOf(client: DynamoDBDocumentClient): Promise<readonly Record<string, unknown>[]> {
  const items: Record<string, unknown>[] = [];
  for (const TableName of [TABLES.memories.name, TABLES.events.name, TABLES.accounts.name]) {
    let start: Record<string, unknown> | undefined;
    do {
      const page = await client.send(
        new ScanCommand({ TableName, ...(start && { ExclusiveStartKey: start }) }),
      );
      items.push(...(page.Items ?? []));
      start = page.LastEvaluatedKey;
    } while (start !== undefined);
  }
  const nameOf = ({ orgId, dedupKey, entry, part }: Record<string, unknown>) =>
    [orgId, dedupKey, entry, part].join(' ');
  return items.sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
}

async function inTurns<T>(values: readonly T[], act: (value: T) => Promise<unknown>): Promise<void> {
  for (const group of chunks(values, 50)) await Promise.all(group.map(act));
}

function chunks<T>(values: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(values.length / size) }, (_, n) =>
    values.slice(n * size, (n + 1) * size),
  );
}
