import type { Account, ChartInput } from '../../lib/domain/chart-of-accounts.ts';
import { CorrectionEvent } from '../../lib/domain/correction.ts';
import { dedupKeyOf, voteRangeOf } from '../../lib/domain/dedup-key.ts';
import { DocumentId, EventId, OrgId, UserId } from '../../lib/domain/ids.ts';
import type { MemoryBody } from '../../lib/domain/memory.ts';
import type { Decided, Derived, StoredMemory } from '../../lib/domain/stored-memory.ts';
import type { Vote } from '../../lib/domain/votes.ts';

/** 2026-11-30T03:00:00Z, the moment at which everything built here happens unless told otherwise. */
export const MOMENT = Date.UTC(2026, 10, 30, 3);

export const ORG = OrgId.parse('org_demo');
export const USER = UserId.parse('u_1');

export function categoryBody(merchant = 'Vercel', id = '6120', name?: string): MemoryBody {
  const account = name === undefined ? { id } : { id, name };
  return { kind: 'canonical_mapping', content: { mapping: 'category', merchant, account } };
}

export function preferenceBody(text = 'Show totals in euros.', topic?: string): MemoryBody {
  return { kind: 'preference', content: topic === undefined ? { text } : { text, topic } };
}

export function decided(overrides: Partial<Decided> = {}): Decided {
  return {
    status: 'active',
    content: categoryBody().content,
    source: 'user_declared',
    confidence: 1,
    evidenceCount: 0,
    ...overrides,
  };
}

export function derived(overrides: Partial<Derived> = {}): Derived {
  return {
    content: categoryBody().content,
    confidence: 0.8,
    evidenceCount: 3,
    source: 'manual_correction',
    proposedAt: MOMENT,
    ...overrides,
  };
}

export interface MemoryOverrides extends Partial<Omit<StoredMemory, 'decided' | 'derived' | 'kind'>> {
  /** What it says; names its kind and, where no `dedupKey` is given, its key. */
  readonly body?: MemoryBody;
  /** `null` for no decided part; without either part it is decided and active. */
  readonly decided?: Partial<Decided> | null;
  readonly derived?: Partial<Derived>;
}

/** A memory at rev 1, active unless told otherwise. */
export function storedMemory(overrides: MemoryOverrides = {}): StoredMemory {
  const { body = categoryBody(), decided: decision, derived: evidence, ...plain } = overrides;
  const owner = plain.owner ?? { scope: 'org' };
  return {
    orgId: ORG,
    dedupKey: dedupKeyOf(owner, body),
    owner,
    kind: body.kind,
    ...(decision !== null && { decided: decided({ content: body.content, ...decision }) }),
    ...(evidence && { derived: derived({ content: body.content, ...evidence }) }),
    support: 0,
    turnedDown: [],
    decidedAt: decision === null ? 0 : MOMENT,
    version: 1,
    rev: 1,
    createdAt: MOMENT,
    createdBy: USER,
    updatedAt: MOMENT,
    updatedBy: USER,
    history: [],
    ...plain,
  };
}

export interface VoteOverrides extends Partial<Omit<Vote, 'eventId' | 'userId' | 'documentIds'>> {
  readonly eventId?: string;
  readonly userId?: string;
  readonly documentIds?: readonly string[];
}

/** One correction of one document; its range follows from what it says. */
export function vote(overrides: VoteOverrides = {}): Vote {
  const { eventId = 'ev_1', userId = USER, documentIds = ['doc_1'], ...plain } = overrides;
  const says = plain.says ?? categoryBody();
  return {
    range: voteRangeOf(typeof says === 'string' ? categoryBody() : says),
    at: MOMENT,
    eventId: EventId.parse(eventId),
    userId: UserId.parse(userId),
    documentIds: documentIds.map((id) => DocumentId.parse(id)),
    act: 'correction',
    says,
    causedBy: [],
    ...plain,
  };
}

/** A category correction of one document, as it comes on the bus; parsed, so that a bad override throws here. */
export function correctionEvent(overrides: Readonly<Record<string, unknown>> = {}): CorrectionEvent {
  return CorrectionEvent.parse({
    eventId: 'ev_1',
    orgId: ORG,
    type: 'manual_patch',
    occurredAt: new Date(MOMENT).toISOString(),
    actor: { userId: USER },
    subjectType: 'document',
    subjectIds: ['doc_1'],
    changedFields: ['category'],
    changeSet: { category: { from: '6000', to: '6120' } },
    context: { merchant: 'Vercel' },
    ...overrides,
  });
}

export function account(overrides: Partial<Account> = {}): Account {
  return { id: '6120', name: 'Software subscriptions', type: 'expense', ...overrides };
}

/** A chart of `size` accounts with ids from 6000 on, each carrying `mark` in its name. */
export function chart(size = 3, mark = 'Account'): ChartInput {
  return {
    accounts: Array.from({ length: size }, (_, n) => account({ id: String(6000 + n), name: `${mark} ${n}` })),
  };
}
