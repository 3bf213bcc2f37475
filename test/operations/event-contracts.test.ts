import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { EVENT_SOURCE, entriesOf } from '../../lib/aws/event-publisher.ts';
import { castVotes } from '../../lib/domain/cast-votes.ts';
import { CorrectionEvent } from '../../lib/domain/correction.ts';
import { MemoryError } from '../../lib/domain/errors.ts';
import { MemoryId } from '../../lib/domain/ids.ts';
import { SaveRequest } from '../../lib/domain/requests.ts';
import { archiveMemory } from '../../lib/operations/archive.ts';
import { replaceChart } from '../../lib/operations/chart.ts';
import { promoteCorrection } from '../../lib/operations/promote.ts';
import { reviewMemory } from '../../lib/operations/review.ts';
import { saveMemory } from '../../lib/operations/save.ts';
import { account, categoryBody, correctionEvent, ORG } from '../support/builders.ts';
import { type TestOrg, testOrg } from '../support/org.ts';

/**
 * The events that others send and receive, as files: what the service puts on the bus is these to the letter, and what
 * it takes from the bus it takes in this form. A change to one of them is a change for every other system on the bus.
 */
const golden = (name: string) =>
  JSON.parse(readFileSync(new URL(`../contracts/${name}.json`, import.meta.url), 'utf8'));

const NOTICES = ['memory-candidate-proposed', 'memory-reviewed', 'memory-archived', 'memory-saved'];

describe('what the service puts on the bus', () => {
  it('is the golden notices, one for each thing that happened', async () => {
    const { ports, identity, notices } = testOrg();
    await replaceChart(ports, { accounts: [account()] });
    for (const n of [1, 2, 3])
      await promoteCorrection(ports, correctionEvent({ eventId: `e${n}`, subjectIds: [`d${n}`] }));
    const id = String(notices[0]?.detail.memoryId);
    await reviewMemory(ports, identity, id, { decision: 'approve', expectedVersion: 1 });
    await archiveMemory(ports, identity, id, {});
    await saveMemory(ports, identity, SaveRequest.parse(categoryBody()));

    const sent = entriesOf('ai-memories', ORG, notices).map(({ Source, DetailType, Detail }) => ({
      source: Source,
      'detail-type': DetailType,
      detail: JSON.parse(Detail ?? ''),
    }));
    expect(sent).toEqual(NOTICES.map(golden));
  });

  it.each(NOTICES)('names the memory and says nothing of its content: %s', (name) => {
    const { detail } = golden(name);
    expect(MemoryId.safeParse(detail.memoryId).success).toBe(true);
    expect(JSON.stringify(detail)).not.toMatch(/6120|Vercel/i);
  });

  it('tells nothing where nothing changed', async () => {
    const { ports, identity, notices } = testOrg();
    await replaceChart(ports, { accounts: [account()] });
    await saveMemory(ports, identity, SaveRequest.parse(categoryBody()));
    await saveMemory(ports, identity, SaveRequest.parse(categoryBody()));
    const event = correctionEvent();
    await promoteCorrection(ports, event);
    await promoteCorrection(ports, event);
    expect(notices.map(({ type }) => type)).toEqual(['MemorySaved']);
  });
});

describe('a store that fails right after what was done', () => {
  const acts = {
    save: ({ ports, identity }: TestOrg) => saveMemory(ports, identity, SaveRequest.parse(categoryBody())),
    approve: ({ ports, identity }: TestOrg, id: string) =>
      reviewMemory(ports, identity, id, { decision: 'approve', expectedVersion: 1 }),
    archive: async ({ ports, identity }: TestOrg, id: string) => archiveMemory(ports, identity, id, {}),
  };

  it.each([
    ['save', 'MemorySaved'],
    ['approve', 'MemoryReviewed'],
    ['archive', 'MemoryArchived'],
  ] as const)('leaves nobody on the bus without the news: %s', async (act, type) => {
    const org = testOrg();
    await replaceChart(org.ports, { accounts: [account()] });
    for (const n of [1, 2, 3])
      await promoteCorrection(org.ports, correctionEvent({ eventId: `e${n}`, subjectIds: [`d${n}`] }));
    const id = String(org.notices[0]?.detail.memoryId);
    if (act === 'archive') await acts.approve(org, id);
    org.notices.length = 0;

    await expect(acts[act](failingAfterPut(org), id)).rejects.toThrow('The store is gone.');
    expect(org.notices.map((notice) => notice.type)).toEqual([type]);
  });

  it('leaves nobody on the bus without the news: a candidate', async () => {
    const org = testOrg();
    const event = (n: number) => correctionEvent({ eventId: `e${n}`, subjectIds: [`d${n}`] });
    for (const n of [1, 2]) await promoteCorrection(org.ports, event(n));

    await expect(promoteCorrection(failingAfterPut(org).ports, event(3))).rejects.toThrow(
      'The store is gone.',
    );
    await promoteCorrection(org.ports, event(3));
    expect(org.notices.map((notice) => notice.type)).toEqual(['MemoryCandidateProposed']);
  });

  /** The org whose store answers nothing from the first write of a memory on. */
  function failingAfterPut(org: TestOrg): TestOrg {
    let gone = false;
    const unlessGone = <A extends readonly unknown[], R>(call: (...args: A) => Promise<R>) => {
      return async (...args: A): Promise<R> => {
        if (gone) throw new MemoryError('unavailable', 'The store is gone.');
        return call(...args);
      };
    };
    const { memories, log } = org.ports;
    return {
      ...org,
      ports: {
        ...org.ports,
        memories: {
          ...memories,
          get: unlessGone(memories.get),
          put: async (...args) => {
            const stored = await memories.put(...args);
            gone = true;
            return stored;
          },
        },
        log: { ...log, newestVotes: unlessGone(log.newestVotes) },
      },
    };
  }
});

describe('what the service takes from the bus', () => {
  const corrections: {
    name: string;
    source: string;
    'detail-type': string;
    detail: unknown;
    votes: number;
  }[] = golden('correction-recorded');

  it.each(corrections)('is $name', ({ detail, votes }) => {
    const event = CorrectionEvent.parse(detail);
    expect(event).toEqual(detail);
    expect(castVotes(event).votes).toHaveLength(votes);
  });

  it('never comes from the service itself', () => {
    for (const event of corrections) {
      expect(event.source).not.toBe(EVENT_SOURCE);
      expect(event['detail-type']).toBe('CorrectionRecorded');
    }
    for (const name of NOTICES) {
      expect(golden(name).source).toBe(EVENT_SOURCE);
      expect(golden(name)['detail-type']).not.toBe('CorrectionRecorded');
    }
  });
});
