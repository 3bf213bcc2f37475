/*
 * Mutants that nothing can tell from the code, and why:
 * - the scope `org` by another name: whatever is neither a person nor a document is the org
 * - the pattern of an id: what it lets through is made anew from the key it names and compared; it saves the work
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  dedupKeyOf,
  dedupKeyOfId,
  encodePart,
  kindPrefix,
  mappingKey,
  memoryIdOf,
  merchantPartOf,
  merchantPrefix,
  ORG_AMBIENT_RANGE,
  ownerPrefix,
  voteRangeOf,
} from '../../lib/domain/dedup-key.ts';
import { DedupKey, DocumentId, OrgId, UserId } from '../../lib/domain/ids.ts';
import type { MemoryBody, MemoryOwner } from '../../lib/domain/memory.ts';
import { merchantKey } from '../../lib/domain/merchant-key.ts';

const ORG = OrgId.parse('org_demo');
const org: MemoryOwner = { scope: 'org' };
const category = (merchant: string): MemoryBody => ({
  kind: 'canonical_mapping',
  content: { mapping: 'category', merchant, account: { id: '1' } },
});
const preference = (text: string, topic?: string): MemoryBody => ({
  kind: 'preference',
  content: topic === undefined ? { text } : { text, topic },
});

describe('a dedup key', () => {
  it('reads as the contract writes it', () => {
    expect(dedupKeyOf(org, category('Vercel'))).toBe('org/canonical_mapping/vercel/category');
    expect(dedupKeyOf({ scope: 'user', userId: UserId.parse('u_1') }, preference('Be brief.', 'Tone'))).toBe(
      'user/u_1/preference/tone',
    );
    expect(
      dedupKeyOf({ scope: 'document', documentId: DocumentId.parse('d:1') }, preference('x', 'tone')),
    ).toBe('document/d%3A1/preference/tone');
    expect(
      dedupKeyOf(org, {
        kind: 'integration_preference',
        content: { capability: 'send', integration: 'xero' },
      }),
    ).toBe('org/integration_preference/send/*');
    expect(
      dedupKeyOf(org, {
        kind: 'workflow_hint',
        content: { hint: 'preview_first', senderDomain: 'a.example' },
      }),
    ).toBe('org/workflow_hint/*/preview_first/a.example');
  });

  it('never lets a topic stand for a text', () => {
    const ofText = dedupKeyOf(org, preference('hello'));
    const digest = ofText.split('/').at(-1) ?? '';
    expect(dedupKeyOf(org, preference('x', digest))).not.toBe(ofText);
  });

  it('is of the folded text where a preference has no topic', () => {
    const key = dedupKeyOf(org, preference('Be brief.'));
    expect(key).toMatch(/^org\/preference\/text-[A-Za-z0-9_-]{43}$/);
    expect(dedupKeyOf(org, preference('BE  BRIEF.'))).toBe(key);
    expect(dedupKeyOf(org, preference('Be long.'))).not.toBe(key);
  });

  it('marks only a topic that begins like a digest', () => {
    expect(dedupKeyOf(org, preference('x', 'Text-size'))).toBe('org/preference/text%2Dsize');
    expect(dedupKeyOf(org, preference('x', 'plain.text-size'))).toBe('org/preference/plain.text-size');
  });

  it('tells custom hints apart by their folded text', () => {
    const custom = (text?: string) =>
      dedupKeyOf(org, {
        kind: 'workflow_hint',
        content: { hint: 'custom', ...(text === undefined ? {} : { text }) },
      });
    expect(custom('Ask Kim')).toMatch(/^org\/workflow_hint\/\*\/custom-[A-Za-z0-9_-]{43}\/\*$/);
    expect(custom('ASK  KIM')).toBe(custom('Ask Kim'));
    expect(custom('Ask Jo')).not.toBe(custom('Ask Kim'));
    expect(custom()).toBe(custom(''));
    expect(custom()).not.toBe(custom('Ask Kim'));
  });

  it('refuses what names no merchant', () => {
    expect(() => dedupKeyOf(org, category('0000'))).toThrow(
      expect.objectContaining({
        code: 'no-merchant',
        message: 'The merchant is only a bank phrase, digits or nothing.',
        errors: [{ path: 'content.merchant', message: 'names no merchant' }],
      }),
    );
  });

  it('encodes parts injectively, slashes, tildes and stars included', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'grapheme' }), { maxLength: 4 }),
        fc.array(fc.string({ unit: 'grapheme' }), { maxLength: 4 }),
        (a, b) => {
          const join = (parts: string[]) => parts.map(encodePart).join('/');
          if (JSON.stringify(a) !== JSON.stringify(b) && a.length > 0 && b.length > 0)
            expect(join(a)).not.toBe(join(b));
        },
      ),
    );
    expect(encodePart('a/b')).not.toBe(encodePart('a%2Fb'));
    expect(encodePart("a-b_c.d!'()*~/%")).toBe('a-b_c.d%21%27%28%29%2A%7E%2F%25');
  });

  it('cuts a long part to a prefix and a digest, and keeps long parts apart', () => {
    const long = 'ä'.repeat(100);
    expect(encodePart(long).length).toBeLessThanOrEqual(96);
    expect(encodePart(long)).toMatch(/~[A-Za-z0-9_-]{43}$/);
    expect(encodePart(`${long}a`)).not.toBe(encodePart(`${long}b`));
  });

  it('keeps a part of 96 bytes whole, and of a longer one as much as ends with a whole escape', () => {
    expect(encodePart('a'.repeat(96))).toBe('a'.repeat(96));
    expect(encodePart('a'.repeat(97))).toMatch(/^a{52}~[A-Za-z0-9_-]{43}$/);
    expect(encodePart('ä'.repeat(50))).toMatch(/^(?:%C3%A4){8}%C3~/);
    expect(encodePart(`a${'ä'.repeat(50)}`)).toMatch(/^a(?:%C3%A4){8}%C3~/);
    expect(encodePart(`aa${'ä'.repeat(50)}`)).toMatch(/^aa(?:%C3%A4){8}~/);
    expect(encodePart(`aaa${'ä'.repeat(50)}`)).toMatch(/^aaa(?:%C3%A4){8}~/);
  });

  it('lies in the ambient range exactly when it is no mapping and belongs to the org', () => {
    const within = (key: string) => key >= ORG_AMBIENT_RANGE.from && key < ORG_AMBIENT_RANGE.to;
    expect(within(dedupKeyOf(org, preference('x')))).toBe(true);
    expect(within(dedupKeyOf(org, { kind: 'workflow_hint', content: { hint: 'one_at_a_time' } }))).toBe(true);
    expect(
      within(
        dedupKeyOf(org, { kind: 'integration_preference', content: { capability: 'c', integration: 'i' } }),
      ),
    ).toBe(true);
    expect(within(dedupKeyOf(org, category('Zzz')))).toBe(false);
    expect(within(dedupKeyOf({ scope: 'user', userId: UserId.parse('u') }, preference('x')))).toBe(false);
  });
});

describe('what keys start with', () => {
  const vercel = merchantKey('Vercel');
  if (vercel === undefined) throw new Error('Vercel is a merchant');

  it('is a range for a merchant, an owner, and a kind of an owner', () => {
    expect(merchantPrefix(vercel)).toBe('org/canonical_mapping/vercel/');
    expect(mappingKey(vercel, 'merchant_name')).toBe('org/canonical_mapping/vercel/merchant_name');
    expect(ownerPrefix(org)).toBe('org/');
    expect(ownerPrefix({ scope: 'user', userId: UserId.parse('a@b') })).toBe('user/a%40b/');
    expect(kindPrefix(org, 'workflow_hint')).toBe('org/workflow_hint/');
    expect(kindPrefix({ scope: 'document', documentId: DocumentId.parse('d:1') }, 'preference')).toBe(
      'document/d%3A1/preference/',
    );
  });

  it('tells the merchant of a mapping, and of nothing else', () => {
    expect(merchantPartOf(mappingKey(vercel, 'labels'))).toBe('vercel');
    expect(merchantPartOf(dedupKeyOf(org, preference('x', 'tone')))).toBeUndefined();
    expect(merchantPartOf(DedupKey.parse('user/canonical_mapping/vercel/category'))).toBeUndefined();
  });
});

describe('a vote range', () => {
  it('is the key of the subject, but for hints', () => {
    expect(voteRangeOf(category('Vercel'))).toBe('org/canonical_mapping/vercel/category');
    expect(
      voteRangeOf({
        kind: 'workflow_hint',
        content: { hint: 'preview_first', capability: 'Send', senderDomain: 'a.example' },
      }),
    ).toBe('org/workflow_hint/send/*/a.example');
    expect(voteRangeOf({ kind: 'workflow_hint', content: { hint: 'preview_first' } })).toBe(
      'org/workflow_hint/*/*/*',
    );
  });

  it('is shared by the hints of one capability and sender, and is no memory', () => {
    const one = voteRangeOf({
      kind: 'workflow_hint',
      content: { hint: 'preview_first', capability: 'send' },
    });
    const other = voteRangeOf({
      kind: 'workflow_hint',
      content: { hint: 'one_at_a_time', capability: 'send' },
    });
    expect(one).toBe(other);
    expect(one).not.toBe(
      dedupKeyOf(org, { kind: 'workflow_hint', content: { hint: 'preview_first', capability: 'send' } }),
    );
  });
});

describe('a memory id', () => {
  const key = dedupKeyOf(org, category('山田商店'));

  it('names its key in its own org and nothing in another', () => {
    const id = memoryIdOf(ORG, key);
    expect(id).toMatch(/^[A-Za-z0-9_-]{1,512}$/);
    expect(dedupKeyOfId(ORG, id)).toBe(key);
    expect(dedupKeyOfId(OrgId.parse('org_other'), id)).toBeUndefined();
  });

  it('fits its alphabet and length for the longest keys there can be', () => {
    const longest = dedupKeyOf(
      { scope: 'document', documentId: DocumentId.parse(':'.repeat(128)) },
      preference('x', 'a'.repeat(100)),
    );
    expect(memoryIdOf(ORG, longest).length).toBeLessThanOrEqual(512);
  });

  it('is nothing when it was tampered with, malformed or made up', () => {
    const id = memoryIdOf(ORG, key);
    // A first character that decodes to no byte at all, and one that decodes to nothing that is a key.
    expect(dedupKeyOfId(ORG, 'A'.repeat(17))).toBeUndefined();
    expect(dedupKeyOfId(ORG, `!${id}`)).toBeUndefined();
    expect(dedupKeyOfId(ORG, `${id}!`)).toBeUndefined();
    expect(dedupKeyOfId(ORG, 'A'.repeat(2000))).toBeUndefined();
    fc.assert(
      fc.property(fc.nat(id.length - 1), fc.constantFrom(...'AZaz09_-'), (at, character) => {
        const forged = id.slice(0, at) + character + id.slice(at + 1);
        if (forged !== id) expect(dedupKeyOfId(ORG, forged)).toBeUndefined();
      }),
    );
    fc.assert(
      fc.property(fc.string(), (made) => {
        expect(dedupKeyOfId(ORG, made)).toBeUndefined();
      }),
    );
  });
});
