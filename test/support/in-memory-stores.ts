import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Chart } from '../../lib/domain/chart-of-accounts.ts';
import type { CorrectionEvent } from '../../lib/domain/correction.ts';
import { causesWithout, type Erased, eventWithout } from '../../lib/domain/erasure.ts';
import type { DedupKey, Millis, OrgId } from '../../lib/domain/ids.ts';
import type {
  AccountStore,
  CorrectionLog,
  ErasureHead,
  ErasureProgress,
  Erasures,
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
  erasureHead?: ErasureHead;
  readonly erasures?: Map<string, ErasureProgress>;
}

export type Operation =
  | `memories.${Exclude<keyof MemoryStore, 'orgId'>}`
  | `log.${Exclude<keyof CorrectionLog, 'orgId'>}`
  | `erasures.${Exclude<keyof Erasures, 'orgId'>}`
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
  readonly erasures: Erasures;
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
    erasures: erasuresOf(orgId, run),
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
  const org = state.orgs.get(orgId) ?? {
    memories: new Map(),
    events: new Map(),
    votes: new Map(),
    erasures: new Map(),
  };
  state.orgs.set(orgId, org);
  return org;
}

const LOG_PAGE = 300;

function erasuresOf(
  orgId: OrgId,
  run: <T>(operation: Operation, args: readonly unknown[], act: (org: OrgState) => T) => Promise<T>,
): Erasures {
  const progressOf = (org: OrgState) => org.erasures ?? new Map<string, ErasureProgress>();
  const open = (org: OrgState): ErasureHead => {
    org.erasureHead ??= { secret: `secret of ${orgId}` };
    return org.erasureHead;
  };
  /** The entries of one page, events before votes, and where the next one begins. */
  const page = (org: OrgState, after: string | undefined) => {
    const votes = [...org.votes].flatMap(([range, cast]) =>
      [...cast].map(([name, vote]) => ({ entry: `v/${range}/${name}`, range, name, vote })),
    );
    const events = [...org.events.keys()].map((id) => ({ entry: `e/${id}`, id }));
    const entries = [...events, ...votes]
      .filter(({ entry }) => after === undefined || entry > after)
      .sort((a, b) => compare(a.entry, b.entry));
    const shown = entries.slice(0, LOG_PAGE);
    const last = shown.at(-1);
    return { shown, next: entries.length > LOG_PAGE && last ? { next: last.entry } : {} };
  };
  const rewrite = (org: OrgState, person: Erased, id: string): CorrectionEvent | undefined => {
    const stored = org.events.get(id);
    const next = stored && eventWithout(stored.event, person);
    if (stored && next) org.events.set(id, { ...stored, event: frozenCopy(next) });
    return next;
  };
  return {
    orgId,
    head: () => run('erasures.head', [], (org) => org.erasureHead),
    open: () => run('erasures.open', [], open),
    markOrg: (at) =>
      run('erasures.markOrg', [at], (org) => {
        org.erasureHead = { ...open(org), orgErasedAt: at };
      }),
    progress: (name) => run('erasures.progress', [name], (org) => progressOf(org).get(name)),
    keep: (progress) =>
      run('erasures.keep', [progress], (org) => {
        progressOf(org).set(progress.name, frozenCopy(progress));
      }),
    removeMemories: (keys) =>
      run('erasures.removeMemories', [keys], ({ memories }) => {
        for (const key of keys) memories.delete(key);
      }),
    removeChart: () =>
      run('erasures.removeChart', [], (org) => {
        delete org.chart;
      }),
    rewriteLog: (person, after) =>
      run('erasures.rewriteLog', [person, after], (org) => {
        const { shown, next } = page(org, after);
        const counts = { events: 0, votes: 0 };
        for (const one of shown) {
          if ('id' in one) {
            if (rewrite(org, person, one.id)) counts.events += 1;
            continue;
          }
          const causedBy = causesWithout(orgId, one.vote.causedBy, person);
          const own = one.vote.userId === person.userId;
          if (!own && causedBy.length === one.vote.causedBy.length) continue;
          const vote = { ...one.vote, causedBy, userId: own ? person.alias : one.vote.userId };
          org.votes.get(one.range)?.set(one.name, frozenCopy(vote));
          counts.votes += 1;
        }
        return { ...counts, ...next };
      }),
    rewriteEvent: (person, eventId) =>
      run('erasures.rewriteEvent', [person, eventId], (org) => {
        rewrite(org, person, eventId);
        return org.events.get(eventId)?.event;
      }),
    removeLog: (after) =>
      run('erasures.removeLog', [after], (org) => {
        const { shown, next } = page(org, after);
        const counts = { events: 0, votes: 0 };
        for (const one of shown) {
          if ('id' in one) org.events.delete(one.id);
          else org.votes.get(one.range)?.delete(one.name);
          counts['id' in one ? 'events' : 'votes'] += 1;
        }
        return { ...counts, ...next };
      }),
    removeEvent: (eventId, votes) =>
      run('erasures.removeEvent', [eventId, votes], (org) => {
        org.events.delete(eventId);
        for (const { range, at, eventId: id } of votes) org.votes.get(range)?.delete(`${at}/${id}`);
      }),
  };
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
