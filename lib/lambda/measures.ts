import * as z from 'zod/mini';
import type { OperationId } from '../routes.ts';
import { type Counts, emit } from './metrics.ts';

/** Measures what an operation answered with. What it does not know is not counted, and never fails the answer. */
export function measureOperation(id: OperationId, answer: unknown, orgId: string): void {
  const decided = DECISIONS.has(id) ? Decided.safeParse(answer).data : undefined;
  emit(countsOf(id, decided?.outcome, answer), {
    operation: id,
    org_id: orgId,
    ...(decided && { memory_id: decided.memory.id, outcome: decided.outcome }),
  });
}

/** Measures hints that were handed out. */
export function measureHints(answer: unknown): void {
  const hints = Hints.safeParse(answer).data;
  if (hints === undefined) return;
  const ids = [hints.promptHints, hints.routingHints, hints.entityHints, hints.normalizationHints].flat();
  emit(
    { injected: new Set(ids.map(({ memoryId }) => memoryId)).size },
    { operation: 'hints', org_id: hints.orgId },
  );
}

/** Measures a correction that promotion is done with; one that was known already says nothing of how long it takes. */
export function measurePromotion(answer: unknown, orgId: string, occurredAt: string, now: number): void {
  const promoted = Promoted.safeParse(answer).data;
  if (promoted === undefined) return;
  const { known, proposed, conflicts } = promoted;
  emit(
    {
      ...(!known && { lag: Math.max(0, now - Date.parse(occurredAt)) }),
      ...(proposed > 0 && { proposed }),
      ...(conflicts > 0 && { conflicts }),
    },
    { operation: 'promote', org_id: orgId },
  );
}

function countsOf(id: OperationId, outcome: string | undefined, answer: unknown): Counts {
  if (id === 'memories.save') return outcome === undefined || outcome === 'unchanged' ? {} : { saved: 1 };
  if (id === 'memories.archive') return outcome === 'archived' ? { archived: 1 } : {};
  if (id === 'memories.review') {
    if (outcome === 'activated' || outcome === 'replaced') return { approved: 1 };
    return outcome === 'rejected' || outcome === 'proposal-rejected' ? { rejected: 1 } : {};
  }
  if (id === 'memories.context') {
    const injected = Context.safeParse(answer).data?.memories.length;
    return injected === undefined ? {} : { injected };
  }
  if (id === 'memories.list') {
    const items = Listed.safeParse(answer).data?.items ?? [];
    const unresolvable = items.filter((item) => item.unresolvable === true).length;
    return unresolvable > 0 ? { unresolvable } : {};
  }
  return {};
}

const DECISIONS: ReadonlySet<OperationId> = new Set(['memories.save', 'memories.archive', 'memories.review']);

const Decided = z.lazy(() => z.object({ outcome: z.string(), memory: z.object({ id: z.string() }) }));
const Context = z.lazy(() => z.object({ memories: z.array(z.unknown()) }));
const Listed = z.lazy(() =>
  z.object({ items: z.array(z.object({ unresolvable: z.optional(z.boolean()) })) }),
);
const Hinted = z.lazy(() => z.array(z.object({ memoryId: z.string() })));
const Hints = z.lazy(() =>
  z.object({
    orgId: z.string(),
    promptHints: Hinted,
    routingHints: Hinted,
    entityHints: Hinted,
    normalizationHints: Hinted,
  }),
);
const Promoted = z.lazy(() => z.object({ known: z.boolean(), proposed: z.number(), conflicts: z.number() }));
