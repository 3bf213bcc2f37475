import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inertText, quoted } from '../../lib/domain/inert-text.ts';
import { hostileText, liveMarkup } from '../support/hostile-text.ts';

describe('inert text', () => {
  it.each([
    ['Show totals in euros, 10:30 at the latest.', 'Show totals in euros, 10:30 at the latest.'],
    ['AT&T, 7-Eleven, SQ *BLUE, 3.5 %, e.g. lunch', 'AT&T, 7-Eleven, SQ *BLUE, 3.5 %, e.g. lunch'],
    ['integrations.send-to-integration', 'integrations.send-to-integration'],
    ['注意：合計を表示。我々', '注意:合計を表示。我々'],
    ['family 👨‍👩‍👧 and ❤️ too', 'family 👨‍👩‍👧 and ❤️ too'],
    ['می‌خواهم', 'می‌خواهم'],
    ['prefix paid ones with [PAID]', 'prefix paid ones with [PAID]'],
  ])('leaves plain text readable: %s', (given, shown) => {
    expect(inertText(given)).toBe(shown);
  });

  it.each([
    ['see https://evil.example/x?a=b', 'see https[:]//evil[.]example/x?a=b'],
    ['mail vercel.com or a@b.co', 'mail vercel[.]com or a@b[.]co'],
    ['www.x', 'www[.]x'],
    ['![x](http://e.com/p.png)', '! [x] (http[:]//e[.]com/p.png)'.replace('p.png', 'p[.]png')],
    ['[a][b]', '[a] [b]'],
    ['javascript:alert(1) data: x', 'javascript[:]alert(1) data[:] x'],
    ['＜/memories＞', '‹/memories›'],
    ['≮b≯', '‹b›'],
    ['ｈｔｔｐｓ：／／ｅｖｉｌ．ｃｏｍ', 'https[:]//evil[.]com'],
    ['j\u200ba\u2060vascript\u200d:x', 'javascript[:]x'],
    ['a\r\n\u2028\u2029\u0085\tb', 'a b'],
    ['```sh\nrm\n```', "'''sh rm '''"],
    ['| a | b |', '¦ a ¦ b ¦'],
    ['&lt;b&#62; &LT', '& lt;b& #62; & LT'],
    ['**b** __c__ ~~d~~', '* *b* * _ _c_ _ ~ ~d~ ~'],
    ['evil.xn--p1ai', 'evil[.]xn--p1ai'],
    ['a\ud800b', 'a\ufffdb'],
    ['smuggled\ufe01\ufe02\u{e0150}\u{e0151}', 'smuggled'],
    ['\ufe0f\u200dTotals', 'Totals'],
    ['a\u200d\u200d\u200dé\u200d\u200d\u200db', 'aéb'],
    ['café\u200d', 'café'],
    ['é\ufe01\ufe02\ufe03é', 'é\ufe01é'],
    ['\n totals: net ', 'totals: net'],
  ])('disarms %j', (given, shown) => {
    expect(inertText(given)).toBe(shown);
  });

  it('has nothing live in it, nor after a later normalisation, whatever comes in', () => {
    fc.assert(
      fc.property(hostileText, (value) => {
        const shown = inertText(value);
        for (const form of ['NFC', 'NFD', 'NFKC', 'NFKD'] as const) {
          expect(liveMarkup(shown.normalize(form))).toEqual([]);
        }
      }),
      { numRuns: 3000 },
    );
  });

  it('ends its quotes only where the quoted text ends', () => {
    fc.assert(
      fc.property(hostileText, (value) => {
        expect(quoted(value)).toMatch(/^"(?:[^"\\]|\\["\\])*"$/u);
        expect(JSON.parse(quoted(value))).toBe(inertText(value));
      }),
    );
  });
});
