import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Chart } from '../../lib/domain/chart-of-accounts.ts';
import type { CorrectionEvent } from '../../lib/domain/correction.ts';
import type { DedupKey, Millis, OrgId } from '../../lib/domain/ids.ts';
import type {
  AccountStore,
  CorrectionLog,
  EventPublisher,
  ListPosition,
  ListQuery,
  MemoryStore,
  Notice,
} from '../../lib/domain/ports.ts';
import { proposalOf, type StoredMemory } from '../../lib/domain/stored-memory.ts';
import { byTime, type Vote } from '../../lib/domain/votes.ts';

/** What all stores made from it share; each org's part is apart. */
export interface InMemoryState {
  readonly orgs: Map<OrgId, OrgState>;
  readonly notices: (Notice & { readonly orgId: OrgId })[];
}

export interface OrgState {
  readonly memories: Map<DedupKey, StoredMemory>;
  readonly events: Map<string, { readonly event: CorrectionEvent; readonly receivedAt: Millis }>;
  readonly votes: Map<DedupKey, Map<string, Vote>>;
  chart?: Chart;
}

export type Operation =
  | `memories.${Exclude<keyof MemoryStore, 'orgId'>}`
  | `log.${Exclude<keyof CorrectionLog, 'orgId'>}`
  | `accounts.${Exclude<keyof AccountStore, 'orgId'>}`
  | `publisher.${keyof EventPublisher}`;

/**
 * Run around every operation, with its arguments. What `before` throws happens instead of it; what `after` throws
 * comes when a write has been committed, so it is a lost reply. Either may wait, to let others go first.
 */
export interface Hooks {
  before?(operation: Operation, args: readonly unknown[]): Promise<void>;
  after?(operation: Operation, args: readonly unknown[]): Promise<void>;
}

export interface InMemoryStores {
  readonly memories: MemoryStore;
  readonly log: CorrectionLog;
  readonly accounts: AccountStore;
  readonly publisher: EventPublisher;
}

export function inMemoryState(): InMemoryState {
  return { orgs: new Map(), notices: [] };
}

/** All ports of one org over a shared state. What goes in is copied, what comes out is frozen. */
export function inMemoryStores(state: InMemoryState, orgId: OrgId, hooks: Hooks = {}): InMemoryStores {
  const run = async <T>(
    operation: Operation,
    args: readonly unknown[],
    act: (org: OrgState) => T,
  ): Promise<T> => {
    await hooks.before?.(operation, args);
    // One act is atomic, and others may run before and after it.
    const answer = act(orgOf(state, orgId));
    await hooks.after?.(operation, args);
    return answer;
  };
  return {
    memories: {
      orgId,
      get: (key) => run('memories.get', [key], ({ memories }) => memories.get(key)),
      getMany: (keys) =>
        run('memories.getMany', [keys], ({ memories }) =>
          [...new Set(keys)].flatMap((key) => memories.get(key) ?? []),
        ),
      put: (next, expectedRev) =>
        run('memories.put', [next, expectedRev], ({ memories }) => {
          if (next.orgId !== orgId) throw new Error('A memory of another org cannot be put here.');
          if (next.rev !== expectedRev + 1)
            throw new Error('A memory is put with the rev after the one it was read with.');
          if ((memories.get(next.dedupKey)?.rev ?? 0) !== expectedRev) return 'conflict';
          memories.set(next.dedupKey, frozenCopy(next));
          return 'stored';
        }),
      range: (range, limit) =>
        run('memories.range', [range, limit], ({ memories }) => {
          if (limit < 1) return { items: [], more: false };
          const items = [...memories.values()]
            .filter(({ dedupKey }) => dedupKey >= range.from && dedupKey < range.to)
            .sort((a, b) => compare(a.dedupKey, b.dedupKey));
          return { items: items.slice(0, limit), more: items.length > limit };
        }),
      list: (query) => run('memories.list', [query], ({ memories }) => pageOf([...memories.values()], query)),
    },
    log: {
      orgId,
      record: (event, receivedAt) =>
        run('log.record', [event, receivedAt], ({ events }) => {
          if (event.orgId !== orgId) throw new Error('An event of another org cannot be recorded here.');
          const known = events.get(event.eventId);
          if (known !== undefined) return { event: known.event, known: true };
          events.set(event.eventId, { event: frozenCopy(event), receivedAt });
          return { event, known: false };
        }),
      cast: async (votes) => {
        await Promise.all(
          votes.map((vote) =>
            run('log.cast', [[vote]], (org) => {
              const range = org.votes.get(vote.range) ?? new Map<string, Vote>();
              org.votes.set(vote.range, range.set(`${vote.at}/${vote.eventId}`, frozenCopy(vote)));
            }),
          ),
        );
      },
      newestVotes: (range, limit) =>
        run('log.newestVotes', [range, limit], ({ votes }) =>
          [...(votes.get(range)?.values() ?? [])].sort((a, b) => byTime(b, a)).slice(0, limit),
        ),
      events: (after, limit) =>
        run('log.events', [after, limit], ({ events }) => {
          const ids = [...events.keys()].filter((id) => after === undefined || id > after).sort(compare);
          const shown = ids.slice(0, limit).flatMap((id) => events.get(id)?.event ?? []);
          const last = shown.at(-1);
          return ids.length > limit && last ? { events: shown, next: last.eventId } : { events: shown };
        }),
    },
    accounts: {
      orgId,
      replace: (chart, at) =>
        run('accounts.replace', [chart, at], (org) => {
          const version = (org.chart?.version ?? 0) + 1;
          org.chart = frozenCopy({ version, accounts: chart.accounts });
          return { version, accounts: chart.accounts.length };
        }),
      load: () => run('accounts.load', [], ({ chart }) => chart),
      find: (ids) =>
        run('accounts.find', [ids], ({ chart }) => {
          if (chart === undefined) return undefined;
          const byId = new Map(chart.accounts.map((account) => [account.id, account]));
          return new Map(ids.flatMap((id) => byId.get(id) ?? []).map((account) => [account.id, account]));
        }),
    },
    publisher: {
      // Best effort, like the real one: what a hook throws is a notice that is lost, not an error.
      publish: (notices) =>
        run('publisher.publish', [notices], () => {
          state.notices.push(...notices.map((notice) => frozenCopy({ ...notice, orgId })));
        }).catch(() => undefined),
    },
  };
}

/** A hook that lets a random number of turns pass, so that concurrent operations interleave. `random` is in [0, 1). */
export function interleaving(random: () => number): Hooks {
  const wait = async () => {
    for (let turns = Math.floor(random() * 4); turns > 0; turns -= 1) await nextTurn();
  };
  return { before: wait, after: wait };
}

function orgOf(state: InMemoryState, orgId: OrgId): OrgState {
  const org = state.orgs.get(orgId) ?? { memories: new Map(), events: new Map(), votes: new Map() };
  state.orgs.set(orgId, org);
  return org;
}

function pageOf(memories: readonly StoredMemory[], { index, userId, after, limit }: ListQuery) {
  const items = memories
    .filter(({ owner }) => (owner.scope === 'user' ? owner.userId : undefined) === userId)
    .filter((memory) =>
      index === 'review' ? proposalOf(memory) !== undefined : memory.decided?.status === index,
    )
    .filter((memory) => after === undefined || newestFirst(after, memory) < 0)
    .sort(newestFirst);
  const shown = items.slice(0, limit);
  const last = shown.at(-1);
  if (items.length <= limit || last === undefined) return { items: shown };
  return { items: shown, next: { updatedAt: last.updatedAt, dedupKey: last.dedupKey } };
}

const newestFirst = (a: ListPosition, b: ListPosition) =>
  b.updatedAt - a.updatedAt || compare(b.dedupKey, a.dedupKey);

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

function frozenCopy<T>(value: T): T {
  return deepFreeze(structuredClone(value));
}

function deepFreeze<T>(value: T): T {
  if (value !== null && typeof value === 'object' && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(deepFreeze);
  }
  return value;
}
