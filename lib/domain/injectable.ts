import { type Account, isPostable } from './chart-of-accounts.ts';
import { canonicalJson, digest } from './digest.ts';
import type { DocumentId, MerchantKey, UserId } from './ids.ts';
import type { Memory, MemoryBody } from './memory.ts';
import { bodyOf, type StoredMemory } from './stored-memory.ts';
import { viewOf } from './view.ts';

/** A memory that may reach a prompt or the extraction pipeline, and what it says there. */
export interface InjectableMemory {
  readonly stored: StoredMemory;
  /** The decided content; an account carries the name the chart gives it today. */
  readonly body: MemoryBody;
}

/** Whose prompt it is. Without a `userId` nobody's own preferences are in scope. */
export interface Audience {
  readonly userId?: UserId | undefined;
  readonly documentId?: DocumentId | undefined;
}

export type Accounts = ReadonlyMap<string, Account>;

/** Everything that was recalled for one request. */
export interface Recalled {
  /** Preferences, workflow hints and integrations, whatever the merchant. */
  readonly ambient: readonly InjectableMemory[];
  /** Mappings of the merchants named, each under the key of the merchant as it was asked for. */
  readonly named: readonly NamedMapping[];
  /** Mappings of other merchants, newest change first. */
  readonly recent: readonly InjectableMemory[];
  /** Something was left out already when it was read. */
  readonly partial: boolean;
}

export interface NamedMapping {
  readonly merchantKey: MerchantKey;
  readonly memory: InjectableMemory;
}

/**
 * The one gate to every output: only what a person decided is active, is in scope and can be booked passes. No chart
 * loaded (`accounts` undefined) or an account that is gone, inactive or a group holds a category back.
 */
export function injectable(
  items: readonly StoredMemory[],
  audience: Audience,
  accounts: Accounts | undefined,
): readonly InjectableMemory[] {
  return items.flatMap((stored) => {
    const content = stored.decided?.status === 'active' ? stored.decided.content : undefined;
    if (content === undefined || !isInScope(stored, audience)) return [];
    const body = resolved(bodyOf(stored.kind, content), accounts);
    return body === undefined ? [] : [{ stored, body }];
  });
}

/**
 * The public record as it is injected: as a get shows it, but for what is not in force. A proposal awaits a person
 * and a history holds values that were turned down, so neither goes where a model reads.
 */
export function recordOf({ stored }: InjectableMemory, accounts: Accounts | undefined): Memory | undefined {
  const view = viewOf(stored, accounts);
  if (view === undefined) return undefined;
  const { proposal: _proposal, ...record } = view;
  return { ...record, history: [] };
}

/**
 * Scope, kind, dedup key, by code units. A key starts with its scope and kind, and one request sees one user and one
 * document at most, so comparing keys is comparing all three.
 */
export function byPlace(a: InjectableMemory, b: InjectableMemory): number {
  return compare(a.stored.dedupKey, b.stored.dedupKey);
}

/** As the index lists them. */
export function byRecency(a: InjectableMemory, b: InjectableMemory): number {
  return b.stored.updatedAt - a.stored.updatedAt || byPlace(b, a);
}

export function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/**
 * Names exactly what an answer says: its options, its rendering and the memories in it. Counts, times and versions
 * stay out, so that the same active memories give the same snapshot however they came to be.
 */
export function snapshotOf(answer: {
  readonly options: Readonly<Record<string, unknown>>;
  readonly rendered: unknown;
  readonly memories: readonly InjectableMemory[];
  readonly truncated: boolean;
}): string {
  // The key and not the id: an id names the org, which an answer never leaves.
  const memories = answer.memories.map(({ stored, body }) => [
    stored.dedupKey,
    body,
    stored.decided?.confidence,
  ]);
  return digest(canonicalJson({ ...answer, memories }), 32);
}

function isInScope({ owner }: StoredMemory, audience: Audience): boolean {
  switch (owner.scope) {
    case 'org':
      return true;
    case 'user':
      return owner.userId === audience.userId;
    case 'document':
      return owner.documentId === audience.documentId;
  }
}

function resolved(body: MemoryBody, accounts: Accounts | undefined): MemoryBody | undefined {
  if (body.kind !== 'canonical_mapping' || body.content.mapping !== 'category') return body;
  const account = accounts?.get(body.content.account.id);
  if (!isPostable(account)) return undefined;
  return { ...body, content: { ...body.content, account: { id: account.id, name: account.name } } };
}
