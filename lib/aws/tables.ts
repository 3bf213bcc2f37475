/** Table, index and attribute names, and the keys made of them, in one place; the stack and the stores both read it. */
export const TABLES = {
  memories: {
    name: 'ai-memories',
    partitionKey: 'orgId',
    sortKey: 'dedupKey',
    /** Lists by status: `listKey` is `<status>/<updatedAt>/<dedupKey>`; every decided item has one, with `user/<userId>/` before it when it is one person's. */
    byStatus: { name: 'by-status', partitionKey: 'orgId', sortKey: 'listKey' },
    /** What awaits a person: `reviewKey` is `<updatedAt>/<dedupKey>`; sparse, only items with a derived part have one. */
    awaitingReview: { name: 'awaiting-review', partitionKey: 'orgId', sortKey: 'reviewKey' },
  },
  events: {
    name: 'correction-events',
    partitionKey: 'orgId',
    /** `e/<eventId>` for an event, `v/<digest of the range>/<time>/<eventId>` for a vote, `x/…` for what was erased. */
    sortKey: 'entry',
    /** When an entry may be removed, in seconds; only where the log is kept for a time. */
    expiresAt: 'expiresAt',
  },
  accounts: {
    name: 'chart-of-accounts',
    partitionKey: 'orgId',
    /** `head` names the set of chunks in force; `v<version>-<token>/<part>` is one chunk of a set. */
    sortKey: 'part',
  },
} as const;

/** The names of the environment variables in which a function finds its tables, its bus, its dead-letter queue and how people sign in. */
export const ENVIRONMENT = {
  memories: 'MEMORIES_TABLE',
  events: 'EVENTS_TABLE',
  accounts: 'ACCOUNTS_TABLE',
  bus: 'EVENT_BUS',
  deadLetters: 'DEAD_LETTER_QUEUE_URL',
  signIn: 'CONSOLE_SIGN_IN',
  jwtIssuer: 'JWT_ISSUER',
  jwtAudience: 'JWT_AUDIENCE',
  /** Days that entries of the log are kept after their `occurredAt`; without it for good. */
  correctionDays: 'CORRECTION_DAYS',
  /** Where the issuer's keys are, for one that is not asked through its openid-configuration. */
  jwksUri: 'JWKS_URI',
} as const;
