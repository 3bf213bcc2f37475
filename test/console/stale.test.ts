import { describe, expect, it } from 'vitest';
import { overdueOf, staleOf } from '../../functions/console/app/stale.ts';
import type { Memory, MemoryContent } from '../../lib/domain/memory.ts';
import type { Evidence } from '../../lib/domain/responses.ts';

const NOW = Date.parse('2026-11-30T12:00:00Z');
const DAY = 24 * 3_600_000;
const ago = (days: number) => new Date(NOW - days * DAY).toISOString();

const SOFTWARE: MemoryContent = { mapping: 'category', merchant: 'Vercel', account: { id: '6120' } };
const HOSTING: MemoryContent = { ...SOFTWARE, account: { id: '6130' } };

const memory = (updatedAt: string, over: Partial<Memory> = {}): Memory =>
  ({
    id: 'm',
    kind: 'canonical_mapping',
    scope: 'org',
    status: 'active',
    content: SOFTWARE,
    updatedAt,
    ...over,
  }) as Memory;

const evidenceOf = (...votes: readonly (readonly [days: number, content: MemoryContent | null])[]) =>
  new Map([['m', { votes: votes.map(([days, content]) => ({ at: ago(days), content })) } as Evidence]]);

describe('what is stale', () => {
  it.each([
    ['changed 180 days ago', 180, false],
    ['changed a moment less than 181 days ago', 181 - 1 / DAY, false],
    ['changed 181 days ago', 181, true],
    ['changed today', 0, false],
  ])('is told by the day: %s', (_, days, isStale) => {
    expect(staleOf([memory(ago(days))], evidenceOf(), NOW)).toHaveLength(isStale ? 1 : 0);
  });

  it.each<[string, ReturnType<typeof evidenceOf>, boolean]>([
    ['a document spoke for it 180 days ago', evidenceOf([180, SOFTWARE]), false],
    ['a document last spoke for it 181 days ago', evidenceOf([181, SOFTWARE], [300, SOFTWARE]), true],
    ['documents only spoke against it since', evidenceOf([1, HOSTING], [200, SOFTWARE]), true],
    ['one spoke for it before others spoke against it', evidenceOf([1, HOSTING], [2, SOFTWARE]), false],
    ['what was said was only taken back since', evidenceOf([1, null]), true],
    ['no document ever spoke of it', evidenceOf(), true],
    ['nobody has read its evidence', new Map(), false],
  ])('of a memory that nobody changed for a year where %s', (_, evidence, isStale) => {
    expect(staleOf([memory(ago(365))], evidence, NOW)).toHaveLength(isStale ? 1 : 0);
  });

  it.each<[string, Partial<Memory>]>([
    ['a preference', { kind: 'preference' }],
    ['what holds for one document', { scope: 'document' }],
  ])('needs no evidence for %s, which no document can speak for', (_, over) => {
    expect(staleOf([memory(ago(181), over)], new Map(), NOW)).toHaveLength(1);
    expect(staleOf([memory(ago(180), over)], new Map(), NOW)).toHaveLength(0);
  });
});

describe('what waits too long', () => {
  it('is what nobody decided on for more than two weeks', () => {
    expect(overdueOf([memory(ago(14)), memory(ago(15), { id: 'old' as Memory['id'] })], NOW)).toMatchObject([
      { id: 'old' },
    ]);
  });

  it('is counted from the proposal where a memory is proposed to change', () => {
    const proposal = { proposedAt: ago(3) } as Memory['proposal'] & object;
    expect(overdueOf([memory(ago(400), { proposal })], NOW)).toEqual([]);
    expect(overdueOf([memory(ago(1), { proposal: { ...proposal, proposedAt: ago(15) } })], NOW)).toHaveLength(
      1,
    );
  });
});
