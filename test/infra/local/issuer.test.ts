import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { ISSUER_PATHS, localIssuer } from '../../../infra/local/issuer.ts';

const VERIFIER = 'v'.repeat(43);
const HOST = 'localhost:4600';
const asked = {
  response_type: 'code',
  client_id: 'console',
  redirect_uri: `http://${HOST}/console`,
  state: 'abc',
  code_challenge: createHash('sha256').update(VERIFIER).digest('base64url'),
  code_challenge_method: 'S256',
};

function open() {
  const issuer = localIssuer({ publicKey: {}, sign: async (claims) => `signed for ${claims.sub}` }, () => ({
    sub: 'u_demo',
    iat: 100,
    exp: 3700,
    scope: 'memories:read',
  }));
  const send = async (method: string, target: string, body = '', host = HOST) => {
    const response = await issuer({
      method,
      target,
      headers: [['host', host]],
      sourceIp: '::1',
      body: Buffer.from(body),
    });
    if (!response) throw new Error('not answered');
    return { ...response, location: response.headers.find(([name]) => name === 'location')?.[1] };
  };
  const authorize = (over: Record<string, string> = {}, host = HOST) =>
    send('GET', `${ISSUER_PATHS.authorize}?${new URLSearchParams({ ...asked, ...over })}`, '', host);
  const code = async () => new URL((await authorize()).location ?? '').searchParams.get('code') ?? '';
  const exchange = (given: Record<string, string>) =>
    send(
      'POST',
      ISSUER_PATHS.token,
      new URLSearchParams({
        grant_type: 'authorization_code',
        client_id: asked.client_id,
        redirect_uri: asked.redirect_uri,
        code_verifier: VERIFIER,
        ...given,
      }).toString(),
    );
  return { issuer, authorize, code, exchange };
}

describe('the issuer of the local run', () => {
  it('sends a person back with a code and the state, and gives a token for the code once', async () => {
    const { authorize, exchange } = open();
    const back = new URL((await authorize()).location ?? '');
    expect(`${back.origin}${back.pathname}`).toBe(asked.redirect_uri);
    expect(back.searchParams.get('state')).toBe('abc');
    const code = back.searchParams.get('code') ?? '';
    const first = await exchange({ code });
    expect(JSON.parse(first.body.toString())).toEqual({
      access_token: 'signed for u_demo',
      token_type: 'Bearer',
      expires_in: 3600,
      scope: 'memories:read',
    });
    expect((await exchange({ code })).status).toBe(400);
  });

  it.each([
    ['another verifier', { code_verifier: 'x'.repeat(43) }],
    ['another client', { client_id: 'other' }],
    ['another way back', { redirect_uri: `http://${HOST}/other` }],
    ['another grant', { grant_type: 'client_credentials' }],
  ])('gives nothing for %s', async (_, given) => {
    const { code, exchange } = open();
    expect((await exchange({ code: await code(), ...given })).status).toBe(400);
  });

  it.each([
    ['another host', { redirect_uri: 'http://evil.test/console' }, HOST],
    ['another port', { redirect_uri: 'http://localhost:1/console' }, HOST],
    [
      'a host that only resolves to this machine',
      { redirect_uri: 'http://evil.test:4600/' },
      'evil.test:4600',
    ],
    ['no address', { redirect_uri: 'javascript:alert(1)' }, HOST],
    ['no challenge', { code_challenge: '' }, HOST],
    ['a plain challenge', { code_challenge_method: 'plain' }, HOST],
    ['an implicit grant', { response_type: 'token' }, HOST],
  ])('sends nobody to %s', async (_, over, host) => {
    const answer = await open().authorize(over, host);
    expect(answer.status).toBe(400);
    expect(answer.location).toBeUndefined();
  });

  it('leaves every other request alone', async () => {
    const { issuer } = open();
    const request = {
      method: 'POST',
      target: ISSUER_PATHS.authorize,
      headers: [],
      sourceIp: '',
      body: Buffer.alloc(0),
    };
    expect(await issuer(request)).toBeUndefined();
    expect(await issuer({ ...request, method: 'GET', target: '/v1/memories' })).toBeUndefined();
  });
});
