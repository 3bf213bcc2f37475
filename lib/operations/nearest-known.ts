import { merchantPrefix } from '../domain/dedup-key.ts';
import type { MerchantKey } from '../domain/ids.ts';
import { merchantKey } from '../domain/merchant-key.ts';
import { nearestMerchant } from './nearest-merchant.ts';
import type { OrgPorts } from './ports-of-org.ts';

/** Known merchants are looked for among keys that begin alike; a slip in the first letters is not found. */
const SHARED_LETTERS = 2;
const MAX_NEIGHBOURS = 500;

/** The known merchant a new one is close to, by name, for a person to join; never joined by itself. */
export async function nearestKnownMerchant(
  ports: Pick<OrgPorts, 'memories'>,
  printed: string,
): Promise<string | undefined> {
  const key = merchantKey(printed);
  if (key === undefined) return undefined;
  const prefix = merchantPrefix([...key].slice(0, SHARED_LETTERS).join('') as MerchantKey).slice(0, -1);
  const { items } = await ports.memories.range({ from: prefix, to: `${prefix}\u{10ffff}` }, MAX_NEIGHBOURS);
  const names = new Map<string, string>();
  for (const { decided } of items) {
    if (decided?.status !== 'active' || !('merchant' in decided.content)) continue;
    const { merchant } = decided.content;
    const known = merchantKey(merchant);
    if (known !== undefined && known !== key) names.set(known, merchant);
  }
  return nearestMerchant(printed, [...names.values()].sort());
}
