import type { Categorisation } from '../domain/categorisation.ts';
import { type Account, isPostable } from '../domain/chart-of-accounts.ts';
import { dedupKeyOf } from '../domain/dedup-key.ts';
import { MemoryError } from '../domain/errors.ts';
import type { Identity } from '../domain/identity.ts';
import type { Outcome } from '../domain/lifecycle.ts';
import {
  type LiveKind,
  type Memory,
  type MemoryBody,
  type MemoryOwner,
  type MemoryScope,
  RESERVED_KINDS,
  SCOPES_OF_KIND,
} from '../domain/memory.ts';
import { merchantKey } from '../domain/merchant-key.ts';
import { isPlaceholderName } from '../domain/placeholder-name.ts';
import type { SaveRequest } from '../domain/requests.ts';
import { proposalOf, type StoredMemory, withoutProposal } from '../domain/stored-memory.ts';
import { viewOf } from '../domain/view.ts';
import { runDecision } from './decide.ts';
import { judge } from './judge.ts';
import { noticeOf } from './notices.ts';
import type { OrgPorts } from './ports-of-org.ts';

/**
 * memories.save: a person declares something.
 *
 * @throws MemoryError `invalid-request` (scope), `forbidden` (a preference for everybody needs the review scope),
 * `no-merchant`, `chart-of-accounts-missing`, `unknown-account`, `use-canonical-mapping`, `version-conflict`.
 */
export async function saveMemory(
  ports: OrgPorts,
  identity: Identity,
  request: SaveRequest,
): Promise<{ readonly memory: Memory; readonly outcome: Outcome }> {
  if (isReserved(request)) {
    throw new MemoryError('reserved-kind', 'The kind is reserved and cannot be saved yet.', {
      errors: [{ path: 'kind', message: 'is reserved' }],
    });
  }
  const owner = ownerOf(identity, request);
  const asked: MemoryBody = bodyOfRequest(request);
  const { body, accounts } = await checkBody(ports, asked);
  const place = { orgId: identity.orgId, dedupKey: dedupKeyOf(owner, body), owner, kind: body.kind };
  const act = {
    act: 'save',
    content: body.content,
    by: identity.userId,
    ...(request.expectedVersion === undefined ? {} : { expectedVersion: request.expectedVersion }),
  } as const;
  const { memory, outcome } = await runDecision(
    ports,
    place,
    act,
    (decided) =>
      decided.outcome === 'unchanged'
        ? []
        : [noticeOf('MemorySaved', decided.memory, { outcome: decided.outcome })],
    (stored) => (request.expectedVersion === 0 ? withoutHidden(ports, stored) : stored),
  );
  const view = viewOf(memory, accounts);
  if (view === undefined) throw new RangeError('what was saved can be seen');
  return { memory: view, outcome };
}

/** "Must not exist yet" is about what the caller can see: a candidate that every list hides is not there. */
async function withoutHidden(ports: OrgPorts, stored: StoredMemory): Promise<StoredMemory> {
  if (proposalOf(stored) === undefined) return stored;
  const [judged] = await judge(ports, [stored]);
  return judged?.hidden === undefined ? stored : withoutProposal(stored);
}

type LiveRequest = Extract<SaveRequest, { kind: LiveKind }>;

function isReserved(request: SaveRequest): request is Exclude<SaveRequest, LiveRequest> {
  return RESERVED_KINDS.some((kind) => kind === request.kind);
}

function ownerOf(identity: Identity, request: LiveRequest): MemoryOwner {
  const allowed: readonly MemoryScope[] = SCOPES_OF_KIND[request.kind];
  if (!allowed.includes(request.scope)) {
    throw invalid('scope', `must be one of: ${allowed.join(', ')}`);
  }
  if (request.scope === 'document') {
    if (request.documentId === undefined) throw invalid('documentId', 'is required with scope document');
    return { scope: 'document', documentId: request.documentId };
  }
  if (request.documentId !== undefined) throw invalid('documentId', 'is only for scope document');
  if (request.scope === 'user') return { scope: 'user', userId: identity.userId };
  if (request.kind === 'preference' && !identity.scopes.has('memories:review')) {
    throw new MemoryError(
      'forbidden',
      'A preference for the whole workspace needs the scope memories:review.',
    );
  }
  return { scope: 'org' };
}

function bodyOfRequest(request: LiveRequest): MemoryBody {
  return { kind: request.kind, content: request.content } as MemoryBody;
}

async function checkBody(
  ports: Pick<OrgPorts, 'accounts'>,
  body: MemoryBody,
): Promise<{ readonly body: MemoryBody; readonly accounts?: ReadonlyMap<string, Account> }> {
  if (body.kind === 'preference') await refuseCategorisation(ports, body.content.text);
  if (body.kind === 'canonical_mapping' && body.content.mapping === 'merchant_name') {
    refuseNoName(body.content.canonicalName);
  }
  if (body.kind !== 'canonical_mapping' || body.content.mapping !== 'category') return { body };
  dedupKeyOf({ scope: 'org' }, body);
  const { id, name } = body.content.account;
  const accounts = await ports.accounts.find([id]);
  if (accounts === undefined) {
    throw new MemoryError(
      'chart-of-accounts-missing',
      'This workspace has no chart of accounts yet; put one first.',
    );
  }
  const account = accounts.get(id);
  const phrase = name ?? account?.name ?? id;
  if (!isPostable(account)) throw await unknownAccount(ports, id, phrase);
  return {
    body: { kind: body.kind, content: { ...body.content, account: { id, name: account.name } } },
    accounts,
  };
}

function refuseNoName(canonicalName: string): void {
  if (merchantKey(canonicalName) !== undefined && !isPlaceholderName(canonicalName)) return;
  throw new MemoryError('no-merchant', 'The canonical name names no merchant.', {
    errors: [{ path: 'content.canonicalName', message: 'names no merchant' }],
  });
}

async function unknownAccount(
  ports: Pick<OrgPorts, 'accounts'>,
  id: string,
  phrase: string,
): Promise<MemoryError> {
  const { accountsInstead } = await import('../domain/resolve-account.ts');
  const chart = await ports.accounts.load();
  const nearest = chart === undefined ? [] : accountsInstead(chart, id, phrase);
  return new MemoryError('unknown-account', 'The account is not in the chart, or cannot be posted to.', {
    errors: [{ path: 'content.account.id', message: 'names no active account that can be posted to' }],
    extra: { nearest: nearest.map(({ account, path }) => ({ id: account.id, name: account.name, path })) },
  });
}

/** Characters; "X is Y" can only be short, and only for such texts is it worth a look whether Y is an account. */
const LONGEST_CATEGORISATION = 160;

/** "Classify Vercel as software" is a mapping with an exact key, not a sentence for a prompt. */
async function refuseCategorisation(ports: Pick<OrgPorts, 'accounts'>, text: string): Promise<void> {
  const chart = text.length <= LONGEST_CATEGORISATION ? await ports.accounts.load() : undefined;
  // Few saves are preferences and few of those are refused; what that takes is loaded when it is needed.
  const { recogniseCategorisation } = await import('../domain/categorisation.ts');
  const meant = recogniseCategorisation(text, chart === undefined ? {} : { chart });
  if (meant === undefined) return;
  const { resolveAccount } = await import('../domain/resolve-account.ts');
  const matches =
    chart === undefined || meant.kind !== 'category'
      ? []
      : resolveAccount(chart, meant.phrase, { merchant: meant.merchant }).matches;
  const accounts = matches.map(({ account, path }) => ({ id: account.id, name: account.name, path }));
  throw new MemoryError('use-canonical-mapping', 'This is a mapping of a merchant; save it as one.', {
    errors: [{ path: 'content.text', message: 'is a mapping of a merchant' }],
    extra: { instead: { kind: 'canonical_mapping', content: mappingInstead(meant, accounts) }, accounts },
  });
}

function mappingInstead(
  meant: Categorisation,
  accounts: readonly { readonly id: string; readonly name: string }[],
): Record<string, unknown> {
  const { merchant, phrase } = meant;
  switch (meant.kind) {
    case 'labels':
      return { mapping: 'labels', merchant, labels: [phrase] };
    case 'merchant_name':
      return { mapping: 'merchant_name', merchant, canonicalName: phrase };
    case 'category':
      // With several accounts it could be, the caller asks and fills in the one that was meant.
      return {
        mapping: 'category',
        merchant,
        account: accounts.length === 1 && accounts[0] ? { id: accounts[0].id, name: accounts[0].name } : null,
      };
  }
}

function invalid(path: string, message: string): MemoryError {
  return new MemoryError('invalid-request', 'The request is not valid.', { errors: [{ path, message }] });
}
