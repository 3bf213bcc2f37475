import {
  BatchGetCommand,
  type BatchGetCommandInput,
  type BatchGetCommandOutput,
  BatchWriteCommand,
  type BatchWriteCommandInput,
  type DynamoDBDocumentClient,
} from '@aws-sdk/lib-dynamodb';
import { MemoryError } from '../domain/errors.ts';
import { translated } from './faults.ts';
import type { Attributes } from './queries.ts';

const MAX_GETS = 100;
const MAX_WRITES = 25;
const ROUNDS = 6;
const FIRST_PAUSE_MS = 20;

export type WriteRequest = NonNullable<NonNullable<BatchWriteCommandInput['RequestItems']>[string]>[number];

/**
 * Strongly consistent reads of any number of distinct keys; items that do not exist are missing, order is arbitrary.
 * What DynamoDB leaves unprocessed is asked for again, alone.
 *
 * @throws MemoryError `throttled` when some is still unprocessed after a few rounds.
 */
export async function batchGet(
  client: DynamoDBDocumentClient,
  table: string,
  keys: readonly Attributes[],
): Promise<readonly Attributes[]> {
  const read = await Promise.all(chunksOf(keys, MAX_GETS).map((chunk) => getChunk(client, table, chunk)));
  return read.flat();
}

/**
 * Puts and deletes of distinct keys. What DynamoDB leaves unprocessed is sent again, alone.
 *
 * @throws MemoryError `throttled` when some is still unprocessed after a few rounds.
 */
export async function batchWrite(
  client: DynamoDBDocumentClient,
  table: string,
  requests: readonly WriteRequest[],
): Promise<void> {
  for (const chunk of chunksOf(requests, MAX_WRITES)) {
    let left: readonly WriteRequest[] = chunk;
    for (let round = 0; left.length > 0; round += 1) {
      await pauseBefore(round);
      const input = { RequestItems: { [table]: [...left] } };
      const reply = await translated(client.send(new BatchWriteCommand(input)));
      left = reply.UnprocessedItems?.[table] ?? [];
    }
  }
}

export function chunksOf<T>(values: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(values.length / size) }, (_, n) =>
    values.slice(n * size, (n + 1) * size),
  );
}

/** Waits longer before each round, with full jitter, so that many callers do not come back together. */
export async function pauseBefore(round: number, rounds = ROUNDS): Promise<void> {
  if (round === 0) return;
  if (round >= rounds) throw new MemoryError('throttled', 'The store is busy.');
  const pause = Math.random() * FIRST_PAUSE_MS * 2 ** round;
  await new Promise((resolve) => setTimeout(resolve, pause));
}

async function getChunk(client: DynamoDBDocumentClient, table: string, keys: readonly Attributes[]) {
  const items: Attributes[] = [];
  let left: readonly Attributes[] = keys;
  for (let round = 0; left.length > 0; round += 1) {
    await pauseBefore(round);
    const input: BatchGetCommandInput = {
      RequestItems: { [table]: { Keys: [...left], ConsistentRead: true } },
    };
    const reply: BatchGetCommandOutput = await translated(client.send(new BatchGetCommand(input)));
    items.push(...(reply.Responses?.[table] ?? []));
    left = reply.UnprocessedKeys?.[table]?.Keys ?? [];
  }
  return items;
}
