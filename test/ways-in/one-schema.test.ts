import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import type { APIGatewayProxyEventV2WithJWTAuthorizer as HttpEvent } from 'aws-lambda';
import { describe, expect, expectTypeOf, it, vi } from 'vitest';
import * as z from 'zod/mini';
import type { ContextRequest } from '../../lib/domain/requests.ts';
import type { Context } from '../../lib/domain/responses.ts';

// One member more in what an operation takes, and one in what it answers. Nothing else is changed anywhere.
vi.mock('../../lib/domain/requests.ts', async (original) => {
  const requests = await original<typeof import('../../lib/domain/requests.ts')>();
  const mood = z.enum(['calm', 'hasty']).check(z.describe('How it is asked.'));
  return {
    ...requests,
    ContextRequest: z.extend(requests.ContextRequest.def.getter(), { mood: z.optional(mood) }),
  };
});
vi.mock('../../lib/domain/responses.ts', async (original) => {
  const responses = await original<typeof import('../../lib/domain/responses.ts')>();
  const answer = z.strictObject({ text: z.string(), heard: z.boolean() });
  return { ...responses, Context: answer };
});

const { createClient } = await import('../../lib/client/client.ts');
const { httpHandler } = await import('../../lib/lambda/http.ts');
const { memoryServer } = await import('../../lib/mcp/memory-server.ts');
const { openApiDocument } = await import('../../lib/openapi.ts');
const { toolDefinitions } = await import('../../lib/tools/tools.ts');
const { testOrg } = await import('../support/org.ts');

const MOOD = { type: 'string', enum: ['calm', 'hasty'], description: 'How it is asked.' };
const HEARD = { type: 'boolean' };
const runs = {
  'memories.context': async ({ body }: { body: object }) => ({
    body: { text: JSON.stringify(body), heard: true },
  }),
};

describe('one change to a schema', () => {
  it('shows in the API: what is new is taken, what is wrong with it is named', async () => {
    const handler = httpHandler(runs);
    const post = (body: unknown) =>
      handler({
        routeKey: 'POST /v1/context',
        rawQueryString: '',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
        isBase64Encoded: false,
        requestContext: {
          requestId: 'r',
          http: { method: 'POST' },
          authorizer: { jwt: { claims: { sub: 'u', org_id: 'o', scope: 'memories:read' }, scopes: [] } },
        },
      } as unknown as HttpEvent);
    expect(await post({ mood: 'calm' })).toMatchObject({ statusCode: 200 });
    const refused = await post({ mood: 'angry' });
    expect(JSON.parse(refused.body ?? '')).toMatchObject({ status: 400, errors: [{ path: 'mood' }] });
  });

  it('shows in OpenAPI', () => {
    const { schemas } = openApiDocument().components as {
      schemas: Record<string, { properties: Record<string, unknown> }>;
    };
    expect(schemas.ContextRequest?.properties.mood).toEqual(MOOD);
    expect(schemas.Context?.properties.heard).toEqual(HEARD);
  });

  it('shows in the tools, in every form', () => {
    const [json] = toolDefinitions('json').filter(({ name }) => name === 'memories_context');
    expect(json?.inputSchema.properties.mood).toEqual(MOOD);
    expect(json?.outputSchema.properties.heard).toEqual(HEARD);
    const [anthropic] = toolDefinitions('anthropic').filter((tool) => tool.name === json?.name);
    expect(anthropic?.input_schema.properties.mood).toEqual(MOOD);
    const [openai] = toolDefinitions('openai', { strict: true }).filter(
      ({ function: { name } }) => name === json?.name,
    );
    expect(openai?.function.parameters.required).toContain('mood');
  });

  it('shows in MCP', async () => {
    const { identity } = testOrg();
    const server = await memoryServer(runs as never, identity)({ era: 'legacy' });
    const [near, far] = InMemoryTransport.createLinkedPair();
    const client = new Client({ name: 'test', version: '1' });
    await Promise.all([server.connect(near as never), client.connect(far)]);
    const { tools } = await client.listTools();
    const tool = tools.find(({ name }) => name === 'memories_context');
    expect(tool?.inputSchema.properties?.mood).toEqual(MOOD);
    expect(tool?.outputSchema).toMatchObject({ properties: { heard: HEARD } });
    const { structuredContent } = await client.callTool({
      name: 'memories_context',
      arguments: { mood: 'hasty' },
    });
    expect(structuredContent).toMatchObject({ heard: true, text: expect.stringContaining('hasty') });
    await client.close();
  });

  it('shows in the client: it sends what is new, and its types are those of the schemas', async () => {
    const sent: unknown[] = [];
    const client = createClient({
      baseUrl: 'https://memories.test',
      token: 't',
      fetch: async (_, { body }) => {
        sent.push(JSON.parse(String(body)));
        return Response.json({ text: '', heard: true });
      },
    });
    await client.memories.context({ mood: 'calm' } as never);
    expect(sent).toEqual([{ mood: 'calm' }]);
    expectTypeOf(client.memories.context)
      .parameter(0)
      .toEqualTypeOf<z.input<typeof ContextRequest> | undefined>();
    expectTypeOf(client.memories.context).returns.resolves.toEqualTypeOf<Context>();
  });
});
