import type { CorrectionEvent } from '../../lib/domain/correction.ts';
import { dedupKeyOf, memoryIdOf } from '../../lib/domain/dedup-key.ts';
import { canonicalJson } from '../../lib/domain/digest.ts';
import { MemoryError } from '../../lib/domain/errors.ts';
import type { Identity } from '../../lib/domain/identity.ts';
import { type DedupKey, UserId } from '../../lib/domain/ids.ts';
import { visibleVersion } from '../../lib/domain/lifecycle.ts';
import { bodyOf, type StoredMemory } from '../../lib/domain/stored-memory.ts';
import { valueDigest, valueKey } from '../../lib/domain/value.ts';
import { archiveMemory } from '../../lib/operations/archive.ts';
import { explainRequest } from '../../lib/operations/explain.ts';
import { getMemory } from '../../lib/operations/find-memory.ts';
import { listMemories } from '../../lib/operations/list.ts';
import type { OrgPorts } from '../../lib/operations/ports-of-org.ts';
import { promoteCorrection } from '../../lib/operations/promote.ts';
import { replay } from '../../lib/operations/replay.ts';
import { assistantContext } from '../../lib/operations/retrieve.ts';
import { reviewMemory } from '../../lib/operations/review.ts';
import { saveMemory } from '../../lib/operations/save.ts';
import { account, MOMENT, ORG } from './builders.ts';
import { type Hooks, inMemoryState, inMemoryStores, type Operation } from './in-memory-stores.ts';
import { referenceFold, subjectsOf } from './reference-fold.ts';
import { ACCOUNTS, describeScenario, type PersonAct, type Scenario, scenarioOf } from './scenario.ts';
import { scheduler } from './scheduler.ts';
import { type Seeded, seeded } from './seeded.ts';

/** A way to put a worker's ports wrong on purpose, to see whether the simulation notices. */
export type Sabotage = (ports: OrgPorts) => OrgPorts;

/** Runs a seed; answers with what went wrong, shrunk, or nothing. */
export async function simulate(seed: number, sabotage?: Sabotage): Promise<string | undefined> {
  const scenario = scenarioOf(seed);
  const fault = await faultOf(scenario, sabotage);
  if (fault === undefined) return undefined;
  const least = await shrink(scenario, sabotage);
  return `seed ${seed}: ${fault}\nshrunk to: ${await faultOf(least, sabotage)}\n${describeScenario(least)}`;
}

/** The first of so many seeds that goes wrong, not shrunk. */
export async function firstBroken(options: {
  readonly seeds: number;
  readonly sabotage?: Sabotage;
}): Promise<number | undefined> {
  for (let seed = 1; seed <= options.seeds; seed += 1) {
    if ((await faultOf(scenarioOf(seed), options.sabotage)) !== undefined) return seed;
  }
  return undefined;
}

/** What the first broken invariant is, or nothing. */
export async function faultOf(scenario: Scenario, sabotage?: Sabotage): Promise<string | undefined> {
  try {
    await run(scenario, sabotage);
    return undefined;
  } catch (error) {
    if (error instanceof Broken) return error.message;
    throw error;
  }
}

class Broken extends Error {}
class Crash extends Error {}

type Actor =
  | { readonly role: 'worker'; readonly name: string; event?: CorrectionEvent }
  | { readonly role: 'person'; readonly name: string; readonly act: PersonAct; shown?: number }
  | { readonly role: 'replay' };

type Decisions = Map<DedupKey, Pick<StoredMemory, 'decided' | 'decidedAt' | 'turnedDown'>>;

async function run(scenario: Scenario, sabotage: Sabotage = (ports) => ports): Promise<void> {
  const random = seeded(scenario.schedule);
  const turns = scheduler(random);
  const state = inMemoryState();
  const decisions: Decisions = new Map();
  let faultsLeft = scenario.faults;
  let elapsed = 0;
  let unfinishedDecisions = 0;

  await inMemoryStores(state, ORG).accounts.replace(
    { accounts: ACCOUNTS.map((id) => account({ id, name: id })) },
    MOMENT,
  );
  const org = () => state.orgs.get(ORG);
  const items = () => org()?.memories ?? new Map<DedupKey, StoredMemory>();
  const accepted = () => [...(org()?.events.values() ?? [])].map(({ event }) => event);

  const queue = [...scenario.deliveries];
  // What a worker whose clock is late took for the future; sent again the day after.
  const parked: CorrectionEvent[] = [];
  let busy = 0;
  const people = [0, 1].map((turn) => scenario.acts.filter((_, index) => index % 2 === turn));
  await turns.run([
    ...Array.from({ length: scenario.workers }, (_, index) => work(`worker ${index}`)),
    ...people.map((acts, index) => live(`person ${index}`, acts)),
  ]);
  elapsed += 24 * 3_600_000;
  queue.push(...parked.splice(0));
  await turns.run([work('redrive')]);
  if (unfinishedDecisions > 0) await replay(replayPorts(), {});
  checkAgainstFold();
  await checkReplay();

  async function work(name: string): Promise<void> {
    const actor: Actor = { role: 'worker', name };
    const ports = sabotage(portsOf(actor, skewOf(random), true));
    while (queue.length > 0 || busy > 0) {
      const batch = Array.from({ length: 1 + random.below(scenario.batch) }, () => taken()).flat();
      if (batch.length === 0) await turn(actor.name, true);
      busy += 1;
      const back = await deliver(batch, actor, ports);
      queue.push(...back);
      busy -= 1;
    }
  }

  /** One of the messages whose event has come, or is at most so far ahead as a clock may be. */
  function taken(): readonly CorrectionEvent[] {
    const come = queue.filter((event) => Date.parse(event.occurredAt) <= MOMENT + elapsed + MAX_AHEAD);
    return come.length === 0 ? [] : queue.splice(queue.indexOf(random.pick(come)), 1);
  }

  async function turn(task: string, idle?: boolean): Promise<void> {
    await turns.turn(task, idle);
    elapsed += random.below(10_000);
  }

  /** What comes back to the queue: what failed, and after a crash everything. */
  async function deliver(
    batch: readonly CorrectionEvent[],
    actor: Extract<Actor, { role: 'worker' }>,
    ports: OrgPorts,
  ): Promise<readonly CorrectionEvent[]> {
    const failed: CorrectionEvent[] = [];
    for (const event of batch) {
      actor.event = event;
      try {
        await promoteCorrection(ports, event);
      } catch (error) {
        if (error instanceof Crash) return batch;
        if (!(error instanceof MemoryError)) throw error;
        if (error.code === 'invalid-request') parked.push(event);
        else failed.push(event);
      }
    }
    return failed;
  }

  async function live(name: string, acts: readonly PersonAct[]): Promise<void> {
    for (const act of acts) {
      for (let wait = random.below(50); wait > 0; wait -= 1) await turn(name, true);
      const actor: Actor = { role: 'person', name, act };
      try {
        await (act.act === 'read' ? read(act, portsOf(actor, skewOf(random), false)) : decide(act, actor));
      } catch (error) {
        if (!(error instanceof MemoryError) && !(error instanceof Crash)) throw error;
      }
    }
  }

  async function decide(act: PersonAct, actor: Extract<Actor, { role: 'person' }>): Promise<void> {
    const ports = portsOf(actor, skewOf(random), true);
    const id = memoryIdOf(ORG, dedupKeyOf({ scope: 'org' }, act.body));
    const identity = identityOf(act.by);
    const shown = await getMemory(ports, identity, id).catch((error: unknown) => {
      if (error instanceof MemoryError && error.code === 'not-found') return undefined;
      throw error;
    });
    const expectedVersion = shown?.version ?? 0;
    const written = () => items().get(dedupKeyOf({ scope: 'org' }, act.body))?.decidedAt;
    const before = written();
    try {
      if (act.act === 'save') {
        const bound = act.bound ? { expectedVersion } : {};
        if (act.bound) actor.shown = expectedVersion;
        const { kind, content } = act.body;
        await saveMemory(ports, identity, { kind, content, scope: 'org', ...bound } as never);
      } else if (act.act === 'archive') {
        await archiveMemory(ports, identity, id, {});
      } else if (act.act !== 'read' && shown !== undefined) {
        actor.shown = expectedVersion;
        await reviewMemory(ports, identity, id, { decision: act.act, expectedVersion });
      }
    } catch (error) {
      // It may stand though the caller was never told, and nobody settles it before the next event or a replay.
      if (written() !== before) unfinishedDecisions += 1;
      throw error;
    }
  }

  async function read(act: PersonAct, ports: OrgPorts): Promise<void> {
    const identity = identityOf(act.by);
    await listMemories(ports, identity, { status: 'candidate' });
    await assistantContext(ports, identity, { maxChars: 4000, format: 'block' });
    if (act.body.kind === 'canonical_mapping') {
      await explainRequest(ports, identity, { merchant: act.body.content.merchant, mapping: 'category' });
    }
  }

  function portsOf(actor: Actor, skew: number, faulty: boolean): OrgPorts {
    const go = async (operation: Operation, args: readonly unknown[]) => {
      if (actor.role !== 'replay') await turn(actor.name);
      if (faulty) mayFail(operation, 'before');
      if (WRITES.has(operation)) checkWrite(operation, args, actor);
    };
    const hooks: Hooks = {
      before: go,
      after: async (operation) => {
        if (faulty && WRITES.has(operation)) mayFail(operation, 'after');
      },
    };
    return {
      ...inMemoryStores(state, ORG, hooks),
      clock: { now: () => MOMENT + elapsed + skew + random.below(2_000) - 1_000 },
    };
  }

  function mayFail(operation: Operation, when: 'before' | 'after'): void {
    if (faultsLeft === 0 || operation.startsWith('publisher') || !random.chance(0.06)) return;
    faultsLeft -= 1;
    if (random.chance(0.5)) throw new Crash(`${when} ${operation}`);
    throw new MemoryError(when === 'before' ? 'throttled' : 'unavailable', `${when} ${operation}`);
  }

  /** Runs in the same turn as the write, so what is there now is what it meets. */
  function checkWrite(operation: Operation, args: readonly unknown[], actor: Actor): void {
    if (actor.role === 'person' && actor.act.act === 'read') throw new Broken(`a read did ${operation}`);
    if (operation !== 'memories.put') return;
    const [next, expectedRev] = args as [StoredMemory, number];
    const there = items().get(next.dedupKey);
    if ((there?.rev ?? 0) !== expectedRev) return;
    if (actor.role === 'person' && next.decidedAt !== (there?.decidedAt ?? 0)) {
      checkDecision(actor.act, actor.shown, there, next);
      decisions.set(next.dedupKey, next);
      return;
    }
    checkPromotion(there, next);
    if (actor.role === 'worker' && actor.event && !subjectsOf(accepted()).has(next.dedupKey))
      throw new Broken('promotion wrote what no event is about');
    if (actor.role === 'worker' && actor.event && !concernsOf(actor.event).has(next.dedupKey))
      throw new Broken('promotion wrote outside the subjects of its event');
  }

  /** The events an id stands for: the one received, or the one stored before under its id. */
  function concernsOf(event: CorrectionEvent): ReadonlySet<DedupKey> {
    const stored = org()?.events.get(event.eventId)?.event ?? event;
    return new Set(subjectsOf([stored]).keys());
  }

  function checkPromotion(there: StoredMemory | undefined, next: StoredMemory): void {
    const known = decisions.get(next.dedupKey);
    same('promotion touched the decided part', decidedPart(next), decidedPart(known));
    if (there !== undefined) same('promotion touched the history', next.history, there.history);
    if (next.derived === undefined) return;
    if (known?.turnedDown.includes(valueDigest(bodyOf(next.kind, next.derived.content))))
      throw new Broken('a value that was turned down came back');
    if (next.derived.evidenceCount > documentsFor(next))
      throw new Broken('evidence is more than its documents');
  }

  function documentsFor({ dedupKey, kind, derived }: StoredMemory): number {
    const value = derived && valueKey(bodyOf(kind, derived.content));
    const documents = new Set<string>();
    for (const vote of [...(org()?.votes.values() ?? [])].flatMap((votes) => [...votes.values()])) {
      if (typeof vote.says === 'string' || dedupKeyOf({ scope: 'org' }, vote.says) !== dedupKey) continue;
      if (valueKey(vote.says) === value) for (const documentId of vote.documentIds) documents.add(documentId);
    }
    return documents.size;
  }

  function checkAgainstFold(): void {
    const events = accepted();
    const subjects = subjectsOf(events);
    for (const key of new Set([...subjects.keys(), ...items().keys()])) {
      const item = items().get(key);
      const decided = decisions.get(key);
      const about = subjects.get(key) ?? (item?.decided && bodyOf(item.kind, item.decided.content));
      if (about === undefined) throw new Broken(`${key} is about nothing`);
      const expected = referenceFold(ORG, about, events, decided);
      same(`${key} says`, standing(item), { ...decidedPart(decided), ...expected });
    }
  }

  function replayPorts() {
    return { ...inMemoryStores(state, ORG), ...portsOf({ role: 'replay' }, 0, false) };
  }

  async function checkReplay(): Promise<void> {
    const untouched = canonicalJson([...items().values()]);
    const { changes } = await replay(replayPorts(), {});
    same('a replay of a healthy org changes', changes, []);
    same('a replay of a healthy org leaves', canonicalJson([...items().values()]), untouched);
  }
}

function checkDecision(
  { act, body }: PersonAct,
  shown: number | undefined,
  there: StoredMemory | undefined,
  next: StoredMemory,
): void {
  const saidBy = (content: StoredMemory['derived'] | StoredMemory['decided']) =>
    content && valueKey(bodyOf(next.kind, content.content));
  if (shown !== undefined && shown !== visibleVersion(there))
    throw new Broken(`${act} on a version not shown`);
  const [status, value] = {
    save: ['active', valueKey(body)],
    approve: ['active', saidBy(there?.derived)],
    reject: there?.decided
      ? [there.decided.status, saidBy(there.decided)]
      : ['rejected', saidBy(there?.derived)],
    restore: ['active', saidBy(there?.decided)],
    archive: ['archived', saidBy(there?.decided)],
    read: [],
  }[act];
  same(`${act} makes it`, [next.decided?.status, saidBy(next.decided)], [status, value]);
  if (next.derived !== undefined) throw new Broken(`${act} leaves a proposal`);
  if (next.decidedAt <= (there?.decidedAt ?? 0)) throw new Broken(`${act} is dated before the one before it`);
  const down = new Set(there?.turnedDown);
  const refused = act === 'reject' ? there?.derived : act === 'archive' ? there?.decided : undefined;
  if (refused) down.add(valueDigest(bodyOf(next.kind, refused.content)));
  else if (next.decided && act !== 'reject')
    down.delete(valueDigest(bodyOf(next.kind, next.decided.content)));
  same(`${act} turns down`, [...next.turnedDown].sort(), [...down].sort());
}

function standing(item: StoredMemory | undefined): unknown {
  const derived = item?.derived;
  return {
    ...decidedPart(item),
    support: item?.support ?? 0,
    ...(item && derived
      ? {
          proposed: {
            value: valueKey(bodyOf(item.kind, derived.content)),
            confidence: derived.confidence,
            evidenceCount: derived.evidenceCount,
          },
        }
      : {}),
  };
}

function decidedPart(
  memory: Partial<Pick<StoredMemory, 'decided' | 'decidedAt' | 'turnedDown'>> | undefined,
) {
  const { decided = null, decidedAt = 0, turnedDown = [] } = memory ?? {};
  return { decided, decidedAt, turnedDown };
}

function same(what: string, found: unknown, expected: unknown): void {
  if (canonicalJson(found) === canonicalJson(expected)) return;
  throw new Broken(`${what} ${canonicalJson(found)}, not ${canonicalJson(expected)}`);
}

const WRITES: ReadonlySet<Operation> = new Set<Operation>([
  'memories.put',
  'log.record',
  'log.cast',
  'accounts.replace',
  'publisher.publish',
]);

const MAX_SKEW = 5 * 60_000;
const MAX_AHEAD = 4 * 60_000;
const skewOf = (random: Seeded) => random.pick([0, 0, 0, -MAX_SKEW, MAX_SKEW, random.below(MAX_SKEW)]);

const identityOf = (user: string): Identity => ({
  orgId: ORG,
  userId: UserId.parse(user),
  scopes: new Set(['memories:read', 'memories:write', 'memories:review']),
});

/** Leaves out one delivery or act, or the faults, as long as it still goes wrong under this schedule or a few others. */
async function shrink(scenario: Scenario, sabotage: Sabotage | undefined): Promise<Scenario> {
  for (const smaller of smallerOnes(scenario)) {
    for (let schedule = scenario.schedule; schedule < scenario.schedule + 8; schedule += 1) {
      const tried = { ...smaller, schedule };
      if ((await faultOf(tried, sabotage)) !== undefined) return shrink(tried, sabotage);
    }
  }
  return scenario;
}

function smallerOnes(scenario: Scenario): readonly Scenario[] {
  const without = <T>(from: readonly T[], index: number) => from.filter((_, other) => other !== index);
  return [
    ...(scenario.faults > 0 ? [{ ...scenario, faults: scenario.faults - 1 }] : []),
    ...(scenario.workers > 1 ? [{ ...scenario, workers: scenario.workers - 1 }] : []),
    ...scenario.acts.map((_, index) => ({ ...scenario, acts: without(scenario.acts, index) })),
    ...scenario.deliveries.map((_, index) => ({
      ...scenario,
      deliveries: without(scenario.deliveries, index),
    })),
  ];
}
