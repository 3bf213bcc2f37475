import { describe, expect, it } from 'vitest';
import { sinceOf, weekOf } from '../../functions/console/app/dates.ts';
import { weeksOf } from '../../functions/console/app/weeks.ts';
import {
  byStrength,
  effectOf,
  evidenceLine,
  lineOf,
  sameContent,
  verdictLine,
} from '../../functions/console/app/words.ts';
import type { Memory, MemoryContent } from '../../lib/domain/memory.ts';
import { PROMOTION_POLICY } from '../../lib/domain/promotion.ts';
import type { Evidence } from '../../lib/domain/responses.ts';

const NOW = Date.parse('2026-11-30T12:00:00Z');
const VERCEL: MemoryContent = {
  mapping: 'category',
  merchant: 'Vercel',
  account: { id: '6120', name: 'Software' },
};

function memory(over: Partial<Memory> = {}): Memory {
  return {
    id: 'id',
    orgId: 'o',
    dedupKey: 'org/canonical_mapping/vercel/category',
    scope: 'org',
    kind: 'canonical_mapping',
    content: VERCEL,
    status: 'candidate',
    source: 'manual_correction',
    confidence: 0.86,
    evidenceCount: 5,
    version: 1,
    createdAt: '',
    createdBy: '',
    updatedAt: '',
    updatedBy: '',
    history: [],
    ...over,
  } as unknown as Memory;
}

type Vote = Evidence['votes'][number];

function evidence(over: Partial<Evidence['verdict']> = {}, votes: Evidence['votes'] = []): Evidence {
  return {
    policy: PROMOTION_POLICY,
    tally: [
      {
        content: VERCEL,
        documents: 5,
        corrections: 5,
        people: 2,
        firstAt: '2026-03-02T00:00:00Z',
        lastAt: '2026-11-29T00:00:00Z',
      },
    ],
    votes,
    verdict: { promoted: true, reason: 'promoted', k: 5, n: 5, needed: 3, confidence: 0.86, ...over },
  };
}

describe('a memory in words', () => {
  it.each<[MemoryContent, string]>([
    [VERCEL, 'Vercel → Software'],
    [{ mapping: 'category', merchant: 'Vercel', account: { id: '6120' } }, 'Vercel → account 6120'],
    [{ mapping: 'merchant_name', merchant: 'AMZN', canonicalName: 'Amazon' }, 'AMZN → Amazon'],
    [{ mapping: 'labels', merchant: 'Costa', labels: ['lunch', 'team'] }, 'Costa → lunch, team'],
    [{ text: 'Short answers' }, 'Short answers'],
    [{ hint: 'preview_first' }, 'Show a preview first'],
    [{ hint: 'custom', text: 'Ring me', senderDomain: 'x.org' }, 'Documents from x.org → Ring me'],
    [
      {
        capability: 'integrations.send-to-integration',
        integration: 'xero',
        documentType: 'invoice',
        target: 'bills',
      },
      'Documents of type invoice, when asked to send to integration → xero, bills',
    ],
    [
      { hint: 'preview_first', capability: 'send-to-integration', senderDomain: 'x.org' },
      'Documents from x.org, when asked to send to integration → Show a preview first',
    ],
    [
      { hint: 'preview_first', capability: 'send-to-integration' },
      'When asked to send to integration → Show a preview first',
    ],
  ])('%j is “%s”', (content, line) => {
    expect(lineOf(content)).toBe(line);
  });

  it('says what it does, and that the document wins', () => {
    expect(effectOf(memory()).join(' ')).toMatch(/“Vercel” is read, “Software” is suggested.*always wins/);
  });

  it('means the same whatever the account is called', () => {
    expect(
      sameContent(VERCEL, { mapping: 'category', merchant: 'VERCEL INC', account: { id: '6120' } }),
    ).toBe(true);
    expect(sameContent(VERCEL, { mapping: 'category', merchant: 'Vercel', account: { id: '6130' } })).toBe(
      false,
    );
  });

  it('comes before weaker ones, by what is proposed', () => {
    const proposal = {
      content: VERCEL,
      confidence: 0.95,
      evidenceCount: 18,
      source: 'manual_correction',
      proposedAt: '',
    } as const;
    const sorted = [memory({ confidence: 0.8 }), memory(), memory({ confidence: 0.1, proposal })].sort(
      byStrength,
    );
    expect(sorted.map(({ confidence }) => confidence)).toEqual([0.1, 0.86, 0.8]);
  });
});

describe('evidence in words', () => {
  it('counts documents and people, and says since when', () => {
    expect(evidenceLine(memory(), evidence())).toBe('5 of 5 documents, 2 people, since March');
    expect(evidenceLine(memory(), undefined)).toBe('5 documents agree');
    expect(evidenceLine(memory({ evidenceCount: 1 }), undefined)).toBe('1 document agrees');
  });

  it.each([
    [{ reason: 'needs-more', k: 2, n: 2 } as const, '2 of the 3 documents that are needed say so.'],
    [{ reason: 'needs-more', k: 3, n: 3 } as const, 'single correction'],
    [{ reason: 'mixed', k: 3, n: 6 } as const, '3 of 6'],
    [{ reason: 'turned-down' } as const, 'turned this value down'],
    [{ reason: 'intermediary' } as const, 'payment service'],
  ])('explains %j', (verdict, part) => {
    expect(verdictLine(evidence({ promoted: false, ...verdict }))).toContain(part);
  });

  it.each([
    ['2026-11-30T12:00:00Z', 'since today'],
    ['2026-11-03T12:00:00Z', 'since 3 Nov'],
    ['2026-03-03T12:00:00Z', 'since March'],
    ['2024-03-03T12:00:00Z', 'since March 2024'],
  ])('says of %s “%s”', (at, words) => {
    expect(sinceOf(at, NOW)).toBe(words);
  });
});

describe('corrections a week', () => {
  it('begin with Monday, also at its first and last moment', () => {
    expect(new Date(weekOf('2026-11-30T00:00:00Z')).toISOString()).toBe('2026-11-30T00:00:00.000Z');
    expect(new Date(weekOf('2026-11-29T23:59:59.999Z')).toISOString()).toBe('2026-11-23T00:00:00.000Z');
  });

  const vote = (eventId: string, at: string, content: MemoryContent | null = VERCEL): Vote => ({
    eventId,
    at,
    userId: 'u',
    documentIds: ['d'],
    act: 'correction',
    content,
  });

  it('count an edit once, and as answered where an active memory says the same', () => {
    const votes = [
      vote('a', '2026-11-30T01:00:00Z'),
      vote('a', '2026-11-30T01:00:00Z'),
      vote('b', '2026-11-24T01:00:00Z', { mapping: 'category', merchant: 'Vercel', account: { id: '1' } }),
      vote('c', '2026-11-24T01:00:00Z', null),
      vote('d', '2020-01-01T00:00:00Z'),
    ];
    const weeks = weeksOf([{ memory: memory({ status: 'active' }), evidence: evidence({}, votes) }], 3, NOW);
    expect(weeks.map(({ total, answered }) => [total, answered])).toEqual([
      [0, 0],
      [1, 0],
      [1, 1],
    ]);
    expect(weeks[2]?.byTopic).toEqual({ category: 1 });
  });

  it('are counted apart from what a person confirmed', () => {
    const at = '2026-11-30T01:00:00Z';
    const votes = [
      vote('a', at),
      ...['b', 'c'].map((id) => ({ ...vote(id, at), act: 'confirmation' as const })),
    ];
    const [week] = weeksOf([{ memory: memory({ status: 'active' }), evidence: evidence({}, votes) }], 1, NOW);
    expect(week).toMatchObject({ byTopic: { category: 1 }, total: 1, answered: 1, confirmations: 2 });
  });
});
