import type { Account } from '../domain/chart-of-accounts.ts';
import { memoryIdOf } from '../domain/dedup-key.ts';
import { MemoryError } from '../domain/errors.ts';
import { LEARNABLE_HINTS } from '../domain/feedback.ts';
import type { Identity } from '../domain/identity.ts';
import { applyAssessment, placeOf } from '../domain/lifecycle.ts';
import type { MemoryBody, MemoryContent } from '../domain/memory.ts';
import { merchantKey } from '../domain/merchant-key.ts';
import {
  type Assessment,
  assess,
  PROMOTION_POLICY,
  type PromotionPolicy,
  type Subject,
  subjectOf,
  type Verdict,
} from '../domain/promotion.ts';
import type { ExplainRequest } from '../domain/requests.ts';
import { proposalOf, type StoredMemory } from '../domain/stored-memory.ts';
import { accountIdOf, withCurrentName } from '../domain/view.ts';
import type { Vote } from '../domain/votes.ts';
import { learnableSubject } from './decide.ts';
import { findStored, notFound } from './find-memory.ts';
import { judge } from './judge.ts';
import { nearestKnownMerchant } from './nearest-known.ts';
import type { OrgPorts } from './ports-of-org.ts';

/** How many of the newest votes an explanation shows. */
const SHOWN_VOTES = 50;

export interface Explanation {
  readonly policy: PromotionPolicy;
  readonly tally: readonly {
    readonly content: MemoryContent;
    readonly documents: number;
    readonly corrections: number;
    readonly people: number;
    readonly firstAt: string;
    readonly lastAt: string;
  }[];
  readonly votes: readonly {
    readonly eventId: string;
    readonly at: string;
    readonly userId: string;
    readonly documentIds: readonly string[];
    readonly act: Vote['act'];
    /** `null` where the vote only takes earlier ones back, or speaks for no value. */
    readonly content: MemoryContent | null;
  }[];
  readonly verdict: Verdict & { readonly nearestMerchant?: string };
}

type ExplainPorts = Pick<OrgPorts, 'memories' | 'log' | 'accounts' | 'clock'>;

/** memories.evidence: why a memory was promoted, or what speaks for something else beside it. Changes nothing. */
export async function explainMemory(
  ports: ExplainPorts,
  identity: Identity,
  id: string,
): Promise<Explanation> {
  const stored = await findStored(ports, identity, id);
  const { orgId, dedupKey, owner, kind } = stored;
  const content = stored.decided?.content ?? proposalOf(stored)?.content;
  if (content === undefined) throw notFound();
  const subject = learnableSubject({ orgId, dedupKey, owner, kind }, content);
  if (subject === undefined) return explanation([], { verdict: NO_EVIDENCE, tally: [], support: 0 });
  return explainSubject(ports, subject, stored, merchantOf(content));
}

/** memories.explain: the same for a subject that has no memory yet, so that "why has it learned nothing?" has an answer. */
export async function explainRequest(
  ports: ExplainPorts,
  identity: Identity,
  request: ExplainRequest,
): Promise<Explanation> {
  const bodies = bodiesAsked(request);
  const explained = await Promise.all(
    bodies.map(async (body) => {
      const subject = subjectOf(body, (key) => memoryIdOf(identity.orgId, key));
      return explainSubject(ports, subject, await ports.memories.get(subject.key), merchantOf(body.content));
    }),
  );
  const [first, ...others] = explained;
  if (first === undefined) throw new RangeError('every request asks about something');
  return others.reduce((best, other) => (other.verdict.k > best.verdict.k ? other : best), first);
}

async function explainSubject(
  ports: ExplainPorts,
  subject: Subject,
  stored: StoredMemory | undefined,
  merchant: string | undefined,
): Promise<Explanation> {
  const votes = await ports.log.newestVotes(subject.range, PROMOTION_POLICY.maxEvents);
  const assessment = assess(subject, votes, stored);
  // A merchant something is known of already needs no other to be joined with.
  const isNew = merchant !== undefined && stored?.decided?.status !== 'active';
  const [hidden, accounts, nearestMerchant] = await Promise.all([
    whyHidden(ports, subject, stored, assessment),
    accountsNamed(ports, assessment),
    isNew ? nearestKnownMerchant(ports, merchant) : undefined,
  ]);
  const verdict = {
    ...assessment.verdict,
    ...(hidden ? { promoted: false, reason: hidden } : {}),
    ...(nearestMerchant === undefined ? {} : { nearestMerchant }),
  };
  return explanation(votes, { ...assessment, verdict }, accounts);
}

/** What the chart calls the accounts of the tally now; votes carry ids. */
async function accountsNamed(
  ports: ExplainPorts,
  { tally }: Assessment,
): Promise<ReadonlyMap<string, Account>> {
  const ids = tally.flatMap(({ body }) => accountIdOf(body.content) ?? []);
  return (ids.length === 0 ? undefined : await ports.accounts.find(ids)) ?? new Map();
}

/** What the evidence would put up may still be nothing to see: judged as every read judges it. */
async function whyHidden(
  ports: ExplainPorts,
  subject: Subject,
  stored: StoredMemory | undefined,
  assessment: Assessment,
): Promise<'unknown-account' | 'covered' | undefined> {
  if (assessment.proposed === undefined) return undefined;
  const place = placeOf(ports.memories.orgId, subject);
  const settled = applyAssessment(place, stored, assessment, ports.clock.now()).next ?? stored;
  const [judged] = settled === undefined ? [] : await judge(ports, [settled]);
  return judged?.hidden;
}

function explanation(
  votes: readonly Vote[],
  { tally, verdict }: Assessment,
  accounts: ReadonlyMap<string, Account> = new Map(),
): Explanation {
  return {
    policy: PROMOTION_POLICY,
    tally: tally.map(({ body, firstAt, lastAt, ...counts }) => ({
      content: withCurrentName(body.content, accounts),
      ...counts,
      firstAt: new Date(firstAt).toISOString(),
      lastAt: new Date(lastAt).toISOString(),
    })),
    votes: votes.slice(0, SHOWN_VOTES).map((vote) => ({
      eventId: vote.eventId,
      at: new Date(vote.at).toISOString(),
      userId: vote.userId,
      documentIds: vote.documentIds,
      act: vote.act,
      content: typeof vote.says === 'string' ? null : withCurrentName(vote.says.content, accounts),
    })),
    verdict,
  };
}

const merchantOf = (content: MemoryContent | undefined) =>
  content !== undefined && 'merchant' in content ? content.merchant : undefined;

const NO_EVIDENCE: Verdict = {
  promoted: false,
  reason: 'no-evidence',
  k: 0,
  n: 0,
  needed: PROMOTION_POLICY.minDocuments,
  confidence: 0.5,
};

function bodiesAsked(request: ExplainRequest): readonly MemoryBody[] {
  const kind =
    request.kind ??
    (request.merchant === undefined && request.capability !== undefined
      ? 'integration_preference'
      : 'canonical_mapping');
  switch (kind) {
    case 'canonical_mapping': {
      const { merchant } = request;
      if (merchant === undefined) throw missing('merchant');
      if (merchantKey(merchant) === undefined) {
        throw new MemoryError('no-merchant', 'The merchant is only a bank phrase, digits or nothing.', {
          errors: [{ path: 'merchant', message: 'names no merchant' }],
        });
      }
      if (request.mapping === 'merchant_name') {
        return [{ kind, content: { mapping: 'merchant_name', merchant, canonicalName: merchant } }];
      }
      if (request.mapping === 'labels')
        return [{ kind, content: { mapping: 'labels', merchant, labels: ['-'] } }];
      return [{ kind, content: { mapping: 'category', merchant, account: { id: '-' } } }];
    }
    case 'integration_preference': {
      const { capability, documentType } = request;
      if (capability === undefined) throw missing('capability');
      return [
        {
          kind,
          content: {
            capability,
            integration: 'any',
            ...(documentType === undefined ? {} : { documentType }),
          },
        },
      ];
    }
    case 'workflow_hint': {
      const { capability, senderDomain } = request;
      const hints = request.hint === undefined ? LEARNABLE_HINTS : [request.hint];
      return hints.map((hint) => ({
        kind,
        content: {
          hint,
          ...(capability === undefined ? {} : { capability }),
          ...(senderDomain === undefined ? {} : { senderDomain }),
        },
      }));
    }
    default:
      throw new MemoryError('invalid-request', 'Nothing is learned of this kind.', {
        errors: [
          { path: 'kind', message: 'must be canonical_mapping, workflow_hint or integration_preference' },
        ],
      });
  }
}

function missing(path: string): MemoryError {
  return new MemoryError('invalid-request', 'The request is not valid.', {
    errors: [{ path, message: 'is required' }],
  });
}
