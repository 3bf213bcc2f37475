import { describe, expect, it } from 'vitest';
import {
  ArchiveRequest,
  ContextRequest,
  EraseOrgRequest,
  ExplainRequest,
  ExportRequest,
  HintsRequest,
  ImportRequest,
  ListRequest,
  MAX_LINES,
  Nothing,
  ResolveRequest,
  ReviewRequest,
  SaveRequest,
} from '../../lib/domain/requests.ts';
import { categoryBody, preferenceBody } from '../support/builders.ts';
import { refusalsOf } from '../support/refusals.ts';

// A schema is made when it first parses, so each has one test that knows all of it.

const STATUSES = 'active, candidate, rejected, archived';
const KINDS =
  'preference, canonical_mapping, workflow_hint, integration_preference, approval_policy_hint, playbook';
const SLUG = 'must be 1 to 100 of A-Z a-z 0-9 . _ - and start with a letter or digit';
const ID = 'must be 1 to 128 of the characters A-Z a-z 0-9 . _ : @ -';
const merchants = (count: number) => Array.from({ length: count }, (_, n) => `Merchant ${n}`);

describe('a request to save', () => {
  it('is a body with where it belongs and which version was seen, and may name a kind that is reserved', () => {
    const bodies = [
      preferenceBody(),
      categoryBody(),
      { kind: 'workflow_hint', content: { hint: 'preview_first' } },
      { kind: 'integration_preference', content: { capability: 'send', integration: 'xero' } },
      { kind: 'approval_policy_hint', content: { whatever: [1] } },
      { kind: 'playbook', content: 'x' },
    ];
    const options = { scope: 'document', documentId: 'doc:1', expectedVersion: 0 };
    for (const body of bodies) {
      expect(SaveRequest.parse(body)).toEqual({ ...body, scope: 'org' });
      expect(SaveRequest.parse({ ...body, ...options })).toEqual({ ...body, ...options });
      expect(refusalsOf(SaveRequest, { ...body, orgId: 'org_2' })).toEqual(['orgId is not a known field']);
    }
    const save = (more: object) => refusalsOf(SaveRequest, { ...preferenceBody(), ...more });
    expect(save({ kind: 'note' })).toEqual([`kind must be one of ${KINDS}`]);
    expect(save({ scope: 'team' })).toEqual(['scope must be one of user, org, document, agent']);
    expect(save({ documentId: 'a b' })).toEqual([`documentId ${ID}`]);
    expect(save({ expectedVersion: -1 })).toEqual(['expectedVersion must be at least 0']);
    expect(save({ expectedVersion: 1.5 })).toEqual(['expectedVersion must be an int']);
  });
});

describe('a decision', () => {
  it('of an archive may say why and which version was seen', () => {
    expect(refusalsOf(ArchiveRequest, {})).toEqual([]);
    expect(refusalsOf(ArchiveRequest, { reason: 'Closed.\nSince May.', expectedVersion: 3 })).toEqual([]);
    expect(refusalsOf(ArchiveRequest, { reason: 'x'.repeat(501) })).toEqual([
      'reason must have at most 500 characters',
    ]);
    expect(refusalsOf(ArchiveRequest, { why: 'x' })).toEqual(['why is not a known field']);
  });

  it('of a review says which version was seen', () => {
    for (const decision of ['approve', 'reject', 'restore'])
      expect(refusalsOf(ReviewRequest, { decision, expectedVersion: 1, reason: 'as agreed' })).toEqual([]);
    expect(refusalsOf(ReviewRequest, { decision: 'approve' })).toEqual(['expectedVersion is required']);
    expect(refusalsOf(ReviewRequest, { decision: 'archive', expectedVersion: 1 })).toEqual([
      'decision must be one of approve, reject, restore',
    ]);
  });
});

describe('a request for a list', () => {
  it('is of what is active unless told otherwise, with a limit as a query string has it', () => {
    expect(ListRequest.parse({})).toEqual({ status: 'active' });
    const filter = {
      status: 'candidate',
      kind: 'playbook',
      scope: 'agent',
      merchant: 'Uber',
      documentId: 'd',
    };
    expect(ListRequest.parse({ ...filter, cursor: 'A-_9' })).toEqual({ ...filter, cursor: 'A-_9' });
    expect(ListRequest.parse({ limit: '1' }).limit).toBe(1);
    expect(ListRequest.parse({ limit: '100' }).limit).toBe(100);
    for (const limit of ['0', '101', '1000000000', '-1', '01', '1.0', '1e1', ' 1', '1 ', '', 'x', '１'])
      expect(refusalsOf(ListRequest, { limit }), limit).toEqual([
        'limit must be a whole number from 1 to 100',
      ]);
    expect(refusalsOf(ListRequest, { cursor: 'x'.repeat(2048) })).toEqual([]);
    for (const cursor of ['', 'a b', 'a=', '+a', 'x'.repeat(2049)])
      expect(refusalsOf(ListRequest, { cursor }), cursor).toEqual([
        'cursor must be a cursor this service gave',
      ]);
    expect(refusalsOf(ListRequest, { status: 'new' })).toEqual([`status must be one of ${STATUSES}`]);
    expect(refusalsOf(ListRequest, { kind: 'note' })).toEqual([`kind must be one of ${KINDS}`]);
    expect(refusalsOf(ListRequest, { page: '2' })).toEqual(['page is not a known field']);
  });

  it('of an export goes further in one page', () => {
    expect(ExportRequest.parse({ limit: '1000', cursor: 'c' })).toEqual({ limit: 1000, cursor: 'c' });
    expect(refusalsOf(ExportRequest, { limit: '1001' })).toEqual([
      'limit must be a whole number from 1 to 1000',
    ]);
    expect(refusalsOf(ExportRequest, { status: 'active' })).toEqual(['status is not a known field']);
  });
});

describe('a question', () => {
  it('for evidence names the subject by what makes it one', () => {
    const subject = {
      merchant: 'Uber',
      capability: 'send',
      documentType: 'invoice',
      senderDomain: 'a.example',
    };
    for (const mapping of ['merchant_name', 'category', 'labels'])
      expect(refusalsOf(ExplainRequest, { kind: 'canonical_mapping', ...subject, mapping })).toEqual([]);
    for (const hint of ['preview_first', 'show_original_first', 'ask_before_sending', 'one_at_a_time'])
      expect(refusalsOf(ExplainRequest, { hint })).toEqual([]);
    // Nothing is learned about a hint of somebody's own.
    expect(refusalsOf(ExplainRequest, { hint: 'custom' })).toEqual([
      'hint must be one of preview_first, show_original_first, ask_before_sending, one_at_a_time',
    ]);
    expect(refusalsOf(ExplainRequest, { capability: 'a b' })).toEqual([`capability ${SLUG}`]);
    expect(refusalsOf(ExplainRequest, { account: '6120' })).toEqual(['account is not a known field']);
  });

  it('for an account is one line, with few answers', () => {
    expect(ResolveRequest.parse({ query: 'software', limit: '20' })).toEqual({
      query: 'software',
      limit: 20,
    });
    expect(refusalsOf(ResolveRequest, {})).toEqual(['query is required']);
    expect(refusalsOf(ResolveRequest, { query: 'x', limit: '21' })).toEqual([
      'limit must be a whole number from 1 to 20',
    ]);
    expect(refusalsOf(ResolveRequest, { query: 'x', type: 'asset' })).toEqual(['type is not a known field']);
  });

  it('for context is answered in a block of four thousand characters unless told otherwise', () => {
    expect(ContextRequest.parse({})).toEqual({ maxChars: 4000, format: 'block' });
    const asked = { merchants: merchants(20), documentId: 'd', maxChars: 200, format: 'compact' };
    expect(ContextRequest.parse({ ...asked, knownSnapshot: 'Zx3-_Q' })).toEqual({
      ...asked,
      knownSnapshot: 'Zx3-_Q',
    });
    expect(refusalsOf(ContextRequest, { maxChars: 32_000 })).toEqual([]);
    expect(refusalsOf(ContextRequest, { maxChars: 199 })).toEqual(['maxChars must be at least 200']);
    expect(refusalsOf(ContextRequest, { maxChars: 32_001 })).toEqual(['maxChars must be at most 32000']);
    expect(refusalsOf(ContextRequest, { merchants: merchants(21) })).toEqual([
      'merchants must be at most 20 items',
    ]);
    expect(refusalsOf(ContextRequest, { format: 'html' })).toEqual(['format must be one of block, compact']);
    expect(refusalsOf(ContextRequest, { knownSnapshot: 'x'.repeat(64) })).toEqual([]);
    for (const knownSnapshot of ['', 'a b', '=a', 'a=', 'x'.repeat(65)])
      expect(refusalsOf(ContextRequest, { knownSnapshot }), knownSnapshot).toEqual([
        'knownSnapshot must be a snapshot',
      ]);
    expect(refusalsOf(ContextRequest, { orgId: 'org_2' })).toEqual(['orgId is not a known field']);
  });

  it('for hints is about a workspace, with a hundred of them at most unless told otherwise', () => {
    expect(HintsRequest.parse({ orgId: 'org_1' })).toEqual({ orgId: 'org_1', maxHints: 100 });
    const asked = {
      orgId: 'org_1',
      userId: 'u',
      documentId: 'd',
      merchants: merchants(20),
      senderDomain: 'a.example',
      documentType: 'Credit Note',
      maxHints: 500,
    };
    expect(HintsRequest.parse(asked)).toEqual(asked);
    expect(refusalsOf(HintsRequest, {})).toEqual(['orgId is required']);
    expect(refusalsOf(HintsRequest, { orgId: 'org 1' })).toEqual([`orgId ${ID}`]);
    expect(refusalsOf(HintsRequest, { orgId: 'o', maxHints: 0 })).toEqual(['maxHints must be at least 1']);
    expect(refusalsOf(HintsRequest, { orgId: 'o', maxHints: 501 })).toEqual(['maxHints must be at most 500']);
    expect(refusalsOf(HintsRequest, { orgId: 'o', merchant: 'x' })).toEqual([
      'merchant is not a known field',
    ]);
  });
});

describe('a request of all there is', () => {
  it('to import has lines of anything, one at least', () => {
    expect(refusalsOf(ImportRequest, { lines: ['{', null, 1, {}] })).toEqual([]);
    expect(refusalsOf(ImportRequest, { lines: [] })).toEqual(['lines must be at least 1 items']);
    expect(refusalsOf(ImportRequest, { lines: Array(MAX_LINES + 1).fill(null) })).toEqual([
      `lines must be at most ${MAX_LINES} items`,
    ]);
    expect(refusalsOf(ImportRequest, { lines: [1], dryRun: true })).toEqual(['dryRun is not a known field']);
  });

  it('to erase a workspace says its id again', () => {
    expect(refusalsOf(EraseOrgRequest, { confirm: 'org_demo' })).toEqual([]);
    expect(refusalsOf(EraseOrgRequest, {})).toEqual(['confirm is required']);
    expect(refusalsOf(EraseOrgRequest, { confirm: 'org_demo', force: true })).toEqual([
      'force is not a known field',
    ]);
  });

  it('of a route that takes nothing is nothing', () => {
    expect(refusalsOf(Nothing, {})).toEqual([]);
    expect(refusalsOf(Nothing, { x: '1' })).toEqual(['x is not a known field']);
  });
});
