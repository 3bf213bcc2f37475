import { memoryIdOf } from '../../lib/domain/dedup-key.ts';
import { ownIdMark } from '../../lib/domain/erasure.ts';
import { UserId } from '../../lib/domain/ids.ts';
import type { StoredMemory } from '../../lib/domain/stored-memory.ts';
import {
  categoryBody,
  correctionEvent,
  MOMENT,
  ORG,
  preferenceBody,
  storedMemory,
  vote,
} from './builders.ts';

/** The one to be erased, whose id is written otherwise in a key; and another who stays. */
export const PERSON = UserId.parse('mara.lind@example.com');
export const OTHER = UserId.parse('jo-2');

/** Nothing to search for may hide in an encoding: as it is, percent-encoded in keys, and in the ids made of keys. */
export function traces(raw: string): readonly string[] {
  const person = { userId: PERSON, alias: PERSON };
  return [PERSON, encodeURIComponent(PERSON), ownIdMark(person)].filter((trace) => raw.includes(trace));
}

/** What an org knows of a person, in every place in which a person is named. */
export function memoriesOf(count: number): readonly StoredMemory[] {
  return Array.from({ length: count }, (_, n) => {
    const mine = n % 5 === 0;
    const by = n % 2 === 0 ? PERSON : OTHER;
    return storedMemory({
      body: mine
        ? preferenceBody(`Totals in euros, ${n}.`, `topic-${n}`)
        : categoryBody(`Kiosk${letters(n)}q`),
      ...(mine && { owner: { scope: 'user', userId: by } }),
      createdBy: by,
      updatedBy: n % 3 === 0 ? PERSON : OTHER,
      history: [
        { at: '2026-11-30T03:00:00.000Z', by, action: 'saved', to: 'active' },
        {
          at: '2026-11-30T03:00:01.000Z',
          by: OTHER,
          action: 'archived',
          to: 'archived',
          reason: `${PERSON} says so`,
        },
      ],
    });
  });
}

export const letters = (n: number) =>
  [...String(n)].map((digit) => String.fromCharCode(97 + Number(digit))).join('');

export function votesOf(count: number) {
  return Array.from({ length: count }, (_, n) =>
    vote({
      eventId: `ev_${n}`,
      at: MOMENT + n,
      userId: n % 2 === 0 ? PERSON : OTHER,
      documentIds: [`doc_${n}`],
      says: categoryBody(`Shop ${letters(n % 50)}`),
      causedBy: n % 100 === 1 ? [ownMemoryId] : [],
    }),
  );
}

export const ownMemory = storedMemory({ owner: { scope: 'user', userId: PERSON }, body: preferenceBody() });
export const ownMemoryId = memoryIdOf(ORG, ownMemory.dedupKey);

export function eventsOf(count: number) {
  return Array.from({ length: count }, (_, n) =>
    correctionEvent({
      eventId: `log_${String(n).padStart(5, '0')}`,
      occurredAt: new Date(MOMENT + n).toISOString(),
      actor: { userId: n % 2 === 0 ? PERSON : OTHER },
      subjectIds: [`doc_${n}`],
      changeSet: {
        category: { to: '6120' },
        approver: { from: PERSON, to: [{ note: `ask ${PERSON}, please` }] },
      },
      context: { merchant: `Shop ${letters(n % 50)}`, feedback: `${PERSON}: show me a preview` },
      causedBy: [ownMemoryId],
    }),
  );
}
