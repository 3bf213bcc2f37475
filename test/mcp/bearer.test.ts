import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { bearerVerifier } from '../../lib/mcp/bearer.ts';

let pair: Awaited<ReturnType<typeof generateKeyPair>>;
let server: Server;
let origin: string;
/** What the issuer answers, by path; a path without an answer gives 500. */
let answers: Record<string, unknown>;
let asked: string[];

beforeAll(async () => {
  pair = await generateKeyPair('RS256', { extractable: true });
});

beforeEach(async () => {
  asked = [];
  server = createServer(({ url = '' }, response) => {
    asked.push(url);
    response.statusCode = url in answers ? 200 : 500;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(answers[url] ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  answers = {
    '/tenant/.well-known/openid-configuration': { issuer: `${origin}/tenant/`, jwks_uri: `${origin}/keys` },
    '/keys': { keys: [{ ...(await exportJWK(pair.publicKey)), kid: 'k', alg: 'RS256', use: 'sig' }] },
  };
});
afterEach(() => new Promise((resolve) => server.close(resolve)));

const settings = () => ({ issuer: `${origin}/tenant/`, audience: ['api', 'other'] });

async function header(claims: JWTPayload = {}, alg = 'RS256'): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  const token = await new SignJWT({
    iss: `${origin}/tenant/`,
    aud: 'api',
    sub: 'u_1',
    org_id: 'org_1',
    scope: 'memories:read memories:write',
    exp: now + 60,
    ...claims,
  })
    .setProtectedHeader({ alg, kid: 'k' })
    .sign(pair.privateKey);
  return `Bearer ${token}`;
}

describe('a bearer token', () => {
  it('says who calls, checked with the keys that the issuer publishes, fetched once', async () => {
    const verify = bearerVerifier(settings());
    const { orgId, userId, scopes } = await verify(await header());
    expect([orgId, userId, [...scopes]]).toEqual(['org_1', 'u_1', ['memories:read', 'memories:write']]);
    await verify(await header());
    expect(asked).toEqual(['/tenant/.well-known/openid-configuration', '/keys']);
  });

  it('is checked with keys from elsewhere where the settings name them', async () => {
    await bearerVerifier({ ...settings(), jwksUri: `${origin}/keys` })(await header());
    expect(asked).toEqual(['/keys']);
  });

  it.each([
    ['another audience', { aud: 'else' }],
    ['no audience', { aud: undefined }],
    ['another issuer', { iss: 'https://else.test/' }],
    ['no end', { exp: undefined }],
    ['its end behind it', { exp: 1 }],
    ['its beginning ahead of it', { nbf: 9_999_999_999 }],
  ])('with %s is refused', async (_, claims) => {
    const verified = bearerVerifier(settings())(await header(claims as JWTPayload));
    await expect(verified).rejects.toMatchObject({ code: 'unauthenticated' });
  });

  it.each([undefined, '', 'Bearer', 'Basic dTpw', 'Bearer a.b', 'Bearer a.b.c', 'Bearer a.b.c d'])(
    'that is none is refused: %s',
    async (value) => {
      await expect(bearerVerifier(settings())(value)).rejects.toMatchObject({ code: 'unauthenticated' });
    },
  );

  it('may name its client instead of an audience, and its scopes as a list', async () => {
    const claims = { aud: undefined, client_id: 'other', scope: undefined, scp: ['memories:read'] };
    const { scopes } = await bearerVerifier(settings())(await header(claims as unknown as JWTPayload));
    expect([...scopes]).toEqual(['memories:read']);
  });

  it.each([{ sub: undefined }, { org_id: undefined }, { org_id: 'a b' }])(
    'that names no workspace or no person may do nothing: %j',
    async (claims) => {
      const verified = bearerVerifier(settings())(await header(claims as JWTPayload));
      await expect(verified).rejects.toMatchObject({ code: 'forbidden' });
    },
  );

  it('cannot be checked while the issuer does not answer, and can be again afterwards', async () => {
    const verify = bearerVerifier(settings());
    const all = answers;
    for (const missing of ['/tenant/.well-known/openid-configuration', '/keys']) {
      answers = { ...all };
      delete answers[missing];
      await expect(verify(await header()), missing).rejects.toMatchObject({ code: 'unavailable' });
      answers = all;
    }
    expect((await verify(await header())).userId).toBe('u_1');
  });
});
