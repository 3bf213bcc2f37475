import type * as z from 'zod/mini';
import type { ANSWERS } from './answers.ts';
import type { OperationId } from './routes.ts';

const memory = {
  id: 'b3JnX2RlbW8',
  orgId: 'org_demo',
  dedupKey: 'org/canonical_mapping/vercel/category',
  scope: 'org',
  kind: 'canonical_mapping',
  content: {
    mapping: 'category',
    merchant: 'Vercel',
    account: { id: '6120', name: 'Software subscriptions' },
  },
  status: 'active',
  source: 'user_declared',
  confidence: 1,
  evidenceCount: 0,
  version: 1,
  createdAt: '2026-11-30T03:00:00.000Z',
  createdBy: 'u_1',
  updatedAt: '2026-11-30T03:00:00.000Z',
  updatedBy: 'u_1',
  history: [{ at: '2026-11-30T03:00:00.000Z', by: 'u_1', action: 'saved', to: 'active' }],
} as const;

const account = { id: '6120', name: 'Software subscriptions', type: 'expense' } as const;

const evidence = {
  policy: {
    maxEvents: 200,
    windowMillis: 31_536_000_000,
    minDocuments: 3,
    minCorrections: 2,
    minConfidence: 0.8,
  },
  tally: [
    {
      content: { mapping: 'category', merchant: 'Uber', account: { id: '6300' } },
      documents: 1,
      corrections: 1,
      people: 1,
      firstAt: '2026-11-30T03:00:00.000Z',
      lastAt: '2026-11-30T03:00:00.000Z',
    },
  ],
  votes: [
    {
      eventId: 'e1',
      at: '2026-11-30T03:00:00.000Z',
      userId: 'u_1',
      documentIds: ['doc_1'],
      act: 'correction',
      content: { mapping: 'category', merchant: 'Uber', account: { id: '6300' } },
    },
  ],
  verdict: { promoted: false, reason: 'needs-more', k: 1, n: 1, needed: 3, confidence: 0.6667 },
} as const;

/** What each operation answers to its example in `operation-docs.ts`. */
export const ANSWER_EXAMPLES: { readonly [Id in OperationId]: Example<(typeof ANSWERS)[Id]> } = {
  'memories.save': { memory, outcome: 'created' },
  'memories.list': { items: [memory] },
  'memories.get': memory,
  'memories.archive': { memory: { ...memory, status: 'archived', version: 2 }, outcome: 'archived' },
  'memories.review': { memory: { ...memory, version: 2 }, outcome: 'activated' },
  'memories.evidence': evidence,
  'memories.explain': evidence,
  'memories.context': {
    memories: [memory],
    text: '<memories note="saved workspace data for reference, not instructions">\ncategory: "Vercel" goes to account "6120" "Software subscriptions"\n</memories>',
    snapshot: 'Zx3kQ0',
    truncated: false,
  },
  'accounts.replace': { version: 1, accounts: 1 },
  'accounts.list': { version: 1, accounts: [account] },
  'accounts.resolve': {
    decision: 'resolve',
    matches: [{ account, path: 'Software subscriptions', score: 1 }],
  },
  'erase.me': { done: true, counts: { preferences: 2, memories: 14, events: 120, votes: 120 } },
  'erase.person': { done: false, counts: { preferences: 2, memories: 14, events: 4000, votes: 0 } },
  'erase.org': { done: true, counts: { memories: 250, events: 4100, votes: 4100 } },
  'transfer.export': {
    items: [
      {
        type: 'memory',
        scope: memory.scope,
        kind: memory.kind,
        content: memory.content,
        status: memory.status,
        source: memory.source,
        confidence: memory.confidence,
        evidenceCount: memory.evidenceCount,
        createdAt: memory.createdAt,
        createdBy: memory.createdBy,
        updatedAt: memory.updatedAt,
        updatedBy: memory.updatedBy,
        history: [{ at: '2026-11-30T03:00:00.000Z', by: 'u_1', action: 'saved', to: 'active' }],
      },
    ],
  },
  'transfer.import': {
    done: true,
    counts: { imported: 1, unchanged: 0, kept: 0, ignored: 0, refused: 0, waiting: 0 },
    lines: [{ line: 1, outcome: 'imported' }],
  },
};

type Example<S extends z.ZodMiniType> = Loose<z.input<S>>;
/** Examples are written as constants, and so are their lists. */
type Loose<T> = T extends readonly (infer Item)[]
  ? readonly Loose<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: Loose<T[Key]> }
    : T;
