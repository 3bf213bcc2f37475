import * as z from 'zod/mini';

/**
 * The one text policy: every string a caller or an event brings in passes through `text()`, and what is read back
 * from a store is checked by the same schemas.
 *
 * Refused: lone surrogates, control characters (line breaks and tabs only where `multiline`), tag characters,
 * bidirectional controls and stacked variation selectors, which make what is shown differ from what is stored, and
 * text with nothing visible in it. Kept as they are: emoji with joiners and a variation selector, every script. Length
 * is in code points.
 */
export function text(options: TextOptions) {
  return checked(options, textFault, 1);
}

/** The same policy for what was printed or is left beside: it may also be empty or blank. */
export function looseText(options: TextOptions) {
  return checked(options, characterFault, 0);
}

interface TextOptions {
  readonly max: number;
  readonly multiline?: boolean;
}

function checked({ max, multiline = false }: TextOptions, faultOf: typeof textFault, minLength: number) {
  return z.string().check(
    z.refine((value) => value.length <= max * 2 && codePoints(value) <= max, {
      error: `must have at most ${max} characters`,
      abort: true,
    }),
    z.refine((value) => faultOf(value, multiline) === undefined, {
      error: (issue) => faultOf(String(issue.input), multiline),
    }),
    // A refinement does not show in a JSON Schema; its `maxLength` counts code points as we do.
    z.meta({ minLength, maxLength: max }),
  );
}

/** What is wrong with a string under the text policy, or `undefined` when nothing is. */
export function textFault(value: string, multiline: boolean): string | undefined {
  return characterFault(value, multiline) ?? (hasVisible(value) ? undefined : 'must not be blank');
}

function characterFault(value: string, multiline: boolean): string | undefined {
  if (!value.isWellFormed()) return 'must be well-formed Unicode';
  if ((multiline ? CONTROL_BUT_LINES : CONTROL).test(value)) return 'must not have control characters';
  if (DECEPTIVE.test(value)) return 'must not have tag characters, bidirectional controls or their like';
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
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/u;
const CONTROL_BUT_LINES = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/u;
// biome-ignore-end lint/suspicious/noControlCharactersInRegex: end
// Tag characters and what is unassigned around them, bidirectional and interlinear controls, and variation selectors one
// after the other: only one can mean anything, a row of them carries a hidden message.
const DECEPTIVE =
  /[\u{e0000}-\u{e00ff}\u{e01f0}-\u{e0fff}\u061c\u200e\u200f\u202a-\u202e\u2066-\u206f\ufff0-\ufffb]|[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]{2}/u;
const INVISIBLE =
  /[\s\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}\p{Z}\p{Mn}\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\u{1d159}]/gu;
const FORMATTING = /[\p{Cf}\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0]/gu;
