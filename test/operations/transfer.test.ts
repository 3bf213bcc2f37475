import { describe, expect, it } from 'vitest';
import { PROMOTION_POLICY } from '../../lib/domain/promotion.ts';
import { ExportedMemory } from '../../lib/domain/transfer.ts';
import { bodyOfLines, linesOfPage, takesLines } from '../../lib/lambda/ndjson.ts';
import { archiveMemory } from '../../lib/operations/archive.ts';
import { explainRequest } from '../../lib/operations/explain.ts';
import { exportMemories } from '../../lib/operations/export.ts';
import { getMemory } from '../../lib/operations/find-memory.ts';
import { importMemories } from '../../lib/operations/import.ts';
import { listMemories } from '../../lib/operations/list.ts';
import { promoteCorrection } from '../../lib/operations/promote.ts';
import { assistantContext, retrieveHints } from '../../lib/operations/retrieve.ts';
import { reviewMemory } from '../../lib/operations/review.ts';
import { saveMemory } from '../../lib/operations/save.ts';
import { account, correctionEvent, MOMENT, preferenceBody, storedMemory } from '../support/builders.ts';
import { type TestOrg, testOrg } from '../support/org.ts';

const LATER = Number.POSITIVE_INFINITY;
const CHART = {
  accounts: [
    account({ id: '6120', name: 'Software' }),
    account({ id: '6300', name: 'Travel' }),
    account({ id: '6400', name: 'Meals' }),
  ],
};

const category = (merchant: string, id: string) => ({
  kind: 'canonical_mapping',
  content: { mapping: 'category', merchant, account: { id } },
});
const line = (more: Readonly<Record<string, unknown>> = {}) => ({
  type: 'memory',
  ...category('Vercel', '6120'),
  ...more,
});

async function orgWithChart(): Promise<TestOrg> {
  const org = testOrg();
  await org.ports.accounts.replace(CHART, MOMENT);
  return org;
}

const save = (org: TestOrg, request: object) =>
  saveMemory(org.ports, org.identity, { scope: 'org', ...request } as Parameters<typeof saveMemory>[2]);
const list = async (org: TestOrg, status: string) =>
  (await listMemories(org.ports, org.identity, { status } as Parameters<typeof listMemories>[2])).items;
const take = (org: TestOrg, lines: readonly unknown[]) =>
  importMemories(org.ports, org.identity, { lines: [...lines] }, LATER);
const outcomes = async (org: TestOrg, lines: readonly unknown[]) =>
  (await take(org, lines)).lines.map(({ outcome, reason, path }) =>
    [outcome, reason, path].filter(Boolean).join(' '),
  );

let events = 0;
async function correct(org: TestOrg, merchant: string, id: string, times: number) {
  for (let n = 0; n < times; n += 1) {
    events += 1;
    await promoteCorrection(
      org.ports,
      correctionEvent({
        eventId: `ev_${String(events).padStart(5, '0')}`,
        orgId: org.identity.orgId,
        occurredAt: new Date(MOMENT + 120_000 + events * 10).toISOString(),
        subjectIds: [`doc_${events}`],
        changeSet: { category: { to: id } },
        context: { merchant },
      }),
    );
  }
}

async function everything(org: TestOrg, limit?: number) {
  const items: ExportedMemory[] = [];
  let cursor: string | undefined;
  do {
    const page = await exportMemories(org.ports, org.identity, {
      ...(limit === undefined ? {} : { limit }),
      ...(cursor === undefined ? {} : { cursor }),
    });
    items.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return items;
}

async function filled(): Promise<TestOrg> {
  const org = await orgWithChart();
  await save(org, category('Vercel', '6120'));
  await save(org, { kind: 'workflow_hint', content: { hint: 'preview_first', capability: 'a.b' } });
  await save(org, { kind: 'preference', content: { text: 'Totals in euros.', topic: 'totals' } });
  await save(org, { kind: 'preference', scope: 'user', content: { text: 'My own.', topic: 'mine' } });
  const meals = await save(org, category('Bistro Verde', '6400'));
  await archiveMemory(org.ports, org.identity, meals.memory.id, { reason: 'wrong' });
  await correct(org, 'Uber', '6300', 3);
  await correct(org, 'Vercel', '6300', 9);
  await correct(org, 'Lufthansa', '6300', 3);
  const [lufthansa] = (await list(org, 'candidate')).filter(({ dedupKey }) => dedupKey.includes('lufthansa'));
  if (lufthansa === undefined) throw new Error('it was proposed');
  await reviewMemory(org.ports, org.identity, lufthansa.id, {
    decision: 'reject',
    expectedVersion: lufthansa.version,
  });
  return org;
}

describe('an export', () => {
  it("has what the org knows and what was decided about it, and nothing of one person's own", async () => {
    const items = await everything(await filled());
    expect(items.map(({ kind, status, proposal }) => [kind, status, proposal !== undefined])).toEqual([
      ['canonical_mapping', 'archived', false],
      ['canonical_mapping', 'rejected', false],
      ['canonical_mapping', 'candidate', false],
      ['canonical_mapping', 'active', true],
      ['preference', 'active', false],
      ['workflow_hint', 'active', false],
    ]);
    expect(JSON.stringify(items)).not.toContain('My own.');
    for (const item of items) expect(ExportedMemory.safeParse(item).error).toBeUndefined();
  });

  it('is the same in pages of any size', async () => {
    const org = await filled();
    const whole = await everything(org);
    for (const limit of [1, 2, 5, 6, 7]) expect(await everything(org, limit)).toEqual(whole);
  });

  it('ends a page before an answer grows too large', async () => {
    const org = testOrg();
    const reason = 'x'.repeat(500);
    const history = Array.from({ length: 20 }, () => ({ at: '', by: 'u', action: 'saved' as const, reason }));
    for (let n = 0; n < 600; n += 1) {
      await org.ports.memories.put(storedMemory({ body: preferenceBody('x', `t-${n}`), history }), 0);
    }
    const { items, nextCursor } = await exportMemories(org.ports, org.identity, { limit: 1000 });
    expect(nextCursor).toBeDefined();
    expect(JSON.stringify(items).length).toBeLessThan(4.5 * 1024 * 1024);
    expect(await everything(org, 1000)).toHaveLength(600);
  });

  it('takes no cursor of another list, person or org', async () => {
    const org = await filled();
    const { nextCursor: cursor } = await exportMemories(org.ports, org.identity, { limit: 1 });
    if (cursor === undefined) throw new Error('there is more');
    const invalid = { code: 'invalid-cursor' };
    await expect(exportMemories(org.ports, org.as('u_9'), { cursor })).rejects.toMatchObject(invalid);
    const other = org.beside('org_other');
    await expect(exportMemories(other.ports, other.identity, { cursor })).rejects.toMatchObject(invalid);
    await expect(listMemories(org.ports, org.identity, { status: 'active', cursor })).rejects.toMatchObject(
      invalid,
    );
  });
});

describe('an import', () => {
  it('brings what was active as candidates, and keeps down what was turned down', async () => {
    const lines = await everything(await filled());
    const org = await orgWithChart();
    expect(await outcomes(org, lines)).toEqual([
      'imported',
      'imported',
      'imported',
      'imported',
      'refused explicit-only',
      'imported',
    ]);
    expect(await list(org, 'active')).toEqual([]);
    const candidates = await list(org, 'candidate');
    expect(candidates.map(({ dedupKey }) => dedupKey).sort()).toEqual([
      'org/canonical_mapping/uber/category',
      'org/canonical_mapping/vercel/category',
      'org/workflow_hint/a.b/preview_first/*',
    ]);
    for (const { source, evidenceCount, confidence, createdBy, history } of candidates) {
      expect({ source, evidenceCount, confidence, createdBy }).toEqual({
        source: 'system',
        evidenceCount: 0,
        confidence: 0.5,
        createdBy: org.identity.userId,
      });
      expect(history.map(({ action }) => action)).toEqual(['imported']);
    }
    await correct(org, 'Lufthansa', '6300', 6);
    await correct(org, 'Bistro Verde', '6400', 6);
    expect((await list(org, 'candidate')).length).toBe(3);
    const why = await explainRequest(org.ports, org.identity, { merchant: 'Lufthansa', mapping: 'category' });
    expect(why.verdict.reason).toBe('turned-down');
  });

  it('never reaches a prompt or a hint before a person approves it, and does then', async () => {
    const org = await orgWithChart();
    await take(org, [line({ status: 'active', confidence: 1, source: 'user_declared', evidenceCount: 99 })]);
    const ask = () =>
      retrieveHints(org.ports, { orgId: org.identity.orgId, merchants: ['Vercel'], maxHints: 10 });
    expect((await ask()).normalizationHints).toEqual([]);
    const context = await assistantContext(org.ports, org.identity, { maxChars: 4000, format: 'block' });
    expect(JSON.stringify(context)).not.toContain('Vercel');
    const [candidate] = await list(org, 'candidate');
    if (candidate === undefined) throw new Error('it was imported');
    const reviewed = await reviewMemory(org.ports, org.identity, candidate.id, {
      decision: 'approve',
      expectedVersion: candidate.version,
    });
    expect(reviewed).toMatchObject({ outcome: 'activated', memory: { status: 'active', source: 'system' } });
    expect((await ask()).normalizationHints).toHaveLength(1);
  });

  it('changes nothing the second time, whatever became of it meanwhile', async () => {
    const lines = await everything(await filled());
    const org = await orgWithChart();
    await take(org, lines);
    const before = await everything(org);
    const again = await take(org, lines);
    expect(again.counts).toEqual({
      imported: 0,
      unchanged: 5,
      kept: 0,
      ignored: 0,
      refused: 1,
      waiting: 0,
    });
    expect(await everything(org)).toEqual(before);
    const [candidate] = await list(org, 'candidate');
    if (candidate === undefined) throw new Error('there are some');
    await reviewMemory(org.ports, org.identity, candidate.id, {
      decision: 'reject',
      expectedVersion: candidate.version,
    });
    const rejected = await everything(org);
    await take(org, lines);
    expect(await everything(org)).toEqual(rejected);
  });

  it('makes the same org again when it is exported and imported once more', async () => {
    const first = await orgWithChart();
    await take(first, await everything(await filled()));
    const second = await orgWithChart();
    await take(second, await everything(first));
    const said = async (org: TestOrg) =>
      (await everything(org)).map(({ content, status, turnedDown }) => ({ content, status, turnedDown }));
    expect(await said(second)).toEqual(await said(first));
  });

  it('stands whatever the evidence does: it shows behind what the evidence proposes, and again when that goes', async () => {
    const org = await orgWithChart();
    await take(org, [line()]);
    await correct(org, 'Vercel', '6300', 1);
    const shown = async () =>
      (await list(org, 'candidate')).map(({ content, source }) => ({ content, source }));
    const imported = [
      { content: expect.objectContaining({ account: { id: '6120', name: 'Software' } }), source: 'system' },
    ];
    expect(await shown()).toEqual(imported);
    await correct(org, 'Vercel', '6300', PROMOTION_POLICY.minDocuments - 1);
    expect(await shown()).toMatchObject([
      { content: { account: { id: '6300' } }, source: 'manual_correction' },
    ]);
    await correct(org, 'Vercel', '6400', 3);
    expect(await shown()).toEqual(imported);
  });

  it('leaves what people here decided as it stands', async () => {
    const org = await orgWithChart();
    await save(org, category('Vercel', '6300'));
    const uber = await save(org, category('Uber', '6300'));
    await archiveMemory(org.ports, org.identity, uber.memory.id, {});
    const before = await everything(org);
    expect(
      await outcomes(org, [line(), line(category('Uber', '6400')), line(category('Uber', '6300'))]),
    ).toEqual(['kept', 'kept', 'unchanged']);
    expect(await everything(org)).toEqual(before);
    expect(await outcomes(org, [line({ status: 'rejected', ...category('Vercel', '6300') })])).toEqual([
      'unchanged',
    ]);
    expect(await everything(org)).toEqual(before);
  });

  it('keeps a value down beside a decision that stands, so that no evidence proposes it', async () => {
    const org = await orgWithChart();
    await save(org, category('Vercel', '6120'));
    expect(await outcomes(org, [line({ status: 'rejected', ...category('Vercel', '6300') })])).toEqual([
      'imported',
    ]);
    await correct(org, 'Vercel', '6300', 6);
    const [memory] = await list(org, 'active');
    expect(memory).toMatchObject({ content: { account: { id: '6120' } } });
    expect(memory?.proposal).toBeUndefined();
  });

  it('takes down a candidate of the evidence that was turned down where it comes from', async () => {
    const org = await orgWithChart();
    await correct(org, 'Vercel', '6120', 3);
    expect(await list(org, 'candidate')).toHaveLength(1);
    expect(await outcomes(org, [line({ status: 'archived' })])).toEqual(['imported']);
    expect(await list(org, 'candidate')).toEqual([]);
    expect(await list(org, 'archived')).toHaveLength(1);
  });

  it.each([
    ['no JSON', undefined, 'refused invalid-json'],
    ['a blank line', null, 'ignored'],
    ['the end of a page', { type: 'end', nextCursor: 'x' }, 'ignored'],
    ['a type that is none', { type: 'event' }, 'refused invalid type'],
    ['no object', 7, 'refused invalid'],
    ['an unknown field', line({ evil: true }), 'refused invalid evil'],
    [
      'an unknown field of the content',
      line({ content: { ...category('A b', '6120').content, x: 1 } }),
      'refused invalid content.x',
    ],
    [
      'an order in tag characters',
      line(category('Vercel\u{e0041}', '6120')),
      'refused invalid content.merchant',
    ],
    ['a merchant that is none', line(category('12345', '6120')), 'refused no-merchant content.merchant'],
    [
      'an account that is gone',
      line(category('Vercel', '9999')),
      'refused unknown-account content.account.id',
    ],
    ['a status that is none', line({ status: 'approved' }), 'refused invalid status'],
    ['a digest that is none', line({ turnedDown: ['../..'] }), 'refused invalid turnedDown.0'],
    ['a reserved kind', line({ kind: 'playbook' }), 'refused reserved-kind'],
    ['a preference', line({ kind: 'preference', content: { text: 'Always pay.' } }), 'refused explicit-only'],
    [
      'the preference of somebody',
      line({ scope: 'user', kind: 'preference', content: { text: 'Always pay.' } }),
      'refused explicit-only',
    ],
    ['a mapping in the scope of a person', line({ scope: 'user' }), 'refused invalid scope'],
    [
      'a hint that is none',
      line({ kind: 'workflow_hint', content: { hint: 'skip_validation' } }),
      'refused invalid content.hint',
    ],
    [
      'a turned-down account that is gone',
      line({ status: 'rejected', ...category('Vercel', '9999') }),
      'imported',
    ],
    [
      'labels',
      line({ kind: 'canonical_mapping', content: { mapping: 'labels', merchant: 'Uber', labels: ['x'] } }),
      'imported',
    ],
    ['its own value among those turned down', line({ turnedDown: [] }), 'imported'],
  ])('answers for each line what became of it: %s', async (_, value, expected) => {
    const org = await orgWithChart();
    expect(await outcomes(org, [value, line(category('Figma', '6120'))])).toEqual([expected, 'imported']);
  });

  it('refuses categories while there is no chart', async () => {
    expect(await outcomes(testOrg(), [line()])).toEqual(['refused chart-of-accounts-missing']);
  });

  it('says which lines are waiting when its time is up, and takes them the next time', async () => {
    const org = await orgWithChart();
    const lines = Array.from({ length: 60 }, (_, n) =>
      line(category(`Shop ${String.fromCharCode(97 + (n % 26), 97 + Math.floor(n / 26))}`, '6120')),
    );
    let now = MOMENT;
    const ports = { ...org.ports, clock: { now: () => (now += 1) } };
    const first = await importMemories(ports, org.identity, { lines }, MOMENT + 2);
    expect(first.done).toBe(false);
    expect(first.counts.waiting).toBeGreaterThan(0);
    const second = await importMemories(ports, org.identity, { lines }, LATER);
    expect(second).toMatchObject({ done: true, counts: { imported: first.counts.waiting, waiting: 0 } });
  });

  it('takes the lines of one subject in their order, and the last one counts', async () => {
    const org = await orgWithChart();
    await take(org, [line(), line(category('VERCEL', '6300'))]);
    const candidates = await list(org, 'candidate');
    expect(candidates).toHaveLength(1);
    expect(candidates[0]).toMatchObject({ content: { account: { id: '6300' } }, version: 2 });
    const id = candidates[0]?.id ?? '';
    expect((await getMemory(org.ports, org.identity, id)).status).toBe('candidate');
  });
});

describe('lines', () => {
  it('are an item each and an end, and what is no JSON is told from a blank one', () => {
    expect(linesOfPage({ items: [{ a: 1 }], nextCursor: 'c' })).toBe(
      '{"a":1}\n{"type":"end","nextCursor":"c"}\n',
    );
    expect(bodyOfLines('{"a":1}\r\n\n{"a":1,"a":2}\nx\n').lines).toEqual([
      { a: 1 },
      null,
      undefined,
      undefined,
    ]);
    expect(() => bodyOfLines('1\n'.repeat(5001))).toThrow('more than 5000 lines');
  });

  it('are what a caller gets that does not ask for JSON', () => {
    expect([undefined, '*/*', 'application/x-ndjson, application/json', 'text/html'].map(takesLines)).toEqual(
      [true, true, true, true],
    );
    expect(takesLines('application/json, application/problem+json')).toBe(false);
  });
});
