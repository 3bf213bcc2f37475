import { mappingKey, merchantPrefix, ownerPrefix } from '../domain/dedup-key.ts';
import { canonicalJson } from '../domain/digest.ts';
import type { Identity } from '../domain/identity.ts';
import type { MerchantKey } from '../domain/ids.ts';
import { standingOf } from '../domain/lifecycle.ts';
import type { Memory } from '../domain/memory.ts';
import { merchantKey } from '../domain/merchant-key.ts';
import type { KeyRange, ListPage, ListPosition, ListQuery } from '../domain/ports.ts';
import type { ListRequest } from '../domain/requests.ts';
import { proposalOf, type StoredMemory } from '../domain/stored-memory.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';
import { judge } from './judge.ts';
import type { OrgPorts } from './ports-of-org.ts';

const DEFAULT_LIMIT = 50;
/** Pages of the index one call reads at the most; past it the caller gets what there is, and a cursor. */
const MAX_PAGES = 10;
/** What one merchant or one document can have at the most before a list of it is cut. */
const MAX_RANGE = 1000;

type ListPorts = Pick<OrgPorts, 'memories' | 'accounts'>;

/** memories.list: what stands, newest change first. A page may be short and still have a `nextCursor`. */
export async function listMemories(
  ports: ListPorts,
  identity: Identity,
  request: ListRequest,
): Promise<{ readonly items: readonly Memory[]; readonly nextCursor?: string }> {
  const { cursor, limit = DEFAULT_LIMIT, ...filter } = request;
  const audience = canonicalJson(['memories.list', identity.orgId, identity.userId, filter]);
  const source = sourceFor(ports, identity, filter);
  const items: Memory[] = [];
  let after = cursor === undefined ? undefined : decodeCursor(cursor, audience);
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const { items: stored, next } = await source(after, limit - items.length);
    const judged = await judge(
      ports,
      stored.filter((item) => fits(item, filter)),
    );
    items.push(...judged.flatMap(({ view }) => (view && shows(view, filter) ? [view] : [])));
    after = next;
    if (next === undefined || items.length >= limit) break;
  }
  return { items, ...(after === undefined ? {} : { nextCursor: encodeCursor(after, audience) }) };
}

type Filter = Omit<ListRequest, 'cursor' | 'limit'>;
type Source = (after: ListPosition | undefined, limit: number) => Promise<ListPage>;

function sourceFor(ports: ListPorts, identity: Identity, filter: Filter): Source {
  if (filter.merchant !== undefined) {
    const key = merchantKey(filter.merchant);
    return fromItems(() => (key === undefined ? Promise.resolve([]) : knownOf(ports, key)));
  }
  if (filter.documentId !== undefined) {
    const prefix = ownerPrefix({ scope: 'document', documentId: filter.documentId });
    return fromItems(() => rangeItems(ports, startingWith(prefix)));
  }
  return fromIndex(ports, identity, filter);
}

/** A few contiguous ranges, read whole, sorted and paged here. */
function fromItems(read: () => Promise<readonly StoredMemory[]>): Source {
  return async (after, limit) => {
    const sorted = [...(await read())].sort(newestFirst);
    const rest = after === undefined ? sorted : sorted.filter((item) => newestFirst(after, item) < 0);
    return pageOf(rest, limit, rest.length > limit);
  };
}

/** What belongs to the org and what is the caller's own, merged by time; another person's is never read. */
function fromIndex(ports: ListPorts, identity: Identity, filter: Filter): Source {
  const index = filter.status === 'candidate' ? 'review' : filter.status;
  const shared: Omit<ListQuery, 'limit'> = { index };
  const own: Omit<ListQuery, 'limit'> = { index, userId: identity.userId };
  const queries =
    index === 'review' || filter.scope === 'org' || filter.scope === 'document'
      ? [shared]
      : filter.scope === 'user'
        ? [own]
        : [shared, own];
  return async (after, limit) => {
    const pages = await Promise.all(
      queries.map((query) => ports.memories.list({ ...query, limit, ...(after ? { after } : {}) })),
    );
    // Beyond where one of the pages ends, the others may not be complete yet.
    const horizon = pages.flatMap((page) => page.next ?? []).sort(newestFirst)[0];
    const merged = pages.flatMap((page) => page.items).sort(newestFirst);
    const complete = horizon ? merged.filter((item) => newestFirst(item, horizon) <= 0) : merged;
    const page = pageOf(complete, limit, complete.length > limit || merged.length > complete.length);
    return page.next === undefined && horizon ? { ...page, next: horizon } : page;
  };
}

function pageOf(items: readonly StoredMemory[], limit: number, more: boolean): ListPage {
  const taken = items.slice(0, limit);
  const last = taken.at(-1);
  return { items: taken, ...(more && last ? { next: positionOf(last) } : {}) };
}

/** What is known of a merchant: under its own key, and under the one an active alias names. One hop, never back. */
async function knownOf(ports: ListPorts, printed: MerchantKey): Promise<readonly StoredMemory[]> {
  const own = await rangeItems(ports, startingWith(merchantPrefix(printed)));
  const alias = own.find((item) => item.dedupKey === mappingKey(printed, 'merchant_name'))?.decided;
  if (alias?.status !== 'active' || !('canonicalName' in alias.content)) return own;
  const canonical = merchantKey(alias.content.canonicalName);
  if (canonical === undefined || canonical === printed) return own;
  return [...own, ...(await rangeItems(ports, startingWith(merchantPrefix(canonical))))];
}

async function rangeItems(ports: ListPorts, range: KeyRange): Promise<readonly StoredMemory[]> {
  return (await ports.memories.range(range, MAX_RANGE)).items;
}

/** The range of all keys that start with a prefix ending in `/`, whose successor is `0`. */
export function startingWith(prefix: string): KeyRange {
  return { from: prefix, to: `${prefix.slice(0, -1)}0` };
}

function fits(item: StoredMemory, filter: Filter): boolean {
  if (filter.kind !== undefined && item.kind !== filter.kind) return false;
  if (filter.scope !== undefined && item.owner.scope !== filter.scope) return false;
  if (filter.documentId !== undefined && item.owner.scope !== 'document') return false;
  const standing = standingOf(item);
  return filter.status === 'candidate'
    ? proposalOf(item) !== undefined
    : standing.split('+')[0] === filter.status;
}

/** After judging: a candidate or a proposal may turn out to be hidden. */
function shows(view: Memory, filter: Filter): boolean {
  return filter.status !== 'candidate' || view.status === 'candidate' || view.proposal !== undefined;
}

const positionOf = ({ updatedAt, dedupKey }: ListPosition): ListPosition => ({ updatedAt, dedupKey });

function newestFirst(a: ListPosition, b: ListPosition): number {
  return b.updatedAt - a.updatedAt || (a.dedupKey < b.dedupKey ? 1 : a.dedupKey > b.dedupKey ? -1 : 0);
}
