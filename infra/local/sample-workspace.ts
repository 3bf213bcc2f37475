import type { Memory } from '../../lib/domain/memory.ts';
import { DEMO_CHART } from './demo-chart.ts';

export const LONG_NAME = `${'Überland Vertriebsgesellschaft für Spezialwerkzeuge '.repeat(4)}GmbH`.slice(
  0,
  200,
);
export const RTL_NAME = 'شركة القاهرة للاتصالات';

/** A workspace of the local run, as somebody who fills it sees it. */
export interface SampleWorkspace {
  readonly orgId: string;
  call<Answer>(method: string, path: string, body?: unknown): Promise<Answer>;
  /** Puts the details of correction events on the bus, and waits until they have been learned from. */
  put(events: readonly object[]): Promise<void>;
}

export interface Corrections {
  readonly documents?: number;
  readonly people?: readonly string[];
  /** How old the newest is. */
  readonly daysAgo?: number;
  readonly daysBetween?: number;
}

const DAY = 24 * 3_600_000;

/** Corrections of people, each of a document of its own. */
export function corrections(
  orgId: string,
  merchant: string,
  changeSet: Readonly<Record<string, unknown>>,
  { documents = 3, people = ['u_ana', 'u_ben'], daysAgo = 1, daysBetween = 3 }: Corrections = {},
): readonly object[] {
  return Array.from({ length: documents }, (_, at) => {
    const eventId = crypto.randomUUID();
    return {
      eventId,
      orgId,
      type: 'manual_patch',
      occurredAt: new Date(Date.now() - (daysAgo + (documents - 1 - at) * daysBetween) * DAY).toISOString(),
      actor: { userId: people[at % people.length] },
      subjectType: 'document',
      subjectIds: [`doc_${eventId.slice(0, 8)}`],
      changedFields: Object.keys(changeSet),
      changeSet,
      context: { merchant },
    };
  });
}

/** People looked at documents, each of its own, and left their account as it was. */
export const confirmations = (orgId: string, merchant: string, account: string, how?: Corrections) =>
  corrections(orgId, merchant, {}, how).map((event) => ({
    ...event,
    type: 'document_confirm',
    context: { merchant, confirmed: { category: account } },
  }));

/** A bit of everything that the console shows, as a small company has it after some months. */
export async function fillWorkspace(org: SampleWorkspace): Promise<void> {
  const { call, orgId } = org;
  const learned = (merchant: string, account: string, how?: Corrections) =>
    corrections(orgId, merchant, { category: { to: account } }, how);
  const save = (content: unknown, kind = 'canonical_mapping', more = {}) =>
    call<{ memory: Memory }>('POST', '/memories', { kind, content, ...more });
  const category = (merchant: string, id: string) => save({ mapping: 'category', merchant, account: { id } });
  const candidate = async (merchant: string) => {
    const { items } = await call<{ items: readonly Memory[] }>('GET', '/memories?status=candidate&limit=100');
    return items.find(({ content }) => 'merchant' in content && content.merchant === merchant);
  };
  const review = async (merchant: string, decision: string, reason?: string) => {
    const memory = await candidate(merchant);
    if (!memory) return;
    const body = { decision, expectedVersion: memory.version, ...(reason && { reason }) };
    await call('POST', `/memories/${memory.id}/review`, body);
  };

  await call('PUT', '/chart-of-accounts', DEMO_CHART);
  await org.put([
    ...learned('Vercel', '6120', { documents: 5, daysBetween: 16 }),
    ...learned('UBER *TRIP', '6320', { documents: 1, daysAgo: 41, people: ['u_cleo'] }),
    ...learned('UBER *TRIP', '6300', { documents: 9, daysBetween: 4 }),
    ...corrections(
      orgId,
      'GH *PRO PLAN 0412',
      { merchant: { from: 'GH *PRO PLAN 0412', to: 'GitHub' } },
      { documents: 4, people: ['u_ana'] },
    ),
    ...learned(LONG_NAME, '6110'),
    ...learned(RTL_NAME, '6140', { documents: 4, daysBetween: 9 }),
    ...learned('Shell', '6330', { documents: 2 }),
    ...learned('Notion', '6120', { documents: 11, daysBetween: 6 }),
    ...confirmations(orgId, 'Notion', '6120', { documents: 6, daysBetween: 11 }),
    ...learned('Netlify', '6400', { daysBetween: 8 }),
  ]);
  await review('Notion', 'approve');
  await review('Netlify', 'reject', 'Netlify is no rent');
  await save({ mapping: 'labels', merchant: 'Costa Coffee', labels: ['team lunch', 'personal'] });
  await save({ mapping: 'merchant_name', merchant: 'AMZN Mktp', canonicalName: 'Amazon' });
  await save({ text: 'Always show totals as a table' }, 'preference', { scope: 'user' });
  await save({ text: 'Answer in short sentences, without small talk' }, 'preference');
  await save({ hint: 'preview_first', capability: 'integrations.send-to-integration' }, 'workflow_hint');
  await save(
    {
      capability: 'integrations.send-to-integration',
      integration: 'xero',
      documentType: 'invoice',
      target: 'bills',
    },
    'integration_preference',
  );
  await category('Figma', '6120');
  await category('Hetzner', '6120');
  await category('Old Fax Company', '6600');
  const lyft = await category('Lyft', '6300');
  await call('POST', `/memories/${lyft.memory.id}/archive`, { reason: 'we have a new contract' });
  // After a decision only what is newer counts, so the contradiction is of this very moment.
  await org.put(learned('Hetzner', '6130', { documents: 4, daysAgo: 0, daysBetween: 0 }));
  await call('PUT', '/chart-of-accounts', {
    accounts: DEMO_CHART.accounts.map((account) =>
      account.id === '6600' ? { ...account, active: false } : account,
    ),
  });
}
