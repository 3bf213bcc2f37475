import { MemoryError } from '../domain/errors.ts';
import type { Identity } from '../domain/identity.ts';
import type { Millis } from '../domain/ids.ts';
import { FIRST_KEY, LAST_KEY } from './erase-person.ts';
import { type ErasePorts, runErasure, type Step } from './erasure-run.ts';

export interface OrgErased {
  readonly done: boolean;
  /** What was removed. */
  readonly counts: {
    readonly memories: number;
    readonly events: number;
    readonly votes: number;
  };
}

/**
 * erase.org: everything of the org goes, its chart too. What remains is that it was erased, and when: a correction from
 * before that comes late is refused, one from after it is a new beginning.
 *
 * @param confirm the org's own id, said again by whoever asks.
 * @throws MemoryError `invalid-request` where another org is named; `unavailable`, `throttled` as for a person.
 */
export async function eraseOrg(
  ports: ErasePorts,
  identity: Identity,
  confirm: string,
  until: Millis,
): Promise<OrgErased> {
  if (confirm !== identity.orgId) {
    throw new MemoryError('invalid-request', 'The request is not valid.', {
      errors: [{ path: 'confirm', message: 'must be the id of the workspace itself' }],
    });
  }
  await ports.erasures.markOrg(ports.clock.now());
  const { finishedAt, counts } = await runErasure(ports, 'org', 'memories', until, ({ phase, after }) =>
    phase === 'log' ? removeLog(ports, after) : removeMemories(ports),
  );
  const { memories = 0, events = 0, votes = 0 } = counts;
  return { done: finishedAt !== undefined, counts: { memories, events, votes } };
}

async function removeMemories({ memories, erasures }: ErasePorts): Promise<Step> {
  const { items, more } = await memories.range({ from: FIRST_KEY, to: LAST_KEY }, PAGE);
  await erasures.removeMemories(items.map(({ dedupKey }) => dedupKey));
  return { counts: { memories: items.length }, phase: more ? 'memories' : 'log' };
}

async function removeLog({ memories, erasures }: ErasePorts, after: string | undefined): Promise<Step> {
  const { events, votes, next } = await erasures.removeLog(after);
  const counts = { events, votes };
  if (next !== undefined) return { counts, phase: 'log', after: next };
  await erasures.removeChart();
  // Promotion that was under way read votes that are gone now; what it still wrote goes in another round.
  const { items } = await memories.range({ from: FIRST_KEY, to: LAST_KEY }, 1);
  return items.length > 0 || events + votes > 0 ? { counts, phase: 'memories' } : { counts };
}

const PAGE = 200;
