import type { CorrectionEvent, CorrectionType } from './correction.ts';
import { voteRangeOf } from './dedup-key.ts';
import { LEARNABLE_HINTS, recogniseFeedback } from './feedback.ts';
import { type AccountReference, type MemoryBody, Name, SenderDomain, Slug } from './memory.ts';
import { merchantKey } from './merchant-key.ts';
import { isPlaceholderName } from './placeholder-name.ts';
import { hasVisible } from './text.ts';
import type { Vote } from './votes.ts';

/** The votes one event casts, and every body whose standing they may change. */
export interface Ballot {
  readonly votes: readonly Vote[];
  readonly concerns: readonly MemoryBody[];
}

/** A correction event → its ballot. Pure: the same event always casts the same votes. An act of nobody casts none. */
export function castVotes(event: CorrectionEvent): Ballot {
  const role = ROLE_OF_TYPE[event.type];
  const userId = event.actor?.userId;
  if (role === 'none' || userId === undefined) return NO_BALLOT;
  const entries =
    role === 'approval'
      ? approvalEntries(event)
      : role === 'rejection'
        ? rejectionEntries(event)
        : documentEntries(event, role);
  return {
    votes: entries.map(({ about, says }) => ({
      range: voteRangeOf(about),
      at: Date.parse(event.occurredAt),
      eventId: event.eventId,
      userId,
      documentIds: [...new Set(event.subjectIds)].sort(),
      act: role === 'confirmation' ? 'confirmation' : 'correction',
      says,
      causedBy: event.causedBy ?? [],
    })),
    concerns: entries.flatMap(({ about }) => concernsOf(about)),
  };
}

type Role = 'correction' | 'confirmation' | 'approval' | 'rejection' | 'none';

const ROLE_OF_TYPE = {
  manual_patch: 'correction',
  bulk_edit: 'correction',
  document_confirm: 'confirmation',
  capability_approval_approve: 'approval',
  agent_approval_approve: 'approval',
  capability_approval_reject: 'rejection',
  agent_approval_reject: 'rejection',
  validation_error_dismiss: 'none',
  rule_execute: 'none',
  memory_submission: 'none',
} as const satisfies Record<CorrectionType, Role>;

const NO_BALLOT: Ballot = { votes: [], concerns: [] };

/** `about` is any body of the subject; it names the range where `says` itself is no body. */
interface Entry {
  readonly about: MemoryBody;
  readonly says: Vote['says'];
}

function documentEntries(event: CorrectionEvent, role: 'correction' | 'confirmation'): Entry[] {
  const { changeSet, context = {} } = event;
  const merchant = printedMerchant(changeSet?.merchant?.from) ?? printedMerchant(context.merchant);
  if (merchant === undefined) return [];
  const said = {
    merchant: role === 'correction' ? changeSet?.merchant?.to : context.confirmed?.merchant,
    category: role === 'correction' ? changeSet?.category?.to : context.confirmed?.category,
  };
  const against =
    context.direction === 'refund' || context.direction === 'sale' || isCreditNote(context.documentType);
  const entries: Entry[] = [];
  if (said.merchant !== undefined || against) {
    const body = renameBody(merchant, said.merchant);
    entries.push({ about: renameTo(merchant, merchant), says: against ? 'abstain' : (body ?? 'abstain') });
  }
  if (said.category !== undefined || against || context.split === true) {
    const account = accountOf(said.category);
    const body = categoryBody(merchant, account ?? { id: '?' });
    entries.push({
      about: body,
      says: against || context.split === true || account === undefined ? 'abstain' : body,
    });
  }
  return entries;
}

function approvalEntries({ context = {} }: CorrectionEvent): Entry[] {
  const { capability, integration, target } = context;
  if (integration === undefined || capability === undefined) return [];
  const documentType = Slug.safeParse(context.documentType).data;
  // A type that no memory can name would be learned as every type.
  if (documentType === undefined && context.documentType !== undefined) return [];
  const body: MemoryBody = {
    kind: 'integration_preference',
    content: {
      capability,
      integration,
      ...(documentType === undefined ? {} : { documentType }),
      ...(target === undefined ? {} : { target }),
    },
  };
  return [{ about: body, says: body }];
}

function rejectionEntries({ context = {} }: CorrectionEvent): Entry[] {
  if (context.feedback === undefined || !hasVisible(context.feedback)) return [];
  const senderDomain =
    context.senderDomain === undefined ? undefined : SenderDomain.safeParse(context.senderDomain);
  if (senderDomain?.success === false) return [];
  const hint = recogniseFeedback(context.feedback);
  const body: MemoryBody = {
    kind: 'workflow_hint',
    content: {
      hint: hint ?? LEARNABLE_HINTS[0],
      ...(context.capability === undefined ? {} : { capability: context.capability }),
      ...(senderDomain === undefined ? {} : { senderDomain: senderDomain.data }),
    },
  };
  return [{ about: body, says: hint === undefined ? 'other' : body }];
}

/** A rejection speaks for one hint and against the others of its capability and sender. */
function concernsOf(about: MemoryBody): MemoryBody[] {
  if (about.kind !== 'workflow_hint') return [about];
  return LEARNABLE_HINTS.map((hint) => ({ kind: 'workflow_hint', content: { ...about.content, hint } }));
}

function printedMerchant(printed: string | null | undefined): string | undefined {
  const name = Name.safeParse(printed?.trim());
  return name.success && merchantKey(name.data) !== undefined ? name.data : undefined;
}

function renameBody(merchant: string, to: string | null | undefined): MemoryBody | undefined {
  const canonicalName = printedMerchant(to);
  if (canonicalName === undefined || isPlaceholderName(canonicalName)) return undefined;
  return renameTo(merchant, canonicalName);
}

const renameTo = (merchant: string, canonicalName: string): MemoryBody => ({
  kind: 'canonical_mapping',
  content: { mapping: 'merchant_name', merchant, canonicalName },
});

const categoryBody = (merchant: string, account: AccountReference): MemoryBody => ({
  kind: 'canonical_mapping',
  content: { mapping: 'category', merchant, account },
});

function accountOf(value: string | AccountReference | null | undefined): AccountReference | undefined {
  if (value === null || value === '') return undefined;
  return typeof value === 'string' ? { id: value } : value;
}

/** "credit_note", "CreditMemo", "supplier-credit-note", "vendor.credit", "refund_receipt". */
const isCreditNote = (documentType: string | undefined) =>
  /(?:^|[-_. ])(?:credit(?:[-_. ]?(?:note|memo|invoice))?|refund(?:[-_. ]?(?:note|receipt|invoice))?)$/i.test(
    documentType ?? '',
  );
