import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import type { Memory } from '../../lib/domain/memory.ts';
import { EVENTS } from '../../lib/routes.ts';
import { settingsFrom } from '../stack-settings.ts';
import { PROJECT_ROOT, readContext } from './assembly.ts';
import { DEMO_CHART } from './demo-chart.ts';
import { startLocalHost } from './host.ts';
import { ALL_SCOPES, accessTokenClaims, openSigningKey } from './keys.ts';

/**
 * The story of one workspace, told by the service's own answers. It runs against the local run where one is up, and
 * otherwise starts one for itself, in a folder that goes when the story ends.
 */
const place = (await runningHost()) ?? (await ownHost());
const org = `org_story_${Date.now().toString(36)}`;
const token = await place.token(org);
const region = 'us-east-1';
const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
const bus = new EventBridgeClient({ endpoint: place.url, region, credentials });
const lambda = new LambdaClient({ endpoint: place.url, region, credentials });

try {
  await tell();
} finally {
  bus.destroy();
  lambda.destroy();
  await place.stop();
}

async function tell(): Promise<void> {
  title(`The workspace ${org} puts its chart of accounts`);
  show(await call('PUT', '/v1/chart-of-accounts', DEMO_CHART));

  title('An assistant saves a preference');
  show(
    saved(
      await call('POST', '/v1/memories', {
        kind: 'preference',
        scope: 'user',
        content: { text: 'Always show totals as a table' },
      }),
    ),
  );

  title('"Vercel is software": no preference but a mapping, and it could mean more than one account');
  const sentence = { kind: 'preference', scope: 'user', content: { text: 'classify Vercel as software' } };
  const refusal = await call('POST', '/v1/memories', sentence);
  show({
    status: refusal.status,
    code: refusal.body.code,
    instead: refusal.body.instead,
    accounts: refusal.body.accounts,
  });

  title('The user picks one of them, and the mapping is saved');
  const account = refusal.body.accounts.find(({ name }: Json) => name === 'Software subscriptions');
  const vercel = await call('POST', '/v1/memories', {
    ...refusal.body.instead,
    content: { ...refusal.body.instead.content, account: { id: account.id } },
  });
  show(saved(vercel));

  title('People correct documents, upstream puts the events on the bus: two for Uber …');
  await put(corrections('UBER B.V.', { category: { from: null, to: '6300' } }, 2));
  await until(
    () => explained('Uber', 'category'),
    (answer) => answer.verdict.k === 2,
  );
  show((await explained('Uber', 'category')).verdict);

  title('… a third, and a merchant renamed three times');
  await put(corrections('UBER B.V.', { category: { from: null, to: '6300' } }, 1));
  await put(corrections('GH *PRO PLAN 0412', { merchant: { from: 'GH *PRO PLAN 0412', to: 'GitHub' } }, 3));
  const candidates = await until(
    () => call('GET', '/v1/memories?status=candidate'),
    (answer) => answer.body.items.length === 2,
  );
  for (const candidate of candidates.body.items) {
    show(brief(candidate));
    const { body } = await call('GET', `/v1/memories/${candidate.id}/evidence`);
    show({ tally: body.tally, verdict: body.verdict });
  }
  const [uber, github] = ['category', 'merchant_name'].map((mapping) =>
    candidates.body.items.find(
      (item: Memory) => 'mapping' in item.content && item.content.mapping === mapping,
    ),
  );

  title('Until a person decides, neither reaches a prompt or the pipeline');
  show({ uber: counts(await hints('Uber')), github: counts(await hints('GH *PRO PLAN 0412')) });

  title('One is approved, the other rejected');
  show(saved(await review(uber, 'approve')));
  show(saved(await review(github, 'reject')));

  title('What the pipeline now gets for an Uber and a Vercel receipt');
  show(await hints('Uber', 'VERCEL INC.'));

  title("And what the assistant's planning prompt gets");
  console.log(indent((await call('POST', '/v1/context', { merchants: ['Uber', 'Vercel'] })).body.text));

  title('Three more of the rejected correction: it stays away, and says why');
  await put(corrections('GH *PRO PLAN 0412', { merchant: { from: 'GH *PRO PLAN 0412', to: 'GitHub' } }, 3));
  await until(
    () => explained('GH *PRO PLAN 0412', 'merchant_name'),
    (answer) => answer.votes.length === 6,
  );
  show((await explained('GH *PRO PLAN 0412', 'merchant_name')).verdict);
  show({ awaitingReview: (await call('GET', '/v1/memories?status=candidate')).body.items.length });

  title('Vercel is archived, and stops at once');
  show(saved(await call('POST', `/v1/memories/${vercel.body.memory.id}/archive`, { reason: 'we moved' })));
  show(counts(await hints('VERCEL INC.')));
}

// biome-ignore lint/suspicious/noExplicitAny: the story prints whatever the service answers
type Json = any;

async function call(method: string, path: string, body?: unknown): Promise<{ status: number; body: Json }> {
  const response = await fetch(place.url + path, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer = { status: response.status, body: await response.json() };
  if (response.status >= 400 && response.status !== 422)
    throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
  return answer;
}

function review(memory: Memory, decision: 'approve' | 'reject'): Promise<{ body: Json }> {
  return call('POST', `/v1/memories/${memory.id}/review`, { decision, expectedVersion: memory.version });
}

async function explained(merchant: string, mapping: string): Promise<Json> {
  return (await call('GET', `/v1/evidence?${new URLSearchParams({ merchant, mapping })}`)).body;
}

async function hints(...merchants: string[]): Promise<Json> {
  const payload = Buffer.from(JSON.stringify({ orgId: org, merchants }));
  const { Payload, FunctionError } = await lambda.send(
    new InvokeCommand({ FunctionName: `${EVENTS.source}-retrieve`, Payload: payload }),
  );
  const answer = JSON.parse(Buffer.from(Payload ?? []).toString('utf8'));
  if (FunctionError) throw new Error(JSON.stringify(answer));
  return answer;
}

function corrections(merchant: string, changeSet: Record<string, unknown>, times: number): unknown[] {
  return Array.from({ length: times }, () => {
    const id = crypto.randomUUID();
    return {
      eventId: `ev_${id}`,
      orgId: org,
      type: 'manual_patch',
      occurredAt: new Date().toISOString(),
      actor: { userId: 'u_ana' },
      subjectType: 'document',
      subjectIds: [`doc_${id}`],
      changedFields: Object.keys(changeSet),
      changeSet,
      context: { merchant },
    };
  });
}

async function put(events: readonly unknown[]): Promise<void> {
  const { FailedEntryCount } = await bus.send(
    new PutEventsCommand({
      Entries: events.map((event) => ({
        EventBusName: EVENTS.defaultBusName,
        Source: 'story.receipts',
        DetailType: EVENTS.correctionDetailType,
        Detail: JSON.stringify(event),
      })),
    }),
  );
  console.log(indent(`${events.length} put, ${FailedEntryCount ?? 0} failed`));
}

async function until<T>(ask: () => Promise<T>, enough: (answer: T) => boolean): Promise<T> {
  for (let round = 0; round < 100; round += 1) {
    const answer = await ask();
    if (enough(answer)) return answer;
    await pause(200);
  }
  throw new Error('The service did not get there within twenty seconds.');
}

function title(line: string): void {
  console.log(`\n${line}`);
}

function show(value: unknown): void {
  console.log(indent(JSON.stringify(value, null, 2)));
}

// Declarations, since the story at the top of the file runs before what stands here is assigned.
function indent(text: string): string {
  return text.replace(/^/gm, '    ');
}

function brief({ id: _, history: __, ...memory }: Memory) {
  return memory;
}

function saved({ body }: { body: Json }) {
  return { outcome: body.outcome, status: body.memory?.status, content: body.memory?.content };
}

function counts(answer: Json) {
  return Object.fromEntries(
    Object.entries(answer).flatMap(([name, list]) => (Array.isArray(list) ? [[name, list.length]] : [])),
  );
}

interface Place {
  readonly url: string;
  token(orgId: string): Promise<string>;
  stop(): Promise<void>;
}

async function runningHost(): Promise<Place | undefined> {
  const url = `http://localhost:${process.env.PORT || 4600}`;
  const answers = await fetch(`${url}/v1/memories`).then(
    ({ status }) => status === 401,
    () => false,
  );
  if (!answers) return undefined;
  const context = await readContext();
  const { jwtIssuer, jwtAudience } = settingsFrom((key) => context[key]);
  const key = await openSigningKey(join(PROJECT_ROOT, '.local', 'signing-key.json'));
  const token = (orgId: string) =>
    key.sign(
      accessTokenClaims(
        { issuer: jwtIssuer, audience: jwtAudience },
        { org_id: orgId, sub: 'u_demo', scope: ALL_SCOPES },
      ),
    );
  return { url, token, stop: async () => {} };
}

async function ownHost(): Promise<Place> {
  const dataDir = await mkdtemp(join(tmpdir(), 'ai-memories-'));
  const host = await startLocalHost({ port: 0, dataDir, quiet: true });
  return {
    url: host.url,
    token: (orgId) => host.token({ org_id: orgId, sub: 'u_demo', scope: ALL_SCOPES }),
    stop: async () => {
      await host.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
