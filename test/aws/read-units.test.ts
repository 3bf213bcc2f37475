import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { correctionLog, votesInput } from '../../lib/aws/correction-log.ts';
import { memoryStore, rangeInput } from '../../lib/aws/memory-store.ts';
import { TABLES } from '../../lib/aws/tables.ts';
import { DedupKey } from '../../lib/domain/ids.ts';
import { categoryBody, MOMENT, ORG, storedMemory, vote } from '../support/builders.ts';
import { type Engine, startEngine } from '../support/engines.ts';

describe('the read units of', () => {
  let engine: Engine;
  beforeAll(async () => {
    engine = await startEngine('dynalite');
  });
  afterAll(() => engine.stop());

  const unitsOf = async (input: ConstructorParameters<typeof QueryCommand>[0]) => {
    const reply = await engine.client.send(new QueryCommand({ ...input, ReturnConsumedCapacity: 'TOTAL' }));
    return { units: reply.ConsumedCapacity?.CapacityUnits ?? 0, count: reply.Count };
  };

  it('the newest 200 votes on a category are at most 7, with ids of 26 characters', async () => {
    const table = TABLES.events.name;
    const ulid = (n: number) => `01JDXR4N8ZQ2W7V5C3B9K${String(n).padStart(5, '0')}`;
    const votes = Array.from({ length: 220 }, (_, n) =>
      vote({
        at: MOMENT + n * 1000,
        eventId: ulid(n),
        documentIds: [`doc_${10_000 + n}`],
        userId: `u_${n % 9}`,
        range: vote().range,
        says: categoryBody('VERCEL INC.', '6120'),
      }),
    );
    await correctionLog(ORG, { client: engine.client, table }).cast(votes);
    const { units, count } = await unitsOf({ ...votesInput(table, ORG, vote().range), Limit: 200 });
    expect(count).toBe(200);
    expect(units).toBeLessThanOrEqual(5);
  });

  it('a hundred plain category memories are at most 14', async () => {
    const table = TABLES.memories.name;
    const memories = memoryStore(ORG, { client: engine.client, table });
    for (let n = 0; n < 100; n += 1) {
      const dedupKey = DedupKey.parse(`org/canonical_mapping/shop%20number%20${n}/category`);
      const body = categoryBody('SHOP OF GOODS', '6120', 'Software subscriptions');
      await memories.put(storedMemory({ body, dedupKey }), 0);
    }
    const { units, count } = await unitsOf(rangeInput(table, ORG, { from: 'org/', to: 'org0' }));
    expect(count).toBe(100);
    expect(units).toBeLessThanOrEqual(14);
  });
});
