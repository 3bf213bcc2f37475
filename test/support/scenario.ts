import { CorrectionEvent } from '../../lib/domain/correction.ts';
import { dedupKeyOf, memoryIdOf } from '../../lib/domain/dedup-key.ts';
import type { MemoryBody } from '../../lib/domain/memory.ts';
import { categoryBody, MOMENT, ORG } from './builders.ts';
import { type Seeded, seeded } from './seeded.ts';

/** What happens in one run, but for who goes first: that is the schedule's seed. */
export interface Scenario {
  readonly schedule: number;
  /** Events as they are put on the queue, duplicates included. */
  readonly deliveries: readonly CorrectionEvent[];
  readonly acts: readonly PersonAct[];
  readonly workers: number;
  /** The most messages a worker takes at once. */
  readonly batch: number;
  /** How many store calls go wrong at the most: throttled, a crash before or after, a reply lost. */
  readonly faults: number;
}

export interface PersonAct {
  readonly act: 'save' | 'approve' | 'reject' | 'restore' | 'archive' | 'read';
  /** The subject; with `save` also what is said of it. */
  readonly body: MemoryBody;
  readonly by: string;
  /** Whether a save names the version it was shown; reviews always do. */
  readonly bound: boolean;
}

export const ACCOUNTS = ['a1', 'a2', 'a3'] as const;
const MINUTE = 60_000;

export function scenarioOf(seed: number): Scenario {
  const random = seeded(seed);
  if (random.chance(0.3)) return tightScenario(seed, random);
  const events = Array.from({ length: 4 + random.below(14) }, (_, index) => eventOf(random, index));
  return {
    schedule: seed,
    deliveries: events.flatMap((event) => Array<CorrectionEvent>(random.chance(0.3) ? 2 : 1).fill(event)),
    acts: Array.from({ length: random.below(7) }, () => actOf(random)),
    workers: 2 + random.below(2),
    batch: 1 + random.below(3),
    faults: random.chance(0.3) ? 0 : random.below(7),
  };
}

/** Just enough for the bar, then something that takes it away again, and nothing after it that puts a mistake right. */
function tightScenario(seed: number, random: Seeded): Scenario {
  const correction = (to: string, index: number, at: number) =>
    CorrectionEvent.parse({
      eventId: `e${index}`,
      orgId: ORG,
      type: 'manual_patch',
      occurredAt: new Date(at).toISOString(),
      actor: { userId: 'u_1' },
      subjectIds: [`d${index}`],
      changeSet: { category: { to } },
      context: { merchant: 'Vercel' },
    });
  // It comes while the others are on their way.
  const last = correction(ACCOUNTS[1], 3, MOMENT + 4 * MINUTE + random.below(2 * MINUTE));
  const deliveries = [0, 1, 2].map((index) => correction(ACCOUNTS[0], index, MOMENT - index * MINUTE));
  return {
    schedule: seed,
    deliveries: [...deliveries, last],
    acts: random.chance(0.7) ? [] : [actOf(random)],
    workers: 3,
    batch: 1,
    faults: 0,
  };
}

/** One line an item, for a failure to be read. */
export function describeScenario({ schedule, deliveries, acts, workers, batch, faults }: Scenario): string {
  return [
    `schedule ${schedule}, ${workers} workers, batches of ${batch}, at most ${faults} faults`,
    ...deliveries.map((event) => `event ${JSON.stringify(event)}`),
    ...acts.map((act) => `person ${JSON.stringify(act)}`),
  ].join('\n');
}

// Mostly one value for one merchant, so that the bar is met and lost again; little else beside it.
function eventOf(random: Seeded, index: number): CorrectionEvent {
  const merchant = random.chance(0.85) ? random.pick(['Vercel', 'VERCEL', 'vercel']) : 'Figma';
  const account = random.chance(0.75) ? ACCOUNTS[0] : random.pick(ACCOUNTS);
  const category = { changeSet: { category: { to: account } }, context: { merchant } };
  const documents = (count: number) => Array.from({ length: count }, () => `d${random.below(9)}`);
  const kind = random.below(20);
  const said =
    kind < 9
      ? { type: 'manual_patch', subjectIds: documents(1), ...category }
      : kind < 11
        ? { type: 'bulk_edit', subjectIds: documents(3), ...category }
        : kind < 13
          ? {
              type: 'document_confirm',
              subjectIds: documents(1),
              context: { merchant, confirmed: { category: { id: account } } },
            }
          : kind < 14
            ? {
                type: 'manual_patch',
                subjectIds: documents(1),
                ...category,
                context: { merchant, direction: 'refund' },
              }
            : kind < 16
              ? {
                  type: 'document_confirm',
                  subjectIds: documents(1),
                  causedBy: [memoryIdOf(ORG, dedupKeyOf({ scope: 'org' }, SUBJECTS[0]))],
                  context: { merchant, confirmed: { category: account } },
                }
              : kind < 17
                ? {
                    type: 'manual_patch',
                    subjectIds: documents(1),
                    changeSet: { merchant: { from: merchant, to: 'Vercel Hosting' } },
                  }
                : kind < 19
                  ? {
                      type: 'capability_approval_reject',
                      subjectType: 'approval',
                      subjectIds: documents(1),
                      context: {
                        capability: 'mail.send',
                        feedback: random.pick(['show me a preview first', 'preview pls', 'wrong amount']),
                      },
                    }
                  : {
                      type: 'agent_approval_approve',
                      subjectType: 'approval',
                      subjectIds: documents(1),
                      context: { capability: 'mail.send', integration: random.chance(0.8) ? 'xero' : 'dext' },
                    };
  // Few times, so that they collide; some long gone, some still to come.
  const at = MOMENT + (random.chance(0.05) ? -370 * 24 * 60 : random.below(30) - 10) * MINUTE;
  return CorrectionEvent.parse({
    // Now and then an id that was used before, for something else.
    eventId: `e${index > 0 && random.chance(0.04) ? index - 1 : index}`,
    orgId: ORG,
    occurredAt: new Date(at).toISOString(),
    actor: { userId: random.pick(['u_1', 'u_2']) },
    ...said,
  });
}

function actOf(random: Seeded): PersonAct {
  const act = random.pick([
    'save',
    'approve',
    'approve',
    'reject',
    'reject',
    'restore',
    'archive',
    'read',
  ] as const);
  const body =
    act === 'save' || random.chance(0.8)
      ? categoryBody(random.chance(0.9) ? 'Vercel' : 'Figma', random.pick(ACCOUNTS))
      : random.pick(SUBJECTS);
  return { act, body, by: random.pick(['u_1', 'u_2']), bound: random.chance(0.5) };
}

const SUBJECTS = [
  categoryBody('Vercel', ACCOUNTS[0]),
  { kind: 'workflow_hint', content: { hint: 'preview_first', capability: 'mail.send' } },
  { kind: 'integration_preference', content: { capability: 'mail.send', integration: 'xero' } },
] as const satisfies readonly MemoryBody[];
