export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.slice(Math.ceil(sorted.length / 2) - 1, Math.floor(sorted.length / 2) + 1);
  return middle.reduce((sum, value) => sum + value, 0) / middle.length;
}

export function p99(values: readonly number[]): number {
  return quantile(values, 0.99);
}

export function round(value: number, digits = 3): number {
  return Math.round(value * 10 ** digits) / 10 ** digits;
}

/** Milliseconds that it takes. */
export async function timed(run: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await run();
  return performance.now() - start;
}

/**
 * Several runs in turn, so that whatever else the machine does falls on all of them alike; what comes first changes from
 * round to round.
 */
export async function interleaved(
  rounds: number,
  runs: readonly ((round: number) => Promise<unknown>)[],
): Promise<readonly (readonly number[])[]> {
  const times: number[][] = runs.map(() => []);
  for (let at = 0; at < rounds; at += 1) {
    for (let turn = 0; turn < runs.length; turn += 1) {
      const which = (turn + at) % runs.length;
      times[which]?.push(await timed(async () => runs[which]?.(at)));
    }
  }
  return times;
}

function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}
