import { randomBytes } from 'node:crypto';
import {
  type DynamoDBDocumentClient,
  GetCommand,
  type GetCommandInput,
  PutCommand,
  type PutCommandInput,
  type QueryCommandInput,
} from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { MemoryError } from '../domain/errors.ts';
import { DedupKey, DocumentId, OrgId, UserId } from '../domain/ids.ts';
import {
  HistoryEntry,
  IntegrationPreferenceContent,
  MappingContent,
  type MemoryContent,
  type MemoryOwner,
  MemorySource,
  PreferenceContent,
  WorkflowHintContent,
} from '../domain/memory.ts';
import type { KeyRange, ListPage, ListPosition, ListQuery, MemoryStore } from '../domain/ports.ts';
import { proposalOf, type StoredMemory } from '../domain/stored-memory.ts';
import { batchGet } from './batches.ts';
import { boundedCache } from './bounded-cache.ts';
import { isConditionFailure, reading, storeFault, translated } from './faults.ts';
import { type Attributes, queryItems } from './queries.ts';
import { sameData } from './same-data.ts';
import { TABLES } from './tables.ts';

export interface MemoryStoreDeps {
  readonly client: DynamoDBDocumentClient;
  readonly table: string;
}

/** The memories of one org. Every key and every index key it makes begins with that org, so no other is in reach. */
export function memoryStore(orgId: OrgId, { client, table }: MemoryStoreDeps): MemoryStore {
  return {
    orgId,

    async get(key) {
      const reply = await translated(client.send(new GetCommand(getInput(table, orgId, key))));
      return reply.Item === undefined ? undefined : fromItem(table, reply.Item);
    },

    async getMany(keys) {
      const distinct = [...new Set(keys)];
      const items = await batchGet(
        client,
        table,
        distinct.map((dedupKey) => ({ orgId, dedupKey })),
      );
      const found = new Map(items.map((item) => [item.dedupKey, fromItem(table, item)]));
      return distinct.flatMap((key) => found.get(key) ?? []);
    },

    async put(next, expectedRev) {
      const token = randomBytes(9).toString('base64url');
      const input = putInput(table, orgId, next, expectedRev, token);
      const tokenStored = async () => {
        const { Item } = await client.send(new GetCommand(getInput(table, orgId, next.dedupKey)));
        return Item?.writeToken;
      };
      try {
        await client.send(new PutCommand(input));
        return 'stored';
      } catch (error) {
        if (isConditionFailure(error)) {
          const standing = tokenIn(error) ?? (await translated(tokenStored()));
          return standing === token ? 'stored' : 'conflict';
        }
        const fault = storeFault(error);
        // The reply can be lost after the commit; only what is stored tells.
        if (fault instanceof MemoryError && (await tokenStored().catch(() => undefined)) === token)
          return 'stored';
        throw fault;
      }
    },

    async range(range, limit) {
      if (range.from >= range.to || limit < 1) return { items: [], more: false };
      const read = await queryItems(client, rangeInput(table, orgId, range), limit + 1);
      const within = read.filter((item) => item.dedupKey !== range.to);
      return {
        items: within.slice(0, limit).map((item) => fromItem(table, item)),
        more: within.length > limit,
      };
    },

    async list(query) {
      const { after, limit } = query;
      const wanted = limit + 1 + (after === undefined ? 0 : 1);
      const read = await queryItems(client, listInput(table, orgId, query), wanted);
      const items = read
        .map((item) => fromItem(table, item))
        .filter((item) => item.updatedAt !== after?.updatedAt || item.dedupKey !== after.dedupKey);
      return pageOf(items, limit);
    },
  };
}

export function getInput(table: string, orgId: OrgId, dedupKey: DedupKey): GetCommandInput {
  return { TableName: table, Key: { orgId, dedupKey }, ConsistentRead: true };
}

/** @throws Error when the memory is another org's or its `rev` is not the one after `expectedRev`: bugs, not faults. */
export function putInput(
  table: string,
  orgId: OrgId,
  next: StoredMemory,
  expectedRev: number,
  token: string,
): PutCommandInput {
  if (next.orgId !== orgId) throw new Error('A memory of another org cannot be put here.');
  if (next.rev !== expectedRev + 1)
    throw new Error('A memory is put with the rev after the one it was read with.');
  return {
    TableName: table,
    Item: toItem(next, token),
    ...(expectedRev === 0
      ? { ConditionExpression: 'attribute_not_exists(dedupKey)' }
      : { ConditionExpression: 'rev = :rev', ExpressionAttributeValues: { ':rev': expectedRev } }),
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  };
}

/** `BETWEEN` takes both ends in; what lies on `to` itself is left out by the reader. */
export function rangeInput(table: string, orgId: OrgId, { from, to }: KeyRange): QueryCommandInput {
  return {
    TableName: table,
    KeyConditionExpression: 'orgId = :org AND dedupKey BETWEEN :from AND :to',
    ExpressionAttributeValues: { ':org': orgId, ':from': from, ':to': to },
    ConsistentRead: true,
  };
}

/**
 * The position is a bound of the key condition and no start key, so that a page can begin where an item has gone
 * since, and a forged position reaches nothing but this org's own list.
 */
export function listInput(
  table: string,
  orgId: OrgId,
  { index, userId, after }: ListQuery,
): QueryCommandInput {
  const { name, sortKey } = index === 'review' ? TABLES.memories.awaitingReview : TABLES.memories.byStatus;
  const prefix = personPrefix(userId) + (index === 'review' ? '' : `${index}/`);
  return {
    TableName: table,
    IndexName: name,
    KeyConditionExpression: `orgId = :org AND ${sortKey} BETWEEN :from AND :to`,
    ExpressionAttributeValues: {
      ':org': orgId,
      ':from': `${prefix}0`,
      // A colon sorts behind every digit.
      ':to': prefix + (after === undefined ? ':' : cut(positionKey(after))),
    },
    ScanIndexForward: false,
  };
}

export function toItem(memory: StoredMemory, writeToken: string): Attributes {
  const { owner, turnedDown, decidedAt, history, ...plain } = memory;
  const person = personPrefix(owner.scope === 'user' ? owner.userId : undefined);
  return {
    ...plain,
    ...owner,
    ...(memory.decided && { listKey: `${person}${memory.decided.status}/${positionKey(memory)}` }),
    ...(proposalOf(memory) && { reviewKey: person + positionKey(memory) }),
    ...(turnedDown.length > 0 && { turnedDown }),
    ...(decidedAt > 0 && { decidedAt }),
    // One string takes less room than nested maps, and only `get` ever shows it.
    ...(history.length > 0 && { history: JSON.stringify(history) }),
    writeToken,
  };
}

/**
 * What hangs on the same workspaces is read again and again; an item that says to the letter what it said before is not
 * taken apart anew.
 *
 * @throws CorruptItemError
 */
export function fromItem(table: string, item: Attributes): StoredMemory {
  const name = `${table}\n${item.orgId}\n${item.dedupKey}`;
  const known = parsed.get(name);
  if (known !== undefined && sameData(known.item, item)) return known.memory;
  return parsed.set(name, { item, memory: parseItem(table, item) }).memory;
}

const parsed = boundedCache<{ readonly item: Attributes; readonly memory: StoredMemory }>(2000);

function parseItem(table: string, item: Attributes): StoredMemory {
  return reading(table, `${item.orgId}/${item.dedupKey}`, () => {
    const { scope, userId, documentId, decided, derived, imported, history, ...plain } =
      StoredItem.parse(item);
    return {
      ...plain,
      owner: ownerOf(scope, userId, documentId),
      ...(decided && { decided: { ...decided, content: contentOf(plain.kind, decided.content) } }),
      ...(derived && { derived: { ...derived, content: contentOf(plain.kind, derived.content) } }),
      ...(imported && { imported: { ...imported, content: contentOf(plain.kind, imported.content) } }),
      history: history === undefined ? [] : History.parse(JSON.parse(history)),
    };
  });
}

const History = z.lazy(() => z.array(HistoryEntry));
const Count = z.lazy(() => z.int().check(z.gte(0)));

const StoredProposal = z.lazy(() =>
  z.object({
    content: z.unknown(),
    confidence: z.number(),
    evidenceCount: Count,
    source: MemorySource,
    proposedAt: Count,
  }),
);

const StoredItem = z.lazy(() =>
  z.object({
    orgId: OrgId,
    dedupKey: DedupKey,
    scope: z.enum(['org', 'user', 'document']),
    userId: z.optional(UserId),
    documentId: z.optional(DocumentId),
    kind: z.enum(['preference', 'canonical_mapping', 'workflow_hint', 'integration_preference']),
    decided: z.optional(
      z.object({
        status: z.enum(['active', 'rejected', 'archived']),
        content: z.unknown(),
        source: MemorySource,
        confidence: z.number(),
        evidenceCount: Count,
      }),
    ),
    derived: z.optional(StoredProposal),
    imported: z.optional(StoredProposal),
    support: Count,
    turnedDown: z._default(z.array(z.string()), []),
    decidedAt: z._default(Count, 0),
    version: Count,
    rev: z.int().check(z.gte(1)),
    createdAt: Count,
    createdBy: z.string(),
    updatedAt: Count,
    updatedBy: z.string(),
    history: z.optional(z.string()),
  }),
);

function ownerOf(
  scope: MemoryOwner['scope'],
  userId: UserId | undefined,
  documentId: DocumentId | undefined,
): MemoryOwner {
  if (scope === 'org') return { scope };
  if (scope === 'user' && userId !== undefined) return { scope, userId };
  if (scope === 'document' && documentId !== undefined) return { scope, documentId };
  throw new Error(`A memory of scope ${scope} does not say whose it is.`);
}

const CONTENT_OF = {
  preference: PreferenceContent,
  canonical_mapping: MappingContent,
  workflow_hint: WorkflowHintContent,
  integration_preference: IntegrationPreferenceContent,
} as const satisfies Record<StoredMemory['kind'], z.ZodMiniType>;

const contentOf = (kind: StoredMemory['kind'], content: unknown): MemoryContent =>
  CONTENT_OF[kind].parse(content);

/** No key is longer; a forged position may be, and DynamoDB refuses a bound over 1 KB. */
const cut = (position: string) => Buffer.from(position).subarray(0, 800).toString();

/** A person's own memories are a list of their own, so that no page of another list ever reads them. */
const personPrefix = (userId: UserId | undefined) => (userId === undefined ? '' : `user/${userId}/`);

const positionKey = ({ updatedAt, dedupKey }: ListPosition) =>
  `${String(updatedAt).padStart(13, '0')}/${dedupKey}`;

function pageOf(items: readonly StoredMemory[], limit: number): ListPage {
  const shown = items.slice(0, limit);
  const last = shown.at(-1);
  if (items.length <= limit || last === undefined) return { items: shown };
  return { items: shown, next: { updatedAt: last.updatedAt, dedupKey: last.dedupKey } };
}

// The old item of a failed condition comes as it is on the wire, which the document client leaves alone.
const FailedOn = z.lazy(() => z.object({ Item: z.object({ writeToken: z.object({ S: z.string() }) }) }));

const tokenIn = (error: unknown) => FailedOn.safeParse(error).data?.Item.writeToken.S;
