import { generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LocalHost } from '../../../infra/local/host.ts';
import { AUDIENCE, ISSUER, workplace } from './fixture-assembly.ts';

const ECHO = `async (event) => {
  const { mode } = event.queryStringParameters ?? {};
  if (mode === 'throw') throw new TypeError('no');
  if (mode === 'odd') return { statusCode: 'soon' };
  if (mode === 'bare') return { plain: true };
  if (mode === 'bytes') return { statusCode: 201, headers: { 'X-Own': 'yes' }, cookies: ['a=1', 'b=2'], body: 'aGk=', isBase64Encoded: true };
  return { statusCode: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(event) };
}`;

describe('the local HTTP API', () => {
  let place: Awaited<ReturnType<typeof workplace>>;
  let host: LocalHost;
  beforeAll(async () => {
    place = await workplace();
    host = await place.start({ api: ECHO });
  });
  afterAll(() => place.clear());

  const call = async (path: string, init: RequestInit = {}, claims: Record<string, unknown> = {}) => {
    const token = await host.token({ scope: 'things:read things:write', ...claims });
    const response = await fetch(`${host.url}${path}`, {
      ...init,
      headers: { authorization: `Bearer ${token}`, ...(init.headers as Record<string, string>) },
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text };
  };
  const eventOf = async (path: string, init: RequestInit = {}) => JSON.parse((await call(path, init)).text);

  describe('lets in', () => {
    it.each([
      ['a token with the scope', {}],
      ['a list of audiences with the right one in it', { aud: ['other', AUDIENCE] }],
      ['a client id where there is no audience', { aud: undefined, client_id: AUDIENCE }],
      ['scopes in `scp`', { scope: undefined, scp: ['things:read'] }],
    ])('%s', async (_, claims) => {
      expect((await call('/v1/things', {}, claims)).status).toBe(200);
    });

    it('a caller with one of the scopes of a route', async () => {
      expect((await call('/v1/things', { method: 'POST' }, { scope: 'things:admin' })).status).toBe(200);
    });

    it('anyone with a token where a route has no scope', async () => {
      expect((await call('/v1/things', { method: 'DELETE' }, { scope: '' })).status).toBe(200);
    });
  });

  describe('answers 401', () => {
    const now = Math.floor(Date.now() / 1000);
    it.each([
      ['an expired token', { exp: now - 1 }],
      ['a token without an end', { exp: undefined }],
      ['a token that is not valid yet', { nbf: now + 60 }],
      ['a token made in the future', { iat: now + 60 }],
      ['another issuer', { iss: 'https://elsewhere.test/' }],
      ['another audience', { aud: 'other' }],
      ['no audience', { aud: undefined }],
      ['another audience beside the right client id', { aud: 'other', client_id: AUDIENCE }],
    ])('to %s', async (_, claims) => {
      const { status, text } = await call('/v1/things', {}, claims);
      expect([status, text]).toEqual([401, '{"message":"Unauthorized"}']);
    });

    it.each([
      ['no header', undefined],
      ['an empty one', ''],
      ['something that is no token', 'Bearer nonsense'],
      ['another scheme', 'Basic dTpw'],
      ['an unsigned token', `Bearer ${Buffer.from('{"alg":"none","kid":"x"}').toString('base64url')}.e30.`],
    ])('to %s', async (_, authorization) => {
      const response = await fetch(`${host.url}/v1/things`, {
        headers: authorization === undefined ? {} : { authorization },
      });
      expect([response.status, await response.text()]).toEqual([401, '{"message":"Unauthorized"}']);
    });

    it('to a token that another key signed', async () => {
      const { privateKey } = await generateKeyPair('RS256');
      const good = await host.token({ scope: 'things:read' });
      const { kid } = JSON.parse(Buffer.from(good.split('.')[0] ?? '', 'base64url').toString());
      const forged = await new SignJWT({ iss: ISSUER, aud: AUDIENCE, scope: 'things:read', exp: now + 60 })
        .setProtectedHeader({ alg: 'RS256', kid })
        .sign(privateKey);
      const response = await fetch(`${host.url}/v1/things`, {
        headers: { authorization: `Bearer ${forged}` },
      });
      expect(response.status).toBe(401);
    });

    it('to two tokens at once', async () => {
      const token = `Bearer ${await host.token({ scope: 'things:read' })}`;
      const headers = new Headers({ authorization: token });
      headers.append('authorization', token);
      expect((await fetch(`${host.url}/v1/things`, { headers })).status).toBe(401);
    });
  });

  it.each([{ scope: 'things:write' }, { scope: '' }, { scope: undefined }, { scope: 'things:readers' }])(
    'answers 403 to %j where another scope is needed',
    async (claims) => {
      const { status, text } = await call('/v1/things', {}, claims);
      expect([status, text]).toEqual([403, '{"message":"Forbidden"}']);
    },
  );

  it.each(['/', '/v1', '/v1/things/', '/v1//things', '/v2/things', '/v1/things/a/b', '/V1/things'])(
    'answers 404 on %s, with a token or without',
    async (path) => {
      const { status, text } = await call(path);
      expect([status, text]).toEqual([404, '{"message":"Not Found"}']);
      expect((await fetch(`${host.url}${path}`)).status).toBe(404);
    },
  );

  it('answers 400 to a path that is not percent-encoded UTF-8', async () => {
    expect((await call('/v1/things/%E0%A4%A')).status).toBe(400);
  });

  it('decodes a path parameter once, and never lets it choose the route', async () => {
    expect((await eventOf('/v1/things/a%2Fb')).pathParameters).toEqual({ id: 'a/b' });
    expect((await eventOf('/v1/things/%252F')).pathParameters).toEqual({ id: '%2F' });
    expect((await eventOf('/v1/things/all')).routeKey).toBe('GET /v1/things/all');
  });

  it('takes the rest of a path where a route asks for it, and a closer route first', async () => {
    expect(await eventOf('/v1/files/a/b%20c')).toMatchObject({
      routeKey: 'GET /v1/files/{rest+}',
      pathParameters: { rest: 'a/b c' },
    });
    expect((await eventOf('/v1/files/known')).routeKey).toBe('GET /v1/files/known');
    expect((await call('/v1/files')).status).toBe(404);
    expect((await eventOf('/v1/files/')).routeKey).toBe('GET /v1/files/{rest+}');
  });

  it('asks for no token on a route without an authorizer', async () => {
    const response = await fetch(`${host.url}/open`);
    expect(response.status).toBe(200);
    const event = (await response.json()) as { readonly requestContext: object };
    expect(event.requestContext).not.toHaveProperty('authorizer');
  });

  it('makes the event that API Gateway makes', async () => {
    const event = await eventOf('/v1/things?a=1&b=x+y%26&a=2&c', {
      headers: { 'X-Multi': 'one', cookie: 'k=v; l=w' },
    });
    expect(event).toMatchObject({
      version: '2.0',
      routeKey: 'GET /v1/things',
      rawPath: '/v1/things',
      rawQueryString: 'a=1&b=x+y%26&a=2&c',
      queryStringParameters: { a: '1,2', b: 'x y&', c: '' },
      cookies: ['k=v', 'l=w'],
      headers: { 'x-multi': 'one', 'x-forwarded-proto': 'http' },
      requestContext: {
        authorizer: {
          jwt: {
            claims: { sub: 'u_demo', org_id: 'org_demo', exp: expect.any(String) },
            scopes: ['things:read'],
          },
        },
        http: { method: 'GET', path: '/v1/things', protocol: 'HTTP/1.1', sourceIp: '127.0.0.1' },
        requestId: expect.any(String),
        stage: '$default',
        time: expect.stringMatching(/^\d\d\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d \+0000$/),
      },
      isBase64Encoded: false,
    });
    expect(event).not.toHaveProperty('body');
    expect(event).not.toHaveProperty('pathParameters');
    expect(event.headers).not.toHaveProperty('cookie');
  });

  it.each([
    ['application/json', '{"a":"é"}', '{"a":"é"}', false],
    ['application/problem+json; charset=utf-8', '{}', '{}', false],
    ['text/plain', 'hi', 'hi', false],
    ['application/x-www-form-urlencoded', 'hi', 'aGk=', true],
    ['application/octet-stream', 'hi', 'aGk=', true],
  ])('hands a body of %s on', async (type, sent, body, isBase64Encoded) => {
    const event = await eventOf('/v1/things', {
      method: 'POST',
      body: sent,
      headers: { 'content-type': type },
    });
    expect(event).toMatchObject({ body, isBase64Encoded });
  });

  it('hands bytes that are no UTF-8 on unchanged', async () => {
    const headers = { 'content-type': 'application/json' };
    const event = await eventOf('/v1/things', {
      method: 'POST',
      body: new Uint8Array([0x22, 0xff, 0xfe]),
      headers,
    });
    expect(event).toMatchObject({ body: 'Iv/+', isBase64Encoded: true });
  });

  it.each([7, 11])('answers 413 to a body of %i MB', async (megabytes) => {
    const body = 'x'.repeat(megabytes * 1024 * 1024);
    const answer = await call('/v1/things', {
      method: 'POST',
      body,
      headers: { 'content-type': 'text/plain' },
    });
    expect(answer.status).toBe(413);
  });

  it.each(['throw', 'odd'])('answers 500 in its own words when the function does: %s', async (mode) => {
    const { status, text } = await call(`/v1/things?mode=${mode}`);
    expect([status, text]).toEqual([500, '{"message":"Internal Server Error"}']);
  });

  it('answers with a result that has no status code as it is', async () => {
    const { status, text } = await call('/v1/things?mode=bare');
    expect([status, text]).toEqual([200, '{"plain":true}']);
  });

  it('answers with status, headers, cookies and bytes of the result', async () => {
    const { status, text, headers } = await call('/v1/things?mode=bytes');
    expect([status, text, headers.get('x-own')]).toEqual([201, 'hi', 'yes']);
    expect(headers.getSetCookie()).toEqual(['a=1', 'b=2']);
  });

  it('answers a preflight itself, without a token', async () => {
    const ask = { origin: 'https://app.test', 'access-control-request-method': 'POST' };
    const response = await fetch(`${host.url}/v1/things`, { method: 'OPTIONS', headers: ask });
    expect([response.status, await response.text()]).toEqual([204, '']);
    expect(response.headers.get('access-control-allow-origin')).toBe('https://app.test');
    expect(response.headers.get('access-control-allow-methods')).toBe('GET,POST');
  });

  it('tells a page of another origin nothing', async () => {
    const ask = { origin: 'https://elsewhere.test', 'access-control-request-method': 'POST' };
    const response = await fetch(`${host.url}/v1/things`, { method: 'OPTIONS', headers: ask });
    expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([204, null]);
  });
});
