import * as z from 'zod/mini';
import { DocumentId, OrgId, UserId } from './ids.ts';
import {
  IntegrationPreferenceContent,
  MappingContent,
  MemoryKind,
  MemoryScope,
  MemoryStatus,
  Name,
  PreferenceContent,
  RESERVED_KINDS,
  SenderDomain,
  Slug,
  WorkflowHintContent,
} from './memory.ts';
import { text } from './text.ts';

const ExpectedVersion = z.lazy(() =>
  z.int().check(z.gte(0), z.describe('The version that was seen; 0 means that it must not exist yet.')),
);
const Reason = z.lazy(() => text({ max: 500, multiline: true }).check(z.describe('Why, for the record.')));

const saveOptions = {
  scope: z._default(MemoryScope, 'org'),
  documentId: z.optional(DocumentId),
  expectedVersion: z.optional(ExpectedVersion),
};

export const SaveRequest = z.lazy(() =>
  z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('preference'), content: PreferenceContent, ...saveOptions }),
    z.strictObject({ kind: z.literal('canonical_mapping'), content: MappingContent, ...saveOptions }),
    z.strictObject({ kind: z.literal('workflow_hint'), content: WorkflowHintContent, ...saveOptions }),
    z.strictObject({
      kind: z.literal('integration_preference'),
      content: IntegrationPreferenceContent,
      ...saveOptions,
    }),
    z.strictObject({ kind: z.enum(RESERVED_KINDS), content: z.unknown(), ...saveOptions }),
  ]),
);
export type SaveRequest = z.infer<typeof SaveRequest>;

export const ArchiveRequest = z.lazy(() =>
  z.strictObject({
    reason: z.optional(Reason),
    expectedVersion: z.optional(ExpectedVersion),
  }),
);
export type ArchiveRequest = z.infer<typeof ArchiveRequest>;

export const ReviewRequest = z.lazy(() =>
  z.strictObject({
    decision: z.enum(['approve', 'reject', 'restore']),
    expectedVersion: ExpectedVersion,
    reason: z.optional(Reason),
  }),
);
export type ReviewRequest = z.infer<typeof ReviewRequest>;

/** An integer in a query string: plain decimal digits, nothing else. */
const queryInteger = (min: number, max: number) => {
  const error = `must be a whole number from ${min} to ${max}`;
  const digits = z.string().check(z.regex(/^(?:0|[1-9]\d{0,8})$/, { error }));
  return z.pipe(
    z.pipe(digits, z.transform(Number)),
    z.int().check(z.gte(min, { error }), z.lte(max, { error })),
  );
};

const Cursor = z.lazy(() =>
  z
    .string()
    .check(
      z.regex(/^[A-Za-z0-9_-]{1,2048}$/, { error: 'must be a cursor this service gave' }),
      z.describe('The nextCursor of the page before, with the same filter.'),
    ),
);

export const ListRequest = z.lazy(() =>
  z.strictObject({
    status: z._default(MemoryStatus, 'active'),
    kind: z.optional(MemoryKind),
    scope: z.optional(MemoryScope),
    merchant: z.optional(Name),
    documentId: z.optional(DocumentId),
    limit: z.optional(queryInteger(1, 100)),
    cursor: z.optional(Cursor),
  }),
);
export type ListRequest = z.infer<typeof ListRequest>;

export const ExplainRequest = z.lazy(() =>
  z.strictObject({
    kind: z.optional(MemoryKind),
    merchant: z.optional(Name),
    mapping: z.optional(z.enum(['merchant_name', 'category', 'labels'])),
    capability: z.optional(Slug),
    documentType: z.optional(Slug),
    hint: z.optional(z.enum(['preview_first', 'show_original_first', 'ask_before_sending', 'one_at_a_time'])),
    senderDomain: z.optional(SenderDomain),
  }),
);
export type ExplainRequest = z.infer<typeof ExplainRequest>;

const Merchants = z.lazy(() =>
  z.array(Name).check(z.maxLength(20), z.describe('As printed on the documents at hand.')),
);

export const ContextRequest = z.lazy(() =>
  z.strictObject({
    merchants: z.optional(Merchants),
    documentId: z.optional(DocumentId),
    maxChars: z._default(
      z.int().check(z.gte(200), z.lte(32_000), z.describe('Characters of text, markers included.')),
      4000,
    ),
    format: z._default(
      z
        .enum(['block', 'compact'])
        .check(z.describe('compact is for a chat channel, at most 1,000 characters.')),
      'block',
    ),
    knownSnapshot: z.optional(
      z
        .string()
        .check(
          z.regex(/^[A-Za-z0-9_-]{1,64}$/, { error: 'must be a snapshot' }),
          z.describe('The snapshot of the answer before; where nothing differs, the answer says unchanged.'),
        ),
    ),
  }),
);
export type ContextRequest = z.infer<typeof ContextRequest>;

export const HintsRequest = z.lazy(() =>
  z.strictObject({
    orgId: OrgId,
    userId: z.optional(UserId),
    documentId: z.optional(DocumentId),
    merchants: z.optional(Merchants),
    senderDomain: z.optional(SenderDomain),
    documentType: z.optional(Name),
    maxHints: z._default(z.int().check(z.gte(1), z.lte(500)), 100),
  }),
);
export type HintsRequest = z.infer<typeof HintsRequest>;

export const ResolveRequest = z.lazy(() =>
  z.strictObject({
    query: Name,
    limit: z.optional(queryInteger(1, 20)),
  }),
);
export type ResolveRequest = z.infer<typeof ResolveRequest>;

export const ExportRequest = z.lazy(() =>
  z.strictObject({
    limit: z.optional(queryInteger(1, 1000)),
    cursor: z.optional(Cursor),
  }),
);
export type ExportRequest = z.infer<typeof ExportRequest>;

export const MAX_LINES = 5000;

/** Lines of an export. As `application/x-ndjson` the body is the lines themselves. */
export const ImportRequest = z.lazy(() =>
  z.strictObject({
    lines: z.array(z.unknown()).check(z.minLength(1), z.maxLength(MAX_LINES)),
  }),
);
export type ImportRequest = z.infer<typeof ImportRequest>;

export const EraseOrgRequest = z.lazy(() =>
  z.strictObject({
    confirm: OrgId.check(z.describe('The id of the workspace, said again by whoever has it erased.')),
  }),
);
export type EraseOrgRequest = z.infer<typeof EraseOrgRequest>;

export const Nothing = z.lazy(() => z.strictObject({}));
