import type { Account } from '../domain/chart-of-accounts.ts';
import { mappingKey } from '../domain/dedup-key.ts';
import type { DedupKey } from '../domain/ids.ts';
import type { Memory } from '../domain/memory.ts';
import { merchantKey } from '../domain/merchant-key.ts';
import { proposalOf, type StoredMemory, withoutProposal } from '../domain/stored-memory.ts';
import { accountIdOf, accountIdsOf, viewOf } from '../domain/view.ts';
import type { OrgPorts } from './ports-of-org.ts';

export interface Judged {
  readonly stored: StoredMemory;
  /** Absent where there is nothing to see, or where what stands is hidden. */
  readonly view?: Memory;
  /** Why a candidate or a proposal is not shown though the evidence would have it. */
  readonly hidden?: 'unknown-account' | 'covered';
}

/**
 * What promotion cannot know, since it reads votes and the memory alone: whether the accounts exist, and whether an
 * alias says so already. Judged anew at every read and review.
 */
export async function judge(
  ports: Pick<OrgPorts, 'memories' | 'accounts'>,
  items: readonly StoredMemory[],
): Promise<readonly Judged[]> {
  const ids = [...new Set(items.flatMap(accountIdsOf))];
  const [accounts, covered] = await Promise.all([
    ids.length === 0 ? undefined : ports.accounts.find(ids),
    coveredThroughAlias(ports, items),
  ]);
  return items.map((stored) => judgeOne(stored, accounts, covered.has(stored.dedupKey)));
}

function judgeOne(
  stored: StoredMemory,
  accounts: ReadonlyMap<string, Account> | undefined,
  covered: boolean,
): Judged {
  const view = viewOf(covered ? withoutProposal(stored) : stored, accounts);
  const derivedShows = view !== undefined && (view.status === 'candidate' || view.proposal !== undefined);
  const hidden =
    proposalOf(stored) === undefined || derivedShows ? undefined : covered ? 'covered' : 'unknown-account';
  return { stored, ...(view ? { view } : {}), ...(hidden ? { hidden } : {}) };
}

/** The keys of the items whose derived category is what the canonical merchant's active memory says already. */
async function coveredThroughAlias(
  ports: Pick<OrgPorts, 'memories'>,
  items: readonly StoredMemory[],
): Promise<ReadonlySet<DedupKey>> {
  const asking = items.flatMap((stored) => {
    const content = proposalOf(stored)?.content;
    if (content === undefined || !('mapping' in content) || content.mapping !== 'category') return [];
    const printed = merchantKey(content.merchant);
    return printed === undefined ? [] : [{ stored, printed, account: content.account.id }];
  });
  if (asking.length === 0) return new Set();
  const aliases = byKey(
    await ports.memories.getMany(unique(asking.map(({ printed }) => mappingKey(printed, 'merchant_name')))),
  );
  const hops = asking.flatMap((one) => {
    const alias = aliases.get(mappingKey(one.printed, 'merchant_name'));
    const content = alias?.decided?.status === 'active' ? alias.decided.content : undefined;
    if (content === undefined || !('canonicalName' in content)) return [];
    const canonical = merchantKey(content.canonicalName);
    return canonical === undefined || canonical === one.printed
      ? []
      : [{ ...one, key: mappingKey(canonical, 'category') }];
  });
  if (hops.length === 0) return new Set();
  const known = byKey(await ports.memories.getMany(unique(hops.map(({ key }) => key))));
  return new Set(
    hops
      .filter(({ key, account }) => {
        const decided = known.get(key)?.decided;
        return decided?.status === 'active' && accountIdOf(decided.content) === account;
      })
      .map(({ stored }) => stored.dedupKey),
  );
}

const byKey = (items: readonly StoredMemory[]) => new Map(items.map((item) => [item.dedupKey, item]));
const unique = <T>(values: readonly T[]) => [...new Set(values)];
