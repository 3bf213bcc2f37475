import { ownerPrefix } from '../domain/dedup-key.ts';
import { type Erased, memoryWithout, personOf } from '../domain/erasure.ts';
import { MemoryError } from '../domain/errors.ts';
import type { DedupKey, Millis, UserId } from '../domain/ids.ts';
import type { ErasureProgress } from '../domain/ports.ts';
import { type ErasePorts, runErasure, type Step } from './erasure-run.ts';
import { startingWith } from './list.ts';

/** What became of an erasure so far. Where it is not `done`, the same call again goes on with it. */
export interface PersonErased {
  readonly done: boolean;
  readonly counts: {
    /** The person's own memories that were removed. */
    readonly preferences: number;
    /** The org's memories, logged events and votes that now name the pseudonym. */
    readonly memories: number;
    readonly events: number;
    readonly votes: number;
  };
}

/**
 * erase.me and erase.person: the person's own memories go, and wherever else the org knows them by their id, it knows a
 * pseudonym from then on. Works until `until` at the most. What the person does afterwards is new, and takes a new erasure.
 *
 * @throws MemoryError `unavailable`, `throttled`: what was done stays done, and the next call goes on.
 */
export async function erasePerson(ports: ErasePorts, userId: UserId, until: Millis): Promise<PersonErased> {
  const { secret } = await ports.erasures.open();
  const person = personOf(secret, userId);
  const { finishedAt, counts } = await runErasure(ports, person.alias, 'own', until, (progress) =>
    STEPS[phaseOf(progress)](ports, person, progress.after),
  );
  const { preferences = 0, memories = 0, events = 0, votes = 0 } = counts;
  return { done: finishedAt !== undefined, counts: { preferences, memories, events, votes } };
}

type Phase = 'own' | 'memories' | 'log';

const phaseOf = ({ phase }: ErasureProgress): Phase =>
  phase === 'memories' || phase === 'log' ? phase : 'own';

const STEPS: Readonly<
  Record<Phase, (ports: ErasePorts, person: Erased, after: string | undefined) => Promise<Step>>
> = {
  async own({ memories, erasures }, { userId }) {
    const { items, more } = await memories.range(startingWith(ownerPrefix({ scope: 'user', userId })), PAGE);
    await erasures.removeMemories(items.map(({ dedupKey }) => dedupKey));
    return { counts: { preferences: items.length }, phase: more ? 'own' : 'memories' };
  },

  async memories({ memories }, person, after) {
    const { items, more } = await memories.range({ from: after ?? FIRST_KEY, to: LAST_KEY }, PAGE);
    const changing = items.filter((item) => memoryWithout(item, person) !== undefined);
    let changed = 0;
    for (let at = 0; at < changing.length; at += CONCURRENT) {
      const outcomes = await Promise.all(
        changing.slice(at, at + CONCURRENT).map(({ dedupKey }) => rename({ memories }, person, dedupKey)),
      );
      changed += outcomes.filter(Boolean).length;
    }
    const last = items.at(-1);
    return more && last
      ? { counts: { memories: changed }, phase: 'memories', after: keyAfter(last.dedupKey) }
      : { counts: { memories: changed }, phase: 'log' };
  },

  async log({ erasures }, person, after) {
    const { events, votes, next } = await erasures.rewriteLog(person, after);
    return { counts: { events, votes }, ...(next === undefined ? {} : { phase: 'log', after: next }) };
  },
};

/** One conditional write, again where somebody else wrote meanwhile. */
async function rename(
  { memories }: Pick<ErasePorts, 'memories'>,
  person: Erased,
  key: DedupKey,
): Promise<boolean> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const memory = await memories.get(key);
    const next = memory && memoryWithout(memory, person);
    if (memory === undefined || next === undefined) return false;
    if ((await memories.put(next, memory.rev)) === 'stored') return true;
  }
  throw new MemoryError('unavailable', 'The memory is being changed by others; try again.');
}

const PAGE = 200;
const CONCURRENT = 25;
const MAX_ATTEMPTS = 12;
/** Every key begins with the name of a scope, in small letters. */
export const FIRST_KEY = 'a';
export const LAST_KEY = '{';
export const keyAfter = (key: string) => `${key}!`;
