import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { type Browser, chromium, type Page } from 'playwright-core';
import { DEMO_CHART } from '../../infra/local/demo-chart.ts';
import { type LocalHost, startLocalHost } from '../../infra/local/host.ts';
import {
  type Corrections,
  confirmations,
  corrections,
  fillWorkspace,
} from '../../infra/local/sample-workspace.ts';
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
  /** Corrections of people, learned from. */
  correct(merchant: string, changeSet: Record<string, unknown>, how?: Corrections): Promise<void>;
  /** Documents whose account people left as it was. */
  confirm(merchant: string, account: string, how?: Corrections): Promise<void>;
  /** Has a bit of everything. */
  fill(): Promise<void>;
  list(status: string): Promise<readonly Memory[]>;
  /** A page of the console, signed in to this workspace. */
  open(hash: string, options?: OpenOptions): Promise<Page>;
}

interface OpenOptions {
  readonly theme?: 'light' | 'dark';
  readonly width?: number;
  readonly height?: number;
  readonly scope?: string;
}

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
    const put = async (events: readonly object[]) => {
      for (let from = 0; from < events.length; from += 10) {
        const entries = events.slice(from, from + 10).map((event) => ({
          EventBusName: EVENTS.defaultBusName,
          Source: 'test.receipts',
          DetailType: EVENTS.correctionDetailType,
          Detail: JSON.stringify(event),
        }));
        await bus.send(new PutEventsCommand({ Entries: entries }));
      }
      await host.settled();
    };
    await call('PUT', '/chart-of-accounts', DEMO_CHART);
    return {
      token,
      call,
      list: async (status) =>
        (await call<{ items: readonly Memory[] }>('GET', `/memories?status=${status}&limit=100`)).items,
      correct: (merchant, changeSet, how) => put(corrections(name, merchant, changeSet, how)),
      confirm: (merchant, account, how) => put(confirmations(name, merchant, account, how)),
      fill: () => fillWorkspace({ orgId: name, call, put }),
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
