import { canonicalJson, digest } from './digest.ts';
import type { LiveKind, MemoryBody, MemoryContent } from './memory.ts';
import { foldText } from './text.ts';

/**
 * What a body says about its subject, folded so that two ways of writing one value are one: an account by its id, a
 * name without regard to case and spacing. Votes, turned-down values and agreement go by this.
 */
export function valueKey(body: MemoryBody): string {
  switch (body.kind) {
    case 'preference':
      return body.content.text;
    case 'canonical_mapping':
      switch (body.content.mapping) {
        case 'category':
          return body.content.account.id;
        case 'merchant_name':
          return foldText(body.content.canonicalName);
        case 'labels':
          return canonicalJson(body.content.labels.map(foldText).sort());
      }
      break;
    case 'workflow_hint':
      return canonicalJson([body.content.hint, foldText(body.content.text ?? '')]);
    case 'integration_preference':
      return canonicalJson([body.content.integration.toLowerCase(), foldText(body.content.target ?? '')]);
  }
}

/** 72 bits: among the values one subject ever had, two never share it. */
export function valueDigest(body: MemoryBody): string {
  return digest(valueKey(body), 12);
}

/** Whether two contents of one subject say the same to the letter, but for how the merchant and the account are written. */
export function sameContent(kind: LiveKind, a: MemoryContent, b: MemoryContent): boolean {
  return canonicalJson(withoutLabels(kind, a)) === canonicalJson(withoutLabels(kind, b));
}

function withoutLabels(kind: LiveKind, content: MemoryContent): unknown {
  if (kind !== 'canonical_mapping' || !('mapping' in content)) return content;
  const { merchant: _, ...said } = content;
  return said.mapping === 'category' ? { ...said, account: said.account.id } : said;
}
