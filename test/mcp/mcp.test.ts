import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient } from '../../lib/client/client.ts';
import { startTestHost, type TestHost } from '../support/local.ts';

let test: TestHost;
beforeAll(async () => {
  test = await startTestHost();
  await createClient({ baseUrl: test.host.url, token: await test.host.token() }).accounts.replace({
    accounts: [
      { id: '6120', name: 'Software subscriptions', type: 'expense' },
      { id: '6125', name: 'Software licences', type: 'expense' },
      { id: '6300', name: 'Travel', type: 'expense' },
    ],
  });
}, 120_000);
afterAll(() => test?.stop());

const VERSIONS = [
  ['2026-07-28', { mode: { pin: '2026-07-28' } }],
  ['2025-11-25', { mode: 'legacy' }],
] as const;

async function connect(version: (typeof VERSIONS)[number][1], claims = {}): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: version });
  const token = await test.host.token(claims);
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${test.host.url}/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${token}` } },
    }),
  );
  return client;
}

const textOf = ({ content }: { content: readonly unknown[] }): unknown =>
  JSON.parse((content[0] as { text: string }).text);

describe.each(VERSIONS)('MCP, to a client of %s', (version, mode) => {
  it('lists the tools with titles, annotations and schemas of what they take and answer', async () => {
    const client = await connect(mode);
    expect(client.getNegotiatedProtocolVersion()).toBe(version);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('memories_review');
    for (const tool of tools) {
      expect(tool.title, tool.name).toBeTypeOf('string');
      expect(tool.annotations?.readOnlyHint, tool.name).toBeTypeOf('boolean');
      expect(tool.inputSchema.type, tool.name).toBe('object');
      expect(tool.outputSchema?.type, tool.name).toBe('object');
    }
    await client.close();
  });

  it('saves, reads, explains and archives, each answer as structure and as the same text', async () => {
    const client = await connect(mode, { org_id: `org_${version}` });
    const call = async (name: string, args: Record<string, unknown>) => {
      // The client checks the structure against the output schema of the tool.
      const result = await client.callTool({ name, arguments: args });
      expect(result.isError ?? false, JSON.stringify(result.content)).toBe(false);
      expect(textOf(result)).toEqual(result.structuredContent);
      return result.structuredContent as Record<string, unknown> & { memory: { id: string } };
    };
    await client.listTools();
    const saved = await call('memories_save', {
      kind: 'preference',
      scope: 'user',
      content: { text: 'Show totals in euros.' },
    });
    const { id } = saved.memory;
    expect(saved).toMatchObject({ outcome: 'created', memory: { status: 'active', createdBy: 'u_demo' } });
    expect(await call('memories_get', { id })).toMatchObject({ id, version: 1 });
    expect(await call('memories_list', { limit: 5 })).toMatchObject({ items: [{ id }] });
    const context = await call('memories_context', {});
    expect(context.text).toContain('Show totals in euros.');
    expect(await call('memories_context', { knownSnapshot: context.snapshot })).toMatchObject({
      unchanged: true,
    });
    expect(await call('memories_evidence', { id })).toMatchObject({ verdict: { promoted: false } });
    expect(await call('memories_evidence', { merchant: 'Uber' })).toMatchObject({ tally: [] });
    expect(await call('memories_archive', { id })).toMatchObject({ outcome: 'archived' });
    const restored = { id, decision: 'restore', expectedVersion: 2 };
    expect(await call('memories_review', restored)).toMatchObject({ outcome: 'restored' });
    await client.close();
  });

  it('gives errors that an assistant can act on', async () => {
    const client = await connect(mode);
    const call = async (name: string, args: Record<string, unknown>) => {
      const result = await client.callTool({ name, arguments: args });
      expect(result.isError).toBe(true);
      return textOf(result);
    };
    expect(
      await call('memories_save', {
        kind: 'preference',
        scope: 'user',
        content: { text: 'Classify Vercel as software subscriptions' },
      }),
    ).toMatchObject({
      code: 'use-canonical-mapping',
      instead: { kind: 'canonical_mapping', content: { mapping: 'category', merchant: 'Vercel' } },
      accounts: expect.arrayContaining([expect.objectContaining({ id: '6120' })]),
      advice: expect.stringContaining('memories_save'),
    });
    const mapping = { mapping: 'category', merchant: 'Uber', account: { id: '9999', name: 'Travel' } };
    expect(await call('memories_save', { kind: 'canonical_mapping', content: mapping })).toMatchObject({
      code: 'unknown-account',
      nearest: [expect.objectContaining({ id: '6300' })],
      advice: expect.stringContaining('nearest'),
    });
    expect(await call('memories_list', { merchant: ['Uber'], limit: 0 })).toMatchObject({
      code: 'invalid-request',
      errors: [{ path: 'merchant' }, { path: 'limit', message: 'must be a whole number from 1 to 100' }],
    });
    expect(await call('memories_get', { id: 'abc' })).toMatchObject({ code: 'not-found' });
    expect(await call('memories_save', { kind: 'preference' })).toMatchObject({
      code: 'invalid-request',
      errors: [{ path: 'content', message: 'is required' }],
    });
    await client.close();
  });

  it('asks with the accounts to choose from where a phrase could mean several', async () => {
    const client = await connect(mode);
    const { structuredContent } = await client.callTool({
      name: 'accounts_resolve',
      arguments: { query: 'software', limit: 2 },
    });
    expect(structuredContent).toMatchObject({ decision: 'ask' });
    await client.close();
  });

  it('offers and allows only what the scopes of the token do', async () => {
    const reader = await connect(mode, { scope: 'memories:read' });
    const names = (await reader.listTools()).tools.map(({ name }) => name);
    expect(names).not.toContain('memories_save');
    expect(names).not.toContain('memories_review');
    await expect(reader.callTool({ name: 'memories_archive', arguments: { id: 'a' } })).rejects.toThrow();
    await reader.close();
  });

  it('shows one person and one workspace nothing of another', async () => {
    const one = await connect(mode, { sub: 'u_one' });
    const other = await connect(mode, { org_id: 'org_other' });
    const content = { text: `Only mine, ${version}.` };
    const saved = await one.callTool({
      name: 'memories_save',
      arguments: { kind: 'preference', scope: 'user', content },
    });
    const { id } = (saved.structuredContent as { memory: { id: string } }).memory;
    for (const stranger of [other, await connect(mode, { sub: 'u_two' })]) {
      const result = await stranger.callTool({ name: 'memories_get', arguments: { id } });
      expect(textOf(result)).toMatchObject({ code: 'not-found' });
      await stranger.close();
    }
    await one.close();
  });
});

describe('the MCP endpoint', () => {
  const post = (body: string, headers: Record<string, string> = {}) =>
    fetch(`${test.host.url}/mcp`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
      body,
    });
  const CALL = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'memories_save', arguments: {} },
  };

  it('tells who comes without a token where to get one', async () => {
    const refused = await post(JSON.stringify(CALL));
    expect(refused.status).toBe(401);
    const challenge = refused.headers.get('www-authenticate') ?? '';
    expect(challenge).toMatch(/^Bearer scope="memories:read memories:write", resource_metadata="/);
    const [, where = ''] = /resource_metadata="([^"]+)"/.exec(challenge) ?? [];
    const metadata = await fetch(where);
    expect(metadata.status).toBe(200);
    expect(await metadata.json()).toEqual({
      resource: `${test.host.url}/mcp`,
      authorization_servers: ['https://auth.example.com/'],
      scopes_supported: ['memories:write', 'memories:read', 'memories:review'],
      bearer_methods_supported: ['header'],
      resource_name: 'ai-memories',
    });
    expect((await fetch(`${test.host.url}/.well-known/oauth-protected-resource`)).status).toBe(200);
  });

  it.each([
    ['is none', () => 'abc'],
    ['is for another service', () => test.host.token({ aud: 'other' })],
    ['is of another issuer', () => test.host.token({ iss: 'https://evil.test/' })],
    ['has run out', () => test.host.token({ exp: 1 })],
    [
      'was signed by nobody',
      async () => `${(await test.host.token()).split('.').slice(0, 2).join('.')}.AAAA`,
    ],
    ['says that it needs no signature', () => `${btoa('{"alg":"none"}')}.${btoa('{}')}.`],
  ])('refuses a token that %s', async (_, token) => {
    const refused = await post(JSON.stringify(CALL), { authorization: `Bearer ${await token()}` });
    expect(refused.status).toBe(401);
    expect(refused.headers.get('www-authenticate')).toContain('error="invalid_token"');
  });

  it('asks for the scope that a call needs beyond the token', async () => {
    const token = await test.host.token({ scope: 'memories:read' });
    const refused = await post(JSON.stringify(CALL), { authorization: `Bearer ${token}` });
    expect(refused.status).toBe(403);
    expect(refused.headers.get('www-authenticate')).toMatch(
      /^Bearer error="insufficient_scope", scope="memories:write", resource_metadata="/,
    );
  });

  it.each([
    ['no JSON', '{', 400],
    ['no message', '7', 400],
    ['nothing', '', 400],
    ['a member named twice', '{"jsonrpc":"2.0","jsonrpc":"2.0","id":1,"method":"ping"}', 400],
    ['more than it takes', JSON.stringify({ pad: 'x'.repeat(200_000) }), 413],
  ])('refuses %s without a fault of its own', async (_, body, status) => {
    const refused = await post(body, { authorization: `Bearer ${await test.host.token()}` });
    expect(refused.status).toBe(status);
  });

  it('lets nobody wait for changes, which a function could not tell of', async () => {
    const meta = (name: string) => `io.modelcontextprotocol/${name}`;
    const refused = await post(
      JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'subscriptions/listen',
        params: {
          notifications: { toolsListChanged: true },
          _meta: {
            [meta('protocolVersion')]: '2026-07-28',
            [meta('clientInfo')]: { name: 'test', version: '1' },
            [meta('clientCapabilities')]: {},
          },
        },
      }),
      {
        authorization: `Bearer ${await test.host.token()}`,
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'subscriptions/listen',
      },
    );
    expect(await refused.json()).toMatchObject({ id: 1, error: { message: 'Subscription limit reached' } });
  });

  it('keeps no streams and no sessions', async () => {
    const headers = { authorization: `Bearer ${await test.host.token()}`, accept: 'text/event-stream' };
    for (const method of ['GET', 'DELETE']) {
      expect((await fetch(`${test.host.url}/mcp`, { method, headers })).status, method).toBe(405);
    }
  });
});
