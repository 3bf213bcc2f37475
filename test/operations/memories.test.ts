import { beforeEach, describe, expect, it } from 'vitest';
import { DEMO_CHART as CHART } from '../../infra/local/demo-chart.ts';
import { CorrectionEvent } from '../../lib/domain/correction.ts';
import { SaveRequest } from '../../lib/domain/requests.ts';
import { archiveMemory } from '../../lib/operations/archive.ts';
import { listAccounts, replaceChart, resolvePhrase } from '../../lib/operations/chart.ts';
import { explainMemory, explainRequest } from '../../lib/operations/explain.ts';
import { getMemory } from '../../lib/operations/find-memory.ts';
import { listMemories } from '../../lib/operations/list.ts';
import { promoteCorrection } from '../../lib/operations/promote.ts';
import { reviewMemory } from '../../lib/operations/review.ts';
import { saveMemory } from '../../lib/operations/save.ts';
import { MOMENT } from '../support/builders.ts';
import { type TestOrg, testOrg } from '../support/org.ts';

let org: TestOrg;

beforeEach(async () => {
  org = testOrg();
  await replaceChart(org.ports, CHART);
});

const save = (request: unknown, by = org.identity) => saveMemory(org.ports, by, SaveRequest.parse(request));
const category = (merchant: string, id: string) => ({
  kind: 'canonical_mapping',
  content: { mapping: 'category', merchant, account: { id } },
});
const rename = (merchant: string, canonicalName: string) => ({
  kind: 'canonical_mapping',
  content: { mapping: 'merchant_name', merchant, canonicalName },
});
const list = (filter: Record<string, unknown> = {}, by = org.identity) =>
  listMemories(org.ports, by, { status: 'active', ...filter } as Parameters<typeof listMemories>[2]);

let counter = 0;
async function correct(merchant: string, id: string, more: Record<string, unknown> = {}) {
  counter += 1;
  return promoteCorrection(
    org.ports,
    CorrectionEvent.parse({
      eventId: `ev_${String(counter).padStart(5, '0')}`,
      orgId: org.identity.orgId,
      type: 'manual_patch',
      occurredAt: new Date(MOMENT + counter).toISOString(),
      actor: { userId: 'u_1' },
      subjectIds: [`doc_${counter}`],
      changeSet: { category: { to: id } },
      context: { merchant },
      ...more,
    }),
  );
}
async function correctTimes(times: number, merchant: string, id: string) {
  for (let round = 0; round < times; round += 1) await correct(merchant, id);
}

describe('memories.save', () => {
  it('creates, leaves unchanged, replaces and restores', async () => {
    const first = await save(category('Vercel', '6120'));
    expect(first.outcome).toBe('created');
    expect(first.memory).toMatchObject({
      dedupKey: 'org/canonical_mapping/vercel/category',
      status: 'active',
      source: 'user_declared',
      confidence: 1,
      evidenceCount: 0,
      version: 1,
      content: { account: { id: '6120', name: 'Software subscriptions' } },
    });
    expect((await save(category('VERCEL', '6120'))).outcome).toBe('unchanged');
    expect((await save(category('Vercel', '6130'))).outcome).toBe('replaced');
    await archiveMemory(org.ports, org.identity, first.memory.id, {});
    expect((await save(category('Vercel', '6130'))).outcome).toBe('restored');
  });

  it('leaves exactly one of a hundred concurrent saves', async () => {
    const outcomes = await Promise.all(Array.from({ length: 100 }, () => save(category('Vercel', '6120'))));
    expect(outcomes.filter(({ outcome }) => outcome === 'created')).toHaveLength(1);
    expect((await list()).items).toHaveLength(1);
  });

  it('lets each of a hundred concurrent saves of different values through, one after the other', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 100 }, (_, n) =>
        save({
          kind: 'canonical_mapping',
          content: { mapping: 'labels', merchant: 'Vercel', labels: [`label ${n}`] },
        }),
      ),
    );
    expect(outcomes.filter(({ outcome }) => outcome === 'created')).toHaveLength(1);
    expect((await list()).items).toMatchObject([{ version: 100 }]);
  });

  it('refuses an account that is unknown, closed or a group, and names the nearest', async () => {
    for (const id of ['9999', '6999', '6000', '6121']) {
      await expect(save(category('Vercel', id))).rejects.toMatchObject({
        code: 'unknown-account',
        extra: { nearest: expect.arrayContaining([expect.objectContaining({ id: expect.any(String) })]) },
      });
    }
    await expect(save(category('Vercel', '6121'))).rejects.toHaveProperty('extra.nearest.0.id', '6120');
    await expect(
      save({ kind: 'preference', content: { text: 'Rename VERCEL INC to Vercel' } }),
    ).rejects.toMatchObject({ code: 'use-canonical-mapping', extra: { accounts: [] } });
    const bare = testOrg().beside('org_bare');
    await expect(
      saveMemory(bare.ports, bare.identity, SaveRequest.parse(category('Vercel', '6120'))),
    ).rejects.toMatchObject({ code: 'chart-of-accounts-missing' });
  });

  it('refuses a preference that is really a categorisation, with the body to send instead', async () => {
    await expect(
      save({ kind: 'preference', scope: 'user', content: { text: 'classify Vercel as software' } }),
    ).rejects.toMatchObject({
      code: 'use-canonical-mapping',
      extra: { instead: { kind: 'canonical_mapping', content: { mapping: 'category', merchant: 'Vercel' } } },
    });
    const fine = await save({
      kind: 'preference',
      scope: 'user',
      content: { text: 'always show totals as a table' },
    });
    expect(fine.outcome).toBe('created');
  });

  it.each(['(none)', 'Unknown', '0000', 'Expense'])('refuses to call a merchant %s', async (name) => {
    await expect(save(rename('Apple', name))).rejects.toMatchObject({
      code: 'no-merchant',
      errors: [{ path: 'content.canonicalName' }],
    });
  });

  it('refuses reserved kinds and scopes that a kind does not take', async () => {
    await expect(save({ kind: 'playbook', content: {} })).rejects.toMatchObject({ code: 'reserved-kind' });
    await expect(save({ ...category('Vercel', '6120'), scope: 'user' })).rejects.toMatchObject({
      code: 'invalid-request',
    });
    await expect(save({ kind: 'preference', scope: 'agent', content: { text: 'x' } })).rejects.toMatchObject({
      code: 'invalid-request',
    });
    await expect(
      save({ kind: 'preference', scope: 'document', content: { text: 'x' } }),
    ).rejects.toMatchObject({
      errors: [{ path: 'documentId' }],
    });
  });

  it('lets only a reviewer save a preference for everybody', async () => {
    const writer = org.as('u_2', ['memories:read', 'memories:write']);
    const request = { kind: 'preference', content: { text: 'Totals in euros.' } };
    await expect(save(request, writer)).rejects.toMatchObject({ code: 'forbidden' });
    expect((await save(request)).outcome).toBe('created');
    expect((await save({ ...request, scope: 'user' }, writer)).outcome).toBe('created');
  });

  it('takes expectedVersion 0 as "must not exist yet"', async () => {
    await save({ ...category('Vercel', '6120'), expectedVersion: 0 });
    await expect(save({ ...category('Vercel', '6130'), expectedVersion: 0 })).rejects.toMatchObject({
      code: 'version-conflict',
    });
  });
});

describe('memories.list', () => {
  it('pages through everything once, newest change first, and a stray cursor is refused', async () => {
    for (let n = 0; n < 25; n += 1) await save(category(`Shop ${'abcdefghijklmnopqrstuvwxyz'[n]}`, '6120'));
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await list({ limit: 10, ...(cursor ? { cursor } : {}) });
      seen.push(...page.items.map(({ dedupKey }) => dedupKey));
      if (page.nextCursor) {
        const stray = { limit: 10, cursor: page.nextCursor };
        await expect(list(stray, org.as('u_9'))).rejects.toMatchObject({ code: 'invalid-cursor' });
        await expect(list({ ...stray, kind: 'preference' })).rejects.toMatchObject({
          code: 'invalid-cursor',
        });
      }
      cursor = page.nextCursor;
    } while (cursor);
    expect(seen).toHaveLength(25);
    expect(new Set(seen).size).toBe(25);
    expect(seen[0]).toContain('shopy');
  });

  it('shows a person their own preferences and never another’s, merged by time', async () => {
    await save({ kind: 'preference', scope: 'user', content: { text: 'Mine.' } });
    await save(category('Vercel', '6120'));
    await save({ kind: 'preference', scope: 'user', content: { text: 'Theirs.' } }, org.as('u_2'));
    const mine = await list();
    expect(mine.items.map(({ kind }) => kind)).toEqual(['canonical_mapping', 'preference']);
    expect((await list({ scope: 'user' })).items).toHaveLength(1);
    const [theirs] = (await list({ scope: 'user' }, org.as('u_2'))).items;
    await expect(getMemory(org.ports, org.identity, theirs?.id ?? '')).rejects.toMatchObject({
      code: 'not-found',
    });
    await expect(archiveMemory(org.ports, org.identity, theirs?.id ?? '', {})).rejects.toMatchObject({
      code: 'not-found',
    });
  });

  it('finds what is known of a merchant through its alias, one hop, never back', async () => {
    await save(rename('VCL*HOSTING 123', 'Vercel'));
    await save(category('Vercel', '6120'));
    expect(
      (await list({ merchant: 'vcl*hosting  123' })).items.map(
        ({ content }) => 'mapping' in content && content.mapping,
      ),
    ).toEqual(expect.arrayContaining(['merchant_name', 'category']));
    expect((await list({ merchant: 'Vercel' })).items).toHaveLength(1);
  });

  it('gives what awaits review: candidates, and active memories with a proposal', async () => {
    await save(category('Vercel', '6120'));
    counter += 60_000;
    await correctTimes(3, 'Vercel', '6130');
    await correctTimes(3, 'Uber', '6300');
    const { items } = await list({ status: 'candidate' });
    expect(items.map(({ status }) => status).sort()).toEqual(['active', 'candidate']);
    expect(items.find(({ status }) => status === 'active')?.proposal).toMatchObject({
      content: { account: { id: '6130', name: 'Web hosting' } },
    });
  });
});

describe('learning', () => {
  it('proposes after three documents, explains itself, and activates nothing', async () => {
    await correctTimes(2, 'Uber', '6300');
    const early = await explainRequest(org.ports, org.identity, { merchant: 'UBER' });
    expect(early.verdict).toMatchObject({ promoted: false, reason: 'needs-more', k: 2, needed: 3 });
    await correct('Uber', '6300');
    const [candidate] = (await list({ status: 'candidate' })).items;
    expect(candidate).toMatchObject({
      status: 'candidate',
      evidenceCount: 3,
      confidence: 0.8,
      source: 'manual_correction',
    });
    expect((await list()).items).toEqual([]);
    const why = await explainMemory(org.ports, org.identity, candidate?.id ?? '');
    expect(why.verdict).toMatchObject({ promoted: true, reason: 'promoted' });
    expect(why.tally).toMatchObject([{ documents: 3, corrections: 3, people: 1 }]);
    expect(org.notices.map(({ type }) => type)).toEqual(['MemoryCandidateProposed']);
  });

  it('activates by approval of the version shown, and counts fresh agreement', async () => {
    await correctTimes(3, 'Uber', '6300');
    const [candidate] = (await list({ status: 'candidate' })).items;
    const id = candidate?.id ?? '';
    const review = { decision: 'approve', expectedVersion: candidate?.version ?? 0 } as const;
    const { outcome, memory } = await reviewMemory(org.ports, org.identity, id, review);
    expect(outcome).toBe('activated');
    expect(memory).toMatchObject({ status: 'active', evidenceCount: 3, confidence: 0.8 });
    await expect(reviewMemory(org.ports, org.identity, id, review)).rejects.toMatchObject({
      code: 'version-conflict',
    });
    counter += 60_000;
    await correct('Uber', '6300');
    expect(await getMemory(org.ports, org.identity, id)).toMatchObject({
      evidenceCount: 4,
      confidence: 0.8,
      version: memory.version,
    });
    expect((await explainMemory(org.ports, org.identity, id)).verdict.reason).toBe('covered');
  });

  it('keeps down what was rejected, says so, and takes a person’s word', async () => {
    await correctTimes(3, 'Uber', '6300');
    const [candidate] = (await list({ status: 'candidate' })).items;
    const id = candidate?.id ?? '';
    await reviewMemory(org.ports, org.identity, id, {
      decision: 'reject',
      expectedVersion: candidate?.version ?? 0,
    });
    counter += 60_000;
    await correctTimes(5, 'Uber', '6300');
    expect((await list({ status: 'candidate' })).items).toEqual([]);
    expect((await explainMemory(org.ports, org.identity, id)).verdict.reason).toBe('turned-down');
    expect((await save(category('Uber', '6300'))).outcome).toBe('restored');
  });

  it('hides a candidate for an account the chart does not have until it has it', async () => {
    await correctTimes(3, 'Uber', '7777');
    expect((await list({ status: 'candidate' })).items).toEqual([]);
    const explained = await explainRequest(org.ports, org.identity, { merchant: 'Uber' });
    expect(explained.verdict).toMatchObject({ promoted: false, reason: 'unknown-account' });
    await replaceChart(org.ports, {
      accounts: [...CHART.accounts, { id: '7777', name: 'Rides', type: 'expense' }],
    });
    expect((await list({ status: 'candidate' })).items).toHaveLength(1);
  });

  it('takes a hidden candidate for nothing when a save says that nothing must be there', async () => {
    await correctTimes(3, 'Uber', '7777');
    expect((await save({ ...category('Uber', '6300'), expectedVersion: 0 })).outcome).toBe('created');
  });

  it('hides what an active memory says already through an alias', async () => {
    await save(rename('BLK LLC', 'Vercel'));
    await save(category('Vercel', '6120'));
    await correctTimes(3, 'BLK LLC', '6120');
    expect((await list({ status: 'candidate' })).items).toEqual([]);
    expect((await explainRequest(org.ports, org.identity, { merchant: 'BLK LLC' })).verdict.reason).toBe(
      'covered',
    );
  });

  it('is the same for the same event twice, and for an event whose id came with another body first', async () => {
    const event = { eventId: 'same', subjectIds: ['doc_same'], occurredAt: '2026-11-30T02:00:00Z' };
    expect(await correct('Uber', '6300', event)).toMatchObject({ known: false, reused: false });
    expect(await correct('Uber', '6300', event)).toMatchObject({ known: true, reused: false });
    expect(await correct('Uber', '6110', event)).toMatchObject({ known: true, reused: true });
    expect((await explainRequest(org.ports, org.identity, { merchant: 'Uber' })).tally).toMatchObject([
      { documents: 1, content: { account: { id: '6300' } } },
    ]);
  });

  it('refuses an event from the future and learns nothing from it', async () => {
    await expect(
      correct('Uber', '6300', { occurredAt: new Date(MOMENT + 3_600_000 * 24).toISOString() }),
    ).rejects.toMatchObject({ code: 'invalid-request' });
  });
});

describe('an explanation', () => {
  it('names the known merchant a new one is close to, for a person to join, and joins nothing', async () => {
    await save(category('Blue Bottle Coffee', '6320'));
    const { verdict } = await explainRequest(org.ports, org.identity, { merchant: 'Blue Botle Coffee' });
    expect(verdict).toMatchObject({ reason: 'no-evidence', nearestMerchant: 'Blue Bottle Coffee' });
    expect((await list({ merchant: 'Blue Botle Coffee' })).items).toEqual([]);
    const known = await explainRequest(org.ports, org.identity, { merchant: 'Blue Bottle Coffee' });
    expect(known.verdict).not.toHaveProperty('nearestMerchant');
  });

  it('calls the accounts what the chart calls them', async () => {
    await correct('Uber', '6300');
    const { tally, votes } = await explainRequest(org.ports, org.identity, { merchant: 'Uber' });
    expect(tally[0]?.content).toMatchObject({ account: { id: '6300', name: 'Travel' } });
    expect(votes[0]?.content).toMatchObject({ account: { id: '6300', name: 'Travel' } });
  });

  it('finds a categorisation by the name of an account of the chart', async () => {
    await expect(
      save({ kind: 'preference', scope: 'user', content: { text: 'Zyxel is Web hosting' } }),
    ).rejects.toMatchObject({ code: 'use-canonical-mapping' });
  });
});

describe('an account that is gone', () => {
  it('makes its memory unresolvable until it comes back, and a renamed one shows its new name', async () => {
    const { memory } = await save(category('Vercel', '6120'));
    const without = { accounts: CHART.accounts.filter(({ id }) => id !== '6120') };
    await replaceChart(org.ports, without);
    expect(await getMemory(org.ports, org.identity, memory.id)).toMatchObject({
      unresolvable: true,
      status: 'active',
    });
    await replaceChart(org.ports, {
      accounts: [...without.accounts, { id: '6120', name: 'SaaS', type: 'expense' }],
    });
    const back = await getMemory(org.ports, org.identity, memory.id);
    expect(back).toMatchObject({ content: { account: { name: 'SaaS' } } });
    expect(back).not.toHaveProperty('unresolvable');
  });
});

describe('the chart of accounts', () => {
  it('is replaced whole, versioned and read back', async () => {
    expect(await listAccounts(org.ports)).toMatchObject({ version: 1, accounts: CHART.accounts });
    expect(await replaceChart(org.ports, CHART)).toEqual({ version: 2, accounts: CHART.accounts.length });
  });

  it('asks where two accounts could be meant, and never takes an income or an asset', async () => {
    const { decision, matches } = await resolvePhrase(org.ports, { query: 'software' });
    expect(decision).toBe('ask');
    expect(matches.length).toBeGreaterThan(1);
    expect(matches.every(({ account }) => account.type === 'expense')).toBe(true);
  });
});

describe('another org', () => {
  it('sees nothing of this one, by id or by key', async () => {
    const { memory } = await save(category('Vercel', '6120'));
    const other = org.beside('org_other');
    await expect(getMemory(other.ports, other.identity, memory.id)).rejects.toMatchObject({
      code: 'not-found',
    });
    expect((await listMemories(other.ports, other.identity, { status: 'active' })).items).toEqual([]);
  });
});
