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
}

const READ = ['GetItem', 'BatchGetItem', 'Query'] as const satisfies readonly TableAction[];

/** A person's decision: it reads and writes the memory, and settles its subject against the newest votes. */
const DECIDES = {
  timeoutSeconds: 10,
  memoryMegabytes: 512,
  memories: ['GetItem', 'BatchGetItem', 'Query', 'PutItem'],
  events: ['Query'],
  accounts: READ,
  publishes: true,
} as const satisfies FunctionSettings;

/** Who may do what, in one place: the roles, the environments and the local host are made from it. */
export const FUNCTION_SETTINGS = {
  save: DECIDES,
  archive: DECIDES,
  review: DECIDES,
  list: {
    timeoutSeconds: 10,
    memoryMegabytes: 512,
    memories: READ,
    indexes: ['byStatus', 'awaitingReview'],
    accounts: READ,
  },
  get: { timeoutSeconds: 10, memoryMegabytes: 512, memories: READ, accounts: READ },
  evidence: { timeoutSeconds: 10, memoryMegabytes: 512, memories: READ, events: ['Query'], accounts: READ },
  context: {
    timeoutSeconds: 10,
    memoryMegabytes: 512,
    memories: READ,
    indexes: ['byStatus'],
    accounts: READ,
  },
  retrieve: { timeoutSeconds: 10, memoryMegabytes: 512, memories: READ, accounts: READ },
  promote: {
    timeoutSeconds: 30,
    memoryMegabytes: 512,
    memories: ['GetItem', 'PutItem'],
    events: ['GetItem', 'Query', 'PutItem'],
    publishes: true,
    parks: true,
  },
  accounts: {
    timeoutSeconds: 20,
    memoryMegabytes: 512,
    accounts: ['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'BatchWriteItem'],
  },
} as const satisfies Record<FunctionName, FunctionSettings>;
