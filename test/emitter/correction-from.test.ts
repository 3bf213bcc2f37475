import { describe, expect, it } from 'vitest';
import { castVotes } from '../../lib/domain/cast-votes.ts';
import { CorrectionEvent } from '../../lib/domain/correction.ts';
import { type CorrectionMeta, correctionFrom } from '../../lib/emitter/correction-from.ts';
import { MOMENT } from '../support/builders.ts';

const META: CorrectionMeta = {
  eventId: 'ev_1',
  orgId: 'org_demo',
  userId: 'u_1',
  documentIds: 'doc_1',
  occurredAt: new Date(MOMENT),
};

const says = (event: CorrectionEvent | undefined) =>
  castVotes(event ?? CorrectionEvent.parse({})).votes.map(({ says: said, act }) => [
    act,
    typeof said === 'string' ? said : said.content,
  ]);

describe('the event of a document before and after', () => {
  it('is an edit of what differs, and casts the vote that is meant', () => {
    const event = correctionFrom(
      { merchant: 'UBER *TRIP', category: '6000', total: 12 },
      { merchant: 'UBER *TRIP', category: { id: '6300', name: 'Travel' }, total: 13 },
      META,
    );
    expect(event).toEqual({
      eventId: 'ev_1',
      orgId: 'org_demo',
      type: 'manual_patch',
      occurredAt: '2026-11-30T03:00:00.000Z',
      actor: { userId: 'u_1' },
      subjectType: 'document',
      subjectIds: ['doc_1'],
      changedFields: ['category', 'total'],
      changeSet: { category: { from: { id: '6000' }, to: { id: '6300', name: 'Travel' } } },
      context: { merchant: 'UBER *TRIP' },
    });
    expect(says(event)).toEqual([
      [
        'correction',
        { mapping: 'category', merchant: 'UBER *TRIP', account: { id: '6300', name: 'Travel' } },
      ],
    ]);
  });

  it('is about the merchant as printed, whatever name stood in its place', () => {
    const event = correctionFrom(
      { merchant: 'Vercel Inc', category: '1' },
      { merchant: 'Vercel', category: '1' },
      { ...META, printedMerchant: 'VERCEL INC. SAN FRANCISCO' },
    );
    expect(event?.changeSet).toEqual({ merchant: { from: 'VERCEL INC. SAN FRANCISCO', to: 'Vercel' } });
    expect(says(event)).toEqual([
      [
        'correction',
        { mapping: 'merchant_name', merchant: 'VERCEL INC. SAN FRANCISCO', canonicalName: 'Vercel' },
      ],
    ]);
  });

  it('is a bulk edit for several documents', () => {
    const event = correctionFrom(
      {},
      { merchant: 'A', category: '1' },
      { ...META, documentIds: ['d1', 'd2'] },
    );
    expect(event).toMatchObject({ type: 'bulk_edit', subjectIds: ['d1', 'd2'] });
  });

  it.each([
    ['nothing differs', { merchant: 'A', category: '1' }, { merchant: 'A', category: '1' }],
    ['an account is only called otherwise', { category: { id: '1', name: 'X' } }, { category: '1' }],
    ['a blank stands for nothing', { merchant: ' ', category: null }, { merchant: undefined }],
    ['members come in another order', { total: { a: 1, b: 2 } }, { total: { b: 2, a: 1 } }],
  ])('is none where %s', (_, before, after) => {
    expect(correctionFrom(before, after, META)).toBeUndefined();
  });

  it('confirms the values of a document that was finished as it stood', () => {
    const document = { merchant: 'Vercel', category: '6120' };
    const event = correctionFrom(document, { ...document }, { ...META, finished: true, causedBy: ['m1'] });
    expect(event).toMatchObject({
      type: 'document_confirm',
      context: { merchant: 'Vercel', confirmed: { merchant: 'Vercel', category: { id: '6120' } } },
      causedBy: ['m1'],
    });
    expect(says(event).map(([act]) => act)).toEqual(['confirmation', 'confirmation']);
    expect(correctionFrom({}, {}, { ...META, finished: true })).toBeUndefined();
  });

  it('takes back an earlier vote where the category was cleared, the document split or the money refunded', () => {
    const before = { merchant: 'Uber', category: '6300' };
    expect(says(correctionFrom(before, { merchant: 'Uber' }, META))).toEqual([['correction', 'abstain']]);
    const after = { merchant: 'Uber', category: '6400' };
    expect(says(correctionFrom(before, after, { ...META, split: true }))).toEqual([
      ['correction', 'abstain'],
    ]);
    for (const [, said] of says(correctionFrom(before, after, { ...META, direction: 'refund' }))) {
      expect(said).toBe('abstain');
    }
  });

  it('names a field the service learns nothing from, and sends none of its values', () => {
    const event = correctionFrom({ notes: 'secret' }, { notes: 'other', 'a b': 1, constructor: 2 }, META);
    expect(event?.changedFields).toEqual(['notes']);
    expect(JSON.stringify(event)).not.toMatch(/secret|other/);
    expect(event).not.toHaveProperty('changeSet');
  });

  it('throws where what it is given makes no event', () => {
    expect(() => correctionFrom({}, { merchant: 'A' }, { ...META, documentIds: [] })).toThrow();
    expect(() => correctionFrom({}, { merchant: 'A' }, { ...META, orgId: 'a b' })).toThrow();
  });
});
