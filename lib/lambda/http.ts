import { Buffer } from 'node:buffer';
import type {
  APIGatewayProxyEventV2WithJWTAuthorizer as HttpEvent,
  APIGatewayProxyStructuredResultV2 as HttpResult,
} from 'aws-lambda';
import type * as z from 'zod/mini';
import { MemoryError } from '../domain/errors.ts';
import type { Identity } from '../domain/identity.ts';
import { OrgId, UserId } from '../domain/ids.ts';
import { type OperationId, ROUTES } from '../routes.ts';
import { type Deadline, withinTime } from './deadline.ts';
import { log } from './log.ts';
import { measureOperation } from './measures.ts';
import { bodyOfLines, isNdjson, linesOfPage, takesLines } from './ndjson.ts';
import { observed, within } from './observed.ts';
import { parse } from './parse.ts';
import { problemOf } from './problem.ts';
import { parseStrictJson } from './strict-json.ts';
import { tokenRules } from './token-rules.ts';

type Route<Id extends OperationId> = (typeof ROUTES)[Id];
type Parsed<S> = S extends z.ZodMiniType ? z.infer<S> : undefined;

/** What an operation gets: who calls, and what they sent, parsed by the schemas of its route. */
export interface Call<Id extends OperationId> {
  readonly identity: Identity;
  readonly body: Route<Id> extends { readonly body: infer B } ? Parsed<B> : undefined;
  readonly query: Parsed<Route<Id>['query']>;
  /** The `{id}` of the path; empty where the path has none. */
  readonly id: string;
}

export interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
}

export type Runs = { readonly [Id in OperationId]?: (call: Call<Id>) => Promise<Answer> };

/** An API Gateway handler for the operations it is given; every error becomes a problem document. */
export function httpHandler(runs: Runs): (event: HttpEvent, context?: Deadline) => Promise<HttpResult> {
  return async (event, context) =>
    observed(context, event.headers?.traceparent, async () => {
      const { requestId } = event.requestContext;
      try {
        const { status = 200, headers = {}, body } = await withinTime(context, answer(runs, event));
        return isAnsweredInLines(event)
          ? result(
              status,
              { 'content-type': 'application/x-ndjson', vary: 'accept', ...headers },
              linesOfPage(body),
            )
          : result(status, { 'content-type': 'application/json', ...headers }, JSON.stringify(body));
      } catch (error) {
        const problem = problemOf(error, requestId);
        const fields = { api_request_id: requestId, route: event.routeKey, status: problem.status };
        if (problem.status >= 500) log('ERROR', 'request failed', { ...fields, ...orgOf(event), error });
        const allow =
          error instanceof MemoryError && error.code === 'method-not-allowed' ? allowOf(event) : {};
        return result(problem.status, { ...problem.headers, ...allow }, JSON.stringify(problem.body));
      }
    });
}

async function answer(runs: Runs, event: HttpEvent): Promise<Answer> {
  const id = operationOf(event);
  if (id === undefined || runs[id] === undefined) {
    throw new MemoryError('method-not-allowed', 'This path takes other methods only.');
  }
  const identity = identityOf(event);
  return carryOut(runs, id, identity, {
    query: () => queryOf(event.rawQueryString),
    body: (maxBytes) => bodyOf(event, maxBytes, takesNdjson(id)),
    id: event.pathParameters?.id ?? '',
  });
}

/** One operation, whatever it came by: the scope first, then what was sent by the schemas of its route, then the run. */
export async function carryOut(
  runs: Runs,
  id: OperationId,
  identity: Identity,
  sent: { readonly query: () => unknown; readonly body: (maxBytes: number) => unknown; readonly id: string },
): Promise<Answer> {
  const route: {
    scope: string;
    query: z.ZodMiniType;
    body?: z.ZodMiniType;
    maxBytes?: number;
    maxItems?: MaxItems;
  } = ROUTES[id];
  const run = runs[id] as ((call: Call<OperationId>) => Promise<Answer>) | undefined;
  if (run === undefined) throw new RangeError(`This function does not run ${id}.`);
  if (!identity.scopes.has(route.scope))
    throw new MemoryError('forbidden', `This needs the scope ${route.scope}.`);
  const query = parse(route.query, sent.query());
  const body =
    route.body === undefined
      ? undefined
      : parse(route.body, withinItems(route.maxItems, sent.body(route.maxBytes ?? 0)));
  const answered = await within({ fields: { org_id: identity.orgId } }, () =>
    run({ identity, body, query, id: sent.id } as Call<OperationId>),
  );
  measureOperation(id, answered.body, identity.orgId);
  return answered;
}

interface MaxItems {
  readonly member: string;
  readonly count: number;
}

/** The body as it came, unless it holds more than the operation takes at once. */
function withinItems(most: MaxItems | undefined, body: unknown): unknown {
  if (most === undefined || body === null || typeof body !== 'object') return body;
  const items: unknown = Reflect.get(body, most.member);
  if (!Array.isArray(items) || items.length <= most.count) return body;
  throw new MemoryError('too-large', `The body has more than ${most.count} ${most.member}.`);
}

function operationOf(event: HttpEvent): OperationId | undefined {
  const { method } = event.requestContext.http;
  const path = templateOf(event);
  const ids = Object.keys(ROUTES) as OperationId[];
  return ids.find((id) => ROUTES[id].method === method && ROUTES[id].path === path);
}

const templateOf = (event: HttpEvent) => event.routeKey.split(' ')[1];

const takesNdjson = (id: OperationId) => 'lines' in ROUTES[id];

/** Pages of an operation that has lines are lines, unless the caller asks for JSON. */
function isAnsweredInLines(event: HttpEvent): boolean {
  const id = operationOf(event);
  return (
    id !== undefined && takesNdjson(id) && ROUTES[id].method === 'GET' && takesLines(event.headers.accept)
  );
}

function allowOf(event: HttpEvent): { allow: string } {
  const methods = Object.values(ROUTES)
    .filter((route) => route.path === templateOf(event))
    .map((route) => route.method);
  return { allow: [...new Set(methods), 'OPTIONS'].join(', ') };
}

function identityOf(event: HttpEvent): Identity {
  const jwt = event.requestContext.authorizer?.jwt;
  const claims = jwt?.claims ?? {};
  return identityFrom(
    claims,
    typeof claims.scope === 'string' ? claims.scope.split(' ') : (jwt?.scopes ?? []),
  );
}

/**
 * From the verified token and nothing else. A token that names no workspace or no person is refused before the store,
 * and so is one that its issuer says is for telling who somebody is and not for calling.
 */
export function identityFrom(claims: Readonly<Record<string, unknown>>, scopes: readonly string[]): Identity {
  const { orgClaims, scopePrefix } = tokenRules();
  if (claims.token_use !== undefined && claims.token_use !== 'access') {
    throw new MemoryError('forbidden', 'An access token is needed.');
  }
  const orgId = OrgId.safeParse(orgClaims.map((name) => claims[name]).find((value) => value !== undefined));
  const userId = UserId.safeParse(claims.sub);
  if (!orgId.success || !userId.success) {
    throw new MemoryError('forbidden', 'The token does not name a workspace and a person.');
  }
  const own = scopes.filter((scope) => scope.startsWith(scopePrefix));
  return {
    orgId: orgId.data,
    userId: userId.data,
    scopes: new Set(own.map((scope) => scope.slice(scopePrefix.length))),
  };
}

/** For a log line only: the token was verified, but it may still name no workspace. */
function orgOf(event: HttpEvent): { org_id?: unknown } {
  const claims: Readonly<Record<string, unknown>> = event.requestContext.authorizer?.jwt?.claims ?? {};
  const named = tokenRules().orgClaims.map((name) => claims[name]);
  return { org_id: OrgId.safeParse(named.find((value) => value !== undefined)).data };
}

function queryOf(rawQueryString: string): Record<string, string> {
  const query: Record<string, string> = {};
  for (const pair of rawQueryString.split('&').filter((part) => part !== '')) {
    const [rawName = '', rawValue = ''] = splitOnce(pair, '=');
    const name = decodeQueryPart(rawName, '');
    const value = decodeQueryPart(rawValue, name);
    if (Object.hasOwn(query, name)) throw invalidQuery(name, 'is there more than once');
    Object.defineProperty(query, name, { value, enumerable: true, configurable: true });
  }
  return query;
}

function splitOnce(pair: string, separator: string): string[] {
  const at = pair.indexOf(separator);
  return at === -1 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)];
}

function decodeQueryPart(part: string, name: string): string {
  try {
    return decodeURIComponent(part.replaceAll('+', ' '));
  } catch {
    throw invalidQuery(name, 'is not percent-encoded UTF-8');
  }
}

function invalidQuery(name: string, message: string): MemoryError {
  const path = /^[A-Za-z0-9_-]{1,64}$/.test(name) ? name : '?';
  return new MemoryError('invalid-request', 'The query string is not valid.', {
    errors: [{ path, message }],
  });
}

function bodyOf(event: HttpEvent, maxBytes: number, takesNdjson: boolean): unknown {
  const bytes = Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8');
  if (bytes.length > maxBytes)
    throw new MemoryError('too-large', `The body is larger than ${maxBytes} bytes.`);
  if (bytes.length === 0) throw new MemoryError('empty-body', 'The request needs a JSON body.');
  const type = event.headers['content-type'];
  if (takesNdjson && isNdjson(type) && isPlain(event.headers['content-encoding'])) {
    return bodyOfLines(decodeUtf8(bytes));
  }
  if (!isJson(type) || !isPlain(event.headers['content-encoding'])) {
    throw new MemoryError('unsupported-media-type', 'Send application/json, UTF-8, not compressed.');
  }
  return parseStrictJson(decodeUtf8(bytes), maxBytes / BYTES_OF_A_MEMBER);
}

/** What a member of an object takes at the least, on the average of any body that means something here. */
const BYTES_OF_A_MEMBER = 16;

// Exactly application/json, with charset=utf-8 as its only parameter.
const isJson = (type: string | undefined) =>
  /^application\/json\s*(?:;\s*charset="?utf-8"?\s*)?$/i.test(type ?? '');
const isPlain = (encoding: string | undefined) => encoding === undefined || /^identity$/i.test(encoding);

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new MemoryError('invalid-utf8', 'The body is not valid UTF-8.', { cause });
  }
}

function result(statusCode: number, headers: Readonly<Record<string, string>>, body: string): HttpResult {
  return {
    statusCode,
    headers: { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff', ...headers },
    body,
  };
}
