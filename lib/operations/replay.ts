import { castVotes } from '../domain/cast-votes.ts';
import type { CorrectionEvent } from '../domain/correction.ts';
import { memoryIdOf } from '../domain/dedup-key.ts';
import type { DedupKey } from '../domain/ids.ts';
import { applyAssessment, placeOf } from '../domain/lifecycle.ts';
import type { MemoryContent } from '../domain/memory.ts';
import {
  assess,
  PROMOTION_POLICY,
  type PromotionPolicy,
  type Subject,
  subjectOf,
} from '../domain/promotion.ts';
import type { StoredMemory } from '../domain/stored-memory.ts';
import { byTime, type Vote } from '../domain/votes.ts';
import { learnableSubject } from './decide.ts';
import { heedErasures, type RelearningPorts } from './ingest.ts';
import type { OrgPorts } from './ports-of-org.ts';
import { settle } from './settle.ts';

interface CastVote extends Vote {
  /** By which it is cast. */
  readonly event: CorrectionEvent;
}

/** What a replay did to one memory, or would do. */
export interface ReplayChange {
  readonly dedupKey: DedupKey;
  /** What is derived of the evidence before and after; absent where it proposes nothing. */
  readonly from?: DerivedView;
  readonly to?: DerivedView;
}

export interface DerivedView {
  readonly content?: MemoryContent;
  readonly evidenceCount?: number;
  readonly support: number;
}

export interface Replayed {
  readonly events: number;
  readonly subjects: number;
  /** Votes that the events cast and the log did not have. */
  readonly missingVotes: number;
  readonly changes: readonly ReplayChange[];
  /** Subjects that are as they were since votes that counted for them may be gone from the log. */
  readonly leftAlone: number;
}

export interface ReplayOptions {
  /** Only say what would change. */
  readonly dryRun?: boolean;
  readonly policy?: PromotionPolicy;
  /** How long the log keeps its entries. Milliseconds. @default - for good */
  readonly keepMillis?: number;
}

/**
 * Rebuilds what promotion derives for one org from its log: casts every event's votes again and settles every subject
 * they are about, and every subject that has something proposed. What people decided stays. Nothing changes where the
 * org is healthy, and running it beside live traffic is safe: it does nothing that a redelivery would not do.
 */
export async function replay(
  ports: RelearningPorts,
  { dryRun = false, policy = PROMOTION_POLICY, keepMillis }: ReplayOptions,
): Promise<Replayed> {
  const subjects = new Map<DedupKey, Subject>();
  const cast = new Map<DedupKey, readonly CastVote[]>();
  let events = 0;
  let missingVotes = 0;
  for await (const event of eventsOf(ports)) {
    events += 1;
    const ballot = castVotes(event);
    for (const body of ballot.concerns) {
      const subject = subjectOf(body, (key) => memoryIdOf(ports.memories.orgId, key));
      subjects.set(subject.key, subject);
    }
    for (const vote of ballot.votes) {
      cast.set(vote.range, newest([...(cast.get(vote.range) ?? []), { ...vote, event }], policy.maxEvents));
    }
  }
  for (const subject of await proposedSubjects(ports)) {
    if (!subjects.has(subject.key)) subjects.set(subject.key, subject);
  }
  for (const [range, votes] of cast) {
    const logged = new Set((await ports.log.newestVotes(range, policy.maxEvents)).map(nameOf));
    const missing = votes.filter((vote) => !logged.has(nameOf(vote)));
    missingVotes += missing.length;
    if (dryRun) continue;
    for (const { event, ...vote } of missing) {
      await ports.log.cast([vote]);
      await heedErasures(ports, event);
    }
  }
  const changes: ReplayChange[] = [];
  let leftAlone = 0;
  for (const subject of subjects.values()) {
    if (keepMillis !== undefined && (await isIncomplete(ports, subject, keepMillis, policy))) {
      leftAlone += 1;
      continue;
    }
    const before = await ports.memories.get(subject.key);
    const after = dryRun
      ? await settledInThought(ports, subject, before, cast.get(subject.range) ?? [], policy)
      : (await settle(ports, subject, policy)).memory;
    if (before?.rev !== after?.rev) changes.push(changeOf(subject.key, before, after));
  }
  return { events, subjects: subjects.size, missingVotes, changes, leftAlone };
}

/** Whether the window that the subject's newest vote opens reaches back to before what the log still holds. */
async function isIncomplete(
  { log, clock }: RelearningPorts,
  { range }: Subject,
  keepMillis: number,
  policy: PromotionPolicy,
): Promise<boolean> {
  const [newestVote] = await log.newestVotes(range, 1);
  return newestVote === undefined || newestVote.at - policy.windowMillis < clock.now() - keepMillis;
}

const PAGE = 200;

async function* eventsOf({ log }: Pick<OrgPorts, 'log'>): AsyncGenerator<CorrectionEvent> {
  let after: string | undefined;
  do {
    const page = await log.events(after, PAGE);
    yield* page.events;
    after = page.next;
  } while (after !== undefined);
}

/** Subjects whose events now vote elsewhere, since what a merchant's identity is may have been refined. */
async function proposedSubjects({ memories }: Pick<OrgPorts, 'memories'>): Promise<readonly Subject[]> {
  const subjects: Subject[] = [];
  let after: Awaited<ReturnType<typeof memories.list>>['next'];
  do {
    const page = await memories.list({ index: 'review', limit: PAGE, ...(after ? { after } : {}) });
    for (const item of page.items) {
      const subject = learnableSubject(item, item.derived?.content ?? item.decided?.content);
      if (subject !== undefined) subjects.push(subject);
    }
    after = page.next;
  } while (after !== undefined);
  return subjects;
}

async function settledInThought(
  ports: RelearningPorts,
  subject: Subject,
  memory: StoredMemory | undefined,
  cast: readonly Vote[],
  policy: PromotionPolicy,
): Promise<StoredMemory | undefined> {
  const logged = await ports.log.newestVotes(subject.range, policy.maxEvents);
  const known = new Set(logged.map(nameOf));
  const votes = newest([...logged, ...cast.filter((vote) => !known.has(nameOf(vote)))], policy.maxEvents);
  const place = placeOf(ports.memories.orgId, subject);
  const { next } = applyAssessment(place, memory, assess(subject, votes, memory, policy), ports.clock.now());
  return next ?? memory;
}

function newest<V extends Vote>(votes: readonly V[], limit: number): readonly V[] {
  return [...votes].sort((a, b) => byTime(b, a)).slice(0, limit);
}

/** The same vote is the same item of the log. */
const nameOf = ({ at, eventId }: Vote) => `${at}/${eventId}`;

function changeOf(
  key: DedupKey,
  before: StoredMemory | undefined,
  after: StoredMemory | undefined,
): ReplayChange {
  return {
    dedupKey: key,
    ...(before === undefined ? {} : { from: derivedView(before) }),
    ...(after === undefined ? {} : { to: derivedView(after) }),
  };
}

function derivedView({ derived, support }: StoredMemory): DerivedView {
  return {
    ...(derived === undefined ? {} : { content: derived.content, evidenceCount: derived.evidenceCount }),
    support,
  };
}
