import * as z from 'zod/mini';
import { DedupKey, DocumentId, MemoryId, OrgId, UserId } from './ids.ts';
import { foldText, text } from './text.ts';

export const MemoryStatus = z.enum(['active', 'candidate', 'rejected', 'archived']);
export type MemoryStatus = z.infer<typeof MemoryStatus>;

export const MemoryScope = z.enum(['user', 'org', 'document', 'agent']);
export type MemoryScope = z.infer<typeof MemoryScope>;

export const MemorySource = z.enum(['user_declared', 'manual_correction', 'approval_history', 'system']);
export type MemorySource = z.infer<typeof MemorySource>;

export const MemoryKind = z.enum([
  'preference',
  'canonical_mapping',
  'workflow_hint',
  'integration_preference',
  'approval_policy_hint',
  'playbook',
]);
export type MemoryKind = z.infer<typeof MemoryKind>;

/** In the schema so that a caller can name them, refused on every way in until they mean something. */
export const RESERVED_KINDS = ['approval_policy_hint', 'playbook'] as const satisfies readonly MemoryKind[];

/** A name as printed or as shown: merchants, accounts, targets. At most 200 characters, one line. */
export const Name = z.lazy(() => text({ max: 200 }));

// Schemas are lazy here and elsewhere: to make all of them is what a function's cold start would spend most on, and a
// request meets few.

/** Names a capability, an integration, a document type or a topic: `integrations.send-to-integration`, `xero`, `invoice`. */
export const Slug = z.lazy(() =>
  z.string().check(
    z.regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/, {
      error: 'must be 1 to 100 of A-Z a-z 0-9 . _ - and start with a letter or digit',
    }),
  ),
);

export const SenderDomain = z.lazy(() =>
  z.string().check(
    z.toLowerCase(),
    z.regex(/^(?=.{1,253}$)[\p{L}\p{N}_](?:[\p{L}\p{N}_-]{0,62})(?:\.[\p{L}\p{N}_-]{1,63})*$/u, {
      error: 'must be a domain name',
    }),
  ),
);

export const Label = z.lazy(() => text({ max: 40 }));

/** The account a mapping books to: `id` is what counts, `name` is a snapshot the server takes from the chart. */
export const AccountReference = z.lazy(() => z.strictObject({ id: Name, name: z.optional(Name) }));
export type AccountReference = z.infer<typeof AccountReference>;

export const PreferenceContent = z.lazy(() =>
  z.strictObject({
    text: text({ max: 500, multiline: true }),
    topic: z.optional(Slug),
  }),
);
export type PreferenceContent = z.infer<typeof PreferenceContent>;

export const MerchantNameContent = z.lazy(() =>
  z.strictObject({
    mapping: z.literal('merchant_name'),
    merchant: Name,
    canonicalName: Name,
  }),
);
export type MerchantNameContent = z.infer<typeof MerchantNameContent>;

export const CategoryContent = z.lazy(() =>
  z.strictObject({
    mapping: z.literal('category'),
    merchant: Name,
    account: AccountReference,
  }),
);
export type CategoryContent = z.infer<typeof CategoryContent>;

export const LabelsContent = z.lazy(() =>
  z.strictObject({
    mapping: z.literal('labels'),
    merchant: Name,
    labels: z.array(Label).check(
      z.minLength(1),
      z.maxLength(10),
      z.refine((labels) => new Set(labels.map(foldText)).size === labels.length, {
        error: 'must not name a label twice',
      }),
    ),
  }),
);
export type LabelsContent = z.infer<typeof LabelsContent>;

export const MappingContent = z.lazy(() =>
  z.discriminatedUnion('mapping', [MerchantNameContent, CategoryContent, LabelsContent]),
);
export type MappingContent = z.infer<typeof MappingContent>;
export type Mapping = MappingContent['mapping'];

export const HintName = z.enum([
  'preview_first',
  'show_original_first',
  'ask_before_sending',
  'one_at_a_time',
  'custom',
]);
export type HintName = z.infer<typeof HintName>;

export const WorkflowHintContent = z.lazy(() =>
  z
    .strictObject({
      hint: HintName,
      text: z.optional(text({ max: 500, multiline: true })),
      capability: z.optional(Slug),
      senderDomain: z.optional(SenderDomain),
    })
    .check(
      z.refine((content) => content.hint !== 'custom' || content.text !== undefined, {
        path: ['text'],
        error: 'is required with a custom hint',
      }),
    ),
);
export type WorkflowHintContent = z.infer<typeof WorkflowHintContent>;

export const IntegrationPreferenceContent = z.lazy(() =>
  z.strictObject({
    capability: Slug,
    integration: Slug,
    documentType: z.optional(Slug),
    target: z.optional(Name),
  }),
);
export type IntegrationPreferenceContent = z.infer<typeof IntegrationPreferenceContent>;

/** What a memory says, by kind. The kinds that can hold content today. */
export const MemoryBody = z.lazy(() =>
  z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('preference'), content: PreferenceContent }),
    z.strictObject({ kind: z.literal('canonical_mapping'), content: MappingContent }),
    z.strictObject({ kind: z.literal('workflow_hint'), content: WorkflowHintContent }),
    z.strictObject({ kind: z.literal('integration_preference'), content: IntegrationPreferenceContent }),
  ]),
);
export type MemoryBody = z.infer<typeof MemoryBody>;
export type LiveKind = MemoryBody['kind'];

/** The content of any kind, where the kind is told beside it. */
export const MemoryContent = z.lazy(() =>
  z.union([
    PreferenceContent,
    MerchantNameContent,
    CategoryContent,
    LabelsContent,
    WorkflowHintContent,
    IntegrationPreferenceContent,
  ]),
);
export type MemoryContent = MemoryBody['content'];

/** Where a memory belongs: the whole org, one person in it, or one document of it. */
export type MemoryOwner =
  | { readonly scope: 'org' }
  | { readonly scope: 'user'; readonly userId: UserId }
  | { readonly scope: 'document'; readonly documentId: DocumentId };

/** Which scopes a kind may be saved in. */
export const SCOPES_OF_KIND = {
  preference: ['user', 'org', 'document'],
  canonical_mapping: ['org'],
  workflow_hint: ['org'],
  integration_preference: ['org'],
} as const satisfies Record<LiveKind, readonly MemoryScope[]>;

const historyEntry = <Content extends z.ZodMiniType>(content: Content) =>
  z.strictObject({
    at: z.string(),
    by: z.string(),
    action: z.enum(['saved', 'approved', 'rejected', 'archived', 'restored', 'imported']),
    from: z.optional(MemoryStatus),
    to: z.optional(MemoryStatus),
    content: z.optional(content),
    reason: z.optional(z.string()),
  });

/** As it is stored; its content was parsed when it was written. */
export const HistoryEntry = z.lazy(() => historyEntry(z.custom<MemoryContent>()));
export type HistoryEntry = z.infer<typeof HistoryEntry>;

/** As callers see it. */
export const ShownHistoryEntry = z.lazy(() => historyEntry(MemoryContent));

export const Proposal = z.lazy(() =>
  z.strictObject({
    content: MemoryContent,
    confidence: z.number(),
    evidenceCount: z.number(),
    source: MemorySource,
    proposedAt: z.string(),
  }),
);
export type Proposal = z.infer<typeof Proposal>;

/** The record as callers see it. */
export const Memory = z.lazy(() =>
  z.strictObject({
    id: MemoryId,
    orgId: OrgId,
    dedupKey: DedupKey,
    scope: MemoryScope,
    userId: z.optional(UserId),
    documentId: z.optional(DocumentId),
    kind: MemoryKind,
    content: MemoryContent,
    status: MemoryStatus,
    source: MemorySource,
    confidence: z.number().check(z.gte(0), z.lte(1)),
    evidenceCount: z.int().check(z.gte(0)),
    proposal: z.optional(Proposal),
    unresolvable: z.optional(z.literal(true)),
    version: z.int().check(z.gte(1)),
    createdAt: z.string(),
    createdBy: z.string(),
    updatedAt: z.string(),
    updatedBy: z.string(),
    history: z.array(ShownHistoryEntry),
  }),
);
export type Memory = z.infer<typeof Memory>;
