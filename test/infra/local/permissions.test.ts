import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isAllowed } from '../../../infra/local/access.ts';
import { type AwsCall, type LocalHost, startLocalHost } from '../../../infra/local/host.ts';
import type { FunctionSpec } from '../../../infra/local/template.ts';
import { EVENTS, FUNCTIONS, type FunctionName } from '../../../lib/routes.ts';

let host: LocalHost;
let directory = '';
const used = new Map<string, Set<string>>();
const refused: string[] = [];
/** Runs before the first call that it is asked about, while that call waits. */
let meanwhile: ((call: AwsCall) => Promise<void>) | undefined;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'permissions-'));
  host = await startLocalHost({
    port: 0,
    dataDir: directory,
    log: (line) => void (line.includes('is not authorized') && refused.push(line)),
    onCall: async (call) => {
      const name = call.caller.replace('ai-memories-', '');
      const calls = used.get(name) ?? new Set();
      for (const resource of call.resources) calls.add(`${call.action} ${resource}`);
      used.set(name, calls);
      await meanwhile?.(call);
      return undefined;
    },
  });
  await everythingThatIsDone();
}, 240_000);
afterAll(async () => {
  await host?.stop();
  await rm(directory, { recursive: true, force: true });
});

describe('what each function may do, beside what it does', () => {
  it.each(Object.keys(FUNCTIONS) as FunctionName[])(
    '%s has every permission that it uses, and uses every one that it has',
    (name) => {
      const spec = host.deployment.functions.find((made) => made.name === `ai-memories-${name}`);
      const allowed = (spec?.statements ?? [])
        .flatMap(({ actions, resources }) =>
          actions.flatMap((action) => resources.map((resource) => `${action} ${resource}`)),
        )
        .filter((line) => /^(dynamodb|events|sqs):/.test(line) && !OF_THE_POLLER.test(line));
      expect([...(used.get(name) ?? [])].sort()).toEqual([...new Set(allowed)].sort());
    },
  );

  it('is on the bus to speak as the service itself, and to record no corrections', () => {
    const [bus] = host.deployment.buses;
    const save = host.deployment.functions.find(({ name }) => name === 'ai-memories-save');
    const other = host.deployment.functions.find(({ name }) => name === 'ai-memories-get');
    const allows = (spec: FunctionSpec | undefined, source: string, detailType: string) =>
      isAllowed([...(spec?.statements ?? []), ...(bus?.policy ?? [])], 'events:PutEvents', bus?.arn ?? '', {
        'aws:principalarn': [spec?.roleArn ?? ''],
        'events:source': [source],
        'events:detail-type': [detailType],
      });
    expect(allows(save, EVENTS.source, 'MemorySaved')).toBe(true);
    expect(allows(save, 'receipts', 'MemorySaved')).toBe(false);
    expect(allows(save, EVENTS.source, EVENTS.correctionDetailType)).toBe(false);
    expect(allows(other, EVENTS.source, 'MemorySaved')).toBe(false);
    // A role of the account that may put what it likes is refused by the bus.
    const anything = { effect: 'Allow', actions: ['events:*'], resources: ['*'], conditions: [] } as const;
    const admin = { ...(save as FunctionSpec), roleArn: 'arn:aws:iam::1:role/admin', statements: [anything] };
    expect(allows(admin, EVENTS.source, 'MemorySaved')).toBe(false);
    expect(allows(admin, 'receipts', EVENTS.correctionDetailType)).toBe(false);
    expect(allows(admin, 'receipts', 'Other')).toBe(true);
  });

  it('refuses nothing that is asked in the course of that', () => {
    expect(refused).toEqual([]);
  });
});

/** Lambda itself takes messages off the queue, with the function's role. */
const OF_THE_POLLER =
  /^sqs:(ReceiveMessage|DeleteMessage|ChangeMessageVisibility|GetQueueAttributes|GetQueueUrl) .*corrections$/;

type Json = Record<string, unknown>;
const ORG = 'org_1';
const SCOPE = 'memories:read memories:write memories:review';
const ACCOUNTS = [
  { id: '6120', name: 'Software subscriptions', type: 'expense' },
  { id: '6300', name: 'Travel', type: 'expense' },
];
const category = (merchant: string, id: string) => ({
  kind: 'canonical_mapping',
  content: { mapping: 'category', merchant, account: { id } },
});

async function everythingThatIsDone(): Promise<void> {
  await chart();
  await acts();
  await learning();
  await tools();
  await transfers();
  await erasures();
}

async function send(method: string, path: string, body?: unknown, claims: Json = {}): Promise<Json> {
  const token = await host.token({ org_id: ORG, sub: 'u_1', scope: SCOPE, ...claims });
  const response = await fetch(`${host.url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json',
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (response.status >= 500) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return JSON.parse(text) as Json;
}

async function chart(): Promise<void> {
  await send('PUT', '/v1/chart-of-accounts', { accounts: ACCOUNTS });
  await send('PUT', '/v1/chart-of-accounts', { accounts: ACCOUNTS });
  await send('GET', '/v1/chart-of-accounts');
  await send('GET', '/v1/chart-of-accounts/resolve?query=software');
  await send('GET', '/v1/openapi.json');
}

async function acts(): Promise<void> {
  const { memory } = (await send('POST', '/v1/memories', category('Vercel', '6120'))) as { memory: Json };
  await send('POST', '/v1/memories', category('Figma', '9999'));
  const path = `/v1/memories/${memory.id}`;
  await send('GET', path);
  await send('GET', '/v1/memories?merchant=Vercel');
  await send('GET', '/v1/memories');
  await send('GET', '/v1/memories?status=candidate');
  await send('GET', `${path}/evidence`);
  await send('GET', '/v1/evidence?merchant=Uber');
  await send('GET', '/v1/evidence?merchant=Uberx');
  await send('POST', '/v1/context', {});
  await send('POST', '/v1/context', { merchants: ['Vercel'] });
  await new LambdaClient(connection()).send(
    new InvokeCommand({
      FunctionName: 'ai-memories-retrieve',
      Payload: JSON.stringify({ orgId: ORG, merchants: ['Vercel'] }),
    }),
  );
  await send('POST', `${path}/archive`, {});
  // What the evidence proposes since then stands beside what was archived.
  await put(...[1, 2, 3].map((n) => ({ ...correction(ORG, n, 'Vercel'), occurredAt: inSeconds(60 + n) })));
  await send('POST', `${path}/archive`, {});
  await send('POST', `${path}/review`, { decision: 'approve', expectedVersion: 3 });
}

const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();

async function learning(): Promise<void> {
  await put(...[1, 2, 3, 4].map((n) => correction(ORG, n)));
  await put(correction(ORG, 1), { eventId: 'broken' });
  const { items } = (await send('GET', '/v1/memories?status=candidate')) as { items: Json[] };
  const path = `/v1/memories/${items[0]?.id}`;
  await send('GET', path);
  await send('GET', `${path}/evidence`);
  await send('POST', `${path}/archive`, {});
  await send('POST', `${path}/review`, { decision: 'reject', expectedVersion: 1 });
}

async function tools(): Promise<void> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'legacy' } });
  const token = await host.token({ org_id: ORG, sub: 'u_1', scope: SCOPE });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${host.url}/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${token}` } },
    }),
  );
  const call = async (name: string, args: Json) =>
    (await client.callTool({ name, arguments: args })).structuredContent as { memory: Json };
  const { memory } = await call('memories_save', category('Notion', '6120'));
  await call('memories_save', category('Miro', '9999'));
  await call('memories_get', { id: memory.id });
  await call('memories_list', {});
  await call('memories_list', { status: 'candidate' });
  await call('memories_list', { merchant: 'Notion' });
  await call('memories_context', {});
  await call('memories_evidence', { merchant: 'Notion' });
  await call('memories_archive', { id: memory.id });
  await client.close();
}

async function transfers(): Promise<void> {
  const { items } = await send('GET', '/v1/export');
  const other = { org_id: 'org_2' };
  await send('PUT', '/v1/chart-of-accounts', { accounts: ACCOUNTS }, other);
  await put(...[1, 2, 3].map((n) => correction('org_2', n)));
  await send('POST', '/v1/import', { lines: items }, other);
}

async function erasures(): Promise<void> {
  await send('DELETE', '/v1/users/me/memories');
  await put(correction(ORG, 5), correction(ORG, 1));
  // An org that is erased while the correction that makes a candidate is on the way.
  await put(correction('org_3', 1), correction('org_3', 2));
  let begun = false;
  meanwhile = async ({ caller, action, resources }) => {
    const isPut = action === 'dynamodb:PutItem' && resources[0]?.endsWith('/ai-memories');
    if (begun || caller !== 'ai-memories-promote' || !isPut) return;
    begun = true;
    await send('DELETE', '/v1/orgs/me/memories?confirm=org_3', undefined, { org_id: 'org_3' });
  };
  await put(correction('org_3', 3));
  meanwhile = undefined;
  await send('DELETE', `/v1/orgs/me/memories?confirm=${ORG}`);
}

function correction(orgId: string, n: number, merchant = 'Uber'): Json {
  return {
    eventId: `${merchant}_${n}`,
    orgId,
    type: 'manual_patch',
    occurredAt: `2026-0${n}-01T00:00:00Z`,
    actor: { userId: 'u_1' },
    subjectIds: [`doc_${n}`],
    changeSet: { category: { to: '6300' } },
    context: { merchant },
  };
}

async function put(...details: readonly Json[]): Promise<void> {
  await new EventBridgeClient(connection()).send(
    new PutEventsCommand({
      Entries: details.map((detail) => ({
        EventBusName: EVENTS.defaultBusName,
        Source: 'receipts',
        DetailType: EVENTS.correctionDetailType,
        Detail: JSON.stringify(detail),
      })),
    }),
  );
  await host.settled();
}

function connection() {
  return {
    endpoint: host.url,
    region: 'us-east-1',
    credentials: { accessKeyId: 'operator', secretAccessKey: 'local' },
  };
}
