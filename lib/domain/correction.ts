import * as z from 'zod/mini';
import { DocumentId, EventId, OrgId, UserId } from './ids.ts';
import { AccountReference, Name, Slug } from './memory.ts';
import { looseText, text } from './text.ts';

export const CorrectionType = z.enum([
  'manual_patch',
  'bulk_edit',
  'validation_error_dismiss',
  'capability_approval_approve',
  'capability_approval_reject',
  'agent_approval_approve',
  'agent_approval_reject',
  'rule_execute',
  'memory_submission',
  'document_confirm',
]);
export type CorrectionType = z.infer<typeof CorrectionType>;

/** How far ahead of the receiver's clock `occurredAt` may lie. Milliseconds. */
export const MAX_CLOCK_AHEAD = 5 * 60_000;

/** An instant with an offset, that exists in the calendar: no 30 February, no second 60. */
export const Instant = z.lazy(() =>
  z.string().check(
    z.regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/, {
      error: 'must be a date and time with an offset, such as 2026-11-30T03:00:00Z',
      abort: true,
    }),
    z.refine((value) => isCalendarInstant(value), { error: 'must be a real date between 1970 and 9998' }),
  ),
);

// Fields the service learns nothing from are kept in the log as they came: any JSON of bounded depth.
const Anything = z.lazy(() =>
  z
    .unknown()
    .check(
      z.refine((value) => isPlainJson(value, 6), { error: 'must be plain JSON, nested at most six deep' }),
    ),
);

const PrintedMerchant = z.lazy(() => z.nullable(looseText({ max: 400, multiline: true })));
const CategoryValue = z.lazy(() => z.nullable(z.union([Name, AccountReference, z.literal('')])));

const FIELD_NAME = /^(?!__proto__$|constructor$|prototype$)[A-Za-z_][A-Za-z0-9_.[\]-]{0,99}$/;
const FieldName = z.lazy(() => z.string().check(z.regex(FIELD_NAME, { error: 'must be a field name' })));

const ChangeSet = z.lazy(() =>
  z
    .catchall(
      z.strictObject({
        merchant: z.optional(
          z.strictObject({ from: z.optional(PrintedMerchant), to: z.optional(PrintedMerchant) }),
        ),
        category: z.optional(
          z.strictObject({ from: z.optional(CategoryValue), to: z.optional(CategoryValue) }),
        ),
      }),
      z.strictObject({ from: z.optional(Anything), to: z.optional(Anything) }),
    )
    .check(
      z.refine((changes) => Object.keys(changes).length <= 100, { error: 'must name at most 100 fields' }),
      z.refine((changes) => Object.keys(changes).every((name) => FIELD_NAME.test(name)), {
        error: 'must have field names as keys',
      }),
    ),
);

const CorrectionContext = z.lazy(() =>
  z.strictObject({
    merchant: z.optional(PrintedMerchant),
    senderDomain: z.optional(looseText({ max: 253 })),
    /** As upstream calls it: `invoice`, `Credit Note`. */
    documentType: z.optional(Name),
    capability: z.optional(Slug),
    integration: z.optional(Slug),
    target: z.optional(Name),
    feedback: z.optional(looseText({ max: 2000, multiline: true })),
    direction: z.optional(z.enum(['purchase', 'refund', 'sale'])),
    split: z.optional(z.boolean()),
    confirmed: z.optional(
      z.strictObject({ merchant: z.optional(PrintedMerchant), category: z.optional(CategoryValue) }),
    ),
  }),
);

/** One act of a person: an edit, a bulk edit, an approval or a rejection. The `detail` of `CorrectionRecorded`. */
export const CorrectionEvent = z.lazy(() =>
  z.strictObject({
    eventId: EventId,
    orgId: OrgId,
    type: CorrectionType,
    occurredAt: Instant,
    actor: z.optional(z.strictObject({ userId: UserId })),
    subjectType: z._default(z.enum(['document', 'approval']), 'document'),
    subjectIds: z
      .array(DocumentId)
      .check(z.minLength(1, { error: 'must name at least one document' }), z.maxLength(1000)),
    changedFields: z.optional(z.array(FieldName).check(z.maxLength(100))),
    changeSet: z.optional(ChangeSet),
    context: z.optional(CorrectionContext),
    causedBy: z.optional(z.array(text({ max: 512 })).check(z.maxLength(50))),
  }),
);
export type CorrectionEvent = z.infer<typeof CorrectionEvent>;

function isCalendarInstant(value: string): boolean {
  const at = Date.parse(value);
  if (Number.isNaN(at) || at < 0 || at >= Date.UTC(9999, 0, 1)) return false;
  const day = value.slice(0, 10);
  // A 30th of February is read as one of the first days of March.
  return new Date(day).toISOString().startsWith(day);
}

function isPlainJson(value: unknown, depth: number): boolean {
  if (value === undefined || value === null || typeof value === 'boolean') return true;
  // An integer beyond 2^53 is not the one that was sent any more.
  if (typeof value === 'number') return Number.isFinite(value) && Math.abs(value) <= Number.MAX_SAFE_INTEGER;
  if (typeof value === 'string') return value.isWellFormed();
  if (depth === 0 || typeof value !== 'object') return false;
  if (Array.isArray(value))
    return value.length <= 1000 && value.every((member) => isPlainJson(member, depth - 1));
  return Object.entries(value).every(
    ([name, member]) => FIELD_NAME.test(name) && isPlainJson(member, depth - 1),
  );
}
