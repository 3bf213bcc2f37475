import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { afterAll, describe, expect, it } from 'vitest';
import { siteHandler } from '../../lib/lambda/static-site.ts';

const folder = mkdtempSync(join(tmpdir(), 'site-'));
mkdirSync(join(folder, 'site', 'assets'), { recursive: true });
writeFileSync(join(folder, 'secret.js'), 'secret');
writeFileSync(join(folder, 'site', 'index.html'), '<p>page</p>');
writeFileSync(join(folder, 'site', 'assets', 'a-12345678.js'), 'run()'.repeat(100));
writeFileSync(join(folder, 'site', 'assets', 'odd.bin'), Buffer.from([0, 255]));
afterAll(() => rmSync(folder, { recursive: true }));

const handler = siteHandler({
  folder: pathToFileURL(join(folder, 'site/')),
  documents: { 'sign-in.json': { clientId: 'c' } },
  connectTo: ['https://issuer.test'],
});
const get = async (proxy?: string, headers: Record<string, string> = {}) => {
  const event = { headers, ...(proxy !== undefined && { pathParameters: { proxy } }) };
  const { body, isBase64Encoded, ...rest } = await handler(event as unknown as APIGatewayProxyEventV2);
  return { ...rest, body: Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8') };
};

describe('a site served from a function’s own files', () => {
  it('answers its path with the page, and a file by its name', async () => {
    expect((await get()).body.toString()).toBe('<p>page</p>');
    expect((await get('')).body.toString()).toBe('<p>page</p>');
    expect((await get('assets/a-12345678.js')).headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
    });
    expect((await get('assets/odd.bin')).body).toEqual(Buffer.from([0, 255]));
  });

  it('answers what the function makes itself, never kept unasked', async () => {
    const { body, headers } = await get('sign-in.json');
    expect(JSON.parse(body.toString())).toEqual({ clientId: 'c' });
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'cache-control': 'no-cache' });
  });

  it('lets scripts call the service and the issuer, and no other', async () => {
    const policy = String((await get()).headers?.['content-security-policy']);
    expect(policy).toContain("connect-src 'self' https://issuer.test;");
  });

  it.each([
    'secret.js',
    '../secret.js',
    'assets/../../secret.js',
    'assets',
    '/index.html',
    '__proto__',
    'constructor',
  ])('has nothing under “%s”', async (path) => {
    const { statusCode, body, headers } = await get(path);
    expect(statusCode).toBe(404);
    expect(body.toString()).not.toContain('secret');
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
  });

  it('says that a file has not changed, with all that protects it', async () => {
    const { headers } = await get();
    const again = await get(undefined, { 'if-none-match': String(headers?.etag) });
    expect(again).toMatchObject({
      statusCode: 304,
      headers: { 'content-security-policy': expect.any(String) },
    });
    expect(again.body).toHaveLength(0);
  });

  it('compresses only for who says so', async () => {
    const plain = await get('assets/a-12345678.js');
    expect(plain.headers).not.toHaveProperty('content-encoding');
    const small = await get('assets/a-12345678.js', { 'accept-encoding': 'gzip, deflate, br' });
    expect(small.headers).toMatchObject({ 'content-encoding': 'br' });
    expect(small.body.length).toBeLessThan(plain.body.length);
  });
});
