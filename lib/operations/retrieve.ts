import type { Account } from '../domain/chart-of-accounts.ts';
import {
  COMPACT_CHARS,
  type ContextOptions,
  lineLength,
  renderContext,
  roomLeft,
} from '../domain/context.ts';
import { kindPrefix, merchantPrefix, ORG_AMBIENT_RANGE, ownerPrefix } from '../domain/dedup-key.ts';
import { type Hints, renderHints } from '../domain/hints.ts';
import type { Identity } from '../domain/identity.ts';
import type { DedupKey, MerchantKey } from '../domain/ids.ts';
import {
  type Accounts,
  type Audience,
  compare,
  type InjectableMemory,
  injectable,
  type NamedMapping,
  type Recalled,
  recordOf,
} from '../domain/injectable.ts';
import type { Memory, MemoryOwner } from '../domain/memory.ts';
import { merchantKey } from '../domain/merchant-key.ts';
import type { AccountStore, KeyRange, ListPage, ListPosition, MemoryStore } from '../domain/ports.ts';
import type { ContextRequest, HintsRequest } from '../domain/requests.ts';
import type { StoredMemory } from '../domain/stored-memory.ts';
import { accountIdOf } from '../domain/view.ts';

/** What retrieval needs, bound to one org. */
export interface RetrievalPorts {
  readonly memories: MemoryStore;
  readonly accounts: AccountStore;
}

export type ContextAnswer =
  | {
      readonly memories: readonly Memory[];
      readonly text: string;
      readonly snapshot: string;
      readonly truncated: boolean;
    }
  | { readonly unchanged: true; readonly snapshot: string };

/** What an assistant's planning prompt should know: the records, and the data block that says them. */
export async function assistantContext(
  ports: RetrievalPorts,
  { userId }: Pick<Identity, 'userId'>,
  request: ContextRequest,
): Promise<ContextAnswer> {
  const accounts = accountLookup(ports.accounts);
  const audience = { userId, documentId: request.documentId };
  const named = request.merchants?.length ? merchantKeys(request.merchants) : undefined;
  const { knownSnapshot, ...asked } = request;
  const options: ContextOptions = { ...asked, merchants: named };
  const newest = newestPages(ports.memories, options);

  const [ambient, mappings, firstPage] = await Promise.all([
    readAmbient(ports.memories, audience),
    readNamed(ports.memories, accounts, named ?? []),
    named === undefined ? newest() : undefined,
  ]);
  const known = recalled(ambient, mappings, audience, accounts.found);
  const recent =
    firstPage && (await readRecent(ports.memories, accounts, firstPage, newest, roomLeft(known, options)));
  const everything = {
    ...known,
    recent: injectable(recent?.items ?? [], audience, accounts.found),
    partial: known.partial || recent?.partial === true,
  };

  const { memories, text, snapshot, truncated } = renderContext(everything, options);
  if (snapshot === knownSnapshot) return { unchanged: true, snapshot };
  return {
    memories: memories.flatMap((memory) => recordOf(memory, accounts.found) ?? []),
    text,
    snapshot,
    truncated,
  };
}

/** What the extraction pipeline should know about the document it reads. */
export async function retrieveHints(ports: RetrievalPorts, request: HintsRequest): Promise<Hints> {
  if (request.orgId !== ports.memories.orgId || request.orgId !== ports.accounts.orgId) {
    throw new Error('The stores are bound to another org than the request names.');
  }
  const accounts = accountLookup(ports.accounts);
  const named = request.merchants?.length ? merchantKeys(request.merchants) : undefined;
  const [ambient, mappings] = await Promise.all([
    readAmbient(ports.memories, request),
    readNamed(ports.memories, accounts, named ?? []),
  ]);
  const { userId: _userId, ...options } = request;
  return renderHints(recalled(ambient, mappings, request, accounts.found), { ...options, merchants: named });
}

/** The distinct keys of the merchants named, sorted. A bank phrase or bare digits name none. */
function merchantKeys(merchants: readonly string[]): readonly MerchantKey[] {
  return [...new Set(merchants.flatMap((merchant) => merchantKey(merchant) ?? []))].sort(compare);
}

function recalled(
  ambient: Read,
  mappings: readonly MerchantMappings[],
  audience: Audience,
  accounts: Accounts | undefined,
): Recalled {
  const usable = (items: readonly StoredMemory[]) => injectable(items, audience, accounts);
  return {
    ambient: usable(ambient.items),
    named: mappings.flatMap(({ key, own, canonical }) => knownOf(key, usable(own), usable(canonical))),
    recent: [],
    partial: ambient.partial,
  };
}

/** Its own mappings, and the canonical name's where it has none. The canonical's own alias is not followed. */
function knownOf(
  key: MerchantKey,
  own: readonly InjectableMemory[],
  canonical: readonly InjectableMemory[],
): readonly NamedMapping[] {
  const has = new Set([...own.map(mappingOf), 'merchant_name']);
  return [...own, ...canonical.filter((memory) => !has.has(mappingOf(memory)))].map((memory) => ({
    merchantKey: key,
    memory,
  }));
}

function mappingOf({ body }: InjectableMemory): string | undefined {
  return body.kind === 'canonical_mapping' ? body.content.mapping : undefined;
}

interface Read {
  readonly items: readonly StoredMemory[];
  /** There was more than is read for one answer. */
  readonly partial: boolean;
}

const AMBIENT_PAGE = 500;
const MAX_AMBIENT = 20_000;

async function readAmbient(memories: MemoryStore, { userId, documentId }: Audience): Promise<Read> {
  const [org, user, document] = await Promise.all([
    readOrgAmbient(memories),
    userId && readRange(memories, rangeOf({ scope: 'user', userId })),
    documentId && readRange(memories, rangeOf({ scope: 'document', documentId })),
  ]);
  return joined([org, ...(user ? [user] : []), ...(document ? [document] : [])]);
}

/**
 * One read as a rule. Where it overflows, each kind is read on by itself, so that no flood of candidates of one kind
 * keeps the active memories of another from a prompt.
 */
async function readOrgAmbient(memories: MemoryStore): Promise<Read> {
  const first = await memories.range(ORG_AMBIENT_RANGE, AMBIENT_PAGE);
  const last = first.items.at(-1);
  if (!first.more || last === undefined) return { items: first.items, partial: first.more };
  const rest = (['integration_preference', 'preference', 'workflow_hint'] as const)
    .map((kind) => prefixRange(kindPrefix({ scope: 'org' }, kind)))
    .filter(({ to }) => after(last.dedupKey) < to)
    .map(({ from, to }) => ({ from: from < last.dedupKey ? after(last.dedupKey) : from, to }));
  const pages = await Promise.all(rest.map((range) => readRange(memories, range)));
  return joined([{ items: first.items, partial: false }, ...pages]);
}

async function readRange(memories: MemoryStore, range: KeyRange): Promise<Read> {
  const items: StoredMemory[] = [];
  let from = range.from;
  for (;;) {
    const page = await memories.range({ from, to: range.to }, AMBIENT_PAGE);
    items.push(...page.items);
    const last = page.items.at(-1);
    if (!page.more || last === undefined) return { items, partial: page.more };
    if (items.length >= MAX_AMBIENT) return { items, partial: true };
    from = after(last.dedupKey);
  }
}

const joined = (reads: readonly Read[]): Read => ({
  items: reads.flatMap(({ items }) => items),
  partial: reads.some(({ partial }) => partial),
});

const rangeOf = (owner: MemoryOwner) => prefixRange(ownerPrefix(owner));

/** Everything that starts with a prefix that ends in a slash; `0` follows the slash. */
const prefixRange = (prefix: string): KeyRange => ({ from: prefix, to: `${prefix.slice(0, -1)}0` });

/** Where a range goes on: no character of a key is as small as `!`. */
const after = (key: DedupKey) => `${key}!`;

interface MerchantMappings {
  readonly key: MerchantKey;
  readonly own: readonly StoredMemory[];
  /** Of the name it is an alias of; empty where it is none. */
  readonly canonical: readonly StoredMemory[];
}

/** Each name's mappings; one hop further for an alias, while the accounts named so far are looked up. */
async function readNamed(
  memories: MemoryStore,
  accounts: AccountLookup,
  keys: readonly MerchantKey[],
): Promise<readonly MerchantMappings[]> {
  const mappings = await readMappings(memories, keys);
  const aliases = new Map(keys.map((key) => [key, aliasOf(key, mappings.get(key) ?? [])]));
  const further = [...new Set(aliases.values())]
    .filter((key) => key !== undefined)
    .filter((key) => !mappings.has(key));
  const [hopped] = await Promise.all([
    readMappings(memories, further),
    accounts.lookUp([...mappings.values()].flat()),
  ]);
  await accounts.lookUp([...hopped.values()].flat());
  return keys.map((key) => {
    const alias = aliases.get(key);
    const canonical = alias === undefined ? [] : (mappings.get(alias) ?? hopped.get(alias) ?? []);
    return { key, own: mappings.get(key) ?? [], canonical };
  });
}

const MAPPINGS_OF_A_MERCHANT = 10;

async function readMappings(memories: MemoryStore, keys: readonly MerchantKey[]) {
  const pages = await Promise.all(
    keys.map((key) => memories.range(prefixRange(merchantPrefix(key)), MAPPINGS_OF_A_MERCHANT)),
  );
  return new Map(keys.map((key, index) => [key, pages[index]?.items ?? []]));
}

/** Another key under which the merchant is known. */
function aliasOf(key: MerchantKey, mappings: readonly StoredMemory[]): MerchantKey | undefined {
  for (const { decided } of mappings) {
    if (decided?.status !== 'active' || !('canonicalName' in decided.content)) continue;
    const canonical = merchantKey(decided.content.canonicalName);
    if (canonical !== key) return canonical;
  }
  return undefined;
}

const MAX_NEWEST_PAGES = 10;

type NewestPages = (after?: ListPosition) => Promise<ListPage>;

function newestPages(memories: MemoryStore, { format, maxChars }: ContextOptions): NewestPages {
  const lines = Math.ceil((format === 'compact' ? Math.min(maxChars, COMPACT_CHARS) : maxChars) / 40);
  const limit = Math.min(Math.max(lines, 20), 100);
  return (after) => memories.list({ index: 'active', limit, ...(after === undefined ? {} : { after }) });
}

/** The most recently changed mappings that fit. The index names them; what they say is read again, consistently. */
async function readRecent(
  memories: MemoryStore,
  accounts: AccountLookup,
  first: ListPage,
  more: NewestPages,
  room: number,
): Promise<Read> {
  const fitting = new Set<DedupKey>();
  const read = async (partial: boolean) => {
    const items = fitting.size === 0 ? [] : await memories.getMany([...fitting]);
    await accounts.lookUp(items);
    return { items, partial };
  };
  let left = room;
  let page = first;
  for (let pages = 1; ; pages += 1) {
    const mappings = page.items.filter(({ kind }) => kind === 'canonical_mapping');
    await accounts.lookUp(mappings);
    for (const memory of mappings.flatMap((item) => injectable([item], {}, accounts.found))) {
      left -= lineLength(memory);
      if (left < 0) return read(true);
      fitting.add(memory.stored.dedupKey);
    }
    if (page.next === undefined) return read(false);
    if (pages === MAX_NEWEST_PAGES) return read(true);
    page = await more(page.next);
  }
}

interface AccountLookup {
  readonly found: Accounts;
  /** Looks up the accounts that active items name and that were not looked up yet. */
  lookUp(items: readonly StoredMemory[]): Promise<void>;
}

function accountLookup(store: AccountStore): AccountLookup {
  const asked = new Set<string>();
  const found = new Map<string, Account>();
  return {
    found,
    async lookUp(items) {
      const named = items.flatMap(
        ({ decided }) => (decided?.status === 'active' && accountIdOf(decided.content)) || [],
      );
      const ids = [...new Set(named)].filter((id) => !asked.has(id));
      if (ids.length === 0) return;
      for (const id of ids) asked.add(id);
      for (const [id, account] of (await store.find(ids)) ?? []) found.set(id, account);
    },
  };
}
