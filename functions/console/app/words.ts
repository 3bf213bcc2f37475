import type { AccountReference, Memory, MemoryContent, MemoryKind } from '../../../lib/domain/memory.ts';
import type { VerdictReason } from '../../../lib/domain/promotion.ts';
import type { Evidence } from '../../../lib/domain/responses.ts';
import { accountNames } from './account-names.ts';
import { sinceOf } from './dates.ts';

/** A memory as a bookkeeper would say it. `about` is missing where it is about everything. */
export interface Saying {
  readonly about?: string;
  readonly says: string;
}

export type Topic = 'category' | 'name' | 'labels' | 'preference' | 'workflow' | 'integration';
export const TOPICS = {
  category: 'Categories',
  name: 'Names',
  labels: 'Labels',
  preference: 'Preferences',
  workflow: 'Ways of working',
  integration: 'Where things go',
} as const satisfies Record<Topic, string>;
export const TOPIC_NAMES = Object.keys(TOPICS) as Topic[];

const ONE: Record<Topic, string> = {
  category: 'Category',
  name: 'Name',
  labels: 'Labels',
  preference: 'Preference',
  workflow: 'Way of working',
  integration: 'Where things go',
};

export const topicOf = ({ kind, content }: { kind: MemoryKind; content: MemoryContent }): Topic => {
  if ('mapping' in content) return content.mapping === 'merchant_name' ? 'name' : content.mapping;
  if (kind === 'integration_preference') return 'integration';
  return kind === 'workflow_hint' ? 'workflow' : 'preference';
};
export const topicName = (memory: Memory) => ONE[topicOf(memory)];

const HINTS: Record<string, string> = {
  preview_first: 'Show a preview first',
  show_original_first: 'Show the original first',
  ask_before_sending: 'Ask before sending',
  one_at_a_time: 'One at a time',
};

export function sayingOf(content: MemoryContent): Saying {
  if ('mapping' in content) {
    const { merchant } = content;
    if (content.mapping === 'category') {
      return { about: merchant, says: accountName(content.account) };
    }
    if (content.mapping === 'merchant_name') return { about: merchant, says: content.canonicalName };
    return { about: merchant, says: content.labels.join(', ') };
  }
  if ('integration' in content) {
    const { capability, integration, documentType, target } = content;
    const what = documentType === undefined ? 'Everything' : `Documents of type ${plain(documentType)}`;
    return {
      about: `${what}, when asked to ${plain(capability)}`,
      says: target === undefined ? plain(integration) : `${plain(integration)}, ${target}`,
    };
  }
  if ('hint' in content) {
    const { hint, text, capability, senderDomain } = content;
    const when = [
      senderDomain === undefined ? undefined : `documents from ${senderDomain}`,
      capability === undefined ? undefined : `when asked to ${plain(capability)}`,
    ].filter((part) => part !== undefined);
    const says = HINTS[hint] ?? text ?? '';
    return when.length === 0 ? { says } : { about: capitalised(when.join(', ')), says };
  }
  return { says: content.text };
}

/** As the memory has it, else as the chart has it, else its id. */
const accountName = ({ id, name }: AccountReference) => name ?? accountNames.value.get(id) ?? `account ${id}`;

/** One line of text, for titles, summaries and search. */
export function lineOf(content: MemoryContent): string {
  const { about, says } = sayingOf(content);
  return about === undefined ? says : `${about} → ${says}`;
}

/** What is searched: all that is said, the account's id among it. */
export function haystackOf(memory: Memory): string {
  const { content } = memory;
  const extra = 'account' in content ? content.account.id : 'topic' in content ? (content.topic ?? '') : '';
  return fold(`${lineOf(content)} ${extra} ${topicName(memory)}`);
}

export const fold = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLocaleLowerCase('en');

/** The merchant's own key, which joins all that is known of it under one heading. */
export function merchantGroupOf(
  memory: Memory,
): { readonly key: string; readonly merchant: string } | undefined {
  if (!('mapping' in memory.content)) return undefined;
  return { key: memory.dedupKey.split('/')[2] ?? '', merchant: memory.content.merchant };
}

/** What the evidence speaks for: the proposal beside a memory, or the memory itself. */
export const proposedOf = (memory: Memory): MemoryContent => memory.proposal?.content ?? memory.content;

export const strengthOf = ({ proposal, confidence, evidenceCount }: Memory) =>
  proposal
    ? { confidence: proposal.confidence, documents: proposal.evidenceCount }
    : { confidence, documents: evidenceCount };

export function byStrength(a: Memory, b: Memory): number {
  const [x, y] = [strengthOf(a), strengthOf(b)];
  return y.confidence - x.confidence || y.documents - x.documents || (a.dedupKey < b.dedupKey ? -1 : 1);
}

export const count = (n: number, one: string, many = `${one}s`) =>
  `${n.toLocaleString('en')} ${n === 1 ? one : many}`;

const unitOf = (memory: Pick<Memory, 'kind'>) =>
  memory.kind === 'canonical_mapping' ? 'document' : 'request';

/** "5 of 5 documents, 2 people, since March" */
export function evidenceLine(memory: Memory, evidence: Evidence | undefined): string {
  const { documents } = strengthOf(memory);
  const unit = unitOf(memory);
  const lead = evidence?.tally.find(({ content }) => sameContent(content, proposedOf(memory)));
  if (evidence === undefined || lead === undefined)
    return `${count(documents, unit)} ${documents === 1 ? 'agrees' : 'agree'}`;
  const { k, n } = evidence.verdict;
  const all = n >= k && k > 0 ? `${k} of ${count(n, unit)}` : count(lead.documents, unit);
  return `${all}, ${count(lead.people, 'person', 'people')}, ${sinceOf(lead.firstAt)}`;
}

/** By what is said; the printed name and the account's name may differ from vote to vote. */
export function sameContent(a: MemoryContent, b: MemoryContent): boolean {
  return wordingOf(a) === wordingOf(b);
}

function wordingOf(content: MemoryContent): string {
  if ('account' in content) return `account ${content.account.id}`;
  if ('canonicalName' in content) return `name ${content.canonicalName}`;
  if ('labels' in content) return `labels ${[...content.labels].sort().join('\n')}`;
  if ('integration' in content) return `integration ${content.integration}\n${content.target ?? ''}`;
  if ('hint' in content) return `hint ${content.hint}\n${content.text ?? ''}`;
  return `text ${content.text}`;
}

export const sureness = (confidence: number) => `${Math.round(confidence * 100)}%`;

/** Why the evidence has, or has not, come to something. */
export function verdictLine({ verdict, policy }: Evidence): string {
  const { reason, k, n, needed } = verdict;
  const lines: Record<VerdictReason, string> = {
    promoted: `Enough documents agree: ${k} of ${n}.`,
    'needs-more':
      k >= needed
        ? `${count(k, 'document agrees', 'documents agree')}, but they come from a single correction. At least ${policy.minCorrections} separate ones are needed.`
        : `${k} of the ${needed} documents that are needed say so.`,
    mixed: `The documents do not agree enough: the most frequent answer is on ${k} of ${n}, and at least ${Math.round(policy.minConfidence * 100)}% must agree.`,
    'newest-disagrees': 'The newest document says something else, so it waits for the next one.',
    'turned-down': 'A person turned this value down. It is not suggested again; another value may be.',
    covered: 'An active memory says so already.',
    intermediary:
      'This is a payment service. What is bought through it differs, so nothing is learned about it.',
    'unknown-account': 'The account that the documents name is not in the chart of accounts, or is closed.',
    'no-evidence': 'No correction about this has been seen yet.',
  };
  return lines[reason];
}

/** What an active memory makes happen, and when. */
export function effectOf(memory: Memory): readonly string[] {
  const { content } = memory;
  const { about = '', says } = sayingOf(content);
  if ('mapping' in content) {
    const first = {
      category: `When a document from “${about}” is read, “${says}” is suggested as its category.`,
      merchant_name: `When a document says “${about}”, the merchant is shown as “${says}”, and what is known of “${says}” applies.`,
      labels: `A document from “${about}” gets the labels ${says}.`,
    }[content.mapping];
    return [first, 'It is a suggestion only: what the document itself says always wins.'];
  }
  if ('integration' in content) return [`${about}: “${says}” is suggested first.`];
  if ('hint' in content)
    return [`${about === '' ? 'Always' : about}: ${says.charAt(0).toLowerCase()}${says.slice(1)}.`];
  const whom = {
    user: 'your own conversations',
    org: 'every conversation of the workspace',
    document: 'conversations about one document',
    agent: 'one assistant',
  };
  return [`Assistants are told this in ${whom[memory.scope]}.`];
}

export function placesOf(memory: Memory): readonly string[] {
  const places = ['Assistants: in the notes they plan with'];
  if (memory.scope !== 'document' || memory.kind === 'preference')
    places.push('Reading documents: as a hint');
  return places;
}

export const SOURCES: Record<string, string> = {
  user_declared: 'said by a person',
  manual_correction: 'learned from corrections',
  approval_history: 'learned from approvals',
  system: 'set up by the system',
};

export const STATUSES: Record<string, string> = {
  active: 'Active',
  candidate: 'Suggested',
  rejected: 'Rejected',
  archived: 'Archived',
};

const capitalised = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);

/** `integrations.send-to-integration` → `send to integration` */
const plain = (slug: string) => (slug.split('.').at(-1) ?? slug).replaceAll(/[-_]/g, ' ');
