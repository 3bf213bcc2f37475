import { type Signal, signal } from '@preact/signals';
import type { Memory, MemoryStatus } from '../../../lib/domain/memory.ts';
import { listAll, type Whole } from './api.ts';

/** A list as far as it is known: what was read last stays while it is read anew. */
export interface List {
  readonly whole?: Whole;
  readonly reading: boolean;
  readonly readSoFar: number;
  readonly error?: unknown;
}

const empty: List = { reading: false, readSoFar: 0 };
export const lists: Readonly<Record<MemoryStatus, Signal<List>>> = {
  candidate: signal(empty),
  active: signal(empty),
  archived: signal(empty),
  rejected: signal(empty),
};

/** What the service answered to one's own acts; its lists may lag behind by a moment. */
export const answered = signal<ReadonlyMap<string, Memory>>(new Map());

export async function readList(status: MemoryStatus): Promise<void> {
  const list = lists[status];
  if (list.peek().reading) return;
  const { error: _, ...before } = list.peek();
  list.value = { ...before, reading: true, readSoFar: 0 };
  try {
    const whole = await listAll(status, {}, (readSoFar) => {
      list.value = { ...list.peek(), readSoFar };
    });
    const items = whole.items.map(newest).filter((memory) => belongs(memory, status));
    list.value = { whole: { ...whole, items }, reading: false, readSoFar: items.length };
  } catch (error) {
    list.value = { ...list.peek(), reading: false, error };
  }
}

/** Puts what the service answered where it now belongs, in every list that has been read. */
export function place(memory: Memory): void {
  answered.value = new Map([...answered.peek(), [memory.id, memory]]);
  for (const status of Object.keys(lists) as MemoryStatus[]) {
    const list = lists[status];
    const { whole } = list.peek();
    if (!whole) continue;
    const at = whole.items.findIndex(({ id }) => id === memory.id);
    const others = whole.items.filter(({ id }) => id !== memory.id);
    const items = belongs(memory, status) ? others.toSpliced(Math.max(at, 0), 0, memory) : others;
    list.value = { ...list.peek(), whole: { ...whole, items } };
  }
}

/** It is not there any more, or no longer for this person. */
export function dropEverywhere(id: string): void {
  for (const list of Object.values(lists)) {
    const { whole } = list.peek();
    if (whole)
      list.value = {
        ...list.peek(),
        whole: { ...whole, items: whole.items.filter((item) => item.id !== id) },
      };
  }
}

function newest(memory: Memory): Memory {
  const own = answered.peek().get(memory.id);
  return own && own.version > memory.version ? own : memory;
}

function belongs(memory: Memory, status: MemoryStatus): boolean {
  return status === 'candidate'
    ? memory.status === 'candidate' || memory.proposal !== undefined
    : memory.status === status;
}
