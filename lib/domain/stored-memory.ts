import type { DedupKey, Millis, OrgId } from './ids.ts';
import type {
  HistoryEntry,
  LiveKind,
  MemoryBody,
  MemoryContent,
  MemoryOwner,
  MemorySource,
  MemoryStatus,
} from './memory.ts';

/**
 * One item of the `ai-memories` table. Its **decided** part is written by people's acts alone, its **derived** part by
 * promotion alone; `rev` guards every write. How the two show together is in `view.ts`.
 */
export interface StoredMemory {
  readonly orgId: OrgId;
  readonly dedupKey: DedupKey;
  readonly owner: MemoryOwner;
  readonly kind: LiveKind;
  readonly decided?: Decided;
  readonly derived?: Derived;
  /** A candidate that an import brought. It stands until a person decides; evidence shows in front of it. */
  readonly imported?: Derived;
  /** Documents that agree with the decided content, counted afresh since the decision. Written by promotion. */
  readonly support: number;
  /** Digests of the values a person rejected or archived; see `valueDigest`. */
  readonly turnedDown: readonly string[];
  /** When a person last decided, 0 for never. Only later votes may propose. */
  readonly decidedAt: Millis;
  readonly version: number;
  readonly rev: number;
  readonly createdAt: Millis;
  readonly createdBy: string;
  readonly updatedAt: Millis;
  readonly updatedBy: string;
  /** Newest last, at most `HISTORY_LIMIT`. */
  readonly history: readonly HistoryEntry[];
}

export interface Decided {
  readonly status: Exclude<MemoryStatus, 'candidate'>;
  readonly content: MemoryContent;
  readonly source: MemorySource;
  readonly confidence: number;
  /** Documents counted when it was approved; 0 when it was declared. */
  readonly evidenceCount: number;
}

/** What the evidence says: a candidate where nothing was decided, a proposal where something was. */
export interface Derived {
  readonly content: MemoryContent;
  readonly confidence: number;
  readonly evidenceCount: number;
  readonly source: MemorySource;
  readonly proposedAt: Millis;
}

export const HISTORY_LIMIT = 20;

/** What awaits a person: what the evidence says, or, where nothing was decided and it says nothing, what was imported. */
export function proposalOf(
  memory: Pick<StoredMemory, 'decided' | 'derived' | 'imported'>,
): Derived | undefined {
  return memory.derived ?? (memory.decided === undefined ? memory.imported : undefined);
}

/** The item without what awaits a person. */
export function withoutProposal({ derived: _, imported: __, ...rest }: StoredMemory): StoredMemory {
  return rest;
}

/** The body a kind and its content make; the pair is known to fit because it was parsed together. */
export function bodyOf(kind: LiveKind, content: MemoryContent): MemoryBody {
  return { kind, content } as MemoryBody;
}
