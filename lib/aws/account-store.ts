import { randomBytes } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import {
  type DynamoDBDocumentClient,
  GetCommand,
  type GetCommandInput,
  PutCommand,
  type PutCommandInput,
  type QueryCommandInput,
} from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { Account, type Chart } from '../domain/chart-of-accounts.ts';
import { MemoryError } from '../domain/errors.ts';
import type { Millis, OrgId } from '../domain/ids.ts';
import type { AccountStore } from '../domain/ports.ts';
import { batchGet, batchWrite, pauseBefore } from './batches.ts';
import { boundedCache } from './bounded-cache.ts';
import { isConditionFailure, reading, storeFault, translated } from './faults.ts';
import { type Attributes, queryItems } from './queries.ts';

export interface AccountStoreDeps {
  readonly client: DynamoDBDocumentClient;
  readonly table: string;
}

/**
 * The chart of one org. Its accounts lie, sorted by id, in chunks that are written once and never changed; the `head`
 * item names the set of chunks in force, and one conditional write on it changes the chart for every reader at once.
 */
export function accountStore(orgId: OrgId, { client, table }: AccountStoreDeps): AccountStore {
  return {
    orgId,

    async replace(chart, at) {
      const chunks = chunksOfAccounts(chart.accounts);
      const writeToken = randomBytes(6).toString('base64url');
      for (let round = 0; ; round += 1) {
        await pauseBefore(round, REPLACE_ROUNDS);
        const version = ((await readHead())?.version ?? 0) + 1;
        // The token keeps two that replace at once from writing into each other's chunks.
        const head: Head = {
          version,
          accounts: chart.accounts.length,
          set: `v${String(version).padStart(7, '0')}-${writeToken}`,
          firsts: chunks.map((chunk) => chunk[0]?.[1].id ?? ''),
          replacedAt: at,
        };
        await batchWrite(
          client,
          table,
          chunkItems(orgId, head.set, chunks).map((Item) => ({ PutRequest: { Item } })),
        );
        if (!(await putHead(head))) continue;
        await removeSetsBefore(head).catch(() => undefined);
        return { version, accounts: head.accounts };
      }
    },

    async load() {
      return whileChanging(async (head) => {
        const name = `${table}\n${orgId}\n${head.set}`;
        const known = charts.get(name);
        if (known !== undefined) return known;
        const items = await queryItems(client, setInput(table, orgId, head.set));
        if (items.length !== head.firsts.length) return undefined;
        const placed = items.flatMap((item) => placedAccounts(table, item));
        const accounts = placed.sort((a, b) => a[0] - b[0]).map(([, account]) => account);
        return charts.set(name, { version: head.version, accounts: Object.freeze(accounts) });
      });
    },

    async find(ids) {
      return whileChanging(async (head) => {
        const parts = [...new Set(ids.map((id) => partOf(head.firsts, id)).filter((part) => part >= 0))];
        const chunks = await chunksAt(head, parts);
        if (chunks === undefined) return undefined;
        const found = new Map<string, Account>();
        for (const id of ids) {
          const account = chunks.get(partOf(head.firsts, id))?.get(id);
          if (account !== undefined) found.set(id, account);
        }
        return found;
      });
    },
  };

  async function readHead(): Promise<Head | undefined> {
    const { Item } = await translated(client.send(new GetCommand(headInput(table, orgId))));
    return Item === undefined ? undefined : reading(table, `${orgId}/head`, () => Head.parse(Item));
  }

  /** Whether this head stands; a lost reply of a write that did commit is a yes. */
  async function putHead(head: Head): Promise<boolean> {
    try {
      await client.send(new PutCommand(putHeadInput(table, orgId, head)));
      return true;
    } catch (error) {
      const failedCondition = isConditionFailure(error);
      const fault = storeFault(error);
      if (!failedCondition && !(fault instanceof MemoryError)) throw fault;
      const standing = failedCondition ? await readHead() : await readHead().catch(() => undefined);
      if (standing?.set === head.set) return true;
      if (!failedCondition) throw fault;
      return false;
    }
  }

  /** Sets of versions up to this one, but itself: those that were in force, and those that lost or were given up. */
  async function removeSetsBefore(head: Head): Promise<void> {
    const items = await queryItems(client, oldSetsInput(table, orgId, head.version));
    const old = items.filter(({ part }) => typeof part === 'string' && !part.startsWith(`${head.set}/`));
    await batchWrite(
      client,
      table,
      old.map(({ part }) => ({ DeleteRequest: { Key: { orgId, part } } })),
    );
  }

  /** Reads under a head; chunks that are gone mean that the head has moved on, so it is read again. */
  async function whileChanging<T>(read: (head: Head) => Promise<T | undefined>): Promise<T | undefined> {
    for (let round = 0; round < READ_ROUNDS; round += 1) {
      const head = await readHead();
      if (head === undefined) return undefined;
      const answer = await read(head);
      if (answer !== undefined) return answer;
    }
    throw new MemoryError('unavailable', 'The chart of accounts is being replaced.');
  }

  async function chunksAt(head: Head, parts: readonly number[]) {
    const nameOf = (part: number) => `${table}\n${orgId}\n${partKey(head.set, part)}`;
    const chunks = new Map<number, ReadonlyMap<string, Account>>();
    const missing: number[] = [];
    for (const part of parts) {
      const known = chunkCache.get(nameOf(part));
      if (known === undefined) missing.push(part);
      else chunks.set(part, known);
    }
    const keys = missing.map((part) => ({ orgId, part: partKey(head.set, part) }));
    const items = new Map((await batchGet(client, table, keys)).map((item) => [item.part, item]));
    for (const part of missing) {
      const item = items.get(partKey(head.set, part));
      if (item === undefined) return undefined;
      const byId = new Map(placedAccounts(table, item).map(([, account]) => [account.id, account]));
      chunks.set(part, chunkCache.set(nameOf(part), byId));
    }
    return chunks;
  }
}

export function headInput(table: string, orgId: OrgId): GetCommandInput {
  return { TableName: table, Key: { orgId, part: 'head' }, ConsistentRead: true };
}

export function putHeadInput(table: string, orgId: OrgId, head: Head): PutCommandInput {
  return {
    TableName: table,
    Item: { orgId, part: 'head', ...head },
    ...(head.version === 1
      ? { ConditionExpression: 'attribute_not_exists(part)' }
      : {
          ConditionExpression: 'version = :before',
          ExpressionAttributeValues: { ':before': head.version - 1 },
        }),
  };
}

export function setInput(table: string, orgId: OrgId, set: string): QueryCommandInput {
  return {
    TableName: table,
    KeyConditionExpression: 'orgId = :org AND begins_with(part, :set)',
    ExpressionAttributeValues: { ':org': orgId, ':set': `${set}/` },
    ConsistentRead: true,
  };
}

export function oldSetsInput(table: string, orgId: OrgId, version: number): QueryCommandInput {
  return {
    TableName: table,
    KeyConditionExpression: 'orgId = :org AND part BETWEEN :from AND :to',
    ExpressionAttributeValues: {
      ':org': orgId,
      ':from': 'v',
      ':to': `v${String(version + 1).padStart(7, '0')}`,
    },
    ProjectionExpression: 'part',
    ConsistentRead: true,
  };
}

/** An account with its place in the chart as the caller gave it. */
type Placed = readonly [ordinal: number, account: Account];

/** Sorted by id; a chunk ends at 125 accounts or 200 KB of JSON, whichever comes first. */
export function chunksOfAccounts(accounts: readonly Account[]): readonly (readonly Placed[])[] {
  const placed = accounts
    .map((account, ordinal): Placed => [ordinal, account])
    .sort(([, a], [, b]) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
  const chunks: Placed[][] = [];
  let bytes = 0;
  for (const one of placed) {
    const size = Buffer.byteLength(JSON.stringify(one));
    const chunk = chunks.at(-1);
    if (chunk === undefined || chunk.length === MAX_CHUNK_ACCOUNTS || bytes + size > MAX_CHUNK_BYTES) {
      chunks.push([one]);
      bytes = size;
    } else {
      chunk.push(one);
      bytes += size;
    }
  }
  return chunks;
}

/** The one chunk that can hold an id, or -1 when it sorts before all of them. */
export function partOf(firsts: readonly string[], id: string): number {
  let low = 0;
  let high = firsts.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const first = firsts[middle];
    if (first !== undefined && first <= id) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

const MAX_CHUNK_ACCOUNTS = 125;
const MAX_CHUNK_BYTES = 200 * 1024;
const REPLACE_ROUNDS = 10;
const READ_ROUNDS = 10;

// Chunks never change, so what is cached is never stale; a head that moved on names others.
const chunkCache = boundedCache<ReadonlyMap<string, Account>>(120);
const charts = boundedCache<Chart>(4);

const Head = z.lazy(() =>
  z.object({
    version: z.int().check(z.gte(1)),
    accounts: z.int().check(z.gte(0)),
    set: z.string(),
    /** The first id of each chunk. */
    firsts: z.array(z.string()),
    replacedAt: z.int(),
  }),
);
type Head = z.infer<typeof Head> & { readonly replacedAt: Millis };

const Chunk = z.lazy(() =>
  z.object({ orgId: z.string(), part: z.string(), accounts: z.instanceof(Uint8Array) }),
);
const PlacedAccounts = z.lazy(() => z.array(z.tuple([z.int(), Account])));

const partKey = (set: string, part: number) => `${set}/${String(part).padStart(3, '0')}`;

function chunkItems(orgId: OrgId, set: string, chunks: readonly (readonly Placed[])[]) {
  return chunks.map((chunk, part) => ({
    orgId,
    part: partKey(set, part),
    accounts: gzipSync(JSON.stringify(chunk)),
  }));
}

function placedAccounts(table: string, item: Attributes): readonly Placed[] {
  return reading(table, `${item.orgId}/${item.part}`, () => {
    const { accounts } = Chunk.parse(item);
    const placed = PlacedAccounts.parse(JSON.parse(gunzipSync(accounts).toString('utf8')));
    for (const [, account] of placed) Object.freeze(account);
    return placed;
  });
}
