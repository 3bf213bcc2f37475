import { isUtf8 } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import type { Outcome } from './function-runner.ts';
import { type HostRequest, type HostResponse, joinedHeaders, jsonResponse } from './http-message.ts';
import type { Surroundings } from './intrinsics.ts';
import type { Authorize } from './jwt-authorizer.ts';
import { MAX_PAYLOAD_BYTES } from './lambda-api.ts';
import type { ApiSpec, CorsSpec, RouteSpec } from './template.ts';

export const MAX_BODY_BYTES = 10 * 1024 * 1024;

export interface HttpApiOptions {
  readonly authorize: Authorize;
  readonly invoke: (functionArn: string, payload: string, requestId: string) => Promise<Outcome>;
  readonly here: Surroundings;
  /** @default 30000, which is API Gateway's own */
  readonly integrationMilliseconds?: number;
}

/** An API Gateway HTTP API: route, authorizer, event in payload format 2.0, function, answer. */
export function httpApi(
  spec: ApiSpec,
  options: HttpApiOptions,
): (request: HostRequest) => Promise<HostResponse> {
  const routes = spec.routes.map(compileRoute);
  return async (request) => {
    const requestId = randomUUID();
    const headers = joinedHeaders(request.headers);
    const answered = await answer(request, headers, requestId);
    const cors = spec.cors && headers.origin !== undefined ? corsHeaders(spec.cors, headers.origin) : [];
    return { ...answered, headers: [...answered.headers, ...cors, ['apigw-requestid', requestId]] };
  };

  async function answer(
    request: HostRequest,
    headers: Readonly<Record<string, string>>,
    requestId: string,
  ): Promise<HostResponse> {
    const path = request.target.split('?', 1)[0] ?? '';
    const segments = path.split('/').map(decodeOnce);
    if (segments.includes(undefined)) return message(400, 'Bad Request');
    const found = findRoute(routes, request.method, path.split('/'), spec.cors !== undefined);
    if (found === 'preflight') return preflight(spec.cors, headers);
    if (!found) return message(404, 'Not Found');

    const { authorizer, scopes, functionArn } = found.spec;
    const authorization = authorizer && (await options.authorize(headers.authorization, authorizer, scopes));
    if (authorization?.outcome === 'unauthorized') {
      const error = authorization.reason === 'missing' ? '' : ` error="${authorization.reason}"`;
      return message(401, 'Unauthorized', [['www-authenticate', `Bearer${error}`]]);
    }
    if (authorization?.outcome === 'forbidden') return message(403, 'Forbidden');

    const claims = authorization?.claims;
    const event = eventOf(request, headers, found, claims, requestId, options.here);
    const payload = JSON.stringify(event);
    if (Buffer.byteLength(payload) > MAX_PAYLOAD_BYTES) return message(413, 'Request Entity Too Large');
    let timer: NodeJS.Timeout | undefined;
    const tooLate = new Promise<'late'>((resolve) => {
      timer = setTimeout(resolve, options.integrationMilliseconds ?? 30_000, 'late');
    });
    const outcome = await Promise.race([options.invoke(functionArn, payload, requestId), tooLate]);
    clearTimeout(timer);
    if (outcome === 'late') return message(503, 'Service Unavailable');
    return (outcome.ok && responseOf(outcome.payload)) || message(500, 'Internal Server Error');
  }
}

function message(
  status: number,
  text: string,
  headers: readonly (readonly [string, string])[] = [],
): HostResponse {
  return jsonResponse(status, { message: text }, headers);
}

interface CompiledRoute {
  readonly spec: RouteSpec;
  readonly method: string;
  readonly segments: readonly { readonly text: string; readonly parameter: boolean }[];
  /** The name of a last `{parameter+}`, which takes the rest of the path. */
  readonly rest?: string;
}

function compileRoute(spec: RouteSpec): CompiledRoute {
  const [method, whole, ...more] = spec.routeKey.split(' ');
  const [, path = whole, rest] = /^(.+)\/\{(\w+)\+\}$/.exec(whole ?? '') ?? [];
  if (method === undefined || path === undefined || more.length > 0 || path.includes('+}')) {
    throw new Error(`The local host does not know the route key ${spec.routeKey}`);
  }
  const segments = path.split('/').map((part) => {
    const name = /^\{(.+)\}$/.exec(part)?.[1];
    return name === undefined ? { text: part, parameter: false } : { text: name, parameter: true };
  });
  return { spec, method, segments, ...(rest !== undefined && { rest }) };
}

interface FoundRoute {
  readonly spec: RouteSpec;
  readonly pathParameters: Readonly<Record<string, string>>;
}

/** The most specific path wins, then the method by name before `ANY`. Segments are told apart before they are decoded. */
function findRoute(
  routes: readonly CompiledRoute[],
  method: string,
  given: readonly string[],
  answersPreflight: boolean,
): FoundRoute | 'preflight' | undefined {
  const matching = routes
    .filter((route) => route.method === method || route.method === 'ANY')
    .filter(
      ({ segments, rest }) =>
        (rest === undefined
          ? segments.length === given.length
          : // The gateway takes no route key that ends in a slash: `/files/` is `{rest+}` with nothing for the rest.
            segments.length < given.length) &&
        segments.every((segment, at) => (segment.parameter ? given[at] !== '' : segment.text === given[at])),
    )
    .sort((a, b) => specificity(b).localeCompare(specificity(a)));
  const [best] = matching;
  if (!best) return method === 'OPTIONS' && answersPreflight ? 'preflight' : undefined;
  const parameters = best.segments.flatMap((segment, at) =>
    segment.parameter ? [[segment.text, given[at] ?? ''] as const] : [],
  );
  const rest = given.slice(best.segments.length).join('/');
  const named = best.rest === undefined ? parameters : [...parameters, [best.rest, rest] as const];
  return {
    spec: best.spec,
    pathParameters: Object.fromEntries(named.map(([name, value]) => [name, decodeOnce(value) ?? ''])),
  };
}

function specificity(route: CompiledRoute): string {
  return (
    (route.rest === undefined ? '1' : '0') +
    route.segments.map((segment) => (segment.parameter ? '0' : '1')).join('') +
    (route.method === 'ANY' ? '0' : '1')
  );
}

function eventOf(
  request: HostRequest,
  joined: Readonly<Record<string, string>>,
  found: FoundRoute,
  claims: Readonly<Record<string, string>> | undefined,
  requestId: string,
  here: Surroundings,
): unknown {
  const { cookie, ...headers } = joined;
  const cookies = cookie?.split(/; ?/).filter((part) => part !== '');
  const [path = '', ...query] = request.target.split('?');
  const rawQueryString = query.join('?');
  const queryStringParameters = queryOf(rawQueryString);
  const now = new Date();
  const domainName = headers.host ?? 'localhost';
  const rawPath = path.split('/').map(decodeOnce).join('/');
  return {
    version: '2.0',
    routeKey: found.spec.routeKey,
    rawPath,
    rawQueryString,
    ...(cookies && { cookies }),
    headers: {
      ...headers,
      'x-amzn-trace-id':
        headers['x-amzn-trace-id'] ??
        `Root=1-${hexTime(now)}-${randomUUID().replaceAll('-', '').slice(0, 24)}`,
      'x-forwarded-for': headers['x-forwarded-for']
        ? `${headers['x-forwarded-for']}, ${request.sourceIp}`
        : request.sourceIp,
      'x-forwarded-port': domainName.split(':')[1] ?? '80',
      'x-forwarded-proto': 'http',
    },
    ...(queryStringParameters && { queryStringParameters }),
    requestContext: {
      accountId: here.accountId,
      apiId: 'local',
      ...(claims && {
        authorizer: { jwt: { claims, scopes: found.spec.scopes.length > 0 ? found.spec.scopes : null } },
      }),
      domainName,
      domainPrefix: domainName.split(/[.:]/)[0] ?? domainName,
      http: {
        method: request.method,
        path: rawPath,
        protocol: 'HTTP/1.1',
        sourceIp: request.sourceIp,
        userAgent: headers['user-agent'] ?? '',
      },
      requestId,
      routeKey: found.spec.routeKey,
      stage: '$default',
      time: clfTime(now),
      timeEpoch: now.getTime(),
    },
    ...(Object.keys(found.pathParameters).length > 0 && { pathParameters: found.pathParameters }),
    ...bodyOf(request.body, headers['content-type']),
  };
}

/** Text goes on as text; every other content type in base64, and also text that is no UTF-8, which JSON cannot carry. */
function bodyOf(body: Buffer, contentType: string | undefined): { body?: string; isBase64Encoded: boolean } {
  if (body.length === 0) return { isBase64Encoded: false };
  const type = (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const isText = /^(text\/.*|application\/(json|xml|javascript)|application\/[^/]*\+(json|xml))$/.test(type);
  return isText && isUtf8(body)
    ? { body: body.toString('utf8'), isBase64Encoded: false }
    : { body: body.toString('base64'), isBase64Encoded: true };
}

function queryOf(raw: string): Readonly<Record<string, string>> | undefined {
  if (raw === '') return undefined;
  const joined = new Map<string, string>();
  for (const pair of raw.split('&').filter((part) => part !== '')) {
    const at = pair.indexOf('=');
    const [name, value] = at < 0 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)];
    const key = decodeQuery(name);
    const before = joined.get(key);
    joined.set(key, before === undefined ? decodeQuery(value) : `${before},${decodeQuery(value)}`);
  }
  return joined.size === 0 ? undefined : Object.fromEntries(joined);
}

function decodeQuery(text: string): string {
  const spaced = text.replaceAll('+', ' ');
  return decodeOnce(spaced) ?? spaced;
}

/** `undefined` for what is not percent-encoded UTF-8. */
function decodeOnce(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** The answer that a function's result stands for; `undefined` when it stands for none, which is the function's fault. */
function responseOf(payload: string): HostResponse | undefined {
  const result = JSON.parse(payload) as unknown;
  // Without a status code, API Gateway takes the whole result for the body.
  if (typeof result !== 'object' || result === null || !('statusCode' in result)) {
    return result === null ? jsonResponse(200, null) : jsonResponse(200, result);
  }
  const { statusCode, headers, cookies, body, isBase64Encoded } = result as Record<string, unknown>;
  const status = Number(statusCode);
  if (!Number.isInteger(status) || status < 200 || status > 599) return undefined;
  const own = Object.entries((headers ?? {}) as Record<string, unknown>).map(
    ([name, value]) => [name.toLowerCase(), String(value)] as const,
  );
  const typed = own.some(([name]) => name === 'content-type') || body === undefined;
  return {
    status,
    headers: [
      ...own.filter(([name]) => !name.startsWith('access-control-') && name !== 'content-length'),
      ...(typed ? [] : [['content-type', 'text/plain;charset=UTF-8'] as const]),
      ...(Array.isArray(cookies) ? cookies.map((cookie) => ['set-cookie', String(cookie)] as const) : []),
    ],
    body: Buffer.from(typeof body === 'string' ? body : '', isBase64Encoded === true ? 'base64' : 'utf8'),
  };
}

function preflight(cors: CorsSpec | undefined, headers: Readonly<Record<string, string>>): HostResponse {
  const asked = headers.origin !== undefined && headers['access-control-request-method'] !== undefined;
  const allowed = cors && asked && corsHeaders(cors, headers.origin ?? '').length > 0;
  return {
    status: 204,
    headers: allowed
      ? [
          ['access-control-allow-methods', cors.AllowMethods.join(',')],
          ['access-control-allow-headers', cors.AllowHeaders.join(',')],
          ['access-control-max-age', String(cors.MaxAge)],
        ]
      : [],
    body: Buffer.alloc(0),
  };
}

function corsHeaders(cors: CorsSpec, origin: string): readonly (readonly [string, string])[] {
  const every = cors.AllowOrigins.includes('*');
  if (!every && !cors.AllowOrigins.includes(origin)) return [];
  return [
    ['access-control-allow-origin', every ? '*' : origin],
    ...(cors.ExposeHeaders.length > 0
      ? [['access-control-expose-headers', cors.ExposeHeaders.join(',')] as const]
      : []),
    ...(every ? [] : [['vary', 'origin'] as const]),
  ];
}

const hexTime = (now: Date): string => Math.floor(now.getTime() / 1000).toString(16);

/** `30/Nov/2026:03:00:00 +0000` */
function clfTime(now: Date): string {
  const [, day, month, year, time] = /^\w+, (\d+) (\w+) (\d+) ([\d:]+)/.exec(now.toUTCString()) ?? [];
  return `${day}/${month}/${year}:${time} +0000`;
}
