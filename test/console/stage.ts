import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { type Browser, chromium, type Page } from 'playwright-core';
import { DEMO_CHART } from '../../infra/local/demo-chart.ts';
import { type LocalHost, startLocalHost } from '../../infra/local/host.ts';
import type { Memory } from '../../lib/domain/memory.ts';
import { EVENTS } from '../../lib/routes.ts';

export const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
export const hasChromium = existsSync(CHROMIUM);

const QUIET = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export interface Stage {
  readonly host: LocalHost;
  readonly browser: Browser;
  /** A workspace of its own, with the demo chart. */
  org(name: string): Promise<Workspace>;
  close(): Promise<void>;
}

export interface Workspace {
  readonly token: string;
  call<Answer>(method: string, path: string, body?: unknown): Promise<Answer>;
  /** Corrections of people, each on a document of its own; the newest is `daysAgo` old. */
  correct(merchant: string, changeSet: Record<string, unknown>, options?: CorrectOptions): Promise<void>;
  list(status: string): Promise<readonly Memory[]>;
  /** A page of the console, signed in to this workspace. */
  open(hash: string, options?: OpenOptions): Promise<Page>;
}

interface CorrectOptions {
  readonly documents?: number;
  readonly people?: readonly string[];
  readonly daysAgo?: number;
  readonly daysBetween?: number;
}
interface OpenOptions {
  readonly theme?: 'light' | 'dark';
  readonly width?: number;
  readonly height?: number;
  readonly scope?: string;
}

const DAY = 24 * 3_600_000;

export async function openStage(): Promise<Stage> {
  const folder = await mkdtemp(join(tmpdir(), 'console-'));
  const host = await startLocalHost({ port: 0, dataDir: join(folder, 'data'), quiet: true });
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: QUIET });
  const bus = new EventBridgeClient({
    endpoint: host.url,
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  const org = async (name: string): Promise<Workspace> => {
    const claims = { org_id: name, sub: 'u_demo' };
    const token = await host.token(claims);
    const call = async <Answer>(method: string, path: string, body?: unknown): Promise<Answer> => {
      const response = await fetch(`${host.url}/v1${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
      return response.json() as Promise<Answer>;
    };
    await call('PUT', '/chart-of-accounts', DEMO_CHART);
    return {
      token,
      call,
      list: async (status) =>
        (await call<{ items: readonly Memory[] }>('GET', `/memories?status=${status}&limit=100`)).items,
      correct: async (merchant, changeSet, options = {}) => {
        const { documents = 3, people = ['u_ana', 'u_ben'], daysAgo = 1, daysBetween = 3 } = options;
        const details = Array.from({ length: documents }, (_, at) => {
          const id = crypto.randomUUID();
          const at_ = Date.now() - (daysAgo + (documents - 1 - at) * daysBetween) * DAY;
          return JSON.stringify({
            eventId: id,
            orgId: name,
            type: 'manual_patch',
            occurredAt: new Date(at_).toISOString(),
            actor: { userId: people[at % people.length] },
            subjectType: 'document',
            subjectIds: [`doc_${id.slice(0, 8)}`],
            changedFields: Object.keys(changeSet),
            changeSet,
            context: { merchant },
          });
        });
        for (let from = 0; from < details.length; from += 10) {
          const entries = details.slice(from, from + 10).map((Detail) => ({
            EventBusName: EVENTS.defaultBusName,
            Source: 'test.receipts',
            DetailType: EVENTS.correctionDetailType,
            Detail,
          }));
          await bus.send(new PutEventsCommand({ Entries: entries }));
        }
        await host.settled();
      },
      open: async (hash, options = {}) => {
        const context = await browser.newContext({
          viewport: { width: options.width ?? 1280, height: options.height ?? 860 },
          colorScheme: options.theme ?? 'light',
          locale: 'en-GB',
        });
        const scopes = options.scope ?? 'memories:read memories:write memories:review';
        const session = {
          token: await host.token({ ...claims, scope: scopes }),
          user: claims.sub,
          workspace: name,
          scopes: scopes.split(' '),
        };
        await context.addInitScript({
          content: `sessionStorage.setItem('memory-console.session', ${JSON.stringify(JSON.stringify(session))})`,
        });
        const page = await context.newPage();
        await page.goto(`${host.url}/console${hash}`);
        await page.locator('h1').first().waitFor();
        return page;
      },
    };
  };
  return {
    host,
    browser,
    org,
    close: async () => {
      await browser.close();
      bus.destroy();
      await host.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export const LONG_NAME = `${'Überland Vertriebsgesellschaft für Spezialwerkzeuge '.repeat(4)}GmbH`.slice(
  0,
  200,
);
export const RTL_NAME = 'شركة القاهرة للاتصالات';

/** A workspace as it is after some months: a bit of everything that the console shows. */
export async function fill(org: Workspace): Promise<void> {
  const save = (content: unknown, kind = 'canonical_mapping', more = {}) =>
    org.call<{ memory: Memory }>('POST', '/memories', { kind, content, ...more });
  const category = (merchant: string, id: string) => save({ mapping: 'category', merchant, account: { id } });
  await org.correct('VERCEL INC.', { category: { to: '6120' } }, { documents: 5, daysBetween: 20 });
  await org.correct('UBER *TRIP', { category: { to: '6300' } }, { documents: 9, daysBetween: 4 });
  await org.correct(
    'GH *PRO PLAN 0412',
    { merchant: { from: 'GH *PRO PLAN 0412', to: 'GitHub' } },
    { documents: 4, people: ['u_ana'] },
  );
  await org.correct(LONG_NAME, { category: { to: '6110' } }, { documents: 3 });
  await org.correct(RTL_NAME, { category: { to: '6140' } }, { documents: 4, daysBetween: 9 });
  await org.correct('Shell', { category: { to: '6330' } }, { documents: 2 });
  await save({ mapping: 'labels', merchant: 'Costa Coffee', labels: ['team lunch', 'personal'] });
  await save({ mapping: 'merchant_name', merchant: 'AMZN Mktp', canonicalName: 'Amazon' });
  await save({ text: 'Always show totals as a table' }, 'preference', { scope: 'user' });
  await save({ text: 'Answer in short sentences; no small talk.' }, 'preference', { scope: 'org' });
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
  const gone = await category('Lyft', '6300');
  await org.call('POST', `/memories/${gone.memory.id}/archive`, { reason: 'we have a new contract' });
  // What is decided now counts only votes from now on: the contradiction must be newer than the memory.
  await org.correct('Hetzner', { category: { to: '6130' } }, { documents: 4, daysAgo: 0, daysBetween: 0 });
  await org.correct('Netlify', { category: { to: '6400' } }, { documents: 3, daysBetween: 8 });
  const netlify = (await org.list('candidate')).find(({ dedupKey }) => dedupKey.includes('netlify'));
  if (netlify) {
    await org.call('POST', `/memories/${netlify.id}/review`, {
      decision: 'reject',
      expectedVersion: netlify.version,
      reason: 'Netlify is no rent',
    });
  }
  await org.call('PUT', '/chart-of-accounts', {
    accounts: DEMO_CHART.accounts.map((account) =>
      account.id === '6600' ? { ...account, active: false } : account,
    ),
  });
}
