import { ChartInput, MAX_ACCOUNTS } from './domain/chart-of-accounts.ts';
import {
  ArchiveRequest,
  ContextRequest,
  EraseOrgRequest,
  ExplainRequest,
  ExportRequest,
  ImportRequest,
  ListRequest,
  MAX_LINES,
  Nothing,
  ResolveRequest,
  ReviewRequest,
  SaveRequest,
} from './domain/requests.ts';

export type Scope = 'memories:read' | 'memories:write' | 'memories:review';

/** Each function by its short name: the file under `functions/` it is made from. Deployed as `ai-memories-<name>`. */
export const FUNCTIONS = {
  save: 'save-memory',
  list: 'list-memories',
  get: 'get-memory',
  archive: 'archive-memory',
  review: 'review-memory',
  evidence: 'explain-evidence',
  context: 'assistant-context',
  retrieve: 'retrieve-hints',
  promote: 'promote-corrections',
  accounts: 'chart-of-accounts',
  erase: 'erase-memories',
  transfer: 'transfer-memories',
  console: 'console',
  openapi: 'openapi-document',
  mcp: 'mcp',
} as const;
export type FunctionName = keyof typeof FUNCTIONS;

const KB = 1024;

/**
 * The one table of operations: what an API caller can do, where, with which scope, answered by which function, and
 * what the body or the query string must look like.
 */
export const ROUTES = {
  'memories.save': {
    method: 'POST',
    path: '/v1/memories',
    scope: 'memories:write',
    function: 'save',
    body: SaveRequest,
    query: Nothing,
    maxBytes: 64 * KB,
  },
  'memories.list': {
    method: 'GET',
    path: '/v1/memories',
    scope: 'memories:read',
    function: 'list',
    query: ListRequest,
  },
  'memories.get': {
    method: 'GET',
    path: '/v1/memories/{id}',
    scope: 'memories:read',
    function: 'get',
    query: Nothing,
  },
  'memories.archive': {
    method: 'POST',
    path: '/v1/memories/{id}/archive',
    scope: 'memories:write',
    function: 'archive',
    body: ArchiveRequest,
    query: Nothing,
    maxBytes: 64 * KB,
  },
  'memories.review': {
    method: 'POST',
    path: '/v1/memories/{id}/review',
    scope: 'memories:review',
    function: 'review',
    body: ReviewRequest,
    query: Nothing,
    maxBytes: 64 * KB,
  },
  'memories.evidence': {
    method: 'GET',
    path: '/v1/memories/{id}/evidence',
    scope: 'memories:read',
    function: 'evidence',
    query: Nothing,
  },
  'memories.explain': {
    method: 'GET',
    path: '/v1/evidence',
    scope: 'memories:read',
    function: 'evidence',
    query: ExplainRequest,
  },
  'memories.context': {
    method: 'POST',
    path: '/v1/context',
    scope: 'memories:read',
    function: 'context',
    body: ContextRequest,
    query: Nothing,
    maxBytes: 64 * KB,
  },
  'accounts.replace': {
    method: 'PUT',
    path: '/v1/chart-of-accounts',
    scope: 'memories:write',
    function: 'accounts',
    body: ChartInput,
    query: Nothing,
    maxBytes: 1024 * KB,
    maxItems: { member: 'accounts', count: MAX_ACCOUNTS },
  },
  'accounts.list': {
    method: 'GET',
    path: '/v1/chart-of-accounts',
    scope: 'memories:read',
    function: 'accounts',
    query: Nothing,
  },
  'accounts.resolve': {
    method: 'GET',
    path: '/v1/chart-of-accounts/resolve',
    scope: 'memories:read',
    function: 'accounts',
    query: ResolveRequest,
  },
  'erase.me': {
    method: 'DELETE',
    path: '/v1/users/me/memories',
    scope: 'memories:write',
    function: 'erase',
    query: Nothing,
  },
  'erase.person': {
    method: 'DELETE',
    path: '/v1/users/{id}/memories',
    scope: 'memories:review',
    function: 'erase',
    query: Nothing,
  },
  'erase.org': {
    method: 'DELETE',
    path: '/v1/orgs/me/memories',
    scope: 'memories:review',
    function: 'erase',
    query: EraseOrgRequest,
  },
  'transfer.export': {
    method: 'GET',
    path: '/v1/export',
    scope: 'memories:review',
    function: 'transfer',
    query: ExportRequest,
    lines: true,
  },
  'transfer.import': {
    method: 'POST',
    path: '/v1/import',
    scope: 'memories:review',
    function: 'transfer',
    body: ImportRequest,
    query: Nothing,
    maxBytes: 1024 * KB,
    maxItems: { member: 'lines', count: MAX_LINES },
    lines: true,
  },
} as const satisfies Record<string, RouteShape>;
export type OperationId = keyof typeof ROUTES;

interface RouteShape {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: `/v1/${string}`;
  readonly scope: Scope;
  readonly function: FunctionName;
  readonly body?: unknown;
  readonly query: unknown;
  readonly maxBytes?: number;
  /** How many things a body may hold before it is too large, whatever its bytes. */
  readonly maxItems?: { readonly member: string; readonly count: number };
  /** Whether it takes and gives `application/x-ndjson`, too. */
  readonly lines?: true;
}

/** The pages that anybody may load, since they hold no memory: they sign in and then call the operations above. */
export const PAGES = {
  '/console': 'console',
  '/console/{proxy+}': 'console',
} as const satisfies Record<`/${string}`, FunctionName>;

/** The other paths that the API itself asks no token for. */
export const OPEN_ROUTES = [
  { method: 'GET', path: '/v1/openapi.json', function: 'openapi' },
  // MCP's function checks the token itself, since its clients need more than a bare 401 to find out how to get one.
  { method: 'POST', path: '/mcp', function: 'mcp' },
  { method: 'GET', path: '/mcp', function: 'mcp' },
  { method: 'DELETE', path: '/mcp', function: 'mcp' },
  { method: 'GET', path: '/.well-known/oauth-protected-resource', function: 'mcp' },
  { method: 'GET', path: '/.well-known/oauth-protected-resource/mcp', function: 'mcp' },
] as const satisfies readonly {
  readonly method: RouteShape['method'];
  readonly path: `/${string}`;
  readonly function: FunctionName;
}[];

/** The bus events in: what the rule matches. The service's own source never matches its own rule. */
export const EVENTS = {
  source: 'ai-memories',
  correctionDetailType: 'CorrectionRecorded',
  defaultBusName: 'ai-memories',
} as const;
