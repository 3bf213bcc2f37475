import { describe, expect, it } from 'vitest';
import { castVotes } from '../../lib/domain/cast-votes.ts';
import { memoryIdOf } from '../../lib/domain/dedup-key.ts';
import { subjectOf } from '../../lib/domain/promotion.ts';
import { valueDigest } from '../../lib/domain/value.ts';
import { promoteCorrection } from '../../lib/operations/promote.ts';
import { replay } from '../../lib/operations/replay.ts';
import { categoryBody, correctionEvent, MOMENT, ORG, storedMemory } from '../support/builders.ts';
import { inMemoryState, inMemoryStores, type Operation } from '../support/in-memory-stores.ts';

const events = [1, 2, 3].map((n) => correctionEvent({ eventId: `e${n}`, subjectIds: [`d${n}`] }));
const { key } = subjectOf(categoryBody(), (one) => memoryIdOf(ORG, one));

function org() {
  const state = inMemoryState();
  const writes: Operation[] = [];
  const stores = inMemoryStores(state, ORG, {
    before: async (operation) => {
      if (operation === 'memories.put' || operation === 'log.cast') writes.push(operation);
    },
  });
  return { ports: { ...stores, clock: { now: () => MOMENT } }, state, writes };
}

describe('a replay', () => {
  it('changes nothing where the org is healthy, and says so', async () => {
    const { ports, writes } = org();
    for (const event of events) await promoteCorrection(ports, event);
    writes.length = 0;
    const nothing = { missingVotes: 0, changes: [], leftAlone: 0 };
    expect(await replay(ports, {})).toEqual({ events: 3, subjects: 1, ...nothing });
    expect(writes).toEqual([]);
  });

  it('rebuilds what was lost after the events were logged', async () => {
    const { ports } = org();
    for (const event of events) await ports.log.record(event, MOMENT);
    const { missingVotes, changes } = await replay(ports, {});
    expect(missingVotes).toBe(3);
    expect(changes).toEqual([
      { dedupKey: key, to: { content: categoryBody().content, evidenceCount: 3, support: 0 } },
    ]);
    expect((await ports.memories.get(key))?.derived?.evidenceCount).toBe(3);
  });

  it('only says so in a dry run', async () => {
    const { ports, writes } = org();
    for (const event of events) await ports.log.record(event, MOMENT);
    const told = await replay(ports, { dryRun: true });
    expect(writes).toEqual([]);
    expect(await replay(ports, {})).toEqual(told);
  });

  it('withdraws a proposal that no vote speaks for', async () => {
    const { ports } = org();
    await ports.memories.put(storedMemory({ decided: null, derived: {} }), 0);
    const { changes } = await replay(ports, {});
    expect(changes).toEqual([
      {
        dedupKey: key,
        from: { content: categoryBody().content, evidenceCount: 3, support: 0 },
        to: { support: 0 },
      },
    ]);
  });

  it('leaves a subject alone whose votes may have expired, and no other', async () => {
    const { ports } = org();
    await ports.memories.put(storedMemory({ decided: null, derived: {} }), 0);
    const days = (count: number) => count * 24 * 3_600_000;
    expect(await replay(ports, { keepMillis: days(730) })).toMatchObject({ changes: [], leftAlone: 1 });
    expect((await ports.memories.get(key))?.derived?.evidenceCount).toBe(3);

    // A new vote opens a window that the log holds whole.
    await promoteCorrection(ports, correctionEvent({ eventId: 'new', subjectIds: ['d9'] }));
    expect(await replay(ports, { keepMillis: days(730) })).toMatchObject({ leftAlone: 0 });
    const later = { ...ports, clock: { now: () => MOMENT + days(366) } };
    expect(await replay(later, { keepMillis: days(730) })).toMatchObject({ leftAlone: 1 });
    expect(await replay(later, {})).toMatchObject({ leftAlone: 0 });
  });

  it('remembers what people turned down', async () => {
    const { ports } = org();
    for (const event of events) await promoteCorrection(ports, event);
    const rejected = storedMemory({
      decided: { status: 'rejected' },
      rev: 2,
      turnedDown: [valueDigest(categoryBody())],
    });
    await ports.memories.put(rejected, 1);
    expect((await replay(ports, {})).changes).toEqual([]);
    expect(await ports.memories.get(key)).toEqual(rejected);
  });

  it('reads a log of many pages', async () => {
    const { ports } = org();
    const many = Array.from({ length: 450 }, (_, n) =>
      correctionEvent({ eventId: `e${String(n).padStart(3, '0')}`, subjectIds: [`d${n}`] }),
    );
    for (const event of many) {
      await ports.log.record(event, MOMENT);
      await ports.log.cast(castVotes(event).votes);
    }
    const { events: seen, missingVotes } = await replay(ports, {});
    expect([seen, missingVotes]).toEqual([450, 0]);
    expect((await ports.memories.get(key))?.derived?.evidenceCount).toBe(200);
  });
});
