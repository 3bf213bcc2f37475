/*
 * Mutants that nothing can tell from the code, and why:
 * - the account `?` by another name, or none: it stands where only the range counts, and no range has an account in it
 * - a type of document that is not there by any word: none of them is a credit note
 */
import { describe, expect, it } from 'vitest';
import { castVotes } from '../../lib/domain/cast-votes.ts';
import { CorrectionType } from '../../lib/domain/correction.ts';
import { voteRangeOf } from '../../lib/domain/dedup-key.ts';
import type { MemoryBody } from '../../lib/domain/memory.ts';
import { categoryBody, correctionEvent, MOMENT, USER } from '../support/builders.ts';

const nameBody = (merchant: string, canonicalName: string): MemoryBody => ({
  kind: 'canonical_mapping',
  content: { mapping: 'merchant_name', merchant, canonicalName },
});

const votesOf = (overrides: Readonly<Record<string, unknown>>) => castVotes(correctionEvent(overrides)).votes;
const saidBy = (overrides: Readonly<Record<string, unknown>>) => votesOf(overrides).map(({ says }) => says);

describe('a correction of a document', () => {
  it.each(['manual_patch', 'bulk_edit'])('votes for the category it sets: %s', (type) => {
    expect(votesOf({ type, causedBy: ['m_1'] })).toEqual([
      {
        range: voteRangeOf(categoryBody()),
        at: MOMENT,
        eventId: 'ev_1',
        userId: USER,
        documentIds: ['doc_1'],
        act: 'correction',
        says: categoryBody(),
        causedBy: ['m_1'],
      },
    ]);
  });

  it('takes an account with the name it had', () => {
    expect(saidBy({ changeSet: { category: { to: { id: '6120', name: 'Software' } } } })).toEqual([
      categoryBody('Vercel', '6120', 'Software'),
    ]);
  });

  it('is caused by no memory where it names none', () => {
    expect(votesOf({})).toMatchObject([{ causedBy: [] }]);
  });

  it('votes for the name it gives, of the merchant as it was printed', () => {
    const changeSet = { merchant: { from: 'VERCEL INC. SAN FRANCISCO', to: 'Vercel' } };
    expect(saidBy({ changeSet, context: { merchant: 'something else' } })).toEqual([
      nameBody('VERCEL INC. SAN FRANCISCO', 'Vercel'),
    ]);
  });

  it('votes on name and category at once, both of the merchant as printed', () => {
    const changeSet = { merchant: { from: 'VERCEL INC', to: 'Vercel' }, category: { to: '6120' } };
    expect(saidBy({ changeSet })).toEqual([nameBody('VERCEL INC', 'Vercel'), categoryBody('VERCEL INC')]);
  });

  it.each([undefined, null, '', '  '])(
    'takes the printed merchant of the context where it was %j before',
    (from) => {
      const changeSet = { merchant: { ...(from === undefined ? {} : { from }), to: 'Vercel' } };
      expect(saidBy({ changeSet, context: { merchant: 'VERCEL INC' } })).toEqual([
        nameBody('VERCEL INC', 'Vercel'),
      ]);
    },
  );

  it('takes names without the space around them', () => {
    const changeSet = { merchant: { from: ' VERCEL INC\n', to: '\tVercel ' } };
    expect(saidBy({ changeSet })).toEqual([nameBody('VERCEL INC', 'Vercel')]);
  });

  it('needs no context beside what it changes', () => {
    const changeSet = { merchant: { from: 'VERCEL INC', to: 'Vercel' } };
    const alone = { changeSet, context: undefined };
    expect(saidBy(alone)).toEqual([nameBody('VERCEL INC', 'Vercel')]);
    expect(saidBy({ ...alone, type: 'document_confirm' })).toEqual([]);
    expect(saidBy({ context: undefined })).toEqual([]);
  });

  it.each([null, '', 'None', '(none)', 'Expense', 'unknown', '-'])(
    'takes a rename to %j for a name taken away',
    (to) => {
      expect(saidBy({ changeSet: { merchant: { from: 'Apple', to } } })).toEqual(['abstain']);
    },
  );

  it.each([null, ''])('takes its vote back where the category is cleared to %j', (to) => {
    expect(saidBy({ changeSet: { category: { from: '6120', to } } })).toEqual(['abstain']);
  });

  it.each([
    ['no merchant', {}],
    ['a merchant of digits', { merchant: '0001234' }],
    ['an empty merchant', { merchant: '' }],
    ['a merchant of null', { merchant: null }],
  ])('votes on nothing with %s', (_, context) => {
    expect(castVotes(correctionEvent({ context }))).toEqual({ votes: [], concerns: [] });
  });

  it('votes on nothing where it changes something else', () => {
    expect(saidBy({ changeSet: { total: { from: 1, to: 2 } } })).toEqual([]);
  });

  it('votes on nothing where nobody did it', () => {
    expect(saidBy({ actor: undefined })).toEqual([]);
  });

  it('is one vote for all its documents, each once and in one order', () => {
    const [vote, ...others] = votesOf({ type: 'bulk_edit', subjectIds: ['d2', 'd1', 'd2', 'd3'] });
    expect(vote?.documentIds).toEqual(['d1', 'd2', 'd3']);
    expect(others).toEqual([]);
  });

  it('takes a thousand documents and no more', () => {
    const documents = (count: number) => Array.from({ length: count }, (_, index) => `d${index}`);
    expect(votesOf({ subjectIds: documents(1000) })[0]?.documentIds).toHaveLength(1000);
    expect(() => votesOf({ subjectIds: documents(1001) })).toThrow();
    expect(() => votesOf({ subjectIds: [] })).toThrow();
  });
});

describe('what is no purchase booked to one account', () => {
  it.each([
    ['a refund', { direction: 'refund' }],
    ['a sale', { direction: 'sale' }],
    ['a credit note', { documentType: 'credit-note' }],
    ['a credit memo', { documentType: 'credit_memo' }],
    ['a credit note as people write it', { documentType: 'Credit Note' }],
    ['a credit note of a supplier', { documentType: 'supplier-credit-note' }],
    ['a vendor credit', { documentType: 'vendor_credit' }],
    ['a refund receipt', { documentType: 'RefundReceipt' }],
    ['a refund note', { documentType: 'refund-note' }],
    ['a refund by its name alone', { documentType: 'Refund' }],
    ['a credit by its name alone', { documentType: 'credit' }],
    ['a credit invoice', { documentType: 'creditinvoice' }],
  ])('takes back what the document said of name and category: %s', (_, context) => {
    const ballot = castVotes(correctionEvent({ context: { merchant: 'Vercel', ...context } }));
    expect(ballot.votes.map(({ range, says }) => [range, says])).toEqual([
      [voteRangeOf(nameBody('Vercel', 'Vercel')), 'abstain'],
      [voteRangeOf(categoryBody()), 'abstain'],
    ]);
  });

  it('takes back only the category where the document was split', () => {
    const changeSet = { merchant: { from: 'Vercel', to: 'Vercel Hosting' }, category: { to: '6120' } };
    expect(saidBy({ changeSet, context: { split: true } })).toEqual([
      nameBody('Vercel', 'Vercel Hosting'),
      'abstain',
    ]);
    expect(saidBy({ changeSet: undefined, context: { merchant: 'Vercel', split: true } })).toEqual([
      'abstain',
    ]);
  });

  it.each([
    'Credit Card Statement',
    'credit_notes_list',
    'accredited',
    'refundable',
    'non-refundable',
    'invoice',
  ])('is not what only sounds like a credit note: %s', (documentType) => {
    expect(saidBy({ context: { merchant: 'Vercel', documentType } })).toEqual([categoryBody()]);
  });

  it('counts a plain purchase', () => {
    expect(saidBy({ context: { merchant: 'Vercel', direction: 'purchase', split: false } })).toEqual([
      categoryBody(),
    ]);
  });
});

describe('a confirmation', () => {
  const confirm = (confirmed: unknown, more = {}) => ({
    type: 'document_confirm',
    changeSet: undefined,
    context: { merchant: 'VERCEL INC', confirmed, ...more },
  });

  it.each(['6120', { id: '6120' }])(
    'votes for what it leaves as it was, and is no correction: %j',
    (category) => {
      const [vote] = votesOf(confirm({ category, merchant: 'Vercel' }));
      expect(vote).toMatchObject({ act: 'confirmation', says: nameBody('VERCEL INC', 'Vercel') });
      expect(saidBy(confirm({ category }))).toEqual([categoryBody('VERCEL INC')]);
    },
  );

  it('says nothing of what it does not name', () => {
    expect(saidBy(confirm(undefined))).toEqual([]);
    expect(saidBy({ ...confirm(undefined), changeSet: { category: { to: '6120' } } })).toEqual([]);
  });

  it('abstains like any other of a refund', () => {
    expect(saidBy(confirm({ category: '6120' }, { direction: 'refund' }))).toEqual(['abstain', 'abstain']);
  });
});

describe('an approval', () => {
  const approval = { subjectType: 'approval', changeSet: undefined };
  const sent = {
    capability: 'integrations.send',
    integration: 'xero',
    documentType: 'invoice',
    target: 'bills',
  };

  it.each(['capability_approval_approve', 'agent_approval_approve'])(
    'votes for where it was sent: %s',
    (type) => {
      expect(saidBy({ ...approval, type, context: { ...sent, merchant: 'Vercel' } })).toEqual([
        { kind: 'integration_preference', content: sent },
      ]);
    },
  );

  it('is for every type and any place where it names none', () => {
    const context = { capability: 'send', integration: 'xero' };
    expect(saidBy({ ...approval, type: 'agent_approval_approve', context })).toStrictEqual([
      { kind: 'integration_preference', content: context },
    ]);
  });

  it('of a type that no memory can name is not taken for one of every type', () => {
    const context = { ...sent, documentType: 'Credit Note' };
    expect(saidBy({ ...approval, type: 'agent_approval_approve', context })).toEqual([]);
  });

  it.each([{ integration: 'xero' }, { capability: 'integrations.send' }, undefined])(
    'votes on nothing with %j alone',
    (context) => {
      expect(saidBy({ ...approval, type: 'agent_approval_approve', context })).toEqual([]);
    },
  );

  it.each(['capability_approval_reject', 'agent_approval_reject'])(
    'votes for the wish that came with a rejection: %s',
    (type) => {
      const context = { ...sent, feedback: 'show me a preview first', senderDomain: 'Vercel.COM' };
      const ballot = castVotes(correctionEvent({ ...approval, type, context }));
      expect(ballot.votes.map(({ says }) => says)).toEqual([
        {
          kind: 'workflow_hint',
          content: { hint: 'preview_first', capability: 'integrations.send', senderDomain: 'vercel.com' },
        },
      ]);
      // It speaks against the other wishes of that capability and sender.
      const wishes = ['preview_first', 'show_original_first', 'ask_before_sending', 'one_at_a_time'];
      const concerned = wishes.map((hint) => ({
        kind: 'workflow_hint',
        content: { hint, capability: 'integrations.send', senderDomain: 'vercel.com' },
      }));
      expect(ballot.concerns).toHaveLength(wishes.length);
      expect(ballot.concerns).toEqual(expect.arrayContaining(concerned));
    },
  );

  it('votes for the very wish that came with a rejection, of every sending where it names none', () => {
    const context = { feedback: 'show me the original receipt' };
    expect(saidBy({ ...approval, type: 'agent_approval_reject', context })).toStrictEqual([
      { kind: 'workflow_hint', content: { hint: 'show_original_first' } },
    ]);
  });

  it.each(['not a domain', '@', ''])('says nothing about a sender that is none: %j', (senderDomain) => {
    const context = { feedback: 'show me a preview first', senderDomain };
    expect(saidBy({ ...approval, type: 'agent_approval_reject', context })).toEqual([]);
  });

  it('counts a rejection with other feedback against every wish', () => {
    const context = { capability: 'integrations.send', feedback: 'wrong amount' };
    expect(saidBy({ ...approval, type: 'agent_approval_reject', context })).toEqual(['other']);
  });

  it.each([undefined, '', '  '])('says nothing without feedback: %j', (feedback) => {
    const context = { capability: 'integrations.send', ...(feedback === undefined ? {} : { feedback }) };
    expect(saidBy({ ...approval, type: 'agent_approval_reject', context })).toEqual([]);
  });

  it('says nothing when rejected without any context', () => {
    expect(saidBy({ ...approval, type: 'agent_approval_reject', context: undefined })).toEqual([]);
  });
});

describe('the other events', () => {
  it.each(['validation_error_dismiss', 'rule_execute', 'memory_submission'])(
    'are logged alone: %s',
    (type) => {
      const context = {
        merchant: 'Vercel',
        integration: 'xero',
        capability: 'c',
        feedback: 'preview first',
        confirmed: { category: '6120' },
      };
      expect(castVotes(correctionEvent({ type, context }))).toEqual({ votes: [], concerns: [] });
    },
  );

  it('are all the types there are', () => {
    expect(CorrectionType.options).toHaveLength(10);
    expect(() => correctionEvent({ type: 'something_new' })).toThrow();
  });
});
