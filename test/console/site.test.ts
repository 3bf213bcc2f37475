import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LocalHost, startLocalHost } from '../../infra/local/host.ts';

const MOST_SCRIPT_BYTES = 40 * 1024;

describe('the console’s page', () => {
  let folder = '';
  let host: LocalHost;
  let assets: readonly string[] = [];
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'console-'));
    host = await startLocalHost({ port: 0, dataDir: folder, quiet: true });
    assets = await readdir(join(siteOf(host), 'assets'));
  }, 120_000);
  afterAll(async () => {
    await host?.stop();
    await rm(folder, { recursive: true, force: true });
  });
  const siteOf = ({ deployment }: LocalHost) =>
    join(deployment.functions.find(({ name }) => name === 'ai-memories-console')?.directory ?? '', 'site');
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${host.url}${path}`, { headers });

  it('has less than forty kilobytes of script, compressed', async () => {
    const scripts = assets.filter((name) => name.endsWith('.js'));
    const sizes = await Promise.all(
      scripts.map(async (name) => gzipSync(await readFile(join(siteOf(host), 'assets', name))).length),
    );
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(MOST_SCRIPT_BYTES);
  });

  it('needs no token, and is asked for anew each time', async () => {
    const page = await get('/console');
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.headers.get('cache-control')).toBe('no-cache');
    const again = await get('/console', { 'if-none-match': page.headers.get('etag') ?? '' });
    expect(again.status).toBe(304);
  });

  it('is the same with a slash at its end', async () => {
    const [page, slashed] = await Promise.all([get('/console'), get('/console/')]);
    expect(slashed.status).toBe(200);
    expect(await slashed.text()).toBe(await page.text());
  });

  it('names assets by their content, so that they are kept for good', async () => {
    const page = await (await get('/console')).text();
    const named = [...page.matchAll(/(?:src|href)="\/console\/(assets\/[^"]+)"/g)].map(
      ([, path = '']) => path,
    );
    expect(named.length).toBeGreaterThanOrEqual(3);
    for (const path of named) {
      expect(path).toMatch(/-[\w-]{8}\.(js|css|svg)$/);
      const asset = await get(`/console/${path}`);
      expect(asset.status).toBe(200);
      expect(asset.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    }
  });

  it.each(['br', 'gzip'])('is sent compressed to who takes %s', async (encoding) => {
    const script = assets.find((name) => name.endsWith('.js'));
    const response = await get(`/console/assets/${script}`, { 'accept-encoding': encoding });
    expect(response.headers.get('content-encoding')).toBe(encoding);
    expect(response.headers.get('vary')).toContain('accept-encoding');
    expect(await response.text()).toBe(await readFile(join(siteOf(host), 'assets', script ?? ''), 'utf8'));
  });

  it('allows nothing inline, nothing from elsewhere and no frame around it', async () => {
    const { headers } = await get('/console');
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("style-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("require-trusted-types-for 'script'");
    expect(policy).not.toMatch(/unsafe|\*|https?:/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    const page = await (await get('/console')).text();
    expect(page).not.toMatch(/<script(?![^>]*src=)|<style| style="| on\w+="/);
  });

  it('says how to sign in, and nothing of the kind that must be kept', async () => {
    const signIn: unknown = await (await get('/console/sign-in.json')).json();
    expect(signIn).toEqual({
      clientId: 'ai-memories-console',
      audience: 'ai-memories',
      authorizeEndpoint: expect.stringMatching(/^\//),
      tokenEndpoint: expect.stringMatching(/^\//),
    });
  });

  it.each([
    '/console/assets/none.js',
    '/console/index.mjs',
    '/console/..%2Findex.mjs',
    '/console/assets/../../index.mjs',
    '/console/%00',
    '/console/assets/',
  ])('has no %s', async (path) => {
    const response = await get(path);
    expect(response.status).toBe(404);
    expect(await response.text()).not.toContain('import');
  });

  it('takes no other method', async () => {
    expect((await fetch(`${host.url}/console`, { method: 'POST' })).status).toBe(404);
  });
});
