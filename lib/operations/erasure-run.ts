import type { Millis } from '../domain/ids.ts';
import type { ErasureProgress } from '../domain/ports.ts';
import type { WithErasures } from './ingest.ts';
import type { OrgPorts } from './ports-of-org.ts';

export type ErasePorts = Pick<OrgPorts, 'memories' | 'clock'> & WithErasures;

/** What one step changed, and where the next one begins; without a `phase` there is none. */
export interface Step {
  readonly counts: Readonly<Record<string, number>>;
  readonly phase?: string;
  readonly after?: string;
}

/**
 * Runs an erasure step by step until it is through or its time is up, and keeps after each how far it came. It is kept
 * before the first, too: from then on nothing that comes in late brings back what is being removed. One that is
 * through begins anew.
 */
export async function runErasure(
  { erasures, clock }: ErasePorts,
  name: string,
  firstPhase: string,
  until: Millis,
  step: (progress: ErasureProgress) => Promise<Step>,
): Promise<ErasureProgress> {
  const known = await erasures.progress(name);
  let progress: ErasureProgress =
    known !== undefined && known.finishedAt === undefined
      ? known
      : { name, startedAt: clock.now(), phase: firstPhase, counts: {} };
  if (progress !== known) await erasures.keep(progress);
  do {
    const { counts, phase, after } = await step(progress);
    const { after: _, ...rest } = progress;
    progress = {
      ...rest,
      counts: added(progress.counts, counts),
      ...(phase === undefined ? { finishedAt: clock.now() } : { phase }),
      ...(after === undefined ? {} : { after }),
    };
    await erasures.keep(progress);
  } while (progress.finishedAt === undefined && clock.now() < until);
  return progress;
}

function added(
  a: Readonly<Record<string, number>>,
  b: Readonly<Record<string, number>>,
): Readonly<Record<string, number>> {
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])];
  return Object.fromEntries(names.map((name) => [name, (a[name] ?? 0) + (b[name] ?? 0)]));
}
