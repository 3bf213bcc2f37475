import * as z from 'zod/mini';
import { memoryIdOf } from './dedup-key.ts';
import { MemoryId, OrgId } from './ids.ts';
import { inertText } from './inert-text.ts';
import { byPlace, compare, type InjectableMemory, type Recalled, snapshotOf } from './injectable.ts';
import {
  AccountReference,
  HintName,
  Label,
  Name,
  SenderDomain,
  Slug,
  type WorkflowHintContent,
} from './memory.ts';
import type { HintsRequest } from './requests.ts';

/** The key of a merchant as it was asked for, an alias's own included, so that it fits the document at hand. */
const HintMerchantKey = z.string().check(z.minLength(1), z.maxLength(400));
const Labels = z.array(Label).check(z.minLength(1), z.maxLength(10));

/** Text for a prompt, made inert: one line, no markup, no live link. Preferences and workflow hints. */
export const PromptHint = z.strictObject({
  text: z.string(),
  memoryId: MemoryId,
  confidence: z.number().check(z.gte(0), z.lte(1)),
});
export type PromptHint = z.infer<typeof PromptHint>;

export const RoutingHint = z.union([
  z.strictObject({
    hint: HintName,
    capability: z.optional(Slug),
    senderDomain: z.optional(SenderDomain),
    memoryId: MemoryId,
  }),
  z.strictObject({ labels: Labels, merchantKey: HintMerchantKey, memoryId: MemoryId }),
]);
export type RoutingHint = z.infer<typeof RoutingHint>;

export const EntityHint = z.strictObject({
  type: z.literal('merchant'),
  merchantKey: HintMerchantKey,
  canonicalName: Name,
  memoryId: MemoryId,
});
export type EntityHint = z.infer<typeof EntityHint>;

export const NormalizationHint = z.discriminatedUnion('field', [
  z.strictObject({
    field: z.literal('category'),
    merchantKey: HintMerchantKey,
    account: AccountReference,
    memoryId: MemoryId,
  }),
  z.strictObject({
    field: z.literal('labels'),
    merchantKey: HintMerchantKey,
    labels: Labels,
    memoryId: MemoryId,
  }),
  z.strictObject({
    field: z.literal('integration'),
    capability: Slug,
    integration: Slug,
    documentType: z.optional(Slug),
    target: z.optional(Name),
    memoryId: MemoryId,
  }),
]);
export type NormalizationHint = z.infer<typeof NormalizationHint>;

/** What the extraction pipeline gets. Always advisory; `applyHints` is how it is applied. */
export const Hints = z.strictObject({
  orgId: OrgId,
  snapshot: z.string(),
  truncated: z.boolean(),
  promptHints: z.array(PromptHint),
  routingHints: z.array(RoutingHint),
  entityHints: z.array(EntityHint),
  normalizationHints: z.array(NormalizationHint),
});
export type Hints = z.infer<typeof Hints>;

export interface HintOptions
  extends Pick<HintsRequest, 'orgId' | 'documentId' | 'senderDomain' | 'documentType' | 'maxHints'> {
  /** Keys of the merchants named, sorted; `undefined` when none was. */
  readonly merchants?: readonly string[] | undefined;
}

/**
 * What was recalled, as hints. A condition must be met by the request: a sender domain by the same domain (no
 * subdomains), a document type by the same type, whatever their case; without one in the request only unconditional
 * memories apply. An integration for the document's type beats the capability's general one.
 *
 * `maxHints` counts the hints of all arrays together. A memory's hints go in together or not at all, in this order:
 * what belongs to the named document, the merchants' mappings, what meets a condition of the request, the caller's own
 * preferences, the org's, integrations, workflow hints; within one rank by key.
 */
export function renderHints(recalled: Recalled, { orgId, ...options }: HintOptions): Hints {
  const candidates = [
    ...mostSpecific(recalled.ambient.filter((memory) => applies(memory, options))).map((memory) => ({
      memory,
    })),
    ...recalled.named,
  ].sort((a, b) => rankOf(a) - rankOf(b) || byPlaceAndMerchant(a, b));
  const kept: { readonly source: Source; readonly hints: HintsOfOne }[] = [];
  let left = options.maxHints;
  for (const source of candidates) {
    const hints = hintsOf(source);
    const count = Object.values(hints).flat().length;
    if (count > left) continue;
    left -= count;
    kept.push({ source, hints });
  }
  kept.sort((a, b) => byPlaceAndMerchant(a.source, b.source));
  const arrays = {
    promptHints: kept.flatMap(({ hints }) => hints.promptHints ?? []),
    routingHints: kept.flatMap(({ hints }) => hints.routingHints ?? []),
    entityHints: kept.flatMap(({ hints }) => hints.entityHints ?? []),
    normalizationHints: kept.flatMap(({ hints }) => hints.normalizationHints ?? []),
  };
  const truncated = recalled.partial || kept.length < candidates.length;
  const snapshot = snapshotOf({
    options,
    rendered: withoutIds(arrays),
    memories: kept.map(({ source }) => source.memory),
    truncated,
  });
  return { orgId, snapshot, truncated, ...arrays };
}

interface Source {
  readonly memory: InjectableMemory;
  readonly merchantKey?: string;
}

type HintsOfOne = Partial<Pick<Hints, 'promptHints' | 'routingHints' | 'entityHints' | 'normalizationHints'>>;

function applies(
  { body }: InjectableMemory,
  asked: Pick<HintOptions, 'senderDomain' | 'documentType'>,
): boolean {
  if (body.kind === 'workflow_hint') return meets(body.content.senderDomain, asked.senderDomain);
  if (body.kind === 'integration_preference') return meets(body.content.documentType, asked.documentType);
  return true;
}

function meets(condition: string | undefined, given: string | undefined): boolean {
  return condition === undefined || condition.toLowerCase() === given?.toLowerCase();
}

function mostSpecific(memories: readonly InjectableMemory[]): readonly InjectableMemory[] {
  const specific = new Set(
    memories.flatMap(({ body }) => (isConditional(body) ? integrationSubject(body) : [])),
  );
  return memories.filter(
    ({ body }) =>
      isConditional(body) || integrationSubject(body).every((capability) => !specific.has(capability)),
  );
}

function integrationSubject(body: InjectableMemory['body']): readonly string[] {
  return body.kind === 'integration_preference' ? [body.content.capability.toLowerCase()] : [];
}

function isConditional(body: InjectableMemory['body']): boolean {
  if (body.kind === 'workflow_hint') return body.content.senderDomain !== undefined;
  return body.kind === 'integration_preference' && body.content.documentType !== undefined;
}

function rankOf({ memory: { stored, body } }: Source): number {
  if (stored.owner.scope === 'document') return 0;
  if (isConditional(body)) return 2;
  if (stored.owner.scope === 'user') return 3;
  return { canonical_mapping: 1, preference: 4, integration_preference: 5, workflow_hint: 6 }[body.kind];
}

function byPlaceAndMerchant(a: Source, b: Source): number {
  return byPlace(a.memory, b.memory) || compare(a.merchantKey ?? '', b.merchantKey ?? '');
}

function hintsOf({ memory: { stored, body }, merchantKey = '' }: Source): HintsOfOne {
  const memoryId = memoryIdOf(stored.orgId, stored.dedupKey);
  const confidence = stored.decided?.confidence ?? 0;
  switch (body.kind) {
    case 'preference':
      return { promptHints: [{ text: inertText(body.content.text), memoryId, confidence }] };
    case 'workflow_hint': {
      const { hint, capability, senderDomain } = body.content;
      return {
        promptHints: [{ text: workflowText(body.content), memoryId, confidence }],
        routingHints: [{ hint, ...given({ capability, senderDomain }), memoryId }],
      };
    }
    case 'integration_preference': {
      const { capability, integration, documentType, target } = body.content;
      const hint = {
        field: 'integration' as const,
        capability,
        integration,
        ...given({ documentType, target }),
        memoryId,
      };
      return { normalizationHints: [hint] };
    }
    case 'canonical_mapping':
      switch (body.content.mapping) {
        case 'merchant_name':
          return {
            entityHints: [
              { type: 'merchant', merchantKey, canonicalName: body.content.canonicalName, memoryId },
            ],
          };
        case 'category':
          return {
            normalizationHints: [{ field: 'category', merchantKey, account: body.content.account, memoryId }],
          };
        case 'labels': {
          const { labels } = body.content;
          return {
            routingHints: [{ labels, merchantKey, memoryId }],
            normalizationHints: [{ field: 'labels', merchantKey, labels, memoryId }],
          };
        }
      }
  }
}

const WORKFLOW_TEXT = {
  preview_first: 'Show a preview first',
  show_original_first: 'Show the original document first',
  ask_before_sending: 'Ask before sending',
  one_at_a_time: 'Take one at a time',
} as const satisfies Record<Exclude<HintName, 'custom'>, string>;

function workflowText({ hint, text, capability, senderDomain }: WorkflowHintContent): string {
  const said = [
    ...(hint === 'custom' ? [] : [WORKFLOW_TEXT[hint]]),
    ...(text === undefined ? [] : [inertText(text)]),
  ];
  const conditions = [
    ...(capability === undefined ? [] : [`capability ${inertText(capability)}`]),
    ...(senderDomain === undefined ? [] : [`sender domain ${inertText(senderDomain)}`]),
  ];
  return said.join(': ') + (conditions.length === 0 ? '' : ` (${conditions.join(', ')})`);
}

/** The members that have a value. */
function given<T extends Record<string, string | undefined>>(members: T) {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}

// An id names its org; the snapshot is of what the hints say.
function withoutIds(arrays: object): string {
  return JSON.stringify(arrays, (name, member: unknown) => (name === 'memoryId' ? undefined : member));
}
