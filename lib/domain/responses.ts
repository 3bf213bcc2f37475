import * as z from 'zod/mini';
import { Account } from './chart-of-accounts.ts';
import { Memory, MemoryContent } from './memory.ts';

/** What became of a person's act; see `lifecycle.ts`. */
export const Outcome = z.enum([
  'created',
  'unchanged',
  'replaced',
  'activated',
  'restored',
  'archived',
  'rejected',
  'proposal-rejected',
  'imported',
]);

export const Decision = z.strictObject({ memory: Memory, outcome: Outcome });
export type Decision = z.infer<typeof Decision>;

export const MemoryPage = z.strictObject({
  items: z.array(Memory),
  nextCursor: z.optional(z.string()),
});
export type MemoryPage = z.infer<typeof MemoryPage>;

const Count = z.int().check(z.gte(0));
const Share = z.number().check(z.gte(0), z.lte(1));

export const Evidence = z.strictObject({
  policy: z.strictObject({
    maxEvents: Count,
    windowMillis: Count,
    minDocuments: Count,
    minCorrections: Count,
    minConfidence: Share,
  }),
  tally: z.array(
    z.strictObject({
      content: MemoryContent,
      documents: Count,
      corrections: Count,
      people: Count,
      firstAt: z.string(),
      lastAt: z.string(),
    }),
  ),
  votes: z.array(
    z.strictObject({
      eventId: z.string(),
      at: z.string(),
      userId: z.string(),
      documentIds: z.array(z.string()),
      content: z.nullable(MemoryContent),
    }),
  ),
  verdict: z.strictObject({
    promoted: z.boolean(),
    reason: z.enum([
      'promoted',
      'needs-more',
      'mixed',
      'newest-disagrees',
      'turned-down',
      'covered',
      'intermediary',
      'unknown-account',
      'no-evidence',
    ]),
    k: Count,
    n: Count,
    needed: Count,
    confidence: Share,
    nearestMerchant: z.optional(z.string()),
  }),
});
export type Evidence = z.infer<typeof Evidence>;

export const Context = z.union([
  z.strictObject({
    memories: z.array(Memory),
    text: z.string(),
    snapshot: z.string(),
    truncated: z.boolean(),
  }),
  z.strictObject({ unchanged: z.literal(true), snapshot: z.string() }),
]);
export type Context = z.infer<typeof Context>;

export const ChartReplaced = z.strictObject({ version: Count, accounts: Count });
export type ChartReplaced = z.infer<typeof ChartReplaced>;

export const ChartInForce = z.strictObject({ version: Count, accounts: z.array(Account) });
export type ChartInForce = z.infer<typeof ChartInForce>;

export const Resolution = z.strictObject({
  decision: z.enum(['resolve', 'ask', 'none']),
  matches: z.array(z.strictObject({ account: Account, path: z.string(), score: z.number() })),
});
export type Resolution = z.infer<typeof Resolution>;

/** RFC 9457. `instead`, `accounts` and `nearest` come with the refusals that a caller can act on. */
export const ProblemDocument = z.looseObject({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  code: z.string(),
  requestId: z.string(),
  errors: z.optional(z.array(z.strictObject({ path: z.string(), message: z.string() }))),
});
export type ProblemDocument = z.infer<typeof ProblemDocument>;
