import {
  BaseStore,
  type Item,
  type ListNamespacesOperation,
  type MatchCondition,
  type Operation,
  type OperationResults,
  type SearchItem,
  type SearchOperation,
} from '@langchain/langgraph-checkpoint';
import type { Client } from '../client/client.ts';
import { dedupKeyOf, kindPrefix, memoryIdOf } from '../domain/dedup-key.ts';
import { DocumentId, OrgId, UserId } from '../domain/ids.ts';
import { type LiveKind, type Memory, MemoryBody, type MemoryOwner } from '../domain/memory.ts';

export interface LangGraphStoreOptions {
  /** The typed client, with the token of the person the graph runs for. */
  readonly client: Pick<Client, 'memories' | 'each'>;
  /** Whose token it is. Namespaces of anybody else are refused: the service would answer for the token's own. */
  readonly orgId: string;
  readonly userId: string;
}

/** Where a memory is in the store. `scopeId` is the org's id, the user's or the document's. */
export interface MemoryPlace {
  readonly orgId: string;
  readonly scope: 'org' | 'user' | 'document';
  readonly scopeId: string;
  readonly kind: LiveKind;
}

/** `[orgId, scope, scopeId, kind]`, with what LangGraph allows in no label percent-encoded: e-mail addresses have dots. */
export function memoryNamespace({ orgId, scope, scopeId, kind }: MemoryPlace): string[] {
  return [orgId, scope, scopeId, kind].map(encodeLabel);
}

/**
 * A LangGraph store over the service. `put` is an explicit save by the client's person, `delete` an archive, `search`
 * gives active memories; nothing else of LangGraph's stores is here: no vectors, and no values but the contents of the
 * kinds.
 *
 * A memory has its own name, made of what it is about, and that is its key: `vercel/category` for a mapping, the topic
 * for a preference. A preference without a topic is given its key for one, so any key of letters, digits, `.`, `_` and
 * `-` will do there. For the other kinds `keyOf` tells the key of a content.
 */
export class LangGraphMemoryStore extends BaseStore {
  readonly #client: LangGraphStoreOptions['client'];
  readonly #orgId: OrgId;
  readonly #userId: UserId;

  constructor({ client, orgId, userId }: LangGraphStoreOptions) {
    super();
    this.#client = client;
    this.#orgId = OrgId.parse(orgId);
    this.#userId = UserId.parse(userId);
  }

  /** Carried out one after the other, so that each sees what the ones before it did. */
  async batch<Op extends Operation[]>(operations: Op): Promise<OperationResults<Op>> {
    const results: unknown[] = [];
    for (const operation of operations) {
      if ('namespacePrefix' in operation) results.push(await this.#search(operation));
      else if ('value' in operation) results.push(await this.#put(operation));
      else if ('key' in operation) results.push(await this.#get(operation.namespace, operation.key));
      else results.push(await this.#namespaces(operation));
    }
    return results as OperationResults<Op>;
  }

  /** The key under which `put` takes a content. */
  keyOf(namespace: readonly string[], value: Readonly<Record<string, unknown>>): string {
    const { owner, kind } = this.#place(namespace);
    return dedupKeyOf(owner, MemoryBody.parse({ kind, content: value })).slice(
      kindPrefix(owner, kind).length,
    );
  }

  async #put({
    namespace,
    key,
    value,
  }: {
    namespace: string[];
    key: string;
    value: Value | null;
  }): Promise<void> {
    const { owner, kind } = this.#place(namespace);
    if (value === null) return this.#delete(this.#idOf(namespace, key));
    const content = kind === 'preference' && value.topic === undefined ? { ...value, topic: key } : value;
    const body = MemoryBody.safeParse({ kind, content });
    const expected = body.success && this.keyOf(namespace, content);
    if (expected !== false && expected !== storedKey(kind, key)) {
      throw new RangeError(`What is about this has the key ${expected} here, not ${key}.`);
    }
    // What is not valid goes too: the service says best what is wrong with it.
    const asked: unknown = {
      kind,
      content,
      scope: owner.scope,
      ...(owner.scope === 'document' && { documentId: owner.documentId }),
    };
    const { memory } = await this.#client.memories.save(asked as SaveInput);
    if (memory.orgId !== this.#orgId || (owner.scope === 'user' && memory.userId !== owner.userId)) {
      throw new RangeError('The token is of somebody else than the store was made for.');
    }
  }

  async #delete(id: string): Promise<void> {
    try {
      await this.#client.memories.archive({ id });
    } catch (error) {
      // Nothing to delete, or no longer: a store is silent about both.
      if (!['not-found', 'not-applicable'].includes(codeOf(error))) throw error;
    }
  }

  async #get(namespace: readonly string[], key: string): Promise<Item | null> {
    try {
      const memory = await this.#client.memories.get({ id: this.#idOf(namespace, key) });
      return isUsable(memory) ? itemOf(memory) : null;
    } catch (error) {
      if (codeOf(error) === 'not-found') return null;
      throw error;
    }
  }

  async #search(operation: SearchOperation): Promise<SearchItem[]> {
    const { namespacePrefix, filter = {}, limit = 10, offset = 0, query } = operation;
    const words = wordsOf(query ?? '');
    const found: SearchItem[] = [];
    for await (const memory of this.#active(namespacePrefix)) {
      const item = itemOf(memory);
      if (!startsWith(item.namespace, namespacePrefix) || !fits(item.value, filter)) continue;
      found.push(words.size === 0 ? item : { ...item, score: scoreOf(item.value, words) });
      // Newest first already; with a query everything must be seen before it can be ranked.
      if (words.size === 0 && found.length >= offset + limit) break;
    }
    if (words.size > 0) found.sort((a, b) => (b.score ?? 0) - (a.score ?? 0));
    return found.slice(offset, offset + limit);
  }

  async #namespaces({
    matchConditions = [],
    maxDepth,
    limit,
    offset,
  }: ListNamespacesOperation): Promise<string[][]> {
    const known = new Map<string, string[]>();
    for await (const memory of this.#active([])) {
      const { namespace } = itemOf(memory);
      if (!matchConditions.every((condition) => matches(namespace, condition))) continue;
      const cut = namespace.slice(0, maxDepth ?? namespace.length);
      known.set(cut.join('\n'), cut);
    }
    const sorted = [...known].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, namespace]) => namespace);
    return sorted.slice(offset, offset + limit);
  }

  /** The active memories that the service can narrow down to a prefix. */
  async *#active(prefix: readonly string[]): AsyncGenerator<Memory> {
    const [orgId, scope, scopeId, kind] = prefix.map(decodeLabel);
    if (orgId !== undefined && orgId !== this.#orgId) throw this.#foreign();
    if (scope === 'user' && scopeId !== undefined && scopeId !== this.#userId) throw this.#foreign();
    const narrowed = {
      ...(isScope(scope) && { scope }),
      ...(scope === 'document' && scopeId !== undefined && { documentId: scopeId }),
      ...(isKind(kind) && { kind }),
    };
    for await (const memory of this.#client.each('memories.list', {
      status: 'active',
      limit: 100,
      ...narrowed,
    })) {
      if (isUsable(memory)) yield memory;
    }
  }

  #place(namespace: readonly string[]): { readonly owner: MemoryOwner; readonly kind: LiveKind } {
    const [orgId, scope, scopeId = '', kind, ...rest] = namespace.map(decodeLabel);
    if (!isScope(scope) || !isKind(kind) || rest.length > 0) {
      throw new RangeError('A namespace here is [orgId, org | user | document, scopeId, kind].');
    }
    if (orgId !== this.#orgId) throw this.#foreign();
    if (scope === 'document') return { owner: { scope, documentId: DocumentId.parse(scopeId) }, kind };
    if (scopeId !== (scope === 'org' ? this.#orgId : this.#userId)) throw this.#foreign();
    return { owner: scope === 'org' ? { scope } : { scope, userId: this.#userId }, kind };
  }

  #idOf(namespace: readonly string[], key: string): string {
    const { owner, kind } = this.#place(namespace);
    const dedupKey = `${kindPrefix(owner, kind)}${storedKey(kind, key)}` as ReturnType<typeof dedupKeyOf>;
    return memoryIdOf(this.#orgId, dedupKey);
  }

  #foreign(): RangeError {
    return new RangeError('The namespace is of another org or person than the store was made for.');
  }
}

type Value = Record<string, unknown>;
type SaveInput = Parameters<Client['memories']['save']>[0];

const SCOPES = ['org', 'user', 'document'] as const;
const KINDS = [
  'preference',
  'canonical_mapping',
  'workflow_hint',
  'integration_preference',
] as const satisfies readonly LiveKind[];
const isScope = (text: string | undefined): text is MemoryOwner['scope'] =>
  SCOPES.some((scope) => scope === text);
const isKind = (text: string | undefined): text is LiveKind => KINDS.some((kind) => kind === text);

/** A topic is folded on its way to its key; the other keys are as `keyOf` gives them. */
function storedKey(kind: LiveKind, key: string): string {
  const body = MemoryBody.safeParse({ kind, content: { text: 'any', topic: key } });
  if (kind !== 'preference' || !body.success) return key;
  const owner = { scope: 'org' } as const;
  return dedupKeyOf(owner, body.data).slice(kindPrefix(owner, kind).length);
}

/** Never injected, and so never found: what is not active, and what names an account that is gone. */
const isUsable = ({ status, unresolvable }: Memory) => status === 'active' && unresolvable !== true;

function itemOf(memory: Memory): Item {
  const { orgId, scope, userId, documentId, kind, dedupKey } = memory;
  const scopeId = scope === 'user' ? userId : scope === 'document' ? documentId : orgId;
  const key = dedupKey.split('/').slice(scope === 'org' ? 2 : 3);
  return {
    namespace: [orgId, scope, scopeId ?? '', kind].map(encodeLabel),
    key: key.join('/'),
    value: { ...memory.content },
    createdAt: new Date(memory.createdAt),
    updatedAt: new Date(memory.updatedAt),
  };
}

function encodeLabel(label: string): string {
  return label.replaceAll('.', '%2E').replaceAll(':', '%3A');
}

function decodeLabel(label: string): string {
  return label.replaceAll('%2E', '.').replaceAll('%3A', ':');
}

function startsWith(namespace: readonly string[], prefix: readonly string[]): boolean {
  return prefix.every((label, at) => decodeLabel(namespace[at] ?? '') === decodeLabel(label));
}

function matches(namespace: readonly string[], { matchType, path }: MatchCondition): boolean {
  if (path.length > namespace.length) return false;
  const from = matchType === 'prefix' ? 0 : namespace.length - path.length;
  return path.every((label, at) => label === '*' || label === namespace[from + at]);
}

/** LangGraph's filters: a value itself, or operators on it. */
function fits(value: Value, filter: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(filter).every(([name, wanted]) => {
    const held = Object.hasOwn(value, name) ? value[name] : undefined;
    const operators = operatorsIn(wanted);
    if (operators === undefined) return same(held, wanted);
    return operators.every(([operator, operand]) => OPERATORS[operator]?.(held, operand) ?? false);
  });
}

function operatorsIn(wanted: unknown): readonly (readonly [string, unknown])[] | undefined {
  if (typeof wanted !== 'object' || wanted === null || Array.isArray(wanted)) return undefined;
  const entries = Object.entries(wanted);
  return entries.length > 0 && entries.every(([name]) => name.startsWith('$')) ? entries : undefined;
}

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);
const number = (value: unknown) => (typeof value === 'number' ? value : Number.NaN);
const OPERATORS: Readonly<Record<string, (held: unknown, operand: unknown) => boolean>> = {
  $eq: same,
  $ne: (held, operand) => !same(held, operand),
  $gt: (held, operand) => number(held) > number(operand),
  $gte: (held, operand) => number(held) >= number(operand),
  $lt: (held, operand) => number(held) < number(operand),
  $lte: (held, operand) => number(held) <= number(operand),
};

/** How much of a query a content holds, 0 to 1, by words: there are no vectors here. */
function scoreOf(value: Value, words: ReadonlySet<string>): number {
  const held = wordsOf(JSON.stringify(value));
  return [...words].filter((word) => held.has(word)).length / words.size;
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
}

/** The client's refusals have a code; they are not loaded here to be told by it. */
function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : '';
}
