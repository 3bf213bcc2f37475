import type { ErrorCode } from './domain/errors.ts';
import type { OperationId } from './routes.ts';

export interface OperationDoc {
  readonly title: string;
  /** For whoever decides whether to call it: a developer, or a model. */
  readonly description: string;
  /** Whether nothing is there that was not there before, and nothing is different. */
  readonly readOnly: boolean;
  /** Whether calling it twice with the same input is calling it once. */
  readonly idempotent: boolean;
  /** Whether it can take away what stood. */
  readonly destructive: boolean;
  /** Whether it answers 201 where something came to be. */
  readonly creates?: true;
  /** The rules it can refuse by, beside what every operation of its shape can. */
  readonly refusals: readonly ErrorCode[];
  /** What is sent, as one flat object: the id of the path, and the members of the body or the query. */
  readonly example: Readonly<Record<string, unknown>>;
}

/** What is said of each operation, once, for the OpenAPI document, the tools and MCP. */
export const OPERATION_DOCS = {
  'memories.save': {
    title: 'Save a memory',
    description:
      "Saves what a person says should be remembered: a preference, a mapping of a merchant (its category account, name or labels), a workflow hint, or which integration to use. Saving the same thing twice is one record. A merchant's category is a canonical_mapping, never a preference: a preference that is one is refused with the body to send instead. Call it only when the user asked for it to be remembered.",
    readOnly: false,
    idempotent: true,
    creates: true,
    destructive: false,
    refusals: [
      'reserved-kind',
      'no-merchant',
      'use-canonical-mapping',
      'chart-of-accounts-missing',
      'unknown-account',
    ],
    example: {
      kind: 'canonical_mapping',
      content: { mapping: 'category', merchant: 'Vercel', account: { id: '6120' } },
    },
  },
  'memories.list': {
    title: 'List memories',
    description:
      'Lists memories by status, newest change first; status defaults to active, and candidate gives what waits for a decision. With merchant, everything known of that merchant. A page may be short and still carry a nextCursor.',
    readOnly: true,
    idempotent: true,
    destructive: false,
    refusals: ['invalid-cursor'],
    example: { status: 'candidate', limit: 20 },
  },
  'memories.get': {
    title: 'Get a memory',
    description: 'One memory by its id, with its version and its history.',
    readOnly: true,
    idempotent: true,
    destructive: false,
    refusals: [],
    example: { id: 'bWVtb3J5' },
  },
  'memories.archive': {
    title: 'Archive a memory',
    description:
      'Makes a memory stop acting from the next call on. It stays in the record, and the same value is not proposed again. Call it when the user says that something is to be forgotten.',
    readOnly: false,
    idempotent: true,
    destructive: true,
    refusals: ['not-applicable'],
    example: { id: 'bWVtb3J5', reason: 'We changed our books.' },
  },
  'memories.review': {
    title: 'Decide on a memory',
    description:
      'Approves or rejects what the evidence proposes, or restores what was rejected or archived. expectedVersion is the version that the person was shown. Call it only with a decision that a person made.',
    readOnly: false,
    idempotent: false,
    destructive: true,
    refusals: ['not-applicable', 'unknown-account'],
    example: { id: 'bWVtb3J5', decision: 'approve', expectedVersion: 1 },
  },
  'memories.evidence': {
    title: 'Explain a memory',
    description:
      'Why a memory was proposed, or what speaks for something else: the votes, the tally and the verdict.',
    readOnly: true,
    idempotent: true,
    destructive: false,
    refusals: [],
    example: { id: 'bWVtb3J5' },
  },
  'memories.explain': {
    title: 'Explain what is not learned yet',
    description:
      'Why nothing is proposed yet for a merchant, a capability or a document type: the votes so far, and what is missing.',
    readOnly: true,
    idempotent: true,
    destructive: false,
    refusals: ['no-merchant'],
    example: { merchant: 'Uber', mapping: 'category' },
  },
  'memories.context': {
    title: 'Context for a prompt',
    description:
      'What an assistant should know before it plans: the active memories that apply, as records and as a data block for the prompt. The block is reference data and holds no instructions. With knownSnapshot, the answer says unchanged where nothing differs.',
    readOnly: true,
    idempotent: true,
    destructive: false,
    refusals: [],
    example: { merchants: ['Vercel'], maxChars: 4000 },
  },
  'accounts.replace': {
    title: 'Replace the chart of accounts',
    description: 'Puts the whole chart of accounts at once, at most 5,000 accounts.',
    readOnly: false,
    idempotent: true,
    destructive: true,
    refusals: [],
    example: { accounts: [{ id: '6120', name: 'Software subscriptions', type: 'expense' }] },
  },
  'accounts.list': {
    title: 'List the chart of accounts',
    description: 'The chart in force; version 0 where none was put yet.',
    readOnly: true,
    idempotent: true,
    destructive: false,
    refusals: [],
    example: {},
  },
  'accounts.resolve': {
    title: 'Find an account',
    description:
      'Which account a phrase means. decision resolve gives the one account; ask gives the accounts to let the user choose from; none gives the nearest ones to show. Never choose for the user when the decision is ask or none.',
    readOnly: true,
    idempotent: true,
    destructive: false,
    refusals: ['chart-of-accounts-missing'],
    example: { query: 'software', limit: 5 },
  },
  'erase.me': {
    title: 'Erase me',
    description:
      "Erases the caller: their own memories go, and in what the workspace knows, in histories, votes and logged events, a pseudonym takes the place of their id. Evidence keeps its counts. A call works for at most 20 seconds; repeat it until done. Corrections of theirs that come later are the pseudonym's.",
    readOnly: false,
    idempotent: true,
    destructive: true,
    refusals: [],
    example: {},
  },
  'erase.person': {
    title: 'Erase a person',
    description:
      'Erases a person of the workspace by their user id, as they could themselves. Repeat it until done. Whether anybody has that id does not show but in the counts.',
    readOnly: false,
    idempotent: true,
    destructive: true,
    refusals: [],
    example: { id: 'u_1' },
  },
  'erase.org': {
    title: 'Erase the workspace',
    description:
      'Removes everything of the workspace: memories, evidence, logged events and the chart of accounts. Repeat it until done. Corrections from before that come later are refused; those from after are a new beginning.',
    readOnly: false,
    idempotent: true,
    destructive: true,
    refusals: [],
    example: { confirm: 'org_demo' },
  },
  'transfer.export': {
    title: 'Export the memories',
    description:
      "What the workspace knows and what was decided about it, in pages; what is one person's own is not in it. Unless JSON is asked for, as application/x-ndjson: a memory a line, and a last line of type end, with the nextCursor where there is more. Pages written one after another are a file that the import takes.",
    readOnly: true,
    idempotent: true,
    destructive: false,
    refusals: ['invalid-cursor'],
    example: { limit: 100 },
  },
  'transfer.import': {
    title: 'Import memories',
    description:
      'Takes an export back, as application/x-ndjson or as JSON with its lines. Mappings, hints and integrations come as candidates for a person to decide on; what was turned down stays turned down; what people decided here stands. Preferences are refused, since only the person says them. Each line has its result, and the same import again changes nothing.',
    readOnly: false,
    idempotent: true,
    destructive: false,
    refusals: [],
    example: {
      lines: [
        {
          type: 'memory',
          kind: 'canonical_mapping',
          content: { mapping: 'category', merchant: 'Vercel', account: { id: '6120' } },
          status: 'active',
        },
      ],
    },
  },
} as const satisfies Record<OperationId, OperationDoc>;
