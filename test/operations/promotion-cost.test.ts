import { beforeEach, describe, expect, it } from 'vitest';
import { promoteCorrection } from '../../lib/operations/promote.ts';
import { correctionEvent, MOMENT, ORG } from '../support/builders.ts';
import { inMemoryState, inMemoryStores, type Operation } from '../support/in-memory-stores.ts';

/** Calls to the stores for one correction: a read each of the memory and of its votes; after a write the votes again. */
const NOTHING_CHANGES: readonly Operation[] = ['memories.get', 'log.newestVotes'];
const SOMETHING_CHANGES: readonly Operation[] = [...NOTHING_CHANGES, 'memories.put', 'log.newestVotes'];

let calls: Operation[];
let asked: number;
let promote: (overrides: Readonly<Record<string, unknown>>) => Promise<readonly Operation[]>;

beforeEach(() => {
  const ports = inMemoryStores(inMemoryState(), ORG, {
    before: async (operation, args) => {
      calls.push(operation);
      if (operation === 'log.newestVotes') asked = Number(args[1]);
    },
  });
  promote = async (overrides) => {
    calls = [];
    await promoteCorrection({ ...ports, clock: { now: () => MOMENT } }, correctionEvent(overrides));
    return calls;
  };
});

const nth = (n: number) => ({ eventId: `e${n}`, subjectIds: [`d${n}`] });

describe('what one correction costs', () => {
  it('is its puts into the log and two reads where nothing changes', async () => {
    expect(await promote(nth(1))).toEqual(['log.record', 'log.cast', ...NOTHING_CHANGES]);
  });

  it('is four calls where something does, and a notice', async () => {
    for (const n of [1, 2]) await promote(nth(n));
    expect(await promote(nth(3))).toEqual([
      'log.record',
      'log.cast',
      ...SOMETHING_CHANGES,
      'publisher.publish',
    ]);
    expect(await promote(nth(4))).toEqual(['log.record', 'log.cast', ...SOMETHING_CHANGES]);
  });

  it('is the same for an event that comes again', async () => {
    await promote(nth(1));
    expect(await promote(nth(1))).toEqual(['log.record', 'log.cast', ...NOTHING_CHANGES]);
  });

  it('is a put into the log where the event votes on nothing', async () => {
    expect(await promote({ type: 'rule_execute' })).toEqual(['log.record']);
  });

  it('is the same for each subject the event is about', async () => {
    const changeSet = { merchant: { from: 'VERCEL INC', to: 'Vercel' }, category: { to: '6120' } };
    expect(await promote({ changeSet })).toEqual([
      'log.record',
      'log.cast',
      'log.cast',
      ...NOTHING_CHANGES,
      ...NOTHING_CHANGES,
    ]);
  });

  it('is one vote for a thousand documents', async () => {
    const subjectIds = Array.from({ length: 1000 }, (_, n) => `d${n}`);
    expect(await promote({ type: 'bulk_edit', subjectIds })).toEqual([
      'log.record',
      'log.cast',
      ...NOTHING_CHANGES,
    ]);
  });

  it('is for the thousandth of a merchant what it was for the two hundredth', async () => {
    for (let n = 1; n < 200; n += 1) await promote(nth(n));
    expect([await promote(nth(200)), asked]).toEqual([['log.record', 'log.cast', ...SOMETHING_CHANGES], 200]);
    for (let n = 201; n < 1000; n += 1) await promote(nth(n));
    // Two hundred documents count at the most, and two hundred they are already.
    expect([await promote(nth(1000)), asked]).toEqual([['log.record', 'log.cast', ...NOTHING_CHANGES], 200]);
  });
});
