import { computed, signal } from '@preact/signals';
import type { Memory } from '../../../lib/domain/memory.ts';
import type { Decision } from '../../../lib/domain/responses.ts';
import { client, isRefusal, lastingClient } from './api.ts';
import { dropEverywhere, lists, place } from './lists.ts';
import { notify } from './notices.ts';
import { count, lineOf, proposedOf } from './words.ts';

type Verdict = 'approve' | 'reject';
export type SaveInput = Parameters<typeof client.memories.save>[0];

/** Decisions that were made and not sent yet. A review has no way back, so the way back is not to have sent it. */
export interface Pending {
  readonly memories: readonly Memory[];
  readonly decision: Verdict;
  readonly reason?: string;
  readonly sent: number;
  readonly phase: 'waiting' | 'sending';
}

export const UNDO_SECONDS = 6;
export const pending = signal<Pending | undefined>(undefined);
export const pendingIds = computed(() => new Set(pending.value?.memories.map(({ id }) => id)));
/** How many still wait for somebody to decide. */
export const awaiting = computed(
  () => lists.candidate.value.whole?.items.filter(({ id }) => !pendingIds.value.has(id)).length ?? 0,
);
/** What the memory was when it was decided on, for those that have changed meanwhile. */
export const changed = signal<ReadonlyMap<string, Memory>>(new Map());
/** Held while someone looks at the way back. */
export const undoHeld = signal(false);

let timer: number | undefined;

export function decide(memories: readonly Memory[], decision: Verdict, reason?: string): void {
  void sendPending();
  forget(memories);
  pending.value = { memories, decision, sent: 0, phase: 'waiting', ...(reason && { reason }) };
  startClock();
}

export function startClock(): void {
  clearTimeout(timer);
  undoHeld.value = false;
  timer = window.setTimeout(() => void sendPending(), UNDO_SECONDS * 1000);
}

export function holdClock(): void {
  clearTimeout(timer);
  undoHeld.value = true;
}

export function undoPending(): void {
  clearTimeout(timer);
  const what = pending.value;
  pending.value = undefined;
  if (what) notify(`Nothing was ${past(what.decision)}.`);
}

/** Sends what waits, one after the other; what has changed meanwhile comes back to be looked at again. */
export async function sendPending(): Promise<void> {
  clearTimeout(timer);
  const what = pending.peek();
  if (what?.phase !== 'waiting') return;
  pending.value = { ...what, phase: 'sending' };
  const conflicts: Memory[] = [];
  const failures: unknown[] = [];
  let done = 0;
  for (const [at, memory] of what.memories.entries()) {
    try {
      place((await client.memories.review(reviewOf(memory, what))).memory);
      done += 1;
    } catch (error) {
      if (isRefusal(error, 404, 409)) conflicts.push(memory);
      else failures.push(error);
    }
    if (pending.peek()?.memories === what.memories)
      pending.value = { ...what, phase: 'sending', sent: at + 1 };
  }
  const found = await Promise.all(conflicts.map(lookAgain));
  const gone = found.filter((there) => !there).length;
  const differ = conflicts.length - gone;
  if (pending.peek()?.memories === what.memories) pending.value = undefined;
  if (done > 0) notify(`${past(what.decision, true)}: ${summaryOf(what.memories, done)}`);
  if (differ > 0) {
    notify(`${count(differ, 'suggestion')} had changed, and nothing was done. Look again.`, 'problem');
  }
  if (gone > 0) {
    notify(`${count(gone, 'suggestion')} had been withdrawn, since the evidence changed.`, 'problem');
  }
  if (failures.length > 0) {
    notify(
      `${count(failures.length, 'decision')} could not be carried out: ${messageOf(failures[0])}`,
      'problem',
    );
  }
}

// A page that closes takes its timer along: what was decided and not undone goes out with it.
addEventListener('pagehide', () => {
  const what = pending.peek();
  if (what?.phase !== 'waiting') return;
  clearTimeout(timer);
  pending.value = undefined;
  for (const memory of what.memories) {
    void lastingClient.memories.review(reviewOf(memory, what)).catch(() => {});
  }
});

const reviewOf = ({ id, version }: Memory, { decision, reason }: Pending) => ({
  id,
  decision,
  expectedVersion: version,
  ...(reason && { reason }),
});

/** Whether it is still there. */
async function lookAgain(shown: Memory): Promise<boolean> {
  try {
    place(await client.memories.get({ id: shown.id }));
    changed.value = new Map([...changed.peek(), [shown.id, shown]]);
    return true;
  } catch (error) {
    const isGone = isRefusal(error, 404);
    if (isGone) dropEverywhere(shown.id);
    return !isGone;
  }
}

function forget(memories: readonly Memory[]): void {
  const ids = new Set<string>(memories.map(({ id }) => id));
  changed.value = new Map([...changed.peek()].filter(([id]) => !ids.has(id)));
}

/** A memory that was not any more what was shown, and the act that was meant for it. */
export interface Conflict {
  readonly shown: Memory;
  readonly now: Memory;
  readonly again: string;
  readonly retry: (now: Memory) => Promise<void>;
}
export const conflict = signal<Conflict | undefined>(undefined);

/** Acts on the version shown. When another one is stored, shows what changed and asks again. */
async function onVersionShown(
  shown: Memory,
  again: string,
  act: (memory: Memory) => Promise<Decision>,
  then: (saved: Decision) => void,
): Promise<void> {
  try {
    const saved = await act(shown);
    place(saved.memory);
    then(saved);
  } catch (error) {
    if (!isRefusal(error, 409)) throw error;
    const now = await client.memories.get({ id: shown.id });
    place(now);
    conflict.value = { shown, now, again, retry: (memory) => onVersionShown(memory, again, act, then) };
  }
}

const reporting = (work: Promise<void>) => work.catch((error) => notify(messageOf(error), 'problem'));

export function archiveNow(shown: Memory): Promise<void> {
  const act = ({ id, version }: Memory) => client.memories.archive({ id, expectedVersion: version });
  return reporting(
    onVersionShown(shown, 'Archive it anyway', act, ({ memory }) => {
      notify(`Archived: ${lineOf(memory.content)}`, 'done', {
        label: 'Undo',
        run: () => void restoreNow(memory),
      });
    }),
  );
}

export function restoreNow(shown: Memory): Promise<void> {
  const act = ({ id, version }: Memory) =>
    client.memories.review({ id, decision: 'restore', expectedVersion: version });
  return reporting(
    onVersionShown(shown, 'Restore it anyway', act, ({ memory }) => {
      notify(`Active again: ${lineOf(memory.content)}`, 'done', {
        label: 'Undo',
        run: () => void archiveNow(memory),
      });
    }),
  );
}

/** An explicit save over what is shown; a refusal is the form's to show. */
export function saveOver(shown: Memory, body: SaveInput, then: () => void): Promise<void> {
  const act = (memory: Memory) => client.memories.save({ ...body, expectedVersion: memory.version });
  return onVersionShown(shown, 'Save mine anyway', act, ({ memory }) => {
    notify(`Saved: ${lineOf(memory.content)}`);
    then();
  });
}

export const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

export function past(decision: Verdict, capital = false): string {
  const word = decision === 'approve' ? 'approved' : 'rejected';
  return capital ? word.charAt(0).toUpperCase() + word.slice(1) : word;
}

export function summaryOf(memories: readonly Memory[], n = memories.length): string {
  const [first] = memories;
  return n === 1 && memories.length === 1 && first ? lineOf(proposedOf(first)) : count(n, 'suggestion');
}
