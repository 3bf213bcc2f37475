import { beforeEach, describe, expect, it } from 'vitest';
import { CorrectionEvent } from '../../lib/domain/correction.ts';
import { SaveRequest } from '../../lib/domain/requests.ts';
import { archiveMemory } from '../../lib/operations/archive.ts';
import { replaceChart } from '../../lib/operations/chart.ts';
import { explainRequest } from '../../lib/operations/explain.ts';
import { listMemories } from '../../lib/operations/list.ts';
import { promoteCorrection } from '../../lib/operations/promote.ts';
import { reviewMemory } from '../../lib/operations/review.ts';
import { saveMemory } from '../../lib/operations/save.ts';
import { account, MOMENT } from '../support/builders.ts';
import { type TestOrg, testOrg } from '../support/org.ts';

/**
 * What people reported of learning in other projects, each as a test that it does not happen here. The project and the
 * number of the report are in the title.
 *
 * Not here: reports on the identity of merchants (see merchant-key.test.ts), on accounts that are gone, on scopes and on
 * applying hints (memories.test.ts, retrieve.test.ts, apply-hints.test.ts), and those on what the service does not have:
 * rules over amounts and account types, merging payees, labels learned from edits, and silent learning as a setting.
 */
let org: TestOrg;
let count: number;

beforeEach(async () => {
  org = testOrg();
  count = 0;
  await replaceChart(org.ports, CHART);
});

const CHART = {
  accounts: ['Dining', 'Utilities', 'Books', 'Rent', 'Gift', 'Food', 'Office'].map((id) =>
    account({ id, name: id }),
  ),
};

async function happens(overrides: Readonly<Record<string, unknown>>, to = org): Promise<void> {
  count += 1;
  await promoteCorrection(
    to.ports,
    CorrectionEvent.parse({
      eventId: `e${count}`,
      orgId: to.identity.orgId,
      type: 'manual_patch',
      occurredAt: new Date(MOMENT + count * 1000).toISOString(),
      actor: { userId: 'u_1' },
      subjectIds: [`d${count}`],
      ...overrides,
    }),
  );
}

async function booked(merchant: string, accounts: readonly string[], context = {}, to = org): Promise<void> {
  for (const id of accounts)
    await happens({ changeSet: { category: { to: id } }, context: { merchant, ...context } }, to);
}

async function verdict(merchant: string, mapping: 'category' | 'merchant_name' = 'category') {
  return (await explainRequest(org.ports, org.identity, { merchant, mapping })).verdict;
}

async function candidates(of = org) {
  const { items } = await listMemories(of.ports, of.identity, { status: 'candidate' });
  return items.filter(({ status }) => status === 'candidate');
}

async function active() {
  return (await listMemories(org.ports, org.identity, { status: 'active' })).items;
}

const save = (merchant: string, id: string) =>
  saveMemory(
    org.ports,
    org.identity,
    SaveRequest.parse({
      kind: 'canonical_mapping',
      content: { mapping: 'category', merchant, account: { id } },
    }),
  );

describe('how much it takes', () => {
  it('says how far it is before it has enough (actual#3760, smart_importer#137)', async () => {
    await booked('Corner Cafe', ['Dining', 'Dining']);
    expect(await candidates()).toEqual([]);
    expect(await verdict('Corner Cafe')).toMatchObject({ reason: 'needs-more', k: 2, needed: 3 });
    await booked('Corner Cafe', ['Dining']);
    expect(await candidates()).toHaveLength(1);
  });

  it('takes what nobody changed into account, and never for a correction (actual#8009)', async () => {
    for (let n = 0; n < 30; n += 1)
      await happens({
        type: 'document_confirm',
        context: { merchant: 'City Water', confirmed: { category: 'Utilities' } },
      });
    expect(await candidates()).toEqual([]);
    expect(await verdict('City Water')).toMatchObject({ reason: 'needs-more', k: 30, n: 30 });
    await booked('City Water', ['Rent', 'Rent', 'Rent']);
    expect(await candidates()).toEqual([]);
    expect(await verdict('City Water')).toMatchObject({ promoted: false, k: 30, n: 33 });
  });

  it('makes nothing active without a person (actual#502)', async () => {
    await booked('Corner Cafe', Array(20).fill('Dining'));
    expect(await active()).toEqual([]);
    expect(await candidates()).toHaveLength(1);
  });

  it('takes one correction for nothing, and a person’s word at once (actual#196)', async () => {
    await booked('Rowan Books', ['Books']);
    expect(await candidates()).toEqual([]);
    await save('Rowan Books', 'Books');
    expect(await active()).toHaveLength(1);
  });

  it('turns what is fixed by hand each month into a proposal on the third (fungible#181)', async () => {
    await booked('Vet Clinic', ['Food', 'Food', 'Food']);
    expect((await candidates())[0]).toMatchObject({ evidenceCount: 3, confidence: 0.8 });
  });

  it('proposes a name that was corrected often enough (erpnext#34477)', async () => {
    for (let n = 0; n < 3; n += 1)
      await happens({ changeSet: { merchant: { from: 'ACME TRADING LTD BERLIN', to: 'ACME' } } });
    expect((await candidates())[0]?.content).toMatchObject({
      mapping: 'merchant_name',
      canonicalName: 'ACME',
    });
  });

  it('learns under the text as printed though the name was tidied (ledger-autosync#25)', async () => {
    const changeSet = { merchant: { from: 'WWW.STARBUCKS.COM', to: 'Coffee' }, category: { to: 'Dining' } };
    for (let n = 0; n < 3; n += 1) await happens({ changeSet });
    expect(await verdict('WWW.STARBUCKS.COM')).toMatchObject({ promoted: true });
    expect(await verdict('Coffee')).toMatchObject({ reason: 'no-evidence' });
  });

  it('gives another merchant nothing of a workspace that has one account (smart_importer#110, actual#82243)', async () => {
    await booked('Corner Cafe', Array(100).fill('Dining'));
    expect(await verdict('Office Depot')).toMatchObject({ reason: 'no-evidence' });
  });
});

describe('what is no evidence', () => {
  it('is a payment service, whatever was bought (actual#6571, PayPal-importer#15)', async () => {
    await booked('Venmo', ['Gift', 'Gift', 'Gift', 'Gift']);
    await booked('Google Pay', ['Food', 'Food', 'Food', 'Food']);
    expect(await candidates()).toEqual([]);
    expect(await verdict('Venmo')).toMatchObject({ reason: 'intermediary' });
  });

  it('is a document that was split (actual#8217, actuali#14)', async () => {
    await booked('Warehouse Club', ['Food', 'Food', 'Food'], { split: true });
    expect(await candidates()).toEqual([]);
  });

  it('is a document that was split later (actuali#14)', async () => {
    await booked('Warehouse Club', ['Food', 'Food', 'Food']);
    expect(await candidates()).toHaveLength(1);
    await happens({ subjectIds: ['d3'], context: { merchant: 'Warehouse Club', split: true } });
    expect(await candidates()).toEqual([]);
  });

  it('is a refund after purchases, and it counts against nothing (accounted#761)', async () => {
    await booked('Hosting', ['Office', 'Office', 'Office']);
    await booked('Hosting', ['Gift'], { direction: 'refund' });
    expect((await candidates())[0]).toMatchObject({ evidenceCount: 3, confidence: 0.8 });
  });

  it('is the same file twice (actual#8855)', async () => {
    await booked('Corner Cafe', ['Dining', 'Dining']);
    count = 0;
    await booked('Corner Cafe', ['Dining', 'Dining']);
    expect(await verdict('Corner Cafe')).toMatchObject({ reason: 'needs-more', k: 2 });
  });

  it('is a name taken away, or no name at all (App#81122)', async () => {
    for (const to of ['Expense', '(none)', '', null])
      await happens({ changeSet: { merchant: { from: 'Apple', to } } });
    expect(await verdict('Apple', 'merchant_name')).toMatchObject({ reason: 'no-evidence' });
  });

  it('is what another workspace does (ledger#38, fintrack#72)', async () => {
    const other = org.beside('org_mary');
    await replaceChart(other.ports, CHART);
    await booked('Gone Bananas', ['Food', 'Food', 'Food'], {}, other);
    expect(await candidates(other)).toHaveLength(1);
    expect(await candidates()).toEqual([]);
  });
});

describe('what people decided', () => {
  it('asks when an exception comes instead of taking it for the rule (ledgr#49)', async () => {
    await booked('Shop', ['Food', 'Food', 'Food']);
    const [candidate] = await candidates();
    await reviewMemory(org.ports, org.identity, candidate?.id ?? '', {
      decision: 'approve',
      expectedVersion: candidate?.version ?? 0,
    });
    await booked('Shop', ['Gift']);
    expect(await active()).toMatchObject([{ content: { account: { id: 'Food' } } }]);
  });

  it('stays deleted (actual#6571, App#82892)', async () => {
    const { memory } = await save('Corner Cafe', 'Dining');
    await archiveMemory(org.ports, org.identity, memory.id, {});
    count = 100;
    await booked('Corner Cafe', Array(5).fill('Dining'));
    expect(await active()).toEqual([]);
    expect(await verdict('Corner Cafe')).toMatchObject({ reason: 'turned-down' });
  });

  it('is not taken from a correction: that one value was changed once forbids it never (fungible#111)', async () => {
    await happens({ changeSet: { category: { from: 'Food', to: 'Gift' } }, context: { merchant: 'Shop' } });
    await booked('Shop', Array(9).fill('Food'));
    expect((await candidates())[0]).toMatchObject({ content: { account: { id: 'Food' } } });
    expect((await save('Shop', 'Food')).outcome).toBe('activated');
  });

  it('shows one person’s evidence as one person’s, and when it was seen (actual#4846)', async () => {
    await booked('Corner Cafe', ['Dining', 'Dining', 'Dining']);
    const { tally } = await explainRequest(org.ports, org.identity, { merchant: 'Corner Cafe' });
    expect(tally).toMatchObject([{ documents: 3, corrections: 3, people: 1 }]);
    expect(tally[0]?.lastAt).toBe(new Date(MOMENT + 3000).toISOString());
  });
});
