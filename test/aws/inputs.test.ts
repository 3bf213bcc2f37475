import { describe, expect, it } from 'vitest';
import { chunksOfAccounts, oldSetsInput, partOf, putHeadInput } from '../../lib/aws/account-store.ts';
import { eventsInput, recordInput, votesInput } from '../../lib/aws/correction-log.ts';
import { listInput, putInput, rangeInput, toItem } from '../../lib/aws/memory-store.ts';
import { DedupKey, UserId } from '../../lib/domain/ids.ts';
import {
  account,
  chart,
  correctionEvent,
  MOMENT,
  ORG,
  preferenceBody,
  storedMemory,
  USER,
  vote,
} from '../support/builders.ts';

const table = 'the-table';
const KEY = 'org/canonical_mapping/vercel/category';

describe('what is sent to DynamoDB', () => {
  it('puts a memory only where none is, or on the rev it was read with, and asks for what stood in the way', () => {
    const first = putInput(table, ORG, storedMemory(), 0, 'token');
    expect(first).toMatchObject({ TableName: table, ConditionExpression: 'attribute_not_exists(dedupKey)' });
    expect(first.ReturnValuesOnConditionCheckFailure).toBe('ALL_OLD');
    expect(putInput(table, ORG, storedMemory({ rev: 5 }), 4, 'token')).toMatchObject({
      ConditionExpression: 'rev = :rev',
      ExpressionAttributeValues: { ':rev': 4 },
      Item: { rev: 5, writeToken: 'token' },
    });
  });

  it('has a list key for what was decided and a review key for what was derived, and neither without', () => {
    const keys = (memory = storedMemory()) => {
      const { listKey, reviewKey } = toItem(memory, 'token');
      return { listKey, reviewKey };
    };
    const place = `${MOMENT}/${KEY}`;
    expect(keys()).toEqual({ listKey: `active/${place}` });
    expect(keys(storedMemory({ derived: {} }))).toEqual({ listKey: `active/${place}`, reviewKey: place });
    expect(keys(storedMemory({ decided: null, derived: {} }))).toEqual({ reviewKey: place });
    expect(keys(storedMemory({ decided: null }))).toEqual({});
    expect(keys(storedMemory({ updatedAt: 7 })).listKey).toBe(`active/0000000000007/${KEY}`);
    const own = storedMemory({ body: preferenceBody('x', 'tone'), owner: { scope: 'user', userId: USER } });
    expect(keys(own).listKey).toBe(`user/u_1/active/${MOMENT}/user/u_1/preference/tone`);
  });

  it('leaves out of an item what is empty', () => {
    const item = toItem(storedMemory({ decidedAt: 0 }), 'token');
    for (const name of ['turnedDown', 'decidedAt', 'history', 'owner', 'reviewKey'])
      expect(item).not.toHaveProperty(name);
  });

  it('names the org in every key condition and reads tables consistently', () => {
    const inputs = [
      rangeInput(table, ORG, { from: 'a', to: 'b' }),
      votesInput(table, ORG, vote().range),
      eventsInput(table, ORG, undefined),
      oldSetsInput(table, ORG, 3),
    ];
    for (const input of inputs) {
      expect(input.KeyConditionExpression).toMatch(/^orgId = :org AND /);
      expect(input.ExpressionAttributeValues).toMatchObject({ ':org': ORG });
      expect(input.ConsistentRead).toBe(true);
    }
  });

  it('bounds a list by the status, the person and the position before', () => {
    const bounds = (query: Parameters<typeof listInput>[2]) =>
      listInput(table, ORG, query).ExpressionAttributeValues;
    const after = { updatedAt: MOMENT, dedupKey: storedMemory().dedupKey };
    expect(bounds({ index: 'active', limit: 5 })).toEqual({
      ':org': ORG,
      ':from': 'active/0',
      ':to': 'active/:',
    });
    expect(bounds({ index: 'review', limit: 5, after })).toMatchObject({
      ':from': '0',
      ':to': `${MOMENT}/${KEY}`,
    });
    expect(bounds({ index: 'archived', userId: UserId.parse('ann'), limit: 5 })).toMatchObject({
      ':from': 'user/ann/archived/0',
      ':to': 'user/ann/archived/:',
    });
    expect(listInput(table, ORG, { index: 'active', limit: 5 })).toMatchObject({ IndexName: 'by-status' });
    expect(listInput(table, ORG, { index: 'review', limit: 5 })).toMatchObject({
      IndexName: 'awaiting-review',
    });
  });

  it('keeps a forged position within what DynamoDB takes for a key', () => {
    const after = { updatedAt: 999_999_999_999_999, dedupKey: DedupKey.parse('\u8a18'.repeat(512)) };
    const query = { index: 'archived', userId: UserId.parse('u'.repeat(128)), limit: 5, after } as const;
    const to = listInput(table, ORG, query).ExpressionAttributeValues?.[':to'];
    expect(Buffer.byteLength(to)).toBeLessThan(1024);
  });

  it('keeps an event as one text', () => {
    const event = correctionEvent();
    const { Item } = recordInput(table, ORG, event, MOMENT);
    expect(Item).toEqual({ orgId: ORG, entry: 'e/ev_1', body: JSON.stringify(event), receivedAt: MOMENT });
  });

  it('changes the head of a chart only from the version before', () => {
    const head = { version: 1, accounts: 1, set: 'v0000001-t', firsts: ['a'], replacedAt: MOMENT };
    expect(putHeadInput(table, ORG, head).ConditionExpression).toBe('attribute_not_exists(part)');
    expect(putHeadInput(table, ORG, { ...head, version: 8 })).toMatchObject({
      ConditionExpression: 'version = :before',
      ExpressionAttributeValues: { ':before': 7 },
    });
  });
});

describe('the chunks of a chart', () => {
  it('hold at most 125 accounts and far less than an item may, sorted by id, each with its place', () => {
    const reversed = [...chart(300).accounts].reverse();
    const chunks = chunksOfAccounts(reversed);
    expect(chunks.map((chunk) => chunk.length)).toEqual([125, 125, 50]);
    expect(chunks[0]?.[0]).toEqual([299, reversed[299]]);
    const large = Array.from({ length: 60 }, (_, n) =>
      account({
        id: String(n),
        name: '長'.repeat(200),
        aliases: Array.from({ length: 20 }, (_, a) => `${a}${'名'.repeat(190)}`),
      }),
    );
    for (const chunk of chunksOfAccounts(large)) {
      expect(Buffer.byteLength(JSON.stringify(chunk))).toBeLessThan(210 * 1024);
    }
    expect(chunksOfAccounts(large).flat()).toHaveLength(60);
  });

  it('are found by the first id of each', () => {
    const firsts = ['b', 'd', 'f'];
    expect(['a', 'b', 'c', 'd', 'e', 'f', 'z'].map((id) => partOf(firsts, id))).toEqual([
      -1, 0, 0, 1, 1, 2, 2,
    ]);
    expect(partOf([], 'a')).toBe(-1);
  });
});
