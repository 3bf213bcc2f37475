import { describe, expect, it } from 'vitest';
import {
  HistoryEntry,
  LabelsContent,
  Memory,
  MemoryBody,
  MemoryContent,
  Proposal,
  SenderDomain,
  ShownHistoryEntry,
  Slug,
  WorkflowHintContent,
} from '../../lib/domain/memory.ts';
import { viewOf } from '../../lib/domain/view.ts';
import { account, categoryBody, derived, MOMENT, storedMemory } from '../support/builders.ts';
import { refusalsOf } from '../support/refusals.ts';

describe('a name of a capability, an integration or a topic', () => {
  it('is up to a hundred plain characters, a letter or digit first', () => {
    for (const name of ['x', '7', 'Xero', 'integrations.send-to_xero', 'a'.repeat(100)])
      expect(refusalsOf(Slug, name), name).toEqual([]);
    const refusal = 'must be 1 to 100 of A-Z a-z 0-9 . _ - and start with a letter or digit';
    for (const name of ['', '-x', '.x', '_x', 'a b', 'a/b', 'é', 'xé', 'x\n', ' x', 'a'.repeat(101)])
      expect(refusalsOf(Slug, name), name).toEqual([refusal]);
  });
});

describe('the domain of a sender', () => {
  it('is a host name in any script, in small letters whatever it was written in', () => {
    const longest = `${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(61)}`;
    for (const domain of [
      'vercel.com',
      'a',
      'x1.co-op.example',
      '_dmarc.a.example',
      'bücher.example',
      longest,
    ])
      expect(refusalsOf(SenderDomain, domain), domain).toEqual([]);
    expect(SenderDomain.parse('Mail.Vercel.COM')).toBe('mail.vercel.com');
    const malformed = [
      '',
      '.com',
      '-a.example',
      'a..example',
      'a.',
      'a b',
      'a@b.example',
      'a/b',
      'http://a',
      'a,b',
    ];
    for (const domain of [
      ...malformed,
      ' a',
      'a\n',
      `${'a'.repeat(64)}.example`,
      `a.${'b'.repeat(64)}`,
      `${longest}d`,
    ])
      expect(refusalsOf(SenderDomain, domain), domain).toEqual(['must be a domain name']);
  });
});

describe('the labels of a merchant', () => {
  it('are one to ten, each another one', () => {
    const labels = (...all: string[]) =>
      refusalsOf(LabelsContent, { mapping: 'labels', merchant: 'Uber', labels: all });
    const numbered = (count: number) => Array.from({ length: count }, (_, n) => `label ${n}`);
    expect(labels('taxi')).toEqual([]);
    expect(labels(...numbered(10))).toEqual([]);
    expect(labels()).toEqual(['labels must be at least 1 items']);
    expect(labels(...numbered(11))).toEqual(['labels must be at most 10 items']);
    for (const again of ['taxi', 'TAXI', ' Taxi ', 'ｔａｘｉ'])
      expect(labels('taxi', 'work', again), again).toEqual(['labels must not name a label twice']);
    expect(labels('x'.repeat(40))).toEqual([]);
    expect(labels('taxi', 'x'.repeat(41))).toEqual(['labels.1 must have at most 40 characters']);
  });
});

describe('a workflow hint', () => {
  it('of its own says what it wishes for, one of the known ones need not', () => {
    expect(refusalsOf(WorkflowHintContent, { hint: 'custom' })).toEqual([
      'text is required with a custom hint',
    ]);
    expect(refusalsOf(WorkflowHintContent, { hint: 'custom', text: 'Ask Kim.\nThen send.' })).toEqual([]);
    expect(refusalsOf(WorkflowHintContent, { hint: 'preview_first' })).toEqual([]);
    expect(refusalsOf(WorkflowHintContent, { hint: 'one_at_a_time', text: 'x'.repeat(501) })).toEqual([
      'text must have at most 500 characters',
    ]);
  });
});

describe('what a memory says', () => {
  it('is what its kind can say, and each field is judged by its own rule', () => {
    const taken: readonly object[] = [
      { kind: 'preference', content: { text: 'Totals in euros.\nNet first.', topic: 'totals' } },
      categoryBody('Vercel', '6120', 'Software'),
      categoryBody('Vercel', '6120'),
      {
        kind: 'canonical_mapping',
        content: { mapping: 'merchant_name', merchant: 'SQ *BLUE', canonicalName: 'Blue' },
      },
      { kind: 'canonical_mapping', content: { mapping: 'labels', merchant: 'Uber', labels: ['taxi'] } },
      {
        kind: 'workflow_hint',
        content: { hint: 'preview_first', capability: 'send', senderDomain: 'a.example' },
      },
      {
        kind: 'integration_preference',
        content: { capability: 'send', integration: 'xero', documentType: 'invoice', target: 'Bills' },
      },
      { kind: 'integration_preference', content: { capability: 'send', integration: 'xero' } },
    ];
    for (const body of taken) {
      expect(MemoryBody.parse(body)).toEqual(body);
      expect(refusalsOf(MemoryContent, 'content' in body && body.content), JSON.stringify(body)).toEqual([]);
    }

    const mapping = (content: object) => ({
      kind: 'canonical_mapping',
      content: { merchant: 'Uber', ...content },
    });
    const refused: readonly (readonly [unknown, string])[] = [
      [{ kind: 'preference', content: { text: ' ' } }, 'content.text must not be blank'],
      [
        { kind: 'preference', content: { text: 'x'.repeat(501) } },
        'content.text must have at most 500 characters',
      ],
      [{ kind: 'preference', content: { text: 'x', mood: 'calm' } }, 'content.mood is not a known field'],
      [mapping({ mapping: 'category', account: {} }), 'content.account.id is required'],
      [
        mapping({ mapping: 'category', account: { id: '1', code: 'x' } }),
        'content.account.code is not a known field',
      ],
      [
        mapping({ mapping: 'category', account: { id: '1\n2' } }),
        'content.account.id must not have control characters',
      ],
      [mapping({ mapping: 'merchant_name' }), 'content.canonicalName is required'],
      [
        mapping({ mapping: 'merchant_name', canonicalName: 'x'.repeat(201) }),
        'content.canonicalName must have at most 200 characters',
      ],
      [mapping({ mapping: 'account' }), 'content.mapping must be one of merchant_name, category, labels'],
      [
        { kind: 'workflow_hint', content: { hint: 'faster' } },
        'content.hint must be one of preview_first, show_original_first, ask_before_sending, one_at_a_time, custom',
      ],
      [{ kind: 'workflow_hint', content: { hint: 'custom' } }, 'content.text is required with a custom hint'],
      [
        { kind: 'integration_preference', content: { capability: 'send' } },
        'content.integration is required',
      ],
      [
        { kind: 'playbook', content: {} },
        'kind must be one of preference, canonical_mapping, workflow_hint, integration_preference',
      ],
    ];
    for (const [body, refusal] of refused) expect(refusalsOf(MemoryBody, body)).toEqual([refusal]);
  });
});

describe('the record of a memory', () => {
  const entry = { at: new Date(MOMENT).toISOString(), by: 'u_1' };

  it('tells each act in its history', () => {
    const told = {
      ...entry,
      from: 'candidate',
      to: 'active',
      content: categoryBody().content,
      reason: 'as agreed',
    };
    for (const action of ['saved', 'approved', 'rejected', 'archived', 'restored', 'imported']) {
      expect(HistoryEntry.parse({ ...told, action })).toEqual({ ...told, action });
      expect(ShownHistoryEntry.parse({ ...told, action })).toEqual({ ...told, action });
    }
    for (const schema of [HistoryEntry, ShownHistoryEntry]) {
      expect(refusalsOf(schema, entry)).toEqual(['action is required']);
      expect(refusalsOf(schema, { ...entry, action: 'saved', note: 'x' })).toEqual([
        'note is not a known field',
      ]);
    }
    expect(refusalsOf(ShownHistoryEntry, { ...entry, action: 'saved', content: {} })).toEqual([
      'content is none of the known forms',
    ]);
  });

  it('says what is proposed, by what evidence and since when', () => {
    const proposal = { ...derived(), proposedAt: new Date(MOMENT).toISOString() };
    expect(Proposal.parse(proposal)).toEqual(proposal);
    expect(refusalsOf(Proposal, { ...proposal, source: 'guess' })).toEqual([
      'source must be one of user_declared, manual_correction, approval_history, system',
    ]);
  });

  it('is what a stored memory shows, and its numbers are numbers that can be', () => {
    const shown = viewOf(
      storedMemory({
        derived: { content: categoryBody('Vercel', '6300').content },
        history: [{ ...entry, action: 'saved', to: 'active' }],
      }),
      new Map(['6120', '6300'].map((id) => [id, account({ id })])),
    );
    expect(shown).toHaveProperty('proposal');
    expect(Memory.parse(shown)).toEqual(shown);
    const unresolvable = viewOf(storedMemory());
    expect(unresolvable).toHaveProperty('unresolvable', true);
    expect(Memory.parse(unresolvable)).toEqual(unresolvable);
    for (const wrong of [
      { confidence: 1.01 },
      { confidence: -0.01 },
      { evidenceCount: -1 },
      { evidenceCount: 0.5 },
      { version: 0 },
      { unresolvable: false },
    ]) {
      const [field] = Object.keys(wrong);
      expect(refusalsOf(Memory, { ...shown, ...wrong })).toEqual([
        expect.stringContaining(`${field} must be`),
      ]);
    }
  });
});
