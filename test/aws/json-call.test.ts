import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { endpointOf, type JsonService, jsonCaller } from '../../lib/aws/json-call.ts';
import { isSignedWith, type Reply, type SignedServer, startSignedServer } from '../support/signed-server.ts';

const SERVICE: JsonService = {
  name: 'events',
  target: 'AWSEvents',
  contentType: 'application/x-amz-json-1.1',
  endpointVariable: 'AWS_ENDPOINT_URL_EVENTBRIDGE',
  maxAttempts: 3,
  timeoutMillis: 2000,
};
const INPUT = { Entries: [{ Source: 'ai-memories', Detail: '{"text":"Büro ☕"}' }] };

describe('a call without an SDK client', () => {
  let replies: readonly Reply[] = [];
  let server: SignedServer;
  beforeEach(async () => {
    server = await startSignedServer((_, index) => replies[index] ?? { json: { FailedEntryCount: 0 } });
    vi.stubEnv('AWS_REGION', 'eu-west-1');
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIDEXAMPLE');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'the secret');
    vi.stubEnv('AWS_SESSION_TOKEN', 'the session');
    vi.stubEnv('AWS_ENDPOINT_URL_EVENTBRIDGE', server.endpoint);
  });
  afterEach(async () => {
    replies = [];
    vi.unstubAllEnvs();
    await server.stop();
  });

  it('says what the SDK says, and is signed as the SDK signs', async () => {
    const answer = await jsonCaller(SERVICE)('PutEvents', INPUT);
    const client = new EventBridgeClient();
    await client.send(new PutEventsCommand({ Entries: [...INPUT.Entries] }));
    client.destroy();
    const [ours, theirs] = server.seen;
    if (ours === undefined || theirs === undefined) throw new Error('Both were sent.');
    expect(answer).toEqual({ FailedEntryCount: 0 });
    expect(JSON.parse(ours.body)).toEqual(JSON.parse(theirs.body));
    for (const name of ['content-type', 'x-amz-target', 'x-amz-security-token', 'host']) {
      expect(ours.headers[name], name).toBe(theirs.headers[name]);
    }
    expect(isSignedWith('the secret', theirs)).toBe(true);
    expect(isSignedWith('the secret', ours)).toBe(true);
    expect(isSignedWith('another secret', ours)).toBe(false);
  });

  it('takes the credentials that the environment has now, and a session token only where there is one', async () => {
    const call = jsonCaller(SERVICE);
    await call('PutEvents', INPUT);
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'the next secret');
    vi.stubEnv('AWS_SESSION_TOKEN', '');
    await call('PutEvents', INPUT);
    const [, next] = server.seen;
    if (next === undefined) throw new Error('It was sent.');
    expect(isSignedWith('the next secret', next)).toBe(true);
    expect(next.headers).not.toHaveProperty('x-amz-security-token');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', '');
    await expect(call('PutEvents', INPUT)).rejects.toMatchObject({ name: 'CredentialsProviderError' });
  });

  it('is tried again while what went wrong may pass', async () => {
    replies = [
      { status: 503, json: {} },
      { status: 400, json: { __type: 'com.amazonaws.events#ThrottlingException' } },
    ];
    await expect(jsonCaller(SERVICE)('PutEvents', INPUT)).resolves.toEqual({ FailedEntryCount: 0 });
    expect(server.seen).toHaveLength(3);
  });

  it('is given up by the name of the exception, at once where it will not pass', async () => {
    replies = [
      { status: 400, json: { __type: 'com.amazonaws.events#ResourceNotFoundException', message: 'x' } },
    ];
    await expect(jsonCaller(SERVICE)('PutEvents', INPUT)).rejects.toMatchObject({
      name: 'ResourceNotFoundException',
      $metadata: { httpStatusCode: 400 },
    });
    expect(server.seen).toHaveLength(1);
  });

  it('waits no longer than it should, and not at all once its caller has gone', async () => {
    replies = Array.from({ length: 4 }, () => ({ json: {}, silent: true as const }));
    const hasty = jsonCaller({ ...SERVICE, maxAttempts: 2, timeoutMillis: 40 });
    await expect(hasty('PutEvents', INPUT)).rejects.toMatchObject({ name: 'TimeoutError' });
    expect(server.seen).toHaveLength(2);
    await expect(jsonCaller(SERVICE)('PutEvents', INPUT, AbortSignal.timeout(40))).rejects.toThrow();
    expect(server.seen).toHaveLength(3);
  });

  it('goes to the endpoint that is named, else to the region', () => {
    expect(endpointOf(SERVICE, 'eu-west-1').origin).toBe(server.endpoint);
    vi.stubEnv('AWS_ENDPOINT_URL_EVENTBRIDGE', '');
    vi.stubEnv('AWS_ENDPOINT_URL', '');
    expect(endpointOf(SERVICE, 'eu-west-1').href).toBe('https://events.eu-west-1.amazonaws.com/');
    expect(endpointOf(SERVICE, 'cn-north-1').href).toBe('https://events.cn-north-1.amazonaws.com.cn/');
    vi.stubEnv('AWS_ENDPOINT_URL', 'http://localhost:4600');
    expect(endpointOf(SERVICE, 'eu-west-1').href).toBe('http://localhost:4600/');
  });
});
