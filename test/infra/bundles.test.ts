import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BundleSize, bundleFunction } from '../../infra/bundle-function.ts';
import { ENVIRONMENT } from '../../lib/aws/tables.ts';
import type { FunctionName } from '../../lib/routes.ts';
import { MEASURED_FUNCTIONS } from '../support/measured-functions.ts';
import { isSignedWith, startSignedServer } from '../support/signed-server.ts';

/** What a cold start loads, at the most. */
const MOST_BYTES = 300_000;

const API_CALL = {
  version: '2.0',
  routeKey: 'GET /v1/memories',
  rawQueryString: '',
  headers: {},
  requestContext: {
    requestId: 'r',
    routeKey: 'GET /v1/memories',
    http: { method: 'GET', path: '/v1/memories' },
    authorizer: { jwt: { claims: { sub: 'u_1', org_id: 'org_demo', scope: 'memories:read' } } },
  },
};

/** A fresh process with this environment and nothing else imports a bundle and calls it once. */
async function callOnce(directory: string, event: unknown, env: Readonly<Record<string, string>>) {
  const script = `const { handler } = await import(process.argv[1]);
    console.log(JSON.stringify(await handler(JSON.parse(process.argv[2]))));
    process.exit(0);`;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '--eval', script, join(directory, 'index.mjs'), JSON.stringify(event)],
    { env },
  );
  return JSON.parse(stdout) as { readonly statusCode: number; readonly body: string };
}

describe('what is deployed', () => {
  let folder = '';
  const sizes = new Map<FunctionName, BundleSize>();
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bundles-'));
    for (const name of MEASURED_FUNCTIONS) sizes.set(name, bundleFunction(name, join(folder, name)));
  }, 60_000);
  afterAll(() => rm(folder, { recursive: true }));

  it.each(MEASURED_FUNCTIONS)('of %s keeps to its budget of bytes', (name) => {
    expect(sizes.get(name)?.startBytes).toBeLessThanOrEqual(MOST_BYTES);
  });

  it('loads only when needed what few requests need', () => {
    const save = sizes.get('save');
    expect(save?.bytes).toBeGreaterThan(save?.startBytes ?? 0);
  });

  it('signs with the credentials of a role, which Lambda puts into the environment', async () => {
    const server = await startSignedServer(() => ({ json: { Items: [], Count: 0 } }));
    const answer = await callOnce(join(folder, 'list'), API_CALL, {
      AWS_REGION: 'eu-west-1',
      AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
      AWS_SECRET_ACCESS_KEY: 'the secret',
      AWS_SESSION_TOKEN: 'the session',
      AWS_ENDPOINT_URL_DYNAMODB: server.endpoint,
      [ENVIRONMENT.memories]: 'the-memories',
      [ENVIRONMENT.accounts]: 'the-accounts',
    });
    await server.stop();
    expect(answer).toMatchObject({ statusCode: 200, body: '{"items":[]}' });
    expect(server.seen.length).toBeGreaterThan(0);
    for (const seen of server.seen) {
      expect(seen.headers['x-amz-security-token']).toBe('the session');
      expect(seen.headers.authorization).toContain('/eu-west-1/dynamodb/aws4_request');
      expect(isSignedWith('the secret', seen)).toBe(true);
      expect(JSON.parse(seen.body)).toMatchObject({ TableName: 'the-memories' });
    }
  });

  it('is refused rather than sent unsigned where the environment has no credentials', async () => {
    const server = await startSignedServer(() => ({ json: {} }));
    const answer = await callOnce(join(folder, 'list'), API_CALL, {
      AWS_REGION: 'eu-west-1',
      AWS_ENDPOINT_URL_DYNAMODB: server.endpoint,
      [ENVIRONMENT.memories]: 'the-memories',
      [ENVIRONMENT.accounts]: 'the-accounts',
    });
    await server.stop();
    expect(answer.statusCode).toBe(500);
    expect(server.seen).toEqual([]);
  });
});
