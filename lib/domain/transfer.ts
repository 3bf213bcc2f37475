import * as z from 'zod/mini';
import { dedupKeyOf } from './dedup-key.ts';
import { MemoryError } from './errors.ts';
import { emptyItem, type Outcome, type Place } from './lifecycle.ts';
import {
  type HistoryEntry,
  MemoryBody,
  MemoryContent,
  MemoryKind,
  MemoryScope,
  MemorySource,
  MemoryStatus,
  Proposal,
  RESERVED_KINDS,
  ShownHistoryEntry,
} from './memory.ts';
import { bodyOf, HISTORY_LIMIT, proposalOf, type StoredMemory } from './stored-memory.ts';
import { sameContent, valueDigest } from './value.ts';

const TurnedDown = z.lazy(() =>
  z.array(z.string().check(z.regex(/^[A-Za-z0-9_-]{12}$/))).check(z.maxLength(500)),
);

/** One memory of an export, with what was decided about it. */
export const ExportedMemory = z.lazy(() =>
  z.strictObject({
    type: z.literal('memory'),
    scope: MemoryScope,
    documentId: z.optional(z.string()),
    kind: MemoryKind,
    content: MemoryContent,
    status: MemoryStatus,
    source: MemorySource,
    confidence: z.number(),
    evidenceCount: z.int(),
    proposal: z.optional(Proposal),
    /** Digests of the values that a person rejected or archived. */
    turnedDown: z.optional(TurnedDown),
    createdAt: z.string(),
    createdBy: z.string(),
    updatedAt: z.string(),
    updatedBy: z.string(),
    history: z.array(ShownHistoryEntry),
  }),
);
export type ExportedMemory = z.infer<typeof ExportedMemory>;

/** The last line of a page of an export. A page without it was cut off on its way. */
export const PageEnd = z.strictObject({ type: z.literal('end'), nextCursor: z.optional(z.string()) });

/**
 * A line as it is taken back. Of what an export says, only these count: what the memory says, whether people had
 * accepted or turned it down, and what else they had turned down. The rest is told by who imports it, and when.
 */
const ImportLine = z.lazy(() =>
  z.discriminatedUnion('type', [
    z.strictObject({
      type: z.literal('memory'),
      scope: z._default(MemoryScope, 'org'),
      kind: MemoryKind,
      content: z.unknown(),
      status: z.optional(MemoryStatus),
      turnedDown: z._default(TurnedDown, []),
      documentId: z.optional(z.unknown()),
      source: z.optional(z.unknown()),
      confidence: z.optional(z.unknown()),
      evidenceCount: z.optional(z.unknown()),
      proposal: z.optional(z.unknown()),
      createdAt: z.optional(z.unknown()),
      createdBy: z.optional(z.unknown()),
      updatedAt: z.optional(z.unknown()),
      updatedBy: z.optional(z.unknown()),
      history: z.optional(z.unknown()),
    }),
    PageEnd,
  ]),
);

export const RefusalReason = z.enum([
  'invalid-json',
  'invalid',
  'reserved-kind',
  'explicit-only',
  'no-merchant',
  'chart-of-accounts-missing',
  'unknown-account',
]);
export type RefusalReason = z.infer<typeof RefusalReason>;

/** What an import brings about one subject. */
export interface Imported {
  readonly body: MemoryBody;
  /** Whether people had turned it down where it comes from; anything else becomes a candidate. */
  readonly inert?: 'rejected' | 'archived';
  readonly turnedDown: readonly string[];
}

export type ReadLine =
  | { readonly kind: 'memory'; readonly imported: Imported }
  | { readonly kind: 'ignored' }
  | { readonly kind: 'refused'; readonly reason: RefusalReason; readonly path?: string };

/** A memory as a line of an export; nothing where there is nothing to tell, and nothing of what is one person's own. */
export function exportedOf(stored: StoredMemory): ExportedMemory | undefined {
  const { decided, owner } = stored;
  const proposal = proposalOf(stored);
  const shown = decided ?? proposal;
  if (shown === undefined || owner.scope === 'user') return undefined;
  return {
    type: 'memory',
    ...owner,
    kind: stored.kind,
    content: shown.content,
    status: decided?.status ?? 'candidate',
    source: shown.source,
    confidence: shown.confidence,
    evidenceCount: shown.evidenceCount + (decided ? stored.support : 0),
    ...(decided && proposal
      ? { proposal: { ...proposal, proposedAt: new Date(proposal.proposedAt).toISOString() } }
      : {}),
    ...(stored.turnedDown.length > 0 ? { turnedDown: [...stored.turnedDown] } : {}),
    createdAt: new Date(stored.createdAt).toISOString(),
    createdBy: stored.createdBy,
    updatedAt: new Date(stored.updatedAt).toISOString(),
    updatedBy: stored.updatedBy,
    history: [...stored.history],
  };
}

/** Reads one line of an import by the schemas and the text policy that a save goes by. `null` is a blank line. */
export function readLine(value: unknown): ReadLine {
  if (value === null) return { kind: 'ignored' };
  if (value === undefined) return refused('invalid-json');
  const line = ImportLine.safeParse(value);
  if (!line.success) return refused('invalid', line.error.issues[0]);
  if (line.data.type === 'end') return { kind: 'ignored' };
  const { kind, content, scope, status, turnedDown } = line.data;
  if (RESERVED_KINDS.some((reserved) => reserved === kind)) return refused('reserved-kind');
  const body = MemoryBody.safeParse({ kind, content });
  if (!body.success) return refused('invalid', body.error.issues[0]);
  // A preference is what a person said themselves; nobody says it for them by a file.
  if (body.data.kind === 'preference') return refused('explicit-only');
  if (scope !== 'org') return { ...refused('invalid'), path: 'scope' };
  try {
    dedupKeyOf({ scope: 'org' }, body.data);
  } catch (error) {
    if (error instanceof MemoryError) return { ...refused('no-merchant'), path: 'content.merchant' };
    throw error;
  }
  const inert = status === 'rejected' || status === 'archived' ? { inert: status } : {};
  return { kind: 'memory', imported: { body: body.data, turnedDown, ...inert } };
}

function refused(reason: RefusalReason, issue?: z.core.$ZodIssue) {
  const keys = issue?.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [];
  const path = [...(issue?.path ?? []), ...keys].map(String);
  const isPlain = path.every((part) => /^[A-Za-z0-9_.:-]{1,64}$/.test(part));
  return {
    kind: 'refused' as const,
    reason,
    ...(path.length > 0 && isPlain ? { path: path.join('.') } : {}),
  };
}

export interface ImportAct {
  readonly by: string;
  readonly now: number;
}

/** What became of a line; `kept`: what people decided here stands, or what the line says was turned down here. */
export type ImportOutcome = Extract<Outcome, 'imported' | 'unchanged'> | 'kept';

/** Nobody has seen evidence for it here: what `(k + 1) / (n + 2)` is without a vote. */
const CONFIDENCE = 0.5;

/**
 * What an import makes of an item: a candidate that stands until a person decides, or a value that stays turned down.
 * It never activates anything, and changes nothing that people here decided but for values that it knows to be turned
 * down. Importing the same again changes nothing.
 */
export function importInto(
  place: Place,
  memory: StoredMemory | undefined,
  imported: Imported,
  act: ImportAct,
): { readonly next?: StoredMemory; readonly outcome: ImportOutcome } {
  const base = memory ?? emptyItem(place, act);
  const value = valueDigest(imported.body);
  const active = base.decided?.status === 'active' ? base.decided.content : undefined;
  const activeValue = active && valueDigest(bodyOf(place.kind, active));
  const known = imported.inert === undefined ? imported.turnedDown : [...imported.turnedDown, value];
  const news = [...new Set(known)].filter(
    (digest) => digest !== activeValue && !base.turnedDown.includes(digest),
  );
  const turnedDown = [...base.turnedDown, ...news];
  const changed = partsAfter(place, base, imported, act, turnedDown.includes(value));
  if (changed === undefined && news.length === 0) {
    const says = base.decided?.content ?? base.imported?.content;
    const same = says !== undefined && sameContent(place.kind, says, imported.body.content);
    return { outcome: same ? 'unchanged' : 'kept' };
  }
  const entry: HistoryEntry = {
    at: new Date(act.now).toISOString(),
    by: act.by,
    action: 'imported',
    to: imported.inert ?? 'candidate',
    content: imported.body.content,
  };
  const { decided: _decided, imported: _imported, ...rest } = base;
  return {
    outcome: 'imported',
    next: {
      ...rest,
      ...(changed ?? partsOf(base)),
      turnedDown,
      version: base.version + 1,
      rev: base.rev + 1,
      updatedAt: act.now,
      updatedBy: act.by,
      history: [...base.history, entry].slice(-HISTORY_LIMIT),
    },
  };
}

type Parts = Pick<StoredMemory, 'decided' | 'imported'>;

const partsOf = ({ decided, imported }: StoredMemory): Parts => ({
  ...(decided && { decided }),
  ...(imported && { imported }),
});

/** The decided and the imported part after it; nothing where they stay as they are. */
function partsAfter(
  place: Place,
  base: StoredMemory,
  { body, inert }: Imported,
  { now }: ImportAct,
  isTurnedDown: boolean,
): Parts | undefined {
  if (base.decided !== undefined) return undefined;
  const { content } = body;
  const candidate = proposalOf(base);
  const says = (other: MemoryContent | undefined) =>
    other !== undefined && sameContent(place.kind, other, content);
  const part = { content, source: 'system', confidence: CONFIDENCE, evidenceCount: 0 } as const;
  if (inert !== undefined) {
    return candidate === undefined || says(candidate.content)
      ? { decided: { ...part, status: inert } }
      : undefined;
  }
  if (isTurnedDown || says(base.imported?.content)) return undefined;
  return { imported: { ...part, proposedAt: now } };
}
