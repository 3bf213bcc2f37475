import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { createClient, ProblemError } from '../../lib/client/client.ts';
import type { Memory } from '../../lib/domain/memory.ts';
import type { Decision } from '../../lib/domain/responses.ts';
import { type Hints, retrieveHints } from '../../lib/ecr/retrieve-hints.ts';
import { correctionFrom, type DocumentFields, emitCorrections } from '../../lib/emitter/emit-corrections.ts';
import { settingsFrom } from '../stack-settings.ts';
import { PROJECT_ROOT, readContext } from './assembly.ts';
import { DEMO_CHART } from './demo-chart.ts';
import { startLocalHost } from './host.ts';
import { ALL_SCOPES, accessTokenClaims, openSigningKey } from './keys.ts';
import './quiet-sdk.ts';

/**
 * The story of one workspace, told by the service's own answers. It runs against the local run where one is up, and
 * otherwise starts one for itself, in a folder that goes when the story ends.
 */
const place = (await runningHost()) ?? (await ownHost());
const org = `org_story_${Date.now().toString(36)}`;
const { memories, accounts } = createClient({ baseUrl: place.url, token: await place.token(org) });
const region = 'us-east-1';
const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
const bus = new EventBridgeClient({ endpoint: place.url, region, credentials });
const lambda = new LambdaClient({ endpoint: place.url, region, credentials });

// A reader who has seen enough of it, `| head` for one, does not keep it from tidying up.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

try {
  await tell();
} finally {
  bus.destroy();
  lambda.destroy();
  await place.stop();
}

async function tell(): Promise<void> {
  title(`The workspace ${org} puts its chart of accounts`);
  show(await accounts.replace(DEMO_CHART));

  title('An assistant saves a preference');
  show(
    brief(
      await memories.save({
        kind: 'preference',
        scope: 'user',
        content: { text: 'Always show totals as a table' },
      }),
    ),
  );

  title('"Vercel is software": no preference but a mapping, and it could mean more than one account');
  const refusal = await refused(
    memories.save({ kind: 'preference', scope: 'user', content: { text: 'classify Vercel as software' } }),
  );
  show({ status: refusal.status, code: refusal.code, ...refusal.details });

  title('The user picks one of them, and the mapping is saved');
  const { matches } = await accounts.resolve({ query: 'software' });
  const meant = matches.find(({ account }) => account.name === 'Software subscriptions');
  const vercel = await memories.save({
    kind: 'canonical_mapping',
    content: { mapping: 'category', merchant: 'Vercel', account: { id: meant?.account.id ?? '' } },
  });
  show(brief(vercel));

  title('People correct documents, upstream puts the events on the bus: two for Uber …');
  const uberBefore = { merchant: 'UBER B.V.' };
  const uberAfter = { merchant: 'UBER B.V.', category: '6300' };
  await correct(uberBefore, uberAfter, 2);
  const ofUber = () => memories.explain({ merchant: 'Uber', mapping: 'category' });
  show((await until(ofUber, ({ verdict }) => verdict.k === 2)).verdict);

  title('… a third, and a merchant renamed three times');
  const renamed = [{ merchant: 'GH *PRO PLAN 0412' }, { merchant: 'GitHub' }] as const;
  await correct(uberBefore, uberAfter, 1);
  await correct(...renamed, 3);
  const waiting = () => memories.list({ status: 'candidate' });
  const { items } = await until(waiting, (page) => page.items.length === 2);
  for (const candidate of items) {
    show(withoutPast(candidate));
    const { tally, verdict } = await memories.evidence({ id: candidate.id });
    show({ tally, verdict });
  }

  title('Until a person decides, neither reaches a prompt or the pipeline');
  show({ uber: counts(await hints('Uber')), github: counts(await hints('GH *PRO PLAN 0412')) });

  title('One is approved, the other rejected');
  show(brief(await review(items, 'category', 'approve')));
  show(brief(await review(items, 'merchant_name', 'reject')));

  title('What the pipeline now gets for an Uber and a Vercel receipt');
  show(await hints('Uber', 'VERCEL INC.'));

  title("And what the assistant's planning prompt gets");
  const context = await memories.context({ merchants: ['Uber', 'Vercel'] });
  console.log(indent('text' in context ? context.text : ''));

  title('Three more of the rejected correction: it stays away, and says why');
  await correct(...renamed, 3);
  const ofGithub = () => memories.explain({ merchant: 'GH *PRO PLAN 0412', mapping: 'merchant_name' });
  show((await until(ofGithub, ({ votes }) => votes.length === 6)).verdict);
  show({ awaitingReview: (await waiting()).items.length });

  title('Vercel is archived, and stops at once');
  show(brief(await memories.archive({ id: vercel.memory.id, reason: 'we moved' })));
  show(counts(await hints('VERCEL INC.')));
}

async function refused(save: Promise<unknown>): Promise<ProblemError> {
  const error = await save.catch((thrown: unknown) => thrown);
  if (error instanceof ProblemError) return error;
  throw error instanceof Error ? error : new Error('It was saved, and should have been refused.');
}

function review(
  items: readonly Memory[],
  mapping: string,
  decision: 'approve' | 'reject',
): Promise<Decision> {
  const found = items.find(({ content }) => 'mapping' in content && content.mapping === mapping);
  if (found === undefined) throw new Error(`There is no candidate for ${mapping}.`);
  return memories.review({ id: found.id, decision, expectedVersion: found.version });
}

function hints(...merchants: string[]): Promise<Hints> {
  return retrieveHints({ orgId: org, merchants }, { client: lambda });
}

/** One person corrects so many documents in the same way, and upstream puts an event for each on the bus. */
async function correct(before: DocumentFields, after: DocumentFields, times: number): Promise<void> {
  const events = Array.from({ length: times }, () => {
    const id = crypto.randomUUID();
    return correctionFrom(before, after, {
      eventId: `ev_${id}`,
      orgId: org,
      userId: 'u_ana',
      documentIds: `doc_${id}`,
      occurredAt: new Date(),
    });
  });
  const { sent, unsent } = await emitCorrections(events, { client: bus, source: 'story.receipts' });
  console.log(indent(`${sent.length} sent, ${unsent.length} not`));
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

function withoutPast({ id: _, history: __, ...memory }: Memory) {
  return memory;
}

function brief({ memory: { status, content }, outcome }: Decision) {
  return { outcome, status, content };
}

function counts(answer: Hints) {
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
  const answered = (status: number, headers: Record<string, string> = {}) =>
    fetch(`${url}/v1/memories`, { headers }).then(
      (response) => response.status === status,
      () => false,
    );
  if (!(await answered(401))) return undefined;
  const context = await readContext();
  const { jwtIssuer, jwtAudience } = settingsFrom((key) => context[key]);
  const key = await openSigningKey(
    join(process.env.DATA_DIR || join(PROJECT_ROOT, '.local'), 'signing-key.json'),
  );
  const token = (orgId: string) =>
    key.sign(
      accessTokenClaims(
        { issuer: jwtIssuer, audience: jwtAudience },
        { org_id: orgId, sub: 'u_demo', scope: ALL_SCOPES },
      ),
    );
  // What is up may be another checkout's, with a key of its own.
  const isOurs = await answered(200, { authorization: `Bearer ${await token('org_demo')}` });
  return isOurs ? { url, token, stop: async () => {} } : undefined;
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
