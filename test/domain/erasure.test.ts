import { describe, expect, it } from 'vitest';
import { dedupKeyOf, memoryIdOf } from '../../lib/domain/dedup-key.ts';
import {
  aliasOf,
  causesWithout,
  eventWithout,
  memoryWithout,
  ownIdMark,
  personOf,
} from '../../lib/domain/erasure.ts';
import { OrgId, UserId } from '../../lib/domain/ids.ts';
import type { HistoryEntry } from '../../lib/domain/memory.ts';
import { correctionEvent, ORG, preferenceBody, storedMemory } from '../support/builders.ts';

const PERSON = personOf('secret', UserId.parse('u_1'));
const { alias } = PERSON;
const entry = (by: string, reason?: string): HistoryEntry => ({
  at: '2026-11-30T03:00:00.000Z',
  by,
  action: 'saved',
  to: 'active',
  ...(reason === undefined ? {} : { reason }),
});
const idOf = (userId: string, orgId = ORG) =>
  memoryIdOf(orgId, dedupKeyOf({ scope: 'user', userId: UserId.parse(userId) }, preferenceBody('x', 'tone')));

describe('a pseudonym', () => {
  it('is the keyed digest of the person, the same for good', () => {
    // HMAC-SHA-256 of `u_1` under `secret`: events of years may be known by it.
    expect(alias).toBe(aliasOf('secret', UserId.parse('u_1')));
    expect(alias).toMatch(/^erased-[A-Za-z0-9_-]{22}$/);
    expect(PERSON).toEqual({ userId: 'u_1', alias });
  });
});

describe('a memory', () => {
  const clean = { createdBy: 'u_2', updatedBy: 'u_2', history: [entry('u_2', 'as agreed')] };

  it.each([
    ['who created it', { createdBy: 'u_1' }, { createdBy: alias }],
    ['who changed it', { updatedBy: 'u_1' }, { updatedBy: alias }],
    [
      'who decided',
      { history: [entry('u_2'), entry('u_1', 'r')] },
      { history: [entry('u_2'), entry(alias, 'r')] },
    ],
    ['a reason', { history: [entry('u_2', 'u_1 asked')] }, { history: [entry('u_2', `${alias} asked`)] }],
  ])('has the pseudonym for %s, one rev on, and all else as it was', (_, before, after) => {
    const memory = storedMemory({ ...clean, ...before, rev: 4, version: 3 });
    expect(memoryWithout(memory, PERSON)).toEqual({ ...memory, ...after, rev: 5 });
  });

  it('without the person is left alone', () => {
    expect(memoryWithout(storedMemory(clean), PERSON)).toBeUndefined();
    expect(memoryWithout(storedMemory({ ...clean, history: [] }), PERSON)).toBeUndefined();
  });

  it('is done once: a second time finds nothing', () => {
    const done = memoryWithout(storedMemory({ createdBy: 'u_1' }), PERSON);
    expect(done && memoryWithout(done, PERSON)).toBeUndefined();
  });
});

describe('text', () => {
  const reasonOf = (reason: string, person = PERSON) =>
    memoryWithout(
      storedMemory({ createdBy: 'u_2', updatedBy: 'u_2', history: [entry('u_2', reason)] }),
      person,
    )?.history[0]?.reason;

  it.each([
    ['u_1', alias],
    ['u_1, u_1 and (u_1).', `${alias}, ${alias} and (${alias}).`],
    ['by:u_1: yes', `by:${alias}: yes`],
    ['ask u_1.', `ask ${alias}.`],
    ['u_1- no', `${alias}- no`],
  ])('names the pseudonym where it names the person: %s', (said, now) => {
    expect(reasonOf(said)).toBe(now);
  });

  it.each(['u_10', 'xu_1', 'u_1.b', 'u_1@example', 'a.u_1', 'u_1-2', '@u_1x', 'U_1'])(
    'is left alone where it names another: %s',
    (said) => {
      expect(reasonOf(said)).toBeUndefined();
    },
  );

  it('takes every character of an id for itself', () => {
    const dotted = personOf('secret', UserId.parse('a.b'));
    expect(reasonOf('a.b', dotted)).toBe(dotted.alias);
    expect(reasonOf('axb', dotted)).toBeUndefined();
  });
});

describe('an event', () => {
  it('has the pseudonym for its actor, and the same merchant and category', () => {
    const changeSet = { merchant: { from: 'u_1', to: 'U' }, category: { from: 'u_1', to: '6120' } };
    const event = correctionEvent({ changeSet });
    expect(eventWithout(event, PERSON)).toEqual({ ...event, actor: { userId: alias } });
  });

  it('without the person is left alone, with an actor or without', () => {
    const full = { context: { merchant: 'u_1', feedback: 'fine' }, causedBy: ['x'] };
    expect(eventWithout(correctionEvent({ actor: { userId: 'u_2' }, ...full }), PERSON)).toBeUndefined();
    expect(eventWithout(correctionEvent({ actor: undefined }), PERSON)).toBeUndefined();
    expect(
      eventWithout(correctionEvent({ actor: undefined, changeSet: undefined, context: undefined }), PERSON),
    ).toBeUndefined();
  });

  it('has the pseudonym wherever what is not learned from names the person, however deep', () => {
    const event = correctionEvent({
      actor: { userId: 'u_2' },
      changeSet: {
        approver: { from: 'u_1', to: [{ who: 'u_1', n: 1, none: null, yes: true }, 'u_1', 'u_2'] },
      },
    });
    expect(eventWithout(event, PERSON)?.changeSet).toEqual({
      approver: { from: alias, to: [{ who: alias, n: 1, none: null, yes: true }, alias, 'u_2'] },
    });
  });

  it('has feedback with the pseudonym, within its length, but where the meaning would change', () => {
    const feedback = (said: string, person = PERSON) =>
      eventWithout(correctionEvent({ actor: { userId: 'u_9' }, context: { feedback: said } }), person)
        ?.context;
    expect(feedback('u_1 wants a preview')).toEqual({ feedback: `${alias} wants a preview` });
    expect(feedback(`u_1${' '.repeat(1997)}`)?.feedback).toHaveLength(2000);
    const named = personOf('secret', UserId.parse('original'));
    expect(feedback('show me the original', named)).toBeUndefined();
  });

  it('keeps the causes that are not memories of the person', () => {
    const causedBy = [idOf('u_1'), idOf('u_10'), 'unknown', idOf('u_1', OrgId.parse('org_other'))];
    const event = correctionEvent({ actor: { userId: 'u_2' }, causedBy });
    expect(eventWithout(event, PERSON)?.causedBy).toEqual(causedBy.slice(1));
    expect(causesWithout(ORG, causedBy, PERSON)).toEqual(causedBy.slice(1));
    expect(causesWithout(ORG, [], PERSON)).toEqual([]);
  });
});

describe('the mark of an own id', () => {
  it.each(['u', 'u_', 'u_1', 'u_12', 'mara@example.com', 'x'.repeat(128)])(
    'is in the id of every memory of %s, and in no other',
    (userId) => {
      const mark = ownIdMark(personOf('s', UserId.parse(userId)));
      expect(idOf(userId).startsWith(mark)).toBe(true);
      expect(mark.length).toBeGreaterThan(6);
      expect(idOf('other').startsWith(mark)).toBe(false);
    },
  );
});
