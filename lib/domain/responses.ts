import * as z from 'zod/mini';
import { Account } from './chart-of-accounts.ts';
import { Memory, MemoryContent } from './memory.ts';
import { ExportedMemory, RefusalReason } from './transfer.ts';

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
      act: z.enum(['correction', 'confirmation']),
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

/** What an erasure has done so far; where it is not `done`, the same call again goes on with it. */
export const PersonErased = z.strictObject({
  done: z.boolean(),
  counts: z.strictObject({ preferences: Count, memories: Count, events: Count, votes: Count }),
});
export type PersonErased = z.infer<typeof PersonErased>;

export const OrgErased = z.strictObject({
  done: z.boolean(),
  counts: z.strictObject({ memories: Count, events: Count, votes: Count }),
});
export type OrgErased = z.infer<typeof OrgErased>;

/** As `application/x-ndjson`, which is what a caller gets that does not ask for JSON: an item a line, then an end. */
export const ExportPage = z.strictObject({
  items: z.array(ExportedMemory),
  nextCursor: z.optional(z.string()),
});
export type ExportPage = z.infer<typeof ExportPage>;

export const ImportReport = z.strictObject({
  done: z.boolean(),
  counts: z.strictObject({
    imported: Count,
    unchanged: Count,
    kept: Count,
    ignored: Count,
    refused: Count,
    waiting: Count,
  }),
  lines: z.array(
    z.strictObject({
      line: Count,
      outcome: z.enum(['imported', 'unchanged', 'kept', 'ignored', 'refused', 'waiting']),
      reason: z.optional(RefusalReason),
      path: z.optional(z.string()),
    }),
  ),
});
export type ImportReport = z.infer<typeof ImportReport>;

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
