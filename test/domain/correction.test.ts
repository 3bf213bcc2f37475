import { describe, expect, it } from 'vitest';
import { CorrectionEvent, CorrectionType, Instant } from '../../lib/domain/correction.ts';
import { correctionEvent } from '../support/builders.ts';
import { refusalsOf } from '../support/refusals.ts';

describe('the time of an act', () => {
  it('is an instant with an offset that is in the calendar', () => {
    for (const instant of [
      '1970-01-01T00:00:00Z',
      '2024-02-29T23:59:59.123456789Z',
      '2026-11-30T03:00:00+14:00',
      '2026-11-30T03:00:00.5-09:30',
      '9998-12-31T23:59:59Z',
    ])
      expect(refusalsOf(Instant, instant), instant).toEqual([]);
    for (const form of [
      '2026-11-30',
      '2026-11-30T03:00Z',
      '2026-11-30T03:00:00',
      '2026-11-30 03:00:00Z',
      '2026-11-30T03:00:00z',
      '2026-11-30T03:00:00.Z',
      '2026-11-30T03:00:00.1234567890Z',
      '2026-11-30T03:00:00+1400',
      ' 2026-11-30T03:00:00Z',
      '2026-11-30T03:00:00Z\n',
      '12026-11-30T03:00:00Z',
      '1796004000000',
      '',
    ])
      expect(refusalsOf(Instant, form), form).toEqual([
        'must be a date and time with an offset, such as 2026-11-30T03:00:00Z',
      ]);
    for (const unreal of [
      '2023-02-29T00:00:00Z',
      '2026-02-30T00:00:00Z',
      '2026-04-31T12:00:00Z',
      '2026-00-10T00:00:00Z',
      '2026-13-10T00:00:00Z',
      '2026-11-00T00:00:00Z',
      '2026-11-32T00:00:00Z',
      '2026-11-30T25:00:00Z',
      '2026-11-30T03:00:60Z',
      '1969-12-31T23:59:59Z',
      '9999-01-01T00:00:00Z',
    ])
      expect(refusalsOf(Instant, unreal), unreal).toEqual(['must be a real date between 1970 and 9998']);
  });
});

describe('a correction', () => {
  it('has all it may have, and a caller reads of each field what is wrong with it', () => {
    const least = {
      eventId: 'e1',
      orgId: 'o',
      type: 'bulk_edit',
      occurredAt: '2026-11-30T03:00:00Z',
      subjectIds: ['d'],
    };
    const most = {
      ...least,
      actor: { userId: 'u' },
      subjectType: 'approval',
      changedFields: ['category', 'lines[0].total'],
      changeSet: {
        merchant: { from: 'SQ *BLUE\nOAKLAND', to: null },
        category: { from: '', to: { id: '6120', name: 'Software' } },
        'lines[0].total': { from: 1, to: '2' },
      },
      context: {
        merchant: '',
        senderDomain: 'not a domain',
        documentType: 'Credit Note',
        capability: 'send',
        integration: 'xero',
        target: 'Bills',
        feedback: 'First line.\nSecond line.',
        direction: 'refund',
        split: true,
        confirmed: { merchant: 'Blue', category: '6120' },
      },
      causedBy: ['any id'],
    };
    expect(CorrectionEvent.parse(least)).toEqual({ ...least, subjectType: 'document' });
    expect(CorrectionEvent.parse(most)).toEqual(most);
    for (const type of CorrectionType.options) expect(correctionEvent({ type }).type).toBe(type);
    for (const direction of ['purchase', 'refund', 'sale'])
      expect(correctionEvent({ context: { direction } }).context).toEqual({ direction });

    const many = <Item>(count: number, item: (n: number) => Item) =>
      Array.from({ length: count }, (_, n) => item(n));
    const fields = (count: number) => Object.fromEntries(many(count, (n) => [`f${n}`, { to: n }]));
    for (const taken of [
      { subjectIds: many(1000, (n) => `d${n}`) },
      { changedFields: many(100, (n) => `f${n}`) },
      { changeSet: fields(100) },
      { causedBy: many(50, (n) => `m${n}`) },
    ])
      expect(refusalsOf(CorrectionEvent, { ...least, ...taken })).toEqual([]);
    const refused: readonly (readonly [object, string])[] = [
      [{ by: 'u' }, 'by is not a known field'],
      [{ type: 'edit' }, `type must be one of ${CorrectionType.options.join(', ')}`],
      [{ occurredAt: '2026-02-30T00:00:00Z' }, 'occurredAt must be a real date between 1970 and 9998'],
      [{ actor: {} }, 'actor.userId is required'],
      [{ actor: { userId: 'u', name: 'Kim' } }, 'actor.name is not a known field'],
      [{ subjectType: 'line' }, 'subjectType must be one of document, approval'],
      [{ subjectIds: [] }, 'subjectIds must name at least one document'],
      [{ subjectIds: many(1001, (n) => `d${n}`) }, 'subjectIds must be at most 1000 items'],
      [{ changedFields: many(101, (n) => `f${n}`) }, 'changedFields must be at most 100 items'],
      [{ changedFields: ['total', '2nd'] }, 'changedFields.1 must be a field name'],
      [{ changeSet: fields(101) }, 'changeSet must name at most 100 fields'],
      [{ changeSet: { total: { to: 1 }, '2nd': { to: 1 } } }, 'changeSet must have field names as keys'],
      [{ changeSet: { total: { to: 1, at: 2 } } }, 'changeSet.total.at is not a known field'],
      [{ changeSet: { merchant: { was: 'x' } } }, 'changeSet.merchant.was is not a known field'],
      [
        { changeSet: { merchant: { to: 'x'.repeat(401) } } },
        'changeSet.merchant.to must have at most 400 characters',
      ],
      [{ changeSet: { category: { was: 'x' } } }, 'changeSet.category.was is not a known field'],
      [{ changeSet: { category: { to: 6120 } } }, 'changeSet.category.to is none of the known forms'],
      [
        { changeSet: { total: { to: Number.NaN } } },
        'changeSet.total.to must be plain JSON, nested at most six deep',
      ],
      [{ context: { mood: 'calm' } }, 'context.mood is not a known field'],
      [
        { context: { senderDomain: 'x'.repeat(254) } },
        'context.senderDomain must have at most 253 characters',
      ],
      [{ context: { senderDomain: 'a\nb' } }, 'context.senderDomain must not have control characters'],
      [{ context: { feedback: 'x'.repeat(2001) } }, 'context.feedback must have at most 2000 characters'],
      [{ context: { direction: 'gift' } }, 'context.direction must be one of purchase, refund, sale'],
      [{ context: { confirmed: { total: 1 } } }, 'context.confirmed.total is not a known field'],
      [{ causedBy: many(51, (n) => `m${n}`) }, 'causedBy must be at most 50 items'],
      [{ causedBy: ['x'.repeat(513)] }, 'causedBy.0 must have at most 512 characters'],
    ];
    for (const [more, refusal] of refused)
      expect(refusalsOf(CorrectionEvent, { ...least, ...more })).toEqual([refusal]);
  });
});

describe('the name of a changed field', () => {
  const changed = (name: string) =>
    refusalsOf(
      CorrectionEvent,
      correctionEventWith({ changedFields: [name], changeSet: { [name]: { to: 1 } } }),
    );

  it.each(['total', '_total', 'lines[0].vat-rate', 'Total_2', 'constructors', 'f'.repeat(100)])(
    'is a word with a path in it: %s',
    (name) => expect(changed(name)).toEqual([]),
  );

  it.each(['', '2nd', '-x', '.x', 'a b', 'a/b', 'é', 'total\n', 'constructor', 'prototype', 'f'.repeat(101)])(
    'is nothing else: %j',
    (name) =>
      expect(changed(name)).toEqual([
        'changedFields.0 must be a field name',
        'changeSet must have field names as keys',
      ]),
  );
});

describe('what another field changed to', () => {
  const nested = (depth: number, wrap: (inner: unknown) => unknown): unknown =>
    depth === 0 ? 1 : wrap(nested(depth - 1, wrap));
  const list = (inner: unknown) => [1, inner];
  const record = (inner: unknown) => ({ first: 1, inner });
  const to = (value: unknown) =>
    refusalsOf(CorrectionEvent, correctionEventWith({ changeSet: { total: { from: value, to: value } } }));

  it.each([
    ['nothing', null],
    ['what JSON leaves out', { left: undefined }],
    ['a truth', false],
    ['a number', -1.5],
    ['the greatest whole number that is exact', Number.MAX_SAFE_INTEGER],
    ['the least one', Number.MIN_SAFE_INTEGER],
    ['a text of anything', 'a\u0000\n'],
    ['a list of a thousand', Array(1000).fill(0)],
    ['an empty list in an empty record', [{}, []]],
    ['lists in lists, six deep', nested(6, list)],
    ['records in records, six deep', nested(6, record)],
  ])('is kept as it came: %s', (_, value) => {
    expect(to(value)).toEqual([]);
  });

  it.each([
    ['no number', Number.NaN],
    ['a number without end', Number.NEGATIVE_INFINITY],
    ['a whole number that is not exact', Number.MAX_SAFE_INTEGER + 1],
    ['one below zero', Number.MIN_SAFE_INTEGER - 1],
    ['half a character', 'a\ud800'],
    ['a big integer', 1n],
    ['a function', () => 1],
    ['a list of a thousand and one', Array(1001).fill(0)],
    ['lists in lists, seven deep', nested(7, list)],
    ['records in records, seven deep', nested(7, record)],
    ['a list with one that is not', [1, Number.NaN]],
    ['a record with one that is not', { a: 1, b: Number.NaN }],
    ['a record under a name that is none', { a: 1, '2nd': 1 }],
  ])('is refused where JSON could not carry it as it is: %s', (_, value) => {
    const refusal = 'must be plain JSON, nested at most six deep';
    expect(to(value)).toEqual([`changeSet.total.from ${refusal}`, `changeSet.total.to ${refusal}`]);
  });
});

function correctionEventWith(more: Readonly<Record<string, unknown>>): unknown {
  return { ...correctionEvent(), ...more };
}
