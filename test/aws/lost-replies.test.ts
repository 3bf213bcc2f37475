import { randomUUID } from 'node:crypto';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accountStore } from '../../lib/aws/account-store.ts';
import { correctionLog } from '../../lib/aws/correction-log.ts';
import { memoryStore } from '../../lib/aws/memory-store.ts';
import { TABLES } from '../../lib/aws/tables.ts';
import { OrgId } from '../../lib/domain/ids.ts';
import { chart, correctionEvent, MOMENT, storedMemory } from '../support/builders.ts';
import { clientAt, ENGINES, type Engine, startEngine } from '../support/engines.ts';

describe.each(ENGINES)('a lost reply on %s', (name) => {
  let engine: Engine;
  beforeAll(async () => {
    engine = await startEngine(name);
  });
  afterAll(() => engine.stop());

  const losingStores = (count: number, when: 'before' | 'after', maxAttempts = 3) => {
    const orgId = OrgId.parse(`org_${randomUUID()}`);
    const client = clientAt(engine.endpoint, { maxAttempts }, losing(count, when));
    return {
      orgId,
      memories: memoryStore(orgId, { client, table: TABLES.memories.name }),
      log: correctionLog(orgId, { client, table: TABLES.events.name }),
      accounts: accountStore(orgId, { client, table: TABLES.accounts.name }),
    };
  };

  it("after the commit is one's own success, whether the client tries again or gives up", async () => {
    for (const maxAttempts of [1, 3]) {
      const { memories, orgId } = losingStores(1, 'after', maxAttempts);
      const memory = storedMemory({ orgId });
      expect(await memories.put(memory, 0)).toBe('stored');
      expect(await memories.get(memory.dedupKey)).toEqual(memory);
      expect(await memories.put(memory, 0)).toBe('conflict');
    }
  });

  it("of a later write is one's own success too", async () => {
    const { memories, orgId } = losingStores(9, 'after');
    const memory = storedMemory({ orgId });
    expect(await memories.put(memory, 0)).toBe('stored');
    expect(await memories.put({ ...memory, rev: 2 }, 1)).toBe('stored');
    expect(await memories.get(memory.dedupKey)).toMatchObject({ rev: 2 });
  });

  it('before the commit is tried again and has one effect, or is unavailable and has none', async () => {
    const patient = losingStores(1, 'before');
    expect(await patient.memories.put(storedMemory({ orgId: patient.orgId }), 0)).toBe('stored');
    const hasty = losingStores(1, 'before', 1);
    const memory = storedMemory({ orgId: hasty.orgId });
    await expect(hasty.memories.put(memory, 0)).rejects.toMatchObject({ code: 'unavailable' });
    expect(await hasty.memories.get(memory.dedupKey)).toBeUndefined();
  });

  it('leaves an event in the log once, and a chart replaced once', async () => {
    const { log, accounts, orgId } = losingStores(1, 'after');
    const event = correctionEvent({ orgId });
    expect((await log.record(event, MOMENT)).event).toEqual(event);
    expect((await log.events(undefined, 5)).events).toEqual([event]);
    for (const maxAttempts of [1, 3]) {
      const losingHead = losingStores(1, 'after', maxAttempts).accounts;
      expect(await losingHead.replace(chart(), MOMENT)).toEqual({ version: 1, accounts: 3 });
      expect((await losingHead.load())?.version).toBe(1);
    }
    expect(await accounts.load()).toBeUndefined();
  });
});

/** Lets the first `count` puts be done and then loses their replies, or loses them before they are done. */
function losing(count: number, when: 'before' | 'after') {
  let left = count;
  return (below: DynamoDBClient) =>
    below.middlewareStack.add(
      (next, context) => async (args) => {
        const lose = context['commandName'] === 'PutItemCommand' && left-- > 0;
        const reset = Object.assign(new Error('socket hang up'), {
          name: 'TimeoutError',
          code: 'ECONNRESET',
        });
        if (lose && when === 'before') throw reset;
        const reply = await next(args);
        if (lose) throw reset;
        return reply;
      },
      { step: 'deserialize', priority: 'high' },
    );
}
