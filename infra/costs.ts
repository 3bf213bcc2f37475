/** List prices in US dollars, of us-east-1, on demand, without free tiers and discounts. */
export const PRICES = {
  readOn: '2025-11',
  readUnits: 0.125 / 1e6,
  writeUnits: 0.625 / 1e6,
  apiRequests: 1.0 / 1e6,
  functionRequests: 0.2 / 1e6,
  /** Of arm64. */
  functionGigabyteSeconds: 0.0000133334,
  /** Of 64 KB. */
  busEvents: 1.0 / 1e6,
  archivedGigabytes: 0.1,
  queueRequests: 0.4 / 1e6,
  loggedGigabytes: 0.5,
} as const;

type Used = Exclude<keyof typeof PRICES, 'readOn'>;
export type Usage = Readonly<Partial<Record<Used, number>>>;

/** The store calls of one operation, which a test counts, and what they and all around them use. */
export interface OperationCost {
  readonly calls: Readonly<Record<string, number>>;
  readonly uses: Usage;
}

const KB = 1e-6;
/** What a function writes to its log and the API to its own, of one request. */
const REQUEST_LOG = 1.5 * KB;

/** 512 MB for so many milliseconds. */
const runs = (milliseconds: number, requests = 1): Usage => ({
  functionRequests: requests,
  functionGigabyteSeconds: (milliseconds / 1000) * 0.5,
});

export const OPERATION_COSTS = {
  /** A new category: an item of 0.8 KB and its entry in one index, read strongly before. */
  save: {
    calls: { GetItem: 2, Query: 2, PutItem: 1, PutEvents: 1 },
    uses: {
      apiRequests: 1,
      ...runs(40),
      readUnits: 4,
      writeUnits: 2,
      busEvents: 1,
      loggedGigabytes: REQUEST_LOG,
    },
  },
  /** A page of fifty memories of 0.8 KB from an index, and the caller's own. */
  list: {
    calls: { Query: 2, GetItem: 1 },
    uses: { apiRequests: 1, ...runs(40), readUnits: 6.5, loggedGigabytes: REQUEST_LOG },
  },
  /** For three merchants. */
  hints: {
    calls: { Query: 4, GetItem: 1 },
    uses: { ...runs(25), readUnits: 5, loggedGigabytes: 0.8 * KB },
  },
  /** In a batch of ten, on a subject that has its two hundred votes, where each moves the candidate. */
  correction: {
    calls: { GetItem: 3, PutItem: 2, Query: 1 },
    uses: {
      busEvents: 1,
      archivedGigabytes: 1 * KB,
      queueRequests: 1.2,
      ...runs(20, 0.1),
      readUnits: 3 + 5 + 6,
      writeUnits: 2 + 3,
      loggedGigabytes: 0.6 * KB,
    },
  },
} as const satisfies Readonly<Record<string, OperationCost>>;

/** Dollars for a million. */
export function costOfMillion(uses: Usage): number {
  const each = Object.entries(uses).reduce((sum, [name, amount]) => sum + PRICES[name as Used] * amount, 0);
  return each * 1e6;
}

/** What one partition of a table serves a second, whatever the table may. */
export const PARTITION = { readUnits: 3000, writeUnits: 1000 } as const;

/** How many of an operation a second one org can do at the least: as if a table and its indexes shared a partition. */
export function mostOfOneOrg({ readUnits = 0, writeUnits = 0 }: Usage): number {
  return Math.floor(Math.min(PARTITION.readUnits / readUnits, PARTITION.writeUnits / writeUnits));
}
