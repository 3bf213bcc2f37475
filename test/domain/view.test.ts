import { describe, expect, it } from 'vitest';
import type { MemoryContent } from '../../lib/domain/memory.ts';
import { accountIdsOf, withCurrentName } from '../../lib/domain/view.ts';
import { account, categoryBody, preferenceBody, storedMemory } from '../support/builders.ts';

describe('the accounts of a memory', () => {
  it('are those it is decided on and those it is proposed for', () => {
    const proposing = storedMemory({ derived: { content: categoryBody('Vercel', '6300').content } });
    expect(accountIdsOf(proposing)).toEqual(['6120', '6300']);
    expect(accountIdsOf(storedMemory())).toEqual(['6120']);
  });

  it('are none where it is about something else', () => {
    expect(accountIdsOf(storedMemory({ body: preferenceBody() }))).toEqual([]);
  });
});

describe('the name of an account', () => {
  const booked = (name?: string): MemoryContent => categoryBody('Vercel', '6120', name).content;
  const chart = new Map([['6120', account({ name: 'Software' })]]);

  it('is the one the chart gives it now, and the last one known where it is gone from the chart', () => {
    expect(withCurrentName(booked('Hosting'), chart)).toStrictEqual(booked('Software'));
    expect(withCurrentName(booked('Hosting'), new Map())).toStrictEqual(booked('Hosting'));
  });

  it('is left out where nobody ever knew it', () => {
    expect(withCurrentName(booked(), new Map())).toStrictEqual(booked());
  });
});
