import { CorrectionEvent } from '../domain/correction.ts';
import type { AccountReference } from '../domain/memory.ts';

/** A document as it was and as it is. Of these fields the service learns; the others are named when they change. */
export interface DocumentFields {
  readonly merchant?: string | null | undefined;
  /** An account id, or `{ id, name? }`. */
  readonly category?: string | { readonly id: string; readonly name?: string | undefined } | null | undefined;
  readonly [field: string]: unknown;
}

export interface CorrectionMeta {
  /** The same act has the same id, whoever sends it and however often. */
  readonly eventId: string;
  readonly orgId: string;
  readonly userId: string;
  /** One id for an edit, several for a bulk edit. */
  readonly documentIds: string | readonly string[];
  readonly occurredAt: Date | string;
  /** The merchant as it is printed on the document, where `before` may hold a name that was put in its place. */
  readonly printedMerchant?: string | undefined;
  readonly documentType?: string | undefined;
  readonly senderDomain?: string | undefined;
  /** @default 'purchase' */
  readonly direction?: 'purchase' | 'refund' | 'sale' | undefined;
  /** Whether the document went to several accounts. */
  readonly split?: boolean | undefined;
  /** Whether the person finished the document with this act. An act that changes nothing is an event only then. */
  readonly finished?: boolean | undefined;
  /** The memories whose effect the person saw: the `memoryId`s of what `applyHints` changed. */
  readonly causedBy?: readonly string[] | undefined;
}

/**
 * A document before and after a person's act → the event that says so, or nothing where there is nothing to say. An
 * edit becomes a `manual_patch` (`bulk_edit` for several documents); a document that was finished as it stood becomes a
 * `document_confirm` of its values, which is how the service learns that it was right.
 *
 * @throws ZodError where what is given makes no valid event.
 */
export function correctionFrom(
  before: DocumentFields,
  after: DocumentFields,
  meta: CorrectionMeta,
): CorrectionEvent | undefined {
  const subjectIds = typeof meta.documentIds === 'string' ? [meta.documentIds] : meta.documentIds;
  const changedFields = changed(before, after);
  const printed = meta.printedMerchant ?? text(before.merchant);
  const said =
    changedFields.length === 0 ? confirmation(after, meta) : edit(before, after, changedFields, printed);
  if (said === undefined) return undefined;
  const { confirmed, ...act } = said;
  return CorrectionEvent.parse({
    eventId: meta.eventId,
    orgId: meta.orgId,
    occurredAt: typeof meta.occurredAt === 'string' ? meta.occurredAt : meta.occurredAt.toISOString(),
    actor: { userId: meta.userId },
    subjectType: 'document',
    subjectIds,
    ...act,
    ...(act.type === 'manual_patch' && subjectIds.length > 1 && { type: 'bulk_edit' }),
    context: given({
      merchant: printed,
      documentType: meta.documentType,
      senderDomain: meta.senderDomain,
      direction: meta.direction,
      split: meta.split,
      confirmed,
    }),
    ...(meta.causedBy?.length && { causedBy: meta.causedBy }),
  });
}

interface Act {
  readonly type: 'manual_patch' | 'document_confirm';
  readonly changedFields?: readonly string[];
  readonly changeSet?: Readonly<Record<string, unknown>>;
  readonly confirmed?: Readonly<Record<string, unknown>>;
}

function edit(
  before: DocumentFields,
  after: DocumentFields,
  changedFields: readonly string[],
  printed: string | undefined,
): Act {
  const changeSet = {
    // A rename is learned for what is printed, whatever name stood in its place meanwhile.
    ...(changedFields.includes('merchant') && {
      merchant: { from: printed ?? null, to: text(after.merchant) ?? null },
    }),
    ...(changedFields.includes('category') && {
      category: { from: account(before.category) ?? null, to: account(after.category) ?? null },
    }),
  };
  return {
    type: 'manual_patch',
    // What the service learns nothing from is named, and its values stay where they are.
    changedFields: changedFields.filter((name) => SENDABLE.test(name)).slice(0, 100),
    ...(Object.keys(changeSet).length > 0 && { changeSet }),
  };
}

const SENDABLE = /^(?!__proto__$|constructor$|prototype$)[A-Za-z_][A-Za-z0-9_.[\]-]{0,99}$/;

function confirmation(after: DocumentFields, meta: CorrectionMeta): Act | undefined {
  const merchant = text(after.merchant);
  const category = account(after.category);
  if (meta.finished !== true || (merchant === undefined && category === undefined)) return undefined;
  return { type: 'document_confirm', confirmed: given({ merchant, category }) };
}

function changed(before: DocumentFields, after: DocumentFields): readonly string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return names.filter((name) => comparable(name, before) !== comparable(name, after));
}

/** Blank, `null` and not there are the same; an account is its id, whatever it is called. */
function comparable(name: string, document: DocumentFields): string {
  const value = Object.hasOwn(document, name) ? document[name] : undefined;
  if (name === 'merchant') return JSON.stringify(text(value) ?? null);
  if (name === 'category') return JSON.stringify(account(value)?.id ?? null);
  return canonical(value ?? null);
}

/** JSON with its members in order, so that a copy that was put together differently is the same. */
function canonical(value: unknown): string {
  return (
    JSON.stringify(value, (_, member: unknown) =>
      typeof member === 'object' && member !== null && !Array.isArray(member)
        ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
        : member,
    ) ?? 'null'
  );
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

function account(value: unknown): AccountReference | undefined {
  if (typeof value === 'string') return value.trim() === '' ? undefined : { id: value };
  if (typeof value !== 'object' || value === null || !('id' in value)) return undefined;
  const id = text(value.id);
  const name = 'name' in value ? text(value.name) : undefined;
  return id === undefined ? undefined : { id, ...(name === undefined ? {} : { name }) };
}

function given(members: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}
