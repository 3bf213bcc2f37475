import { BatchWriteCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { chunksOf } from '../../lib/aws/batches.ts';
import { toItem } from '../../lib/aws/memory-store.ts';
import { TABLES } from '../../lib/aws/tables.ts';
import { toVoteItem } from '../../lib/aws/vote-item.ts';
import { OrgId } from '../../lib/domain/ids.ts';
import type { MemoryBody } from '../../lib/domain/memory.ts';
import type { StoredMemory } from '../../lib/domain/stored-memory.ts';
import { categoryBody, MOMENT, storedMemory, vote } from '../support/builders.ts';

/** A merchant of six letters or more; different numbers are different merchants. */
export function merchantNamed(index: number): string {
  let rest = index;
  let name = '';
  for (let place = 0; place < 5; place += 1) {
    name = String.fromCharCode(97 + (rest % 26)) + name;
    rest = Math.floor(rest / 26);
  }
  return `quo${name}`;
}

export const AMBIENT = 20;

/** What every request of an org reads: preferences, hints and integrations as people write them. */
export function ambientMemories(org: string): readonly StoredMemory[] {
  return Array.from({ length: AMBIENT }, (_, n) => {
    const body: MemoryBody =
      n % 4 === 0
        ? { kind: 'workflow_hint', content: { hint: 'preview_first', capability: `documents.send-${n}` } }
        : n % 4 === 1
          ? {
              kind: 'integration_preference',
              content: { capability: `integrations.export-${n}`, integration: 'xero', target: 'bills' },
            }
          : {
              kind: 'preference',
              content: {
                text: `Answer in English, and show amounts with their currency (${n}).`,
                topic: `topic-${n}`,
              },
            };
    return stored(org, body, n);
  });
}

export function mappings(org: string, count: number): readonly StoredMemory[] {
  return Array.from({ length: count }, (_, n) =>
    stored(org, categoryBody(merchantNamed(n), String(6000 + (n % 100)), `Account ${n % 100}`), n),
  );
}

export function stored(org: string, body: MemoryBody, n = 0): StoredMemory {
  return storedMemory({ orgId: OrgId.parse(org), body, updatedAt: MOMENT + n });
}

export async function putMemories(client: DynamoDBDocumentClient, memories: readonly StoredMemory[]) {
  await putItems(
    client,
    TABLES.memories.name,
    memories.map((memory) => toItem(memory, 'c2VlZGVkIGZvciBh')),
  );
}

/** `count` votes for one category of one merchant, each of a document of its own. */
export async function putVotes(client: DynamoDBDocumentClient, org: string, merchant: string, count: number) {
  const says = categoryBody(merchant, '6001');
  const { range: _, ...plain } = vote({ says });
  const items = Array.from({ length: count }, (_, n) =>
    toVoteItem({
      ...vote({ says, eventId: `seed-${n}`, documentIds: [`doc-${n}`], userId: `u_${n % 7}` }),
      at: plain.at + n,
    }),
  );
  await putItems(
    client,
    TABLES.events.name,
    items.map((item) => ({ orgId: org, ...item })),
  );
}

const WRITERS = 8;

async function putItems(
  client: DynamoDBDocumentClient,
  table: string,
  items: readonly Readonly<Record<string, unknown>>[],
): Promise<void> {
  const chunks = [...chunksOf(items, 25)];
  const writer = async () => {
    for (let chunk = chunks.pop(); chunk !== undefined; chunk = chunks.pop()) {
      let left: Record<string, unknown>[] = chunk.map((Item) => ({ PutRequest: { Item } }));
      while (left.length > 0) {
        const reply = await client.send(new BatchWriteCommand({ RequestItems: { [table]: left } }));
        left = (reply.UnprocessedItems?.[table] ?? []) as Record<string, unknown>[];
      }
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, writer));
}
