import type * as z from 'zod/mini';
import { EntityHint, type Hints, NormalizationHint } from './hints.ts';
import type { MemoryId } from './ids.ts';
import { merchantKey } from './merchant-key.ts';
import { foldText } from './text.ts';

/** What was read from a document. The four members below are the ones a hint can touch; everything else passes through. */
export interface Extraction {
  readonly merchant?: unknown;
  /** An account id, or `{ id, name? }`. */
  readonly category?: unknown;
  readonly labels?: unknown;
  /** An integration's name, or an object with `integration` and perhaps `capability` and `target`. */
  readonly integration?: unknown;
  readonly [field: string]: unknown;
}

export type HintedField = 'merchant' | 'category' | 'labels' | 'integration';

export interface HintedChange {
  readonly field: HintedField;
  readonly from: unknown;
  readonly to: unknown;
  /** To be sent as `causedBy` with a correction or confirmation of the change. */
  readonly memoryId: MemoryId;
}

export interface Hinted<T extends Extraction> {
  /** The extraction itself, as it came. What the document says is here, whatever the memories. */
  readonly raw: T;
  /** A copy with the hints applied; members that no hint touches are the extraction's own. */
  readonly normalized: Extraction;
  readonly changes: readonly HintedChange[];
}

/**
 * Applies hints to what was read from a document. Only merchant, category, labels and integration can differ between
 * `raw` and `normalized`, and every difference is in `changes` with the memory it came from. The input is not changed.
 *
 * A hint on a merchant applies when it carries the key of the merchant as extracted, or else of the name that merchant
 * is known by. Labels are added to those there. A value keeps its form: a category given as an id stays an id. An
 * integration applies to the capability and document type the extraction names; where it names no capability, only
 * when the hints are about a single one. Hints that are malformed, and values of a form not known, are left alone.
 */
export function applyHints<T extends Extraction>(extraction: T, hints: Hints): Hinted<T> {
  const read = readings(extraction);
  const usable = usableHints(hints);
  const changes = [
    ...merchantChange(read, usable),
    ...categoryChange(read, usable),
    ...labelsChange(read, usable),
    ...integrationChange(read, usable),
  ];
  const applied = changes.map(({ field, to }) => [field, to] as const);
  return { raw: extraction, normalized: { ...extraction, ...Object.fromEntries(applied) }, changes };
}

type Readings = Readonly<Record<HintedField | 'documentType', unknown>>;

/** Own members only: what a prototype carries was not read from the document. */
function readings(extraction: Extraction): Readings {
  const own = (field: string) => (Object.hasOwn(extraction, field) ? extraction[field] : undefined);
  return {
    merchant: own('merchant'),
    category: own('category'),
    labels: own('labels'),
    integration: own('integration'),
    documentType: own('documentType'),
  };
}

interface UsableHints {
  readonly entities: readonly EntityHint[];
  readonly normalizations: readonly NormalizationHint[];
}

/** Each hint is checked on its own, so that a forged one takes no good one with it. */
function usableHints(hints: Hints): UsableHints {
  return {
    entities: valid(EntityHint, hints.entityHints),
    normalizations: valid(NormalizationHint, hints.normalizationHints),
  };
}

function valid<S extends z.ZodMiniType>(schema: S, members: unknown): readonly z.output<S>[] {
  if (!Array.isArray(members)) return [];
  return members.flatMap((member) => {
    const parsed = schema.safeParse(member);
    return parsed.success ? [parsed.data] : [];
  });
}

function entityFor(merchant: unknown, entities: readonly EntityHint[]): EntityHint | undefined {
  const key = keyOf(merchant);
  return entities.find((entity) => entity.merchantKey === key);
}

/** The keys a hint may carry to be about this merchant, the better one first. */
function keysFor(merchant: unknown, entities: readonly EntityHint[]): readonly (string | undefined)[] {
  return [keyOf(merchant), keyOf(entityFor(merchant, entities)?.canonicalName)];
}

function keyOf(merchant: unknown): string | undefined {
  return typeof merchant === 'string' ? merchantKey(merchant) : undefined;
}

function hintFor<H extends { readonly merchantKey: string }>(
  { merchant }: Readings,
  { entities }: UsableHints,
  about: readonly H[],
): H | undefined {
  return keysFor(merchant, entities)
    .flatMap((key) => about.find((hint) => hint.merchantKey === key) ?? [])
    .at(0);
}

function merchantChange({ merchant }: Readings, hints: UsableHints): readonly HintedChange[] {
  const hint = entityFor(merchant, hints.entities);
  if (hint === undefined || hint.canonicalName === merchant) return [];
  return [{ field: 'merchant', from: merchant, to: hint.canonicalName, memoryId: hint.memoryId }];
}

function categoryChange(read: Readings, hints: UsableHints): readonly HintedChange[] {
  const hint = hintFor(
    read,
    hints,
    hints.normalizations.filter((candidate) => candidate.field === 'category'),
  );
  const from = read.category;
  if (hint === undefined || !(isAbsent(from) || typeof from === 'string' || isRecord(from))) return [];
  const said = isRecord(from) ? ownMember(from, 'id') : from;
  if (said === hint.account.id) return [];
  const to = typeof from === 'string' ? hint.account.id : { ...hint.account };
  return [{ field: 'category', from, to, memoryId: hint.memoryId }];
}

function labelsChange(read: Readings, hints: UsableHints): readonly HintedChange[] {
  const hint = hintFor(
    read,
    hints,
    hints.normalizations.filter((candidate) => candidate.field === 'labels'),
  );
  const from = read.labels;
  if (hint === undefined || !(isAbsent(from) || isStrings(from))) return [];
  const there = isAbsent(from) ? [] : from;
  const known = new Set(there.map(foldText));
  const added = hint.labels.filter((label) => !known.has(foldText(label)));
  if (added.length === 0) return [];
  return [{ field: 'labels', from, to: [...there, ...added], memoryId: hint.memoryId }];
}

function integrationChange(read: Readings, hints: UsableHints): readonly HintedChange[] {
  const from = read.integration;
  if (!(isAbsent(from) || typeof from === 'string' || isRecord(from))) return [];
  const capability = isRecord(from) ? ownMember(from, 'capability') : undefined;
  const fitting = hints.normalizations
    .filter((hint) => hint.field === 'integration')
    .filter((hint) => typeof capability !== 'string' || same(hint.capability, capability))
    .filter(
      (hint) =>
        typeof read.documentType !== 'string' ||
        same(hint.documentType ?? read.documentType, read.documentType),
    );
  const capabilities = new Set(fitting.map((hint) => hint.capability.toLowerCase()));
  const hint = fitting.find(({ documentType }) => documentType !== undefined) ?? fitting[0];
  if (hint === undefined || capabilities.size > 1) return [];
  const { integration, target, memoryId } = hint;
  if (!isRecord(from))
    return from === integration ? [] : [{ field: 'integration', from, to: integration, memoryId }];
  const aim = target === undefined ? { integration } : { integration, target };
  if (Object.entries(aim).every(([name, value]) => ownMember(from, name) === value)) return [];
  return [{ field: 'integration', from, to: { ...from, ...aim }, memoryId }];
}

function isAbsent(value: unknown): value is null | undefined | '' {
  return value === undefined || value === null || value === '';
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isStrings(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((member) => typeof member === 'string');
}

function ownMember(record: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

function same(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
