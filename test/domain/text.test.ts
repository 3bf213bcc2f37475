/*
 * Mutants that nothing can tell from the code, and why:
 * - the look at `length` before code points are counted: it spares counting a text that is far too long
 * - how often folding may run: no text is known that is still changing after its second round
 */
import { describe, expect, it } from 'vitest';
import { foldText, hasVisible, looseText, text } from '../../lib/domain/text.ts';
import { refusalsOf } from '../support/refusals.ts';

const line = () => text({ max: 20 });
const lines = () => text({ max: 20, multiline: true });
const printed = () => looseText({ max: 20 });

const CONTROLS = 'must not have control characters';
const DECEPTIVE = 'must not have tag characters, bidirectional controls or their like';

describe('text', () => {
  it.each(['Vercel', 'Café 漢字', '👨‍👩‍👧', '❤️', 'می‌خواهم', '  x  '])(
    'is of any script, emoji included: %s',
    (value) => {
      for (const schema of [line(), lines(), printed()]) expect(refusalsOf(schema, value)).toEqual([]);
    },
  );

  it('is counted in characters, however many bytes they take', () => {
    const short = text({ max: 2 });
    expect(refusalsOf(short, 'ab')).toEqual([]);
    expect(refusalsOf(short, '👍👍')).toEqual([]);
    for (const long of ['abc', 'abcd', '👍👍👍', 'abcde']) {
      expect(refusalsOf(short, long), long).toEqual(['must have at most 2 characters']);
    }
  });

  it('that is too long is told that alone, whatever else is wrong with it', () => {
    expect(refusalsOf(text({ max: 2 }), 'a\u0000\ud800')).toEqual(['must have at most 2 characters']);
  });

  it.each([
    ['a lone surrogate', 'a\ud800b', 'must be well-formed Unicode'],
    ['a NUL', 'a\u0000b', CONTROLS],
    ['an escape', 'a\u001bb', CONTROLS],
    ['a delete', 'a\u007fb', CONTROLS],
    ['a C1 control', 'a\u0085b', CONTROLS],
    ['tag characters', 'a\u{e0049}b', DECEPTIVE],
    ['a bidirectional override', 'a\u202eb', DECEPTIVE],
    ['a bidirectional isolate', 'a\u2066b', DECEPTIVE],
    ['an interlinear annotation', 'a\ufff9b', DECEPTIVE],
    ['variation selectors in a row', 'a\ufe01\ufe02b', DECEPTIVE],
  ])('has no %s', (_, value, refusal) => {
    for (const schema of [line(), lines(), printed()]) expect(refusalsOf(schema, value)).toEqual([refusal]);
  });

  it.each(['a\nb', 'a\tb', 'a\r\nb', 'a\u2028b'])(
    'has line breaks and tabs only where it may have lines: %j',
    (value) => {
      expect(refusalsOf(line(), value)).toEqual([CONTROLS]);
      expect(refusalsOf(lines(), value)).toEqual([]);
      expect(refusalsOf(looseText({ max: 20, multiline: true }), value)).toEqual([]);
    },
  );

  it.each(['', ' ', '\u200b', '\u3164', '\u2800', '\u00ad', '\u0301'])(
    'has something to be seen, unless it was printed: %j',
    (value) => {
      expect(refusalsOf(line(), value)).toEqual(['must not be blank']);
      expect(refusalsOf(printed(), value)).toEqual([]);
      expect(hasVisible(value)).toBe(false);
      expect(hasVisible(`${value}x`)).toBe(true);
    },
  );
});

describe('folded text', () => {
  it.each([
    ['case', 'STRASSE', 'Straße'],
    ['white space', 'Blue Bottle', '  blue \t\n bottle '],
    ['width', 'ABC 123', 'ＡＢＣ　１２３'],
    ['ligatures', 'office', 'oﬃce'],
    ['how an accent is written', 'café', 'CAFE\u0301'],
    ['what draws nothing', 'vercel', 'ver\u200bcel\u3164'],
    ['a capital that folds to two characters', 'İstanbul', 'i\u0307stanbul'],
  ])('is one whatever the %s', (_, one, other) => {
    expect(foldText(one)).toBe(foldText(other));
  });

  it('keeps what tells two texts apart', () => {
    expect(foldText('Blue Bottle')).toBe('blue bottle');
    expect(foldText('café')).not.toBe(foldText('cafe'));
  });
});
