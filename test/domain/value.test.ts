import { describe, expect, it } from 'vitest';
import type { LiveKind, MemoryBody, MemoryContent } from '../../lib/domain/memory.ts';
import { sameContent, valueDigest, valueKey } from '../../lib/domain/value.ts';

const mapping = (content: object) => ({ kind: 'canonical_mapping', content }) as MemoryBody;
const category = (id: string, name?: string, merchant = 'Vercel') =>
  mapping({ mapping: 'category', merchant, account: name === undefined ? { id } : { id, name } });
const rename = (canonicalName: string) =>
  mapping({ mapping: 'merchant_name', merchant: 'VERCEL INC', canonicalName });
const labels = (...all: string[]) => mapping({ mapping: 'labels', merchant: 'Uber', labels: all });
const hint = (content: object) => ({ kind: 'workflow_hint', content }) as MemoryBody;
const integration = (content: object) =>
  ({ kind: 'integration_preference', content: { capability: 'send', ...content } }) as MemoryBody;
const preference = (text: string) => ({ kind: 'preference', content: { text } }) as MemoryBody;

describe('a value', () => {
  it.each([
    ['an account by its id, whatever its name', category('6120', 'Software'), category('6120', 'Cloud')],
    ['an account whatever the merchant is written like', category('6120'), category('6120', 'x', 'VERCEL')],
    ['a name without regard to case and spacing', rename('Vercel  Inc'), rename('VERCEL INC ')],
    ['labels in any order and case', labels('Personal', 'taxi'), labels('TAXI', 'personal')],
    [
      'a hint whatever it is for',
      hint({ hint: 'preview_first', capability: 'a' }),
      hint({ hint: 'preview_first' }),
    ],
    [
      'a custom hint folded',
      hint({ hint: 'custom', text: 'Ask  me' }),
      hint({ hint: 'custom', text: 'ask me' }),
    ],
    [
      'an integration folded',
      integration({ integration: 'Xero', target: 'Bills' }),
      integration({ integration: 'xero', target: ' bills' }),
    ],
  ])('is one for two ways to write it: %s', (_, a, b) => {
    expect(valueKey(a)).toBe(valueKey(b));
    expect(valueDigest(a)).toBe(valueDigest(b));
  });

  it.each([
    ['two accounts', category('6120'), category('6300')],
    ['two names', rename('Vercel'), rename('Next')],
    ['one label and two', labels('taxi'), labels('taxi', 'personal')],
    ['two hints', hint({ hint: 'preview_first' }), hint({ hint: 'one_at_a_time' })],
    ['two custom hints', hint({ hint: 'custom', text: 'a' }), hint({ hint: 'custom', text: 'b' })],
    ['two integrations', integration({ integration: 'xero' }), integration({ integration: 'quickbooks' })],
    [
      'two targets',
      integration({ integration: 'xero', target: 'bills' }),
      integration({ integration: 'xero' }),
    ],
    ['two preferences', preference('a'), preference('b')],
  ])('is another for %s', (_, a, b) => {
    expect(valueKey(a)).not.toBe(valueKey(b));
    expect(valueDigest(a)).not.toBe(valueDigest(b));
  });

  // A digest is stored with an item for good: what was turned down must be known by it in years.
  it('has the digest and the key that it always had', () => {
    const bodies = [
      category('6120', 'Software'),
      rename('Vercel Inc'),
      labels('Taxi', 'personal'),
      hint({ hint: 'preview_first' }),
      hint({ hint: 'custom', text: 'Ask Me' }),
      integration({ integration: 'Xero' }),
      integration({ integration: 'Xero', target: 'Bills' }),
      preference('Totals in euros.'),
    ];
    expect(bodies.map(valueKey)).toEqual([
      '6120',
      'vercel inc',
      '["personal","taxi"]',
      '["preview_first",""]',
      '["custom","ask me"]',
      '["xero",""]',
      '["xero","bills"]',
      'Totals in euros.',
    ]);
    expect(valueDigest(category('6120'))).toMatch(/^[A-Za-z0-9_-]{12}$/);
  });
});

describe('the same content', () => {
  const same = (a: MemoryBody, b: MemoryBody) => sameContent(a.kind, a.content, b.content);

  it('does not go by how the merchant and the account are written', () => {
    expect(same(category('6120', 'Software'), category('6120', 'Cloud', 'VERCEL'))).toBe(true);
    expect(same(category('6120'), category('6300'))).toBe(false);
  });

  it('goes by everything else, to the letter', () => {
    expect(same(rename('Vercel'), rename('vercel'))).toBe(false);
    expect(same(rename('Vercel'), rename('Vercel'))).toBe(true);
    expect(same(labels('a', 'b'), labels('b', 'a'))).toBe(false);
    expect(same(labels('a', 'b'), labels('a', 'b'))).toBe(true);
    expect(same(preference('a'), preference('b'))).toBe(false);
    expect(same(hint({ hint: 'preview_first' }), hint({ hint: 'preview_first', capability: 'a' }))).toBe(
      false,
    );
    expect(same(rename('Vercel'), category('Vercel'))).toBe(false);
  });

  it('takes a member named like a merchant in another kind for what it is', () => {
    const odd = (merchant: string) => ({ mapping: 'x', merchant }) as unknown as MemoryContent;
    expect(sameContent('preference' as LiveKind, odd('a'), odd('b'))).toBe(false);
    expect(sameContent('canonical_mapping', odd('a'), odd('b'))).toBe(true);
  });
});
