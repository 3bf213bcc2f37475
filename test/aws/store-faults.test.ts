import {
  ConditionalCheckFailedException,
  ProvisionedThroughputExceededException,
  ThrottlingException,
} from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  BatchWriteCommand,
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
} from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, describe, expect, it } from 'vitest';
import { accountStore } from '../../lib/aws/account-store.ts';
import { correctionLog } from '../../lib/aws/correction-log.ts';
import { memoryStore, toItem } from '../../lib/aws/memory-store.ts';
import { toVoteItem } from '../../lib/aws/vote-item.ts';
import { OrgId } from '../../lib/domain/ids.ts';
import {
  categoryBody,
  chart,
  correctionEvent,
  MOMENT,
  ORG,
  storedMemory,
  vote,
} from '../support/builders.ts';
import { clientAt } from '../support/engines.ts';

const table = 'the-table';
const client = clientAt('http://127.0.0.1:1', { maxAttempts: 1 });
const db = mockClient(client);
const sdk = { $metadata: {}, message: 'from the SDK' };
const conditionFailed = () => new ConditionalCheckFailedException(sdk);
const itemOf = (memory = storedMemory()) => ({ ...toItem(memory, 'token') });

const stores = (over: DynamoDBDocumentClient, orgId = ORG) => ({
  memories: memoryStore(orgId, { client: over, table }),
  log: correctionLog(orgId, { client: over, table }),
  accounts: accountStore(orgId, { client: over, table }),
});
const { memories, log } = stores(client);

beforeEach(() => db.reset());

/** Every operation of the ports, so that no one is forgotten. */
function operations({
  memories,
  log,
  accounts,
}: ReturnType<typeof stores>): Record<string, () => Promise<unknown>> {
  const key = storedMemory().dedupKey;
  return {
    get: () => memories.get(key),
    getMany: () => memories.getMany([key]),
    put: () => memories.put(storedMemory(), 0),
    range: () => memories.range({ from: 'a', to: 'z' }, 5),
    list: () => memories.list({ index: 'active', limit: 5 }),
    record: () => log.record(correctionEvent(), MOMENT),
    cast: () => log.cast([vote()]),
    newestVotes: () => log.newestVotes(vote().range, 5),
    events: () => log.events(undefined, 5),
    replace: () => accounts.replace(chart(), MOMENT),
    load: () => accounts.load(),
    find: () => accounts.find(['6000']),
  };
}
const NAMES = Object.keys(operations(stores(client)));

describe('every operation', () => {
  it.each(NAMES)('%s says unavailable when nothing answers, and never nothing', async (name) => {
    const unreachable = stores(clientAt('http://127.0.0.1:1', { maxAttempts: 1 }));
    await expect(operations(unreachable)[name]?.()).rejects.toMatchObject({ code: 'unavailable' });
  });

  it.each(NAMES)('%s says throttled when the store is too busy', async (name) => {
    for (const error of [new ProvisionedThroughputExceededException(sdk), new ThrottlingException(sdk)]) {
      db.rejects(error);
      await expect(operations(stores(client))[name]?.()).rejects.toMatchObject({
        code: 'throttled',
        cause: error,
      });
    }
  });

  it.each(NAMES)('%s lets a validation error through, which is a bug of ours', async (name) => {
    const bug = Object.assign(new Error('bad'), {
      name: 'ValidationException',
      $metadata: { httpStatusCode: 400 },
    });
    db.rejects(bug);
    await expect(operations(stores(client))[name]?.()).rejects.toBe(bug);
  });
});

describe('a put', () => {
  const tokenSent = () => db.commandCalls(PutCommand)[0]?.args[0].input.Item?.['writeToken'];

  it('whose condition failed on its own write is stored, by the old item or by a look', async () => {
    db.on(PutCommand).callsFake((input) => {
      throw new ConditionalCheckFailedException({
        ...sdk,
        Item: { writeToken: { S: input.Item.writeToken } },
      });
    });
    expect(await memories.put(storedMemory(), 0)).toBe('stored');
    expect(db.commandCalls(GetCommand)).toHaveLength(0);

    db.reset();
    db.on(PutCommand).rejects(conditionFailed());
    db.on(GetCommand).callsFake(() => ({ Item: { writeToken: tokenSent() } }));
    expect(await memories.put(storedMemory(), 0)).toBe('stored');
    expect(db.commandCalls(GetCommand)[0]?.args[0].input.ConsistentRead).toBe(true);
  });

  it('whose condition failed on the write of another is a conflict', async () => {
    db.on(PutCommand).rejects(
      new ConditionalCheckFailedException({ ...sdk, Item: { writeToken: { S: 'theirs' } } }),
    );
    expect(await memories.put(storedMemory(), 0)).toBe('conflict');
    db.reset();
    db.on(PutCommand).rejects(conditionFailed());
    db.on(GetCommand).resolves({ Item: itemOf() });
    expect(await memories.put(storedMemory(), 0)).toBe('conflict');
    db.on(GetCommand).resolves({});
    expect(await memories.put({ ...storedMemory(), rev: 5 }, 4)).toBe('conflict');
  });

  it('whose condition failed and cannot be looked at is unavailable, not a conflict', async () => {
    db.on(PutCommand).rejects(conditionFailed());
    db.on(GetCommand).rejects(Object.assign(new Error('reset'), { code: 'ECONNRESET' }));
    await expect(memories.put(storedMemory(), 0)).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('that was not answered is stored only where its own token stands', async () => {
    db.on(PutCommand).rejects(Object.assign(new Error('reset'), { code: 'ECONNRESET' }));
    db.on(GetCommand).callsFake(() => ({ Item: { writeToken: tokenSent() } }));
    expect(await memories.put(storedMemory(), 0)).toBe('stored');
    db.on(GetCommand).resolves({ Item: itemOf() });
    await expect(memories.put(storedMemory(), 0)).rejects.toMatchObject({ code: 'unavailable' });
    db.on(GetCommand).resolves({});
    await expect(memories.put(storedMemory(), 0)).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('carries another token each time', async () => {
    db.on(PutCommand).resolves({});
    await memories.put(storedMemory(), 0);
    await memories.put(storedMemory(), 0);
    const tokens = db.commandCalls(PutCommand).map(({ args }) => args[0].input.Item?.['writeToken']);
    expect(new Set(tokens).size).toBe(2);
  });
});

describe('what DynamoDB leaves undone', () => {
  const bodies = ['Slack', 'Uber', 'Figma'].map((merchant) => storedMemory({ body: categoryBody(merchant) }));
  const keyOf = ({ orgId, dedupKey }: (typeof bodies)[number]) => ({ orgId, dedupKey });
  const asked = () =>
    db.commandCalls(BatchGetCommand).map(({ args }) => args[0].input.RequestItems?.[table]?.Keys?.length);

  it('is read again, alone and still consistently', async () => {
    const [a, b, c] = bodies;
    if (!a || !b || !c) throw new Error('no bodies');
    db.on(BatchGetCommand)
      .resolvesOnce({
        Responses: { [table]: [itemOf(b)] },
        UnprocessedKeys: { [table]: { Keys: [keyOf(a), keyOf(c)] } },
      })
      .resolvesOnce({
        Responses: { [table]: [] },
        UnprocessedKeys: { [table]: { Keys: [keyOf(a), keyOf(c)] } },
      })
      .resolvesOnce({ Responses: { [table]: [itemOf(c), itemOf(a)] }, UnprocessedKeys: {} });
    expect(await memories.getMany(bodies.map(({ dedupKey }) => dedupKey))).toEqual(bodies);
    expect(asked()).toEqual([3, 2, 2]);
    const inputs = db.commandCalls(BatchGetCommand).map(({ args }) => args[0].input.RequestItems?.[table]);
    expect(inputs.every((input) => input?.ConsistentRead === true)).toBe(true);
  });

  it('is throttled, never fewer items, when it stays undone', async () => {
    const [a] = bodies;
    if (!a) throw new Error('no bodies');
    db.on(BatchGetCommand).resolves({ Responses: {}, UnprocessedKeys: { [table]: { Keys: [keyOf(a)] } } });
    await expect(memories.getMany([a.dedupKey])).rejects.toMatchObject({ code: 'throttled' });
    expect(asked().length).toBeLessThanOrEqual(10);
  });

  it('is written again, alone, before the head of a chart is changed', async () => {
    const { accounts } = stores(client, OrgId.parse('org_unprocessed'));
    const written: number[] = [];
    db.on(GetCommand).resolves({});
    db.on(QueryCommand).resolves({});
    db.on(PutCommand).callsFake(() => {
      expect(written).toEqual([3, 2]);
      return {};
    });
    db.on(BatchWriteCommand).callsFake(({ RequestItems }) => {
      const requests = RequestItems[table];
      written.push(requests.length);
      return written.length === 1 ? { UnprocessedItems: { [table]: requests.slice(1) } } : {};
    });
    expect(await accounts.replace(chart(300), MOMENT)).toEqual({ version: 1, accounts: 300 });
  });

  it('leaves the old chart in force when the new one cannot be written', async () => {
    const { accounts } = stores(client, OrgId.parse('org_unwritten'));
    db.on(GetCommand).resolves({});
    db.on(BatchWriteCommand).callsFake(({ RequestItems }) => ({ UnprocessedItems: RequestItems }));
    await expect(accounts.replace(chart(), MOMENT)).rejects.toMatchObject({ code: 'throttled' });
    expect(db.commandCalls(PutCommand)).toHaveLength(0);
  });
});

describe('a page without items', () => {
  const start = { orgId: ORG, dedupKey: 'x' };

  it('is not the end while it has a cursor', async () => {
    const memory = storedMemory({ derived: {} });
    const pages = () =>
      db
        .on(QueryCommand)
        .resolvesOnce({ Items: [], LastEvaluatedKey: start })
        .resolvesOnce({ Items: [itemOf(memory)], LastEvaluatedKey: start })
        .resolvesOnce({ Items: [], LastEvaluatedKey: start })
        .resolvesOnce({ Items: [] });
    pages();
    expect(await memories.range({ from: 'a', to: 'z' }, 5)).toEqual({ items: [memory], more: false });
    const limits = db.commandCalls(QueryCommand).map(({ args }) => args[0].input.Limit);
    expect(limits).toEqual([6, 6, 5, 5]);

    db.reset();
    pages();
    expect(await memories.list({ index: 'review', limit: 5 })).toEqual({ items: [memory] });

    db.reset();
    db.on(QueryCommand)
      .resolvesOnce({ Items: [], LastEvaluatedKey: start })
      .resolvesOnce({ Items: [{ orgId: ORG, ...toVoteItem(vote()) }] });
    expect(await log.newestVotes(vote().range, 5)).toEqual([vote()]);
  });
});

describe('an item that is not what was written', () => {
  it.each([
    ['a field is missing', { version: undefined }],
    ['the content does not fit the kind', { kind: 'preference' }],
    ['its owner has no name', { scope: 'user' }],
    ['the history is no JSON', { history: '[{' }],
    ['a number is a text', { rev: '1' }],
  ])('is an error that names it: %s', async (_, fault) => {
    const item = { ...itemOf(), ...fault };
    db.on(GetCommand).resolves({ Item: item });
    db.on(QueryCommand).resolves({ Items: [itemOf(storedMemory({ body: categoryBody('Fine') })), item] });
    const error = {
      name: 'CorruptItemError',
      message: expect.stringContaining(`${ORG}/${storedMemory().dedupKey}`),
    };
    await expect(memories.get(storedMemory().dedupKey)).rejects.toMatchObject(error);
    await expect(memories.range({ from: 'a', to: 'z' }, 5)).rejects.toMatchObject(error);
  });

  it('is an error in the log and in the chart too', async () => {
    db.on(QueryCommand).resolves({ Items: [{ orgId: ORG, entry: 'e/ev_1', body: '{"eventId":"ev_1"}' }] });
    await expect(log.events(undefined, 5)).rejects.toMatchObject({ name: 'CorruptItemError' });
    await expect(log.newestVotes(vote().range, 5)).rejects.toMatchObject({ name: 'CorruptItemError' });
    db.on(GetCommand).resolves({ Item: { part: 'head', version: 0 } });
    await expect(stores(client).accounts.load()).rejects.toMatchObject({ name: 'CorruptItemError' });
  });
});

describe('an event that is known already', () => {
  it('is answered from the failed condition where it gives the old item, without another read', async () => {
    const first = correctionEvent({ subjectIds: ['doc_first'] });
    db.on(PutCommand).rejects(
      new ConditionalCheckFailedException({ ...sdk, Item: { body: { S: JSON.stringify(first) } } }),
    );
    expect(await log.record(correctionEvent(), MOMENT)).toEqual({ event: first, known: true });
    expect(db.commandCalls(GetCommand)).toHaveLength(0);
  });
});

describe('the chart', () => {
  it('is loaded again under the new head when some of its chunks are gone', async () => {
    const { accounts } = stores(client, OrgId.parse('org_loading'));
    const sets: Record<string, { part: string; accounts: Uint8Array }[]> = {};
    let heads: object[] = [];
    db.on(BatchWriteCommand).callsFake(({ RequestItems }) => {
      const items = RequestItems[table].map(
        (request: { PutRequest: { Item: object } }) => request.PutRequest.Item,
      );
      sets[items[0].part.split('/')[0]] = items;
      return {};
    });
    db.on(PutCommand).callsFake(({ Item }) => {
      heads = [...heads, Item];
      return {};
    });
    db.on(GetCommand).callsFake(() => ({ Item: heads.at(-1) }));
    db.on(QueryCommand).resolves({});
    await accounts.replace(chart(300, 'old'), MOMENT);
    await accounts.replace(chart(300, 'new'), MOMENT);

    const [old, now] = heads;
    db.on(GetCommand).resolvesOnce({ Item: old }).resolves({ Item: now });
    db.on(QueryCommand).callsFake(({ ExpressionAttributeValues: values }) => {
      const set = sets[values[':set'].slice(0, -1)] ?? [];
      // The reader of the old set comes when one of its chunks has been removed.
      return { Items: values[':set'].startsWith('v0000001') ? set.slice(1) : set };
    });
    expect(await accounts.load()).toEqual({ version: 2, accounts: chart(300, 'new').accounts });
  });

  it('is unavailable when its chunks stay away, never smaller', async () => {
    const { accounts } = stores(client, OrgId.parse('org_torn'));
    const head = {
      part: 'head',
      version: 1,
      accounts: 2,
      set: 'v0000001-t',
      firsts: ['6000'],
      replacedAt: MOMENT,
    };
    db.on(GetCommand).resolves({ Item: head });
    db.on(QueryCommand).resolves({ Items: [] });
    db.on(BatchGetCommand).resolves({});
    await expect(accounts.load()).rejects.toMatchObject({ code: 'unavailable' });
    await expect(accounts.find(['6000'])).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('is read again under the new head when its chunks are gone', async () => {
    const { accounts } = stores(client, OrgId.parse('org_moved'));
    let set = 'v0000001-old';
    let written: { part: string; accounts: Uint8Array }[] = [];
    db.on(GetCommand).resolves({});
    db.on(QueryCommand).resolves({});
    db.on(PutCommand).resolves({});
    db.on(BatchWriteCommand).callsFake(({ RequestItems }) => {
      written = RequestItems[table].map(
        (request: { PutRequest: { Item: object } }) => request.PutRequest.Item,
      );
      return {};
    });
    await accounts.replace(chart(2), MOMENT);
    const standing = written[0]?.part.split('/')[0] ?? '';
    db.on(GetCommand).callsFake(() => {
      const head = { part: 'head', version: 1, accounts: 2, set, firsts: ['6000'], replacedAt: MOMENT };
      set = standing;
      return { Item: head };
    });
    db.on(BatchGetCommand).callsFake(({ RequestItems }) => {
      const [key] = RequestItems[table].Keys;
      return { Responses: { [table]: written.filter(({ part }) => part === key.part) } };
    });
    expect((await accounts.find(['6001']))?.get('6001')?.name).toBe('Account 1');
    expect(db.commandCalls(GetCommand)).toHaveLength(3);
    // The chunk does not change, so a warm process reads the head alone.
    expect((await accounts.find(['6000']))?.size).toBe(1);
    expect(db.commandCalls(BatchGetCommand)).toHaveLength(2);
  });

  it('stands although the old one could not be removed', async () => {
    const { accounts } = stores(client, OrgId.parse('org_uncleaned'));
    db.on(GetCommand).resolves({});
    db.on(PutCommand).resolves({});
    db.on(BatchWriteCommand).resolves({});
    db.on(QueryCommand).rejects(new ThrottlingException(sdk));
    expect(await accounts.replace(chart(), MOMENT)).toEqual({ version: 1, accounts: 3 });
  });
});
