import type { FunctionName } from '../lib/routes.ts';

export type TableAction = 'GetItem' | 'BatchGetItem' | 'Query' | 'PutItem' | 'BatchWriteItem';
export type MemoryIndex = 'byStatus' | 'awaitingReview';

/** What one function gets: its bounds, and the only calls that its role allows. */
export interface FunctionSettings {
  readonly timeoutSeconds: number;
  readonly memoryMegabytes: number;
  readonly memories?: readonly TableAction[];
  /** Indexes of the memories table that it may query. */
  readonly indexes?: readonly MemoryIndex[];
  readonly events?: readonly TableAction[];
  readonly accounts?: readonly TableAction[];
  /** Puts the service's own notices on the bus. */
  readonly publishes?: true;
  /** Puts events that can never be understood on the dead-letter queue. */
  readonly parks?: true;
  /** Checks bearer tokens itself, as no authorizer stands before it. */
  readonly verifiesTokens?: true;
  /** Serves the page built from `functions/console`. */
  readonly servesConsole?: true;
}

/** Accounts by id: the head of the chart, then the chunks that hold them. */
const FINDS_ACCOUNTS = ['GetItem', 'BatchGetItem'] as const satisfies readonly TableAction[];

const BOUNDS = { timeoutSeconds: 10, memoryMegabytes: 512 } as const;

/** A person's decision: it reads and writes the memory, and settles its subject against the newest votes. */
const DECIDES = { ...BOUNDS, events: ['Query'], publishes: true } as const;

/** Who may do what, in one place: the roles and the environments are made from it. */
export const FUNCTION_SETTINGS = {
  save: { ...DECIDES, memories: ['GetItem', 'PutItem'], accounts: [...FINDS_ACCOUNTS, 'Query'] },
  archive: { ...DECIDES, memories: ['GetItem', 'BatchGetItem', 'PutItem'], accounts: FINDS_ACCOUNTS },
  review: { ...DECIDES, memories: ['GetItem', 'BatchGetItem', 'PutItem'], accounts: FINDS_ACCOUNTS },
  get: { ...BOUNDS, memories: ['GetItem', 'BatchGetItem'], accounts: FINDS_ACCOUNTS },
  list: {
    ...BOUNDS,
    memories: ['BatchGetItem', 'Query'],
    indexes: ['byStatus', 'awaitingReview'],
    accounts: FINDS_ACCOUNTS,
  },
  evidence: {
    ...BOUNDS,
    memories: ['GetItem', 'BatchGetItem', 'Query'],
    events: ['Query'],
    accounts: FINDS_ACCOUNTS,
  },
  context: {
    ...BOUNDS,
    memories: ['BatchGetItem', 'Query'],
    indexes: ['byStatus'],
    accounts: FINDS_ACCOUNTS,
  },
  retrieve: { ...BOUNDS, memories: ['Query'], accounts: FINDS_ACCOUNTS },
  promote: {
    timeoutSeconds: 30,
    memoryMegabytes: 512,
    // A batch takes back what came in while its org was being erased.
    memories: ['GetItem', 'PutItem', 'BatchWriteItem'],
    events: ['GetItem', 'Query', 'PutItem', 'BatchWriteItem'],
    publishes: true,
    parks: true,
  },
  accounts: {
    timeoutSeconds: 20,
    memoryMegabytes: 512,
    accounts: ['GetItem', 'Query', 'PutItem', 'BatchWriteItem'],
  },
  /** What the tools' own functions may do together. */
  mcp: {
    ...DECIDES,
    timeoutSeconds: 20,
    memories: ['GetItem', 'BatchGetItem', 'Query', 'PutItem'],
    indexes: ['byStatus', 'awaitingReview'],
    accounts: [...FINDS_ACCOUNTS, 'Query'],
    verifiesTokens: true,
  },
  openapi: { timeoutSeconds: 5, memoryMegabytes: 512 },
  erase: {
    // Twenty seconds of work, and then the page that it is at.
    timeoutSeconds: 29,
    memoryMegabytes: 1024,
    memories: ['GetItem', 'Query', 'PutItem', 'BatchWriteItem'],
    events: ['GetItem', 'Query', 'PutItem', 'BatchWriteItem'],
    accounts: ['Query', 'BatchWriteItem'],
  },
  transfer: {
    timeoutSeconds: 29,
    memoryMegabytes: 1024,
    memories: ['GetItem', 'Query', 'PutItem'],
    events: ['Query'],
    accounts: FINDS_ACCOUNTS,
  },
  console: { timeoutSeconds: 5, memoryMegabytes: 512, servesConsole: true },
} as const satisfies Record<FunctionName, FunctionSettings>;

/** Bounds of single routes, for all callers together: requests a second, and how many may come at once. */
export const ROUTE_RATES: Readonly<Record<string, { readonly rate: number; readonly burst: number }>> = {
  // A whole chart of up to a megabyte, in chunks.
  'PUT /v1/chart-of-accounts': { rate: 5, burst: 10 },
  // Up to a megabyte in, or twenty seconds of reading and writing.
  'POST /v1/import': { rate: 5, burst: 10 },
  'GET /v1/export': { rate: 5, burst: 10 },
  'DELETE /v1/users/me/memories': { rate: 2, burst: 5 },
  'DELETE /v1/users/{id}/memories': { rate: 2, burst: 5 },
  'DELETE /v1/orgs/me/memories': { rate: 2, burst: 5 },
};
