import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LocalHost, startLocalHost } from '../../../infra/local/host.ts';
import { EVENTS, FUNCTIONS, ROUTES } from '../../../lib/routes.ts';

let host: LocalHost;
let directory = '';
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'real-stack-'));
  host = await startLocalHost({ port: 0, quiet: true, dataDir: directory });
}, 120_000);
afterAll(async () => {
  // Where the start failed there is none, and its own error is the one to see.
  await host?.stop();
  await rm(directory, { recursive: true, force: true });
});

const connection = () => ({
  endpoint: host.url,
  region: 'us-east-1',
  credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
});
const call = async (method: string, path: string, scope: string) =>
  fetch(`${host.url}${path.replace('{id}', 'unknown')}`, {
    method,
    headers: {
      authorization: `Bearer ${await host.token({ scope })}`,
      'content-type': 'application/json',
    },
    ...(method === 'POST' || method === 'PUT' ? { body: '{}' } : {}),
  });

describe('the deployed bundles, run by the local host', () => {
  it.each(Object.entries(ROUTES))('serve %s', async (_, { method, path, scope }) => {
    const response = await call(method, path, scope);
    const answer = await response.json();
    expect(response.status).toBeLessThan(500);
    // An answer of the service's own, and not the gateway's 404.
    if (!response.ok) expect(answer).toMatchObject({ status: response.status, code: expect.any(String) });
  });

  it.each(Object.entries(ROUTES))('refuse %s without its scope', async (_, { method, path }) => {
    expect((await call(method, path, 'other')).status).toBe(403);
  });

  it.each([...new Set(Object.values(ROUTES).map(({ path }) => path))])(
    'answer 405 on %s with the methods that it has',
    async (path) => {
      const response = await call('PATCH', path, '');
      const methods = Object.values(ROUTES).filter((route) => route.path === path);
      expect(response.status).toBe(405);
      const allowed = (response.headers.get('allow') ?? '').split(', ');
      expect(allowed).toEqual(expect.arrayContaining(methods.map(({ method }) => method)));
    },
  );

  it('are those of the table', () => {
    const names = host.deployment.functions.map(({ name }) => name);
    expect(names.sort()).toEqual(
      Object.keys(FUNCTIONS)
        .map((name) => `ai-memories-${name}`)
        .sort(),
    );
  });

  it('give hints on a direct invocation', async () => {
    const answer = await new LambdaClient(connection()).send(
      new InvokeCommand({
        FunctionName: 'ai-memories-retrieve',
        Payload: JSON.stringify({ orgId: 'org_demo' }),
      }),
    );
    expect(answer.FunctionError).toBeUndefined();
    expect(JSON.parse(answer.Payload?.transformToString() ?? '')).toMatchObject({
      orgId: 'org_demo',
      promptHints: [],
    });
  });

  it('park an event that no retry can mend, with its reason', async () => {
    const entry = {
      EventBusName: EVENTS.defaultBusName,
      Source: 'test',
      DetailType: EVENTS.correctionDetailType,
      Detail: JSON.stringify({ eventId: 'broken' }),
    };
    await new EventBridgeClient(connection()).send(new PutEventsCommand({ Entries: [entry] }));
    await host.settled();
    const { Messages = [] } = await new SQSClient(connection()).send(
      new ReceiveMessageCommand({
        QueueUrl: `${host.url}/000000000000/ai-memories-corrections-dead`,
        MessageAttributeNames: ['All'],
      }),
    );
    expect(Messages).toHaveLength(1);
    expect(Messages[0]?.Body).toContain('broken');
    expect(Object.keys(Messages[0]?.MessageAttributes ?? {})).toHaveLength(1);
  });
});
