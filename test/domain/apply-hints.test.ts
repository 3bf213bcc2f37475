import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyHints, type Extraction } from '../../lib/domain/apply-hints.ts';
import { Hints } from '../../lib/domain/hints.ts';
import { hostileText } from '../support/hostile-text.ts';

const EMPTY = {
  orgId: 'org_demo',
  snapshot: 's',
  truncated: false,
  promptHints: [],
  routingHints: [],
  entityHints: [],
  normalizationHints: [],
};
const hints = (members: Partial<Record<keyof Hints, unknown>>) => Hints.parse({ ...EMPTY, ...members });
const forged = (members: Partial<Record<keyof Hints, unknown>>) =>
  ({ ...EMPTY, ...members }) as unknown as Hints;

const ALIAS = { type: 'merchant', merchantKey: 'vercelsf', canonicalName: 'Vercel', memoryId: 'm_alias' };
const CATEGORY = {
  field: 'category',
  merchantKey: 'vercel',
  account: { id: '6120', name: 'Software' },
  memoryId: 'm_category',
};
const LABELS = {
  field: 'labels',
  merchantKey: 'vercel',
  labels: ['cloud', 'Recurring'],
  memoryId: 'm_labels',
};
const XERO = {
  field: 'integration',
  capability: 'send',
  integration: 'xero',
  target: 'bills',
  memoryId: 'm_xero',
};

describe('applying hints', () => {
  it('normalizes merchant, category, labels and integration, and lists each change with its memory', () => {
    const extraction = { merchant: 'VERCEL SF', total: '20.00', date: '2026-11-30', lines: [{ amount: 20 }] };
    const { raw, normalized, changes } = applyHints(
      extraction,
      hints({
        entityHints: [ALIAS],
        normalizationHints: [
          { ...CATEGORY, merchantKey: 'vercelsf' },
          { ...LABELS, merchantKey: 'vercelsf' },
          XERO,
        ],
      }),
    );
    expect(raw).toBe(extraction);
    expect(normalized).toEqual({
      ...extraction,
      merchant: 'Vercel',
      category: { id: '6120', name: 'Software' },
      labels: ['cloud', 'Recurring'],
      integration: 'xero',
    });
    expect(changes).toEqual([
      { field: 'merchant', from: 'VERCEL SF', to: 'Vercel', memoryId: 'm_alias' },
      { field: 'category', from: undefined, to: { id: '6120', name: 'Software' }, memoryId: 'm_category' },
      { field: 'labels', from: undefined, to: ['cloud', 'Recurring'], memoryId: 'm_labels' },
      { field: 'integration', from: undefined, to: 'xero', memoryId: 'm_xero' },
    ]);
  });

  it('applies what carries the canonical name, but what carries the printed one first', () => {
    const through = hints({ entityHints: [ALIAS], normalizationHints: [CATEGORY] });
    expect(applyHints({ merchant: 'Vercel SF' }, through).normalized.category).toEqual({
      id: '6120',
      name: 'Software',
    });
    const own = { ...CATEGORY, merchantKey: 'vercelsf', account: { id: '6300' }, memoryId: 'm_own' };
    const both = hints({ entityHints: [ALIAS], normalizationHints: [CATEGORY, own] });
    expect(applyHints({ merchant: 'Vercel SF' }, both).changes).toContainEqual({
      field: 'category',
      from: undefined,
      to: { id: '6300' },
      memoryId: 'm_own',
    });
  });

  it('leaves another merchant, and a document without one, as they are', () => {
    const given = hints({ entityHints: [ALIAS], normalizationHints: [CATEGORY, LABELS] });
    for (const merchant of ['Uber', '', 'POS 1234', undefined, null, 12, { name: 'Vercel' }, ['Vercel']]) {
      expect(applyHints({ merchant }, given)).toEqual({
        raw: { merchant },
        normalized: { merchant },
        changes: [],
      });
    }
    expect(applyHints(Object.create({ merchant: 'Vercel' }), given).changes).toEqual([]);
  });

  it('lists no change where the merchant is already called so', () => {
    const given = hints({ entityHints: [{ ...ALIAS, merchantKey: 'vercel' }] });
    expect(applyHints({ merchant: 'Vercel' }, given).changes).toEqual([]);
    expect(applyHints({ merchant: 'VERCEL' }, given).changes).toHaveLength(1);
  });

  it('keeps a category in the form it came in, and changes nothing that agrees', () => {
    const given = hints({ normalizationHints: [CATEGORY] });
    const of = (category: unknown) =>
      applyHints({ merchant: 'Vercel', category }, given).changes.map(({ from, to }) => [from, to]);
    expect(of('6300')).toEqual([['6300', '6120']]);
    expect(of({ id: '6300', name: 'Travel' })).toEqual([
      [
        { id: '6300', name: 'Travel' },
        { id: '6120', name: 'Software' },
      ],
    ]);
    expect(of(null)).toEqual([[null, { id: '6120', name: 'Software' }]]);
    expect(of('')).toEqual([['', '6120']]);
    expect(of('6120')).toEqual([]);
    expect(of({ id: '6120' })).toEqual([]);
    expect(of(6300)).toEqual([]);
    expect(of([])).toEqual([]);
  });

  it('adds labels and never takes one away', () => {
    const given = hints({ normalizationHints: [LABELS] });
    expect(applyHints({ merchant: 'Vercel', labels: ['mine', 'CLOUD'] }, given).normalized.labels).toEqual([
      'mine',
      'CLOUD',
      'Recurring',
    ]);
    expect(applyHints({ merchant: 'Vercel', labels: ['recurring', 'cloud'] }, given).changes).toEqual([]);
    for (const nothing of [undefined, null, '', []]) {
      expect(applyHints({ merchant: 'Vercel', labels: nothing }, given).normalized.labels).toEqual([
        'cloud',
        'Recurring',
      ]);
    }
    expect(applyHints({ merchant: 'Vercel', labels: 'cloud' }, given).changes).toEqual([]);
    expect(applyHints({ merchant: 'Vercel', labels: [1] }, given).changes).toEqual([]);
  });

  it('chooses an integration only where it is clear which one', () => {
    const invoice = { ...XERO, integration: 'qbo', documentType: 'invoice', memoryId: 'm_qbo' };
    const { target: _target, ...drive } = {
      ...XERO,
      capability: 'archive',
      integration: 'drive',
      memoryId: 'm_drive',
    };
    const to = (extraction: Extraction, ...given: readonly unknown[]) =>
      applyHints(extraction, hints({ normalizationHints: given })).changes.map((change) => change.to);
    expect(to({}, XERO)).toEqual(['xero']);
    expect(to({ integration: 'xero' }, XERO)).toEqual([]);
    expect(to({ integration: 'sage' }, XERO)).toEqual(['xero']);
    expect(to({ integration: { integration: 'xero', target: 'drafts' } }, XERO)).toEqual([
      { integration: 'xero', target: 'bills' },
    ]);
    expect(to({ integration: { integration: 'sage', target: 'drafts' } }, drive)).toEqual([
      { integration: 'drive', target: 'drafts' },
    ]);
    expect(to({}, XERO, drive)).toEqual([]);
    expect(to({ integration: { capability: 'Archive' } }, XERO, drive)).toEqual([
      { capability: 'Archive', integration: 'drive' },
    ]);
    expect(to({ integration: { capability: 'send', integration: 'sage' } }, XERO)).toEqual([
      { capability: 'send', integration: 'xero', target: 'bills' },
    ]);
    expect(to({ integration: { integration: 'xero', target: 'bills' } }, XERO)).toEqual([]);
    expect(to({ documentType: 'Invoice' }, XERO, invoice)).toEqual(['qbo']);
    expect(to({ documentType: 'receipt' }, XERO, invoice)).toEqual(['xero']);
    expect(to({ integration: 5 }, XERO)).toEqual([]);
  });

  it('ignores a forged hint and applies the good ones beside it', () => {
    const given = forged({
      entityHints: [
        { ...ALIAS, field: 'total' },
        null,
        'x',
        { ...ALIAS, merchantKey: 'vercel', canonicalName: 'Vercel' },
      ],
      normalizationHints: [
        { field: 'total', merchantKey: 'vercel', value: '1', memoryId: 'm' },
        { field: '__proto__', merchantKey: 'vercel', account: { id: 'x' }, memoryId: 'm' },
        { ...CATEGORY, account: { id: 'x', total: 1 } },
        { ...CATEGORY, total: 1 },
        CATEGORY,
      ],
    });
    expect(applyHints({ merchant: 'vercel', total: '20.00' }, given).normalized).toEqual({
      merchant: 'Vercel',
      total: '20.00',
      category: { id: '6120', name: 'Software' },
    });
    expect(
      applyHints({ merchant: 'vercel' }, forged({ entityHints: 'x', normalizationHints: undefined })).changes,
    ).toEqual([]);
  });

  it('takes a key named like a prototype for a key', () => {
    const extraction = JSON.parse(
      '{"merchant":"Vercel","__proto__":{"labels":["x"]},"constructor":{"name":"Set"},"category":{"__proto__":{"id":"6120"}}}',
    );
    const { normalized } = applyHints(extraction, hints({ normalizationHints: [CATEGORY, LABELS] }));
    expect(Object.getPrototypeOf(normalized)).toBe(Object.prototype);
    expect(Object.keys(normalized)).toEqual(['merchant', '__proto__', 'constructor', 'category', 'labels']);
    expect(normalized.category).toEqual({ id: '6120', name: 'Software' });
    expect(({} as Record<string, unknown>).labels).toBeUndefined();
  });
});

describe('document truth', () => {
  const TOUCHED = ['merchant', 'category', 'labels', 'integration'];
  const merchant = fc.oneof(fc.constantFrom('Vercel', 'VERCEL SF', 'uber', ''), hostileText);
  const extraction = fc
    .tuple(
      fc.record(
        {
          merchant,
          category: fc.oneof(fc.string(), fc.record({ id: fc.string() }), fc.jsonValue()),
          labels: fc.oneof(fc.array(fc.string()), fc.jsonValue()),
          integration: fc.jsonValue(),
          total: fc.double(),
          date: fc.string(),
          tax: fc.jsonValue(),
          invoiceNumber: fc.string(),
          documentId: fc.string(),
        },
        { requiredKeys: [] },
      ),
      fc.dictionary(
        fc.oneof(fc.string(), fc.constantFrom('__proto__', 'constructor', 'toJSON', 'amount')),
        fc.jsonValue(),
      ),
    )
    .map(([known, other]): Extraction => JSON.parse(JSON.stringify({ ...other, ...known })));
  const key = fc.constantFrom('vercel', 'vercelsf', 'uber', '__proto__');
  const hint = fc.oneof(
    fc
      .tuple(key, hostileText)
      .map(([merchantKey, canonicalName]) => ({ ...ALIAS, merchantKey, canonicalName })),
    fc
      .tuple(key, fc.string({ minLength: 1 }))
      .map(([merchantKey, id]) => ({ ...CATEGORY, merchantKey, account: { id } })),
    fc
      .tuple(key, fc.array(fc.string({ minLength: 1 })))
      .map(([merchantKey, labels]) => ({ ...LABELS, merchantKey, labels })),
    fc
      .constantFrom('total', 'date', 'tax', 'invoiceNumber', 'documentId', '__proto__')
      .map((field) => ({ ...CATEGORY, field, value: 1, to: 1 })),
    fc.constant(XERO),
    fc.jsonValue(),
  );
  const anyHints = fc
    .array(hint, { maxLength: 12 })
    .map((given) => forged({ entityHints: given, normalizationHints: given, routingHints: given }));

  it('holds whatever the memories: raw has the same bytes, nothing but four members differs, each difference is listed', () => {
    fc.assert(
      fc.property(extraction, anyHints, (document, given) => {
        const bytes = JSON.stringify(document);
        const sent = JSON.stringify(given);
        const without = applyHints(document, forged({}));
        const { raw, normalized, changes } = applyHints(document, given);
        expect(JSON.stringify(raw)).toBe(bytes);
        expect(JSON.stringify(document)).toBe(bytes);
        expect(JSON.stringify(given)).toBe(sent);
        expect(JSON.stringify(without.normalized)).toBe(bytes);
        expect(without.changes).toEqual([]);

        const differing = [...new Set([...Object.keys(document), ...Object.keys(normalized)])].filter(
          (field) => !Object.hasOwn(document, field) || document[field] !== normalized[field],
        );
        expect(differing.sort()).toEqual(changes.map(({ field }) => field).sort());
        for (const field of differing) expect(TOUCHED).toContain(field);
        for (const { field, from, to } of changes) {
          expect(from).toBe(Object.hasOwn(document, field) ? document[field] : undefined);
          expect(normalized[field]).toBe(to);
        }
      }),
      { numRuns: 1000 },
    );
  });
});
