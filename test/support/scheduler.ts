import { setImmediate as microtasksDone } from 'node:timers/promises';
import type { Seeded } from './seeded.ts';

/** Lets exactly one of several tasks go on at a time, chosen by a seed, so that a run can be run again. */
export interface Scheduler {
  /** Waits for the task's turn. An idle one only looks whether there is something to do. */
  turn(task: string, idle?: boolean): Promise<void>;
  /** Runs the tasks to their end, or until the first of them fails: it throws what that one threw. */
  run(tasks: readonly Promise<unknown>[]): Promise<void>;
}

export function scheduler(random: Seeded): Scheduler {
  const waiting: { readonly task: string; readonly idle: boolean; readonly go: () => void }[] = [];
  // Some runs go round evenly. In others a task stands still for long while the others get far, which is how a
  // decision taken on what was read long ago comes to be written.
  const even = random.chance(0.3);
  const urgency = new Map<string, number>();

  function choose(): number {
    if (even) return random.below(waiting.length);
    const ranks = waiting.map(({ task, idle }) => {
      if (!urgency.has(task) || random.chance(0.08)) urgency.set(task, random.next());
      return idle ? random.next() - 0.9 : (urgency.get(task) ?? 0);
    });
    return ranks.indexOf(Math.max(...ranks));
  }

  return {
    turn: (task, idle = false) => new Promise((go) => waiting.push({ task, idle, go })),
    async run(tasks) {
      let running = true;
      const ended = Promise.all(tasks).finally(() => {
        running = false;
      });
      ended.catch(() => undefined);
      while (running) {
        // Everything that can go on without a turn has gone on when this comes back.
        await microtasksDone();
        const [next] = waiting.splice(choose(), 1);
        next?.go();
      }
      await ended;
    },
  };
}
