import { readFile } from 'node:fs/promises';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ANSWERS } from '../../lib/answers.ts';
import { type Client, createClient } from '../../lib/client/client.ts';
import { applyHints, retrieveHints } from '../../lib/ecr/retrieve-hints.ts';
import { correctionFrom, emitCorrections } from '../../lib/emitter/emit-corrections.ts';
import type { OperationInput } from '../../lib/operation-input.ts';
import { type OperationId, ROUTES } from '../../lib/routes.ts';
import { callTool } from '../../lib/tools/tools.ts';
import { startTestHost, type TestHost } from '../support/local.ts';

const ORG = 'org_demo';
const CHART = [
  { id: '6120', name: 'Software subscriptions', type: 'expense' },
  { id: '6125', name: 'Software licences', type: 'expense' },
  { id: '6300', name: 'Travel', type: 'expense' },
] as const;

let test: TestHost;
let client: Client;
let at: { endpoint: string; region: string; credentials: { accessKeyId: string; secretAccessKey: string } };
beforeAll(async () => {
  test = await startTestHost();
  client = createClient({ baseUrl: test.host.url, token: () => test.host.token() });
  at = {
    endpoint: test.host.url,
    region: 'us-east-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  };
  await client.accounts.replace({ accounts: [...CHART] });
}, 120_000);
afterAll(() => test?.stop());

/** Calls an operation and holds its answer to what the table says it answers. */
const answered = new Set<OperationId>();
async function checked<Id extends OperationId>(id: Id, input: OperationInput<Id>) {
  const answer = await client.call(id, input);
  expect(ANSWERS[id].safeParse(answer).error, id).toBeUndefined();
  answered.add(id);
  return answer;
}

describe('the main job, by the clients of the package alone', () => {
  it('goes from corrections that are emitted to hints that are applied', async () => {
    const printed = 'UBER *TRIP 8841';
    const events = [1, 2, 3].map((n) =>
      correctionFrom(
        { merchant: printed, category: '6120', total: n },
        { merchant: printed, category: { id: '6300' }, total: n },
        {
          eventId: `ev_${n}`,
          orgId: ORG,
          userId: 'u_1',
          documentIds: `doc_${n}`,
          occurredAt: `2026-11-0${n}T03:00:00Z`,
        },
      ),
    );
    const bus = new EventBridgeClient(at);
    expect(await emitCorrections(events, { client: bus, source: 'receipts' })).toEqual({
      sent: [0, 1, 2],
      unsent: [],
    });
    await test.host.settled();

    const { items } = await checked('memories.list', { status: 'candidate' });
    expect(items).toMatchObject([{ status: 'candidate', evidenceCount: 3, confidence: 0.8 }]);
    const [candidate] = items;
    if (candidate === undefined) throw new Error('there is a candidate');
    const { id, version } = candidate;
    const evidence = await checked('memories.evidence', { id });
    expect(evidence.verdict).toMatchObject({ promoted: true, k: 3, n: 3 });
    await checked('memories.review', { id, decision: 'approve', expectedVersion: version });
    const again = client.memories.review({ id, decision: 'approve', expectedVersion: version });
    await expect(again).rejects.toMatchObject({ status: 409, code: 'version-conflict' });

    const lambda = new LambdaClient(at);
    const hints = await retrieveHints({ orgId: ORG, merchants: [printed] }, { client: lambda });
    const { normalized, changes } = applyHints({ merchant: printed, category: '6120' }, hints);
    expect(normalized).toMatchObject({ category: '6300' });
    expect(changes).toMatchObject([{ field: 'category', memoryId: id }]);
    for (const used of [bus, lambda]) used.destroy();
  });

  it('is refused as the service refuses it', async () => {
    const lambda = new LambdaClient(at);
    const missing = retrieveHints({ orgId: ORG }, { client: lambda, functionName: 'ai-memories-none' });
    await expect(missing).rejects.toMatchObject({ code: 'unreachable' });
    const bad = createClient({ baseUrl: test.host.url, token: 'abc' });
    await expect(bad.memories.list()).rejects.toMatchObject({ status: 401, code: 'unauthenticated' });
    const reader = createClient({
      baseUrl: test.host.url,
      token: await test.host.token({ scope: 'memories:read' }),
    });
    await expect(reader.accounts.replace({ accounts: [...CHART] })).rejects.toMatchObject({
      status: 403,
      code: 'forbidden',
    });
    lambda.destroy();
  });

  it('reads a list of any length, page after page', async () => {
    const token = await test.host.token({ org_id: 'org_pages' });
    const pages = createClient({ baseUrl: test.host.url, token });
    for (let n = 0; n < 7; n += 1) {
      await pages.memories.save({
        kind: 'preference',
        scope: 'user',
        content: { text: `Preference number ${n}` },
      });
    }
    const texts: string[] = [];
    for await (const { content } of pages.each('memories.list', { limit: 2 })) {
      if ('text' in content && content.text !== undefined) texts.push(content.text);
    }
    expect(texts).toEqual([6, 5, 4, 3, 2, 1, 0].map((n) => `Preference number ${n}`));
  });

  it('lets a model act on a refusal through the tools', async () => {
    const refused = await callTool(
      'memories_save',
      {
        kind: 'preference',
        scope: 'user',
        documentId: null,
        expectedVersion: null,
        content: { text: 'Always put Vercel into 6120', topic: null },
      },
      client,
    );
    expect(refused).toMatchObject({ ok: false, problem: { code: 'use-canonical-mapping' } });
    if (refused.ok) throw new Error('it is refused');
    const saved = await callTool('memories_save', refused.problem.instead, client);
    expect(saved).toMatchObject({ ok: true, value: { memory: { content: { account: { id: '6120' } } } } });
  });
});

describe('the table of operations', () => {
  it('answers each operation as it says', async () => {
    const saved = await checked('memories.save', {
      kind: 'workflow_hint',
      content: { hint: 'preview_first', capability: 'send', senderDomain: 'vercel.com' },
    });
    const { id } = saved.memory;
    await checked('memories.get', { id });
    await checked('memories.archive', { id, reason: 'No longer.' });
    await checked('memories.list', { status: 'archived' });
    await checked('memories.explain', { merchant: 'Nobody knows it', mapping: 'category' });
    const context = await checked('memories.context', {});
    await checked('memories.context', { knownSnapshot: context.snapshot });
    await checked('accounts.replace', { accounts: [...CHART] });
    await checked('accounts.list', {});
    await checked('accounts.resolve', { query: 'travel' });
    const { items } = await checked('transfer.export', { limit: 50 });
    await checked('transfer.import', { lines: items });
    await checked('erase.me', {});
    await checked('erase.person', { id: 'u_1' });
    await checked('erase.org', { confirm: ORG });
    const untried = (Object.keys(ROUTES) as OperationId[]).filter((operation) => !answered.has(operation));
    expect(untried).toEqual([]);
  });

  it('is served as OpenAPI to anybody', async () => {
    const served = await fetch(`${test.host.url}/v1/openapi.json`);
    expect(served.status).toBe(200);
    const golden = await readFile(new URL('../contracts/openapi.json', import.meta.url), 'utf8');
    expect(await served.json()).toEqual(JSON.parse(golden));
  });
});
