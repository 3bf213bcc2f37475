import { canonicalJson } from './digest.ts';
import { MemoryError } from './errors.ts';
import type { DedupKey, Millis, OrgId } from './ids.ts';
import type { HistoryEntry, LiveKind, MemoryContent, MemoryOwner } from './memory.ts';
import type { Assessment, Subject } from './promotion.ts';
import {
  bodyOf,
  type Decided,
  type Derived,
  HISTORY_LIMIT,
  proposalOf,
  type StoredMemory,
} from './stored-memory.ts';
import { sameContent, valueDigest } from './value.ts';

export type Outcome =
  | 'created'
  | 'unchanged'
  | 'replaced'
  | 'activated'
  | 'restored'
  | 'archived'
  | 'rejected'
  | 'proposal-rejected'
  | 'imported';

/** How an item stands: what people decided, and whether evidence proposes something beside it. */
export type Standing =
  | 'absent'
  | 'candidate'
  | 'active'
  | 'active+proposal'
  | 'rejected'
  | 'rejected+proposal'
  | 'archived'
  | 'archived+proposal';

export type Act = 'save' | 'approve' | 'reject' | 'restore' | 'archive';

/**
 * What becomes of the decided part: `given` takes the content that came with the act, `derived` what the
 * evidence says, `kept` leaves it as it is.
 */
type Effect =
  | { readonly content: 'given' | 'derived'; readonly to: Decided['status']; readonly outcome: Outcome }
  | { readonly content: 'kept'; readonly to: Decided['status'] | 'same'; readonly outcome: Outcome };

const approveProposal = { content: 'derived', to: 'active', outcome: 'replaced' } as const;
const rejectProposal = { content: 'kept', to: 'same', outcome: 'proposal-rejected' } as const;
const restore = { content: 'kept', to: 'active', outcome: 'restored' } as const;
const archive = { content: 'kept', to: 'archived', outcome: 'archived' } as const;
const nothing = { content: 'kept', to: 'same', outcome: 'unchanged' } as const;
const saveRestored = { content: 'given', to: 'active', outcome: 'restored' } as const;
const saveReplaced = { content: 'given', to: 'active', outcome: 'replaced' } as const;

/** The one transition table of people's acts; a pair that is not here is `not-applicable`. */
const TRANSITIONS: Readonly<Record<Act, Partial<Record<Standing, Effect>>>> = {
  save: {
    absent: { content: 'given', to: 'active', outcome: 'created' },
    candidate: { content: 'given', to: 'active', outcome: 'activated' },
    active: saveReplaced,
    'active+proposal': saveReplaced,
    rejected: saveRestored,
    'rejected+proposal': saveRestored,
    archived: saveRestored,
    'archived+proposal': saveRestored,
  },
  approve: {
    candidate: { content: 'derived', to: 'active', outcome: 'activated' },
    'active+proposal': approveProposal,
    'rejected+proposal': approveProposal,
    'archived+proposal': approveProposal,
  },
  reject: {
    candidate: { content: 'derived', to: 'rejected', outcome: 'rejected' },
    'active+proposal': rejectProposal,
    'rejected+proposal': rejectProposal,
    'archived+proposal': rejectProposal,
  },
  restore: {
    rejected: restore,
    'rejected+proposal': restore,
    archived: restore,
    'archived+proposal': restore,
  },
  archive: {
    active: archive,
    'active+proposal': archive,
    archived: nothing,
    'archived+proposal': nothing,
  },
};

const ACTION_OF: Readonly<Record<Act, HistoryEntry['action']>> = {
  save: 'saved',
  approve: 'approved',
  reject: 'rejected',
  restore: 'restored',
  archive: 'archived',
};

export interface Decision {
  readonly act: Act;
  /** With `save`: what is said. */
  readonly content?: MemoryContent;
  readonly by: string;
  readonly now: Millis;
  /** The time of the newest vote that was assessed, 0 where there is none. */
  readonly newestVoteAt: Millis;
  readonly expectedVersion?: number;
  readonly reason?: string;
}

/** Which item an act or a vote is about, where it may not be there yet. */
export interface Place {
  readonly orgId: OrgId;
  readonly dedupKey: DedupKey;
  readonly owner: MemoryOwner;
  readonly kind: LiveKind;
}

/** The place of what promotion can learn about: everything promoted is the org's. */
export function placeOf(orgId: OrgId, subject: Subject): Place {
  return { orgId, dedupKey: subject.key, owner: { scope: 'org' }, kind: subject.kind };
}

export interface Transition {
  /** The item to write; absent where nothing changes. */
  readonly next?: StoredMemory;
  readonly outcome: Outcome;
}

export function standingOf(memory: StoredMemory | undefined): Standing {
  if (memory === undefined) return 'absent';
  if (memory.decided === undefined) return proposalOf(memory) === undefined ? 'absent' : 'candidate';
  return memory.derived === undefined ? memory.decided.status : `${memory.decided.status}+proposal`;
}

/** The version a caller sees: 0 where there is nothing to see. */
export function visibleVersion(memory: StoredMemory | undefined): number {
  return memory === undefined || standingOf(memory) === 'absent' ? 0 : memory.version;
}

/**
 * A person's act on an item. Every decision moves `decidedAt` past what was assessed, clears the derived part and is
 * told in the history.
 *
 * @throws MemoryError `version-conflict`, `not-applicable`, or `not-found` where there is nothing to act on.
 */
export function decide(place: Place, memory: StoredMemory | undefined, decision: Decision): Transition {
  const standing = standingOf(memory);
  const version = visibleVersion(memory);
  if (decision.expectedVersion !== undefined && decision.expectedVersion !== version) {
    if (version === 0 && decision.act !== 'save') throw notFound();
    throw new MemoryError('version-conflict', `The version stored is ${version}.`, { extra: { version } });
  }
  if (standing === 'absent' && decision.act !== 'save') throw notFound();
  const effect = TRANSITIONS[decision.act][standing];
  if (effect === undefined) {
    throw new MemoryError(
      'not-applicable',
      `A memory that is ${standing.replace('+', ' with a ')} cannot take '${decision.act}'.`,
    );
  }
  if (effect.outcome === 'unchanged') return { outcome: 'unchanged' };
  const saysTheSame =
    memory?.decided?.status === 'active' &&
    decision.content !== undefined &&
    sameContent(place.kind, memory.decided.content, decision.content);
  if (saysTheSame && memory.derived === undefined) return { outcome: 'unchanged' };

  const base = memory ?? emptyItem(place, decision);
  const decided = saysTheSame ? keptDecided(base) : decidedAfter(effect, base, decision);
  const turnedDown = turnedDownAfter(decision.act, standing, base, decided);
  const from = standing === 'candidate' ? 'candidate' : base.decided?.status;
  const { derived: _derived, imported: _imported, ...rest } = base;
  const refused = decision.act === 'reject' ? proposalOf(base) : undefined;
  const entry: HistoryEntry = {
    at: new Date(decision.now).toISOString(),
    by: decision.by,
    action: ACTION_OF[decision.act],
    ...(from === undefined ? {} : { from }),
    to: decided.status,
    content: refused?.content ?? decided.content,
    ...(decision.reason === undefined ? {} : { reason: decision.reason }),
  };
  return {
    outcome: saysTheSame ? 'unchanged' : effect.outcome,
    next: {
      ...rest,
      decided,
      support: 0,
      turnedDown,
      decidedAt: Math.max(decision.now, base.decidedAt + 1, decision.newestVoteAt + 1),
      version: base.version + 1,
      rev: base.rev + 1,
      updatedAt: decision.now,
      updatedBy: decision.by,
      history: [...base.history, entry].slice(-HISTORY_LIMIT),
    },
  };
}

/** What promotion makes of an item: its derived part and its support, never more. Absent `next`: it stands already. */
export function applyAssessment(
  place: Place,
  memory: StoredMemory | undefined,
  assessment: Pick<Assessment, 'proposed' | 'support'>,
  now: Millis,
): { readonly next?: StoredMemory; readonly proposes: boolean } {
  const standing = memory?.derived;
  const proposed = assessment.proposed;
  const same =
    standing !== undefined &&
    proposed !== undefined &&
    sameContent(place.kind, standing.content, proposed.content);
  const derived: Derived | undefined = proposed && {
    ...proposed,
    proposedAt: same ? standing.proposedAt : now,
  };
  const support = assessment.support;
  if (memory === undefined && derived === undefined) return { proposes: false };
  const derivedStays = canonicalJson(standing ?? null) === canonicalJson(derived ?? null);
  if (memory !== undefined && memory.support === support && derivedStays) return { proposes: false };
  const base = memory ?? emptyItem(place, { by: 'system', now });
  const visible = !same && (standing !== undefined || derived !== undefined);
  const { derived: _, ...rest } = base;
  return {
    proposes: derived !== undefined && !same,
    next: {
      ...rest,
      ...(derived === undefined ? {} : { derived }),
      support,
      rev: base.rev + 1,
      ...(visible ? { version: base.version + 1, updatedAt: now, updatedBy: 'system' } : {}),
    },
  };
}

export function emptyItem(
  { orgId, dedupKey, owner, kind }: Place,
  act: { readonly by: string; readonly now: Millis },
): StoredMemory {
  return {
    orgId,
    dedupKey,
    owner,
    kind,
    support: 0,
    turnedDown: [],
    decidedAt: 0,
    version: 0,
    rev: 0,
    createdAt: act.now,
    createdBy: act.by,
    updatedAt: act.now,
    updatedBy: act.by,
    history: [],
  };
}

function decidedAfter(effect: Effect, memory: StoredMemory, decision: Decision): Decided {
  if (effect.content === 'given') {
    if (decision.content === undefined) throw new RangeError('a save says what it saves');
    return {
      status: 'active',
      content: decision.content,
      source: 'user_declared',
      confidence: 1,
      evidenceCount: 0,
    };
  }
  if (effect.content === 'derived') {
    const proposal = proposalOf(memory);
    if (proposal === undefined) throw new RangeError('only what is proposed can be taken');
    const { content, source, confidence, evidenceCount } = proposal;
    return { status: effect.to, content, source, confidence, evidenceCount };
  }
  const kept = keptDecided(memory);
  return effect.to === 'same' ? kept : { ...kept, status: effect.to };
}

/** The decided part as it stands, with the support so far counted in, since the count starts afresh. */
function keptDecided(memory: StoredMemory): Decided {
  if (memory.decided === undefined) throw new RangeError('only what was decided can be kept');
  return { ...memory.decided, evidenceCount: memory.decided.evidenceCount + memory.support };
}

function turnedDownAfter(
  act: Act,
  standing: Standing,
  memory: StoredMemory,
  decided: Decided,
): readonly string[] {
  const current = valueDigest(bodyOf(memory.kind, decided.content));
  const others = memory.turnedDown.filter((value) => value !== current);
  if (act === 'archive') return [...others, current];
  if (act !== 'reject') return others;
  if (standing === 'candidate') return [...others, current];
  if (memory.derived === undefined) return memory.turnedDown;
  const refused = valueDigest(bodyOf(memory.kind, memory.derived.content));
  return [...memory.turnedDown.filter((value) => value !== refused), refused];
}

function notFound(): MemoryError {
  return new MemoryError('not-found', 'There is no such memory.');
}
