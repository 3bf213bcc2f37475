import { Buffer } from 'node:buffer';
import { createMcpHandler } from '@modelcontextprotocol/server';
import type {
  APIGatewayProxyEventV2 as HttpEvent,
  APIGatewayProxyStructuredResultV2 as HttpResult,
} from 'aws-lambda';
import { MemoryError } from '../domain/errors.ts';
import type { Identity } from '../domain/identity.ts';
import { type Deadline, withinTime } from '../lambda/deadline.ts';
import type { Runs } from '../lambda/http.ts';
import { log } from '../lambda/log.ts';
import { observed } from '../lambda/observed.ts';
import { problemOf } from '../lambda/problem.ts';
import { parseStrictJson } from '../lambda/strict-json.ts';
import { tokenRules } from '../lambda/token-rules.ts';
import { ROUTES } from '../routes.ts';
import { scopeOfTool } from '../tools/tools.ts';
import { bearerVerifier, type IssuerSettings, type VerifyBearer } from './bearer.ts';
import { memoryServer } from './memory-server.ts';

/**
 * MCP over stateless streamable HTTP, and the metadata of RFC 9728 that tells a client where to get a token. Each
 * request stands alone: there are no sessions, and nothing is kept between two of them but the issuer's keys.
 */
export function mcpHandler(
  runs: Runs,
  settings: IssuerSettings,
): (event: HttpEvent, context?: Deadline) => Promise<HttpResult> {
  const verify = bearerVerifier(settings);
  return async (event, context) =>
    observed(context, event.headers.traceparent, async () => {
      if (event.requestContext.http.path.startsWith(METADATA_PATH)) return metadata(event, settings);
      try {
        return await withinTime(context, answer(runs, verify, event));
      } catch (error) {
        return refusal(error, event);
      }
    });
}

const METADATA_PATH = '/.well-known/oauth-protected-resource';
const MCP_PATH = '/mcp';
const SCOPES = [...new Set(Object.values(ROUTES).map(({ scope }) => scope))];
/** A scope as the issuer of the tokens writes it. */
const asked = (scope: string) => `${tokenRules().scopePrefix}${scope}`;
const MAX_BYTES = 128 * 1024;
const MAX_MEMBERS = 5000;

async function answer(runs: Runs, verify: VerifyBearer, event: HttpEvent): Promise<HttpResult> {
  const identity = await verify(event.headers.authorization);
  const body = Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8');
  if (body.length > MAX_BYTES)
    throw new MemoryError('too-large', `The body is larger than ${MAX_BYTES} bytes.`);
  const { method } = event.requestContext.http;
  const message = method === 'POST' ? parsed(body) : undefined;
  checkScope(identity, message);
  const handler = createMcpHandler(memoryServer(runs, identity), {
    responseMode: 'json',
    // A function cannot hold a stream open, and nothing here changes that a client could be told of.
    maxSubscriptions: 0,
    keepAliveMs: 0,
    onerror: (error) => log('WARN', 'mcp', { error }),
  });
  const response = await handler.fetch(
    new Request(`${originOf(event)}${MCP_PATH}`, {
      method,
      headers: headersOf(event),
      ...(method === 'POST' && { body }),
    }),
    message === undefined ? {} : { parsedBody: message },
  );
  return {
    statusCode: response.status,
    headers: { 'cache-control': 'no-store', ...Object.fromEntries(response.headers) },
    body: await response.text(),
  };
}

/** Checked as strictly as a body of the API. What is no JSON is for the protocol to answer. */
function parsed(body: Buffer): unknown {
  try {
    return parseStrictJson(body.toString('utf8'), MAX_MEMBERS);
  } catch (error) {
    if (error instanceof MemoryError && error.code !== 'invalid-json') throw error;
    return undefined;
  }
}

/** A call that needs more than the token allows is answered by the transport, so that the client can ask for more. */
function checkScope({ scopes }: Identity, message: unknown): void {
  const { method, params } = (message ?? {}) as { method?: unknown; params?: { name?: unknown } };
  const needed = method === 'tools/call' ? scopeOfTool(params?.name) : undefined;
  if (needed !== undefined && !scopes.has(needed)) throw new ScopeMissing(needed);
}

class ScopeMissing extends MemoryError {
  readonly scope: string;
  constructor(scope: string) {
    super('forbidden', `This needs the scope ${scope}.`);
    this.scope = scope;
  }
}

function headersOf(event: HttpEvent): Record<string, string> {
  return Object.fromEntries(
    Object.entries(event.headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

function originOf(event: HttpEvent): string {
  return `${event.headers['x-forwarded-proto'] ?? 'https'}://${event.requestContext.domainName}`;
}

function metadata(event: HttpEvent, { issuer }: IssuerSettings): HttpResult {
  return {
    statusCode: 200,
    headers: { 'content-type': 'application/json', 'cache-control': 'public, max-age=300' },
    body: JSON.stringify({
      resource: `${originOf(event)}${MCP_PATH}`,
      authorization_servers: [issuer],
      scopes_supported: SCOPES.map(asked),
      bearer_methods_supported: ['header'],
      resource_name: 'ai-memories',
    }),
  };
}

function refusal(error: unknown, event: HttpEvent): HttpResult {
  const problem = problemOf(error, event.requestContext.requestId);
  if (problem.status >= 500) log('ERROR', 'mcp request failed', { status: problem.status, error });
  const challenge = challengeOf(error, event);
  return {
    statusCode: problem.status,
    headers: {
      'cache-control': 'no-store',
      ...problem.headers,
      ...(challenge && { 'www-authenticate': challenge }),
    },
    body: JSON.stringify(problem.body),
  };
}

/** RFC 6750, with where to learn how to get a token. */
function challengeOf(error: unknown, event: HttpEvent): string | undefined {
  if (!(error instanceof MemoryError)) return undefined;
  const where = `resource_metadata="${originOf(event)}${METADATA_PATH}${MCP_PATH}"`;
  if (error instanceof ScopeMissing)
    return `Bearer error="insufficient_scope", scope="${asked(error.scope)}", ${where}`;
  if (error.code !== 'unauthenticated') return undefined;
  const wrong = event.headers.authorization === undefined ? '' : 'error="invalid_token", ';
  return `Bearer ${wrong}scope="${asked('memories:read')} ${asked('memories:write')}", ${where}`;
}
