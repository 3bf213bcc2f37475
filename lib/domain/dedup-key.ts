import { Buffer } from 'node:buffer';
import { digest } from './digest.ts';
import { MemoryError } from './errors.ts';
import { DedupKey, type MemoryId, type MerchantKey, type OrgId } from './ids.ts';
import type { LiveKind, MemoryBody, MemoryOwner } from './memory.ts';
import { merchantKey } from './merchant-key.ts';
import { foldText } from './text.ts';

/**
 * The stable name of (scope, kind, subject): `scope[/scopeId]/kind/subject…`. Injective: every part is
 * percent-encoded, `/`, `~` and `*` included, so no two different tuples meet.
 *
 * @throws MemoryError `no-merchant` where a mapping's merchant has no identity (a bank phrase, digits, nothing).
 */
export function dedupKeyOf(owner: MemoryOwner, body: MemoryBody): DedupKey {
  return join([...ownerParts(owner), body.kind, ...subjectParts(body)]);
}

/** What all mappings of one merchant start with; they are one contiguous range of the org. */
export function merchantPrefix(merchant: MerchantKey): string {
  return `${join(['org', 'canonical_mapping', encodePart(merchant)])}/`;
}

export function mappingKey(
  merchant: MerchantKey,
  mapping: 'merchant_name' | 'category' | 'labels',
): DedupKey {
  return DedupKey.parse(`${merchantPrefix(merchant)}${mapping}`);
}

/** What all memories of one owner and kind start with. */
export function kindPrefix(owner: MemoryOwner, kind: LiveKind): string {
  return `${join([...ownerParts(owner), kind])}/`;
}

/** What everything of an owner starts with. */
export function ownerPrefix(owner: MemoryOwner): string {
  return `${join(ownerParts(owner))}/`;
}

/** The org's kinds that reach every prompt (integrations, preferences, hints) lie between these two, mappings outside. */
export const ORG_AMBIENT_RANGE = { from: 'org/integration_preference/', to: 'org/workflow_hint0' } as const;

/**
 * The range that holds the votes on a subject. Hints of one capability and sender domain share theirs, because what
 * speaks against one of them is every other rejection there.
 */
export function voteRangeOf(body: MemoryBody): DedupKey {
  if (body.kind !== 'workflow_hint') return dedupKeyOf({ scope: 'org' }, body);
  const { capability, senderDomain } = body.content;
  return join(['org', 'workflow_hint', optionalPart(capability), '*', optionalPart(senderDomain)]);
}

/** The merchant key of a mapping's dedup key, encoded as it stands in the key; `undefined` for any other key. */
export function merchantPartOf(key: DedupKey): string | undefined {
  const parts = key.split('/');
  return parts[0] === 'org' && parts[1] === 'canonical_mapping' ? parts[2] : undefined;
}

const ORG_DIGEST_LENGTH = 16;

/** The opaque id of a dedup key in one org. It carries a digest of the org, so another org's id names nothing here. */
export function memoryIdOf(orgId: OrgId, key: DedupKey): MemoryId {
  return (Buffer.from(key).toString('base64url') + orgDigest(orgId, key)) as MemoryId;
}

/** The dedup key an id names in this org, or `undefined`: malformed, foreign and forged ids are all the same nothing. */
export function dedupKeyOfId(orgId: OrgId, id: string): DedupKey | undefined {
  if (!/^[A-Za-z0-9_-]{17,512}$/.test(id)) return undefined;
  const encoded = id.slice(0, -ORG_DIGEST_LENGTH);
  const key = DedupKey.safeParse(Buffer.from(encoded, 'base64url').toString());
  if (!key.success) return undefined;
  return memoryIdOf(orgId, key.data) === id ? key.data : undefined;
}

function ownerParts(owner: MemoryOwner): string[] {
  if (owner.scope === 'user') return ['user', encodePart(owner.userId)];
  if (owner.scope === 'document') return ['document', encodePart(owner.documentId)];
  return ['org'];
}

function subjectParts(body: MemoryBody): string[] {
  switch (body.kind) {
    case 'preference': {
      const { topic, text } = body.content;
      // A topic that reads like a text digest is told apart by an encoded hyphen.
      if (topic !== undefined) return [encodePart(topic.toLowerCase()).replace(/^text-/, 'text%2D')];
      return [`text-${digest(foldText(text))}`];
    }
    case 'canonical_mapping': {
      const key = merchantKey(body.content.merchant);
      if (key === undefined) {
        throw new MemoryError('no-merchant', 'The merchant is only a bank phrase, digits or nothing.', {
          errors: [{ path: 'content.merchant', message: 'names no merchant' }],
        });
      }
      return [encodePart(key), body.content.mapping];
    }
    case 'workflow_hint': {
      const { capability, hint, text, senderDomain } = body.content;
      const name = hint === 'custom' ? `custom-${digest(foldText(text ?? ''))}` : hint;
      return [optionalPart(capability), name, optionalPart(senderDomain)];
    }
    case 'integration_preference':
      return [optionalPart(body.content.capability), optionalPart(body.content.documentType)];
  }
}

const optionalPart = (part: string | undefined) =>
  part === undefined ? '*' : encodePart(part.toLowerCase());

const join = (parts: readonly string[]) => parts.join('/') as DedupKey;

const MAX_PART_BYTES = 96;
const PART_DIGEST = 43;

/** Percent-encodes one part; a long one keeps a readable prefix, then `~` and a digest of the whole. */
export function encodePart(part: string): string {
  const encoded = encodeURIComponent(part).replace(
    /[!'()*~]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  if (encoded.length <= MAX_PART_BYTES) return encoded;
  const prefix = encoded.slice(0, MAX_PART_BYTES - PART_DIGEST - 1).replace(/%[0-9A-F]?$/, '');
  return `${prefix}~${digest(part, PART_DIGEST)}`;
}

function orgDigest(orgId: OrgId, key: DedupKey): string {
  return digest(`${orgId}\n${key}`, ORG_DIGEST_LENGTH);
}
