import { type Account, isPostable } from './chart-of-accounts.ts';
import { memoryIdOf } from './dedup-key.ts';
import type { Memory, MemoryContent } from './memory.ts';
import { proposalOf, type StoredMemory } from './stored-memory.ts';

/**
 * The record as callers see it, or `undefined` where there is nothing to see: an item with neither part, or a
 * candidate for an account that the chart cannot take.
 *
 * @param accounts the accounts named by the item's content, as the chart has them now; an account that is not there,
 * closed or a group makes a category `unresolvable`. Without a chart every category is.
 */
export function viewOf(
  stored: StoredMemory,
  accounts: ReadonlyMap<string, Account> = NO_ACCOUNTS,
): Memory | undefined {
  const { decided, owner } = stored;
  const proposed = proposalOf(stored);
  const proposal = proposed && isResolvable(proposed.content, accounts) ? proposed : undefined;
  const shown = decided ?? proposal;
  if (shown === undefined) return undefined;
  return {
    id: memoryIdOf(stored.orgId, stored.dedupKey),
    orgId: stored.orgId,
    dedupKey: stored.dedupKey,
    ...owner,
    kind: stored.kind,
    content: withCurrentName(shown.content, accounts),
    status: decided?.status ?? 'candidate',
    source: shown.source,
    confidence: shown.confidence,
    evidenceCount: shown.evidenceCount + (decided ? stored.support : 0),
    ...(decided && proposal
      ? {
          proposal: {
            content: withCurrentName(proposal.content, accounts),
            confidence: proposal.confidence,
            evidenceCount: proposal.evidenceCount,
            source: proposal.source,
            proposedAt: new Date(proposal.proposedAt).toISOString(),
          },
        }
      : {}),
    ...(isResolvable(shown.content, accounts) ? {} : { unresolvable: true as const }),
    version: stored.version,
    createdAt: new Date(stored.createdAt).toISOString(),
    createdBy: stored.createdBy,
    updatedAt: new Date(stored.updatedAt).toISOString(),
    updatedBy: stored.updatedBy,
    history: [...stored.history],
  };
}

/** The ids of the accounts that an item names, decided and proposed. */
export function accountIdsOf(stored: StoredMemory): readonly string[] {
  return [stored.decided?.content, proposalOf(stored)?.content].flatMap(
    (content) => accountIdOf(content) ?? [],
  );
}

export function accountIdOf(content: MemoryContent | undefined): string | undefined {
  return content !== undefined && 'account' in content ? content.account.id : undefined;
}

/** Whether what the content names can be booked to now; content that names no account always can. */
export function isResolvable(content: MemoryContent, accounts: ReadonlyMap<string, Account>): boolean {
  const id = accountIdOf(content);
  return id === undefined || isPostable(accounts.get(id));
}

/** The content under the name the chart gives its account now. */
export function withCurrentName(
  content: MemoryContent,
  accounts: ReadonlyMap<string, Account>,
): MemoryContent {
  if (!('account' in content)) return content;
  const name = accounts.get(content.account.id)?.name ?? content.account.name;
  return { ...content, account: { id: content.account.id, ...(name === undefined ? {} : { name }) } };
}

const NO_ACCOUNTS: ReadonlyMap<string, Account> = new Map();
