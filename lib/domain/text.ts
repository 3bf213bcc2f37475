import * as z from 'zod/mini';

/**
 * The one text policy: every string a caller or an event brings in passes through `text()`, and what is read back
 * from a store is checked by the same schemas.
 *
 * Refused: lone surrogates, control characters (line breaks and tabs only where `multiline`), tag characters and
 * bidirectional controls, which make what is shown differ from what is stored, and text with nothing visible in it.
 * Kept as they are: emoji with joiners and variation selectors, every script. Length is in code points.
 */
export function text(options: { readonly max: number; readonly multiline?: boolean }) {
  return z.string().check(
    z.refine((value) => value.length <= options.max * 2 && codePoints(value) <= options.max, {
      error: `must have at most ${options.max} characters`,
      abort: true,
    }),
    z.refine((value) => textFault(value, options.multiline ?? false) === undefined, {
      error: (issue) => textFault(String(issue.input), options.multiline ?? false) ?? 'is not valid text',
    }),
    // A refinement does not show in a JSON Schema; its `maxLength` counts code points as we do.
    z.meta({ minLength: 1, maxLength: options.max }),
  );
}

/** What is wrong with a string under the text policy, or `undefined` when nothing is. */
export function textFault(value: string, multiline = false): string | undefined {
  if (!value.isWellFormed()) return 'must be well-formed Unicode';
  if ((multiline ? CONTROL_BUT_LINES : CONTROL).test(value)) return 'must not have control characters';
  if (DECEPTIVE.test(value)) return 'must not have tag characters or bidirectional controls';
  if (!hasVisible(value)) return 'must not be blank';
  return undefined;
}

/** Whether anything in the string can be seen: U+3164, U+2800 and their kind draw nothing though Unicode calls them letters or symbols. */
export function hasVisible(value: string): boolean {
  return value.replace(INVISIBLE, '') !== '';
}

/** NFKC, case folded, white space collapsed, invisible characters dropped: for comparing, never for showing. */
export function foldText(value: string): string {
  let folded = value;
  // Folding can make new composable sequences (İ → i̇), so it runs until it is stable.
  for (let round = 0; round < 4; round += 1) {
    const next = folded
      .normalize('NFKC')
      .toUpperCase()
      .toLowerCase()
      .normalize('NFKC')
      .replace(FORMATTING, '')
      .replace(/\s+/gu, ' ')
      .trim();
    if (next === folded) return folded;
    folded = next;
  }
  return folded;
}

export function codePoints(value: string): number {
  let count = 0;
  for (const _ of value) count += 1;
  return count;
}

// biome-ignore-start lint/suspicious/noControlCharactersInRegex: control characters are what these look for
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/u;
const CONTROL_BUT_LINES = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/u;
// biome-ignore-end lint/suspicious/noControlCharactersInRegex: end
const DECEPTIVE = /[\u{e0000}-\u{e007f}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;
const INVISIBLE = /[\s\p{Cf}\p{Cc}\p{Zs}\p{Zl}\p{Zp}\p{Mn}\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0]/gu;
const FORMATTING = /[\p{Cf}\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0]/gu;
