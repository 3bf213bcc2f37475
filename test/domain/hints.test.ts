import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { memoryIdOf } from '../../lib/domain/dedup-key.ts';
import { type HintOptions, Hints, renderHints } from '../../lib/domain/hints.ts';
import { DocumentId, type MerchantKey, OrgId } from '../../lib/domain/ids.ts';
import { injectable, type Recalled } from '../../lib/domain/injectable.ts';
import type { MemoryBody, MemoryOwner } from '../../lib/domain/memory.ts';
import type { StoredMemory } from '../../lib/domain/stored-memory.ts';
import {
  account,
  categoryBody,
  MOMENT,
  ORG,
  preferenceBody,
  storedMemory,
  USER,
} from '../support/builders.ts';
import { hostileText, liveMarkup } from '../support/hostile-text.ts';

const DOCUMENT = DocumentId.parse('doc_1');
const OPTIONS: HintOptions = { orgId: ORG, maxHints: 100 };
const CHART = new Map([['6120', account()]]);

const idOf = (memory: StoredMemory) => memoryIdOf(ORG, memory.dedupKey);
const gate = (items: readonly StoredMemory[]) =>
  injectable(items, { userId: USER, documentId: DOCUMENT }, CHART);
const workflow = (content: Extract<MemoryBody, { kind: 'workflow_hint' }>['content']) =>
  storedMemory({ body: { kind: 'workflow_hint', content } });
const integration = (content: Extract<MemoryBody, { kind: 'integration_preference' }>['content']) =>
  storedMemory({ body: { kind: 'integration_preference', content } });

function recalled(
  ambient: readonly StoredMemory[],
  named: Readonly<Record<string, readonly StoredMemory[]>> = {},
): Recalled {
  const mappings = Object.entries(named).flatMap(([key, items]) =>
    gate(items).map((memory) => ({ merchantKey: key as MerchantKey, memory })),
  );
  return { ambient: gate(ambient), named: mappings, recent: [], partial: false };
}

const ALIAS = storedMemory({
  body: {
    kind: 'canonical_mapping',
    content: { mapping: 'merchant_name', merchant: 'VERCEL SF', canonicalName: 'Vercel' },
  },
});
const CATEGORY = storedMemory({ body: categoryBody('Vercel', '6120', 'Old name') });
const LABELS = storedMemory({
  body: { kind: 'canonical_mapping', content: { mapping: 'labels', merchant: 'Uber', labels: ['personal'] } },
});
const PREFERENCE = storedMemory({ body: preferenceBody('Show totals in euros.') });
const XERO = integration({ capability: 'send', integration: 'xero', target: 'bills' });
const QBO = integration({ capability: 'Send', integration: 'qbo', documentType: 'invoice' });
const PREVIEW = workflow({ hint: 'preview_first', capability: 'send', senderDomain: 'vercel.com' });

describe('hints', () => {
  it('have the shapes the extraction pipeline knows', () => {
    const hints = renderHints(
      recalled([PREFERENCE, XERO, PREVIEW], { 'vercel sf': [ALIAS, CATEGORY], uber: [LABELS] }),
      {
        ...OPTIONS,
        senderDomain: 'VERCEL.com',
      },
    );
    expect(hints).toEqual({
      orgId: ORG,
      snapshot: expect.stringMatching(/^[A-Za-z0-9_-]{1,64}$/),
      truncated: false,
      promptHints: [
        { text: 'Show totals in euros.', memoryId: idOf(PREFERENCE), confidence: 1 },
        {
          text: 'Show a preview first (capability send, sender domain vercel[.]com)',
          memoryId: idOf(PREVIEW),
          confidence: 1,
        },
      ],
      routingHints: [
        { labels: ['personal'], merchantKey: 'uber', memoryId: idOf(LABELS) },
        { hint: 'preview_first', capability: 'send', senderDomain: 'vercel.com', memoryId: idOf(PREVIEW) },
      ],
      entityHints: [
        { type: 'merchant', merchantKey: 'vercel sf', canonicalName: 'Vercel', memoryId: idOf(ALIAS) },
      ],
      normalizationHints: [
        { field: 'labels', merchantKey: 'uber', labels: ['personal'], memoryId: idOf(LABELS) },
        {
          field: 'category',
          merchantKey: 'vercel sf',
          account: { id: '6120', name: 'Software subscriptions' },
          memoryId: idOf(CATEGORY),
        },
        {
          field: 'integration',
          capability: 'send',
          integration: 'xero',
          target: 'bills',
          memoryId: idOf(XERO),
        },
      ],
    });
    expect(Hints.parse(hints)).toEqual(hints);
    expect(JSON.parse(JSON.stringify(hints))).toEqual(hints);
  });

  it.each([
    [undefined, 0],
    ['vercel.com', 1],
    ['Vercel.COM', 1],
    ['mail.vercel.com', 0],
    ['notvercel.com', 0],
    ['com', 0],
  ])('bound to a sender domain apply to that domain alone: %s', (senderDomain, count) => {
    const hints = renderHints(recalled([PREVIEW]), { ...OPTIONS, senderDomain });
    expect(hints.routingHints).toHaveLength(count);
    expect(hints.promptHints).toHaveLength(count);
    expect(hints.truncated).toBe(false);
  });

  it.each([
    [undefined, 'xero'],
    ['receipt', 'xero'],
    ['invoice', 'qbo'],
    ['INVOICE', 'qbo'],
  ])('name the integration for the document type, else the general one: %s', (documentType, expected) => {
    const { normalizationHints, truncated } = renderHints(recalled([XERO, QBO]), {
      ...OPTIONS,
      documentType,
    });
    expect(normalizationHints).toEqual([
      expect.objectContaining({ field: 'integration', integration: expected }),
    ]);
    expect(truncated).toBe(false);
  });

  it('leave the general integration of another capability in place', () => {
    const other = integration({ capability: 'archive', integration: 'drive' });
    const { normalizationHints } = renderHints(recalled([XERO, QBO, other]), {
      ...OPTIONS,
      documentType: 'invoice',
    });
    expect(normalizationHints.map((hint) => hint.field === 'integration' && hint.integration).sort()).toEqual(
      ['drive', 'qbo'],
    );
  });

  it('carry one mapping under each merchant that leads to it', () => {
    const { normalizationHints } = renderHints(
      recalled([], { 'vercel sf': [CATEGORY], vercel: [CATEGORY] }),
      OPTIONS,
    );
    expect(normalizationHints.map((hint) => 'merchantKey' in hint && hint.merchantKey)).toEqual([
      'vercel',
      'vercel sf',
    ]);
    expect(new Set(normalizationHints.map(({ memoryId }) => memoryId)).size).toBe(1);
  });

  it('say a custom workflow hint in its own words, on one line', () => {
    const custom = workflow({ hint: 'custom', text: 'Ask\nme <b>first</b>: https://x.com' });
    const { promptHints, routingHints } = renderHints(recalled([custom]), OPTIONS);
    expect(promptHints.map(({ text }) => text)).toEqual(['Ask me ‹b›first‹/b›: https[:]//x[.]com']);
    expect(routingHints).toEqual([{ hint: 'custom', memoryId: idOf(custom) }]);
  });

  it('say what a workflow hint is about after what it asks for', () => {
    const about = workflow({ hint: 'preview_first', text: 'the whole page', capability: 'send' });
    expect(renderHints(recalled([about]), OPTIONS).promptHints.map(({ text }) => text)).toEqual([
      'Show a preview first: the whole page (capability send)',
    ]);
  });

  it('never carry live markup in text for a prompt', () => {
    fc.assert(
      fc.property(hostileText, (hostile) => {
        const text = hostile.slice(0, 400).toWellFormed();
        const items = [storedMemory({ body: preferenceBody(text) }), workflow({ hint: 'custom', text })];
        for (const hint of renderHints(recalled(items), OPTIONS).promptHints) {
          expect(liveMarkup(hint.text.normalize('NFKC'))).toEqual([]);
        }
      }),
    );
  });
});

describe('the budget of hints', () => {
  const owned = (owner: MemoryOwner, text: string) => storedMemory({ owner, body: preferenceBody(text) });
  const ambient = [
    owned({ scope: 'org' }, 'org'),
    owned({ scope: 'user', userId: USER }, 'mine'),
    owned({ scope: 'document', documentId: DOCUMENT }, 'document'),
    XERO,
    PREVIEW,
    workflow({ hint: 'one_at_a_time' }),
  ];
  const everything = recalled(ambient, { vercel: [CATEGORY], uber: [LABELS] });
  const options = { ...OPTIONS, senderDomain: 'vercel.com' };
  const drawn = (maxHints: number) => {
    const { promptHints, routingHints, entityHints, normalizationHints, truncated } = renderHints(
      everything,
      { ...options, maxHints },
    );
    const all = [promptHints, routingHints, entityHints, normalizationHints].flat();
    return { count: all.length, ids: new Set(all.map(({ memoryId }) => memoryId)), truncated };
  };

  it('counts all arrays together and leaves out whole memories', () => {
    for (let maxHints = 1; maxHints <= 11; maxHints += 1) {
      const { count, ids, truncated } = drawn(maxHints);
      expect(count).toBeLessThanOrEqual(maxHints);
      expect(truncated).toBe(ids.size < 8);
      if (ids.has(idOf(LABELS))) expect(count).toBeGreaterThanOrEqual(2);
    }
    expect(drawn(11)).toMatchObject({ count: 11, truncated: false });
  });

  it('goes to the document, then the merchants, then what meets a condition, then the caller, then the workspace', () => {
    const [org, mine, document, xero, preview, general] = ambient.map(idOf);
    const order = [document, idOf(LABELS), idOf(CATEGORY), preview, mine, org, xero, general];
    const first = (maxHints: number) => [...drawn(maxHints).ids].sort();
    expect(first(1)).toEqual([document]);
    expect(first(4)).toEqual(order.slice(0, 3).sort());
    expect(first(6)).toEqual(order.slice(0, 4).sort());
    expect(first(7)).toEqual(order.slice(0, 5).sort());
    expect(first(8)).toEqual(order.slice(0, 6).sort());
    expect(first(9)).toEqual(order.slice(0, 7).sort());
  });

  it('says it is truncated when already the reading left something out', () => {
    expect(renderHints({ ...everything, partial: true }, options).truncated).toBe(true);
  });
});

describe('the snapshot of hints', () => {
  const items = [PREFERENCE, XERO, PREVIEW, workflow({ hint: 'one_at_a_time' })];

  it('is the same whatever the order, the counts and the times', () => {
    const expected = JSON.stringify(
      renderHints(recalled(items, { vercel: [CATEGORY], uber: [LABELS] }), OPTIONS),
    );
    fc.assert(
      fc.property(fc.shuffledSubarray(items, { minLength: items.length }), fc.nat(), (shuffled, n) => {
        const counted = shuffled.map((memory) => ({
          ...memory,
          support: n,
          rev: n + 1,
          updatedAt: MOMENT + n,
        }));
        expect(
          JSON.stringify(renderHints(recalled(counted, { uber: [LABELS], vercel: [CATEGORY] }), OPTIONS)),
        ).toBe(expected);
      }),
    );
  });

  it('is of what the hints say and not of whose they are', () => {
    const elsewhere = recalled(items.map((memory) => ({ ...memory, orgId: OrgId.parse('org_other') })));
    expect(renderHints(elsewhere, OPTIONS).snapshot).toBe(renderHints(recalled(items), OPTIONS).snapshot);
  });

  it('changes with what the hints say and with the options', () => {
    const snapshots = [
      renderHints(recalled(items), OPTIONS),
      renderHints(recalled(items.slice(1)), OPTIONS),
      renderHints(
        recalled([storedMemory({ body: preferenceBody('Show totals  in euros.') }), ...items.slice(1)]),
        OPTIONS,
      ),
      renderHints(recalled(items, { vercel: [CATEGORY] }), OPTIONS),
      renderHints(recalled(items, { 'vercel sf': [CATEGORY] }), OPTIONS),
      renderHints(recalled(items), { ...OPTIONS, maxHints: 99 }),
      renderHints(recalled(items), { ...OPTIONS, documentType: 'invoice' }),
    ].map(({ snapshot }) => snapshot);
    expect(new Set(snapshots).size).toBe(snapshots.length);
  });
});
