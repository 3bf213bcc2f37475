/**
 * A string of somebody's as one line of plain text that nothing downstream takes for markup: no line break, no tag,
 * no code, no table, no link or image, also after a later Unicode normalisation. It stays readable: `a < b` becomes
 * `a ‹ b`, `http://x.com` becomes `http[:]//x[.]com`.
 *
 * Names as values (a canonical name, a label, an account) are not made inert; only text for a prompt is.
 */
export function inertText(value: string): string {
  if (HARMLESS.test(value) && !/www/i.test(value)) return value;
  // What is checked must be what is shown: compatibility forms (`＜`, `ｈｔｔｐ`) and invisible characters go first.
  let line = visible(visible(value.toWellFormed()).normalize('NFKC')).normalize('NFKC');
  line = line.replace(/[\s\p{Z}\p{Cc}]+/gu, ' ').trim();
  for (const [pattern, replacement] of [...CHARACTERS, ...LINKS, ...MARKS]) {
    line = line.replace(pattern, replacement);
  }
  return line;
}

/**
 * Most of what people write: words of plain letters and digits, one blank between them, and no sign that anything below
 * looks for; a full stop ends a word.
 */
const HARMLESS = /^(?:[A-Za-z0-9,;()'"%+-]+\.?(?: (?=[A-Za-z0-9,;()'"%+-])|$))*$/;

/** Inert text in double quotes; a quote or backslash in it is escaped by a backslash. */
export function quoted(value: string): string {
  return `"${inertText(value).replace(/["\\]/g, '\\$&')}"`;
}

type Rules = readonly (readonly [RegExp, string])[];

const CHARACTERS: Rules = [
  // The negated signs decompose to the bare ones.
  [/[<\u226e]/g, '‹'],
  [/[>\u226f]/g, '›'],
  [/`/g, "'"],
  [/\|/g, '¦'],
];

const LINKS: Rules = [
  [/:(?=\/\/)/g, '[:]'],
  // Any scheme; one followed by a blank links nothing, but these few are not left to chance.
  [/(?<=[A-Za-z][A-Za-z0-9+.-]{0,30}):(?=\S|$)/g, '[:]'],
  [/(?<=\b(?:javascript|vbscript|data|mailto)):/gi, '[:]'],
  [/(?<=\bwww)\./gi, '[.]'],
  // The last dot of a domain: what follows could be a top-level domain. `3.5`, `e.g.` and `a.send-to-b` are not.
  [
    /(?<=[\p{L}\p{N}\p{M}_-])\.(?=(?:xn--[a-z0-9-]+|\p{L}[\p{L}\p{M}]+|(?!\p{ASCII})\p{L})(?![\p{L}\p{M}\p{N}_-]))/giu,
    '[.]',
  ],
  // Browsers read the ideographic full stop as a dot.
  [/(?<=[A-Za-z0-9])\u3002(?=[A-Za-z]{2})/g, '[.]'],
];

// After the links, whose own brackets must not make one.
const MARKS: Rules = [
  [/\](?=[([])/g, '] '],
  [/!(?=\[)/g, '! '],
  [/([*_~])(?=\1)/g, '$1 '],
  [/&(?=#|[a-z][a-z0-9]*;|(?:lt|gt|amp|quot)\b)/gi, '& '],
];

/** Without what draws nothing. Joiners stay between letters and emoji that need them, a variation selector stays single. */
function visible(value: string): string {
  return value
    .replace(/(?!\u200c|\u200d|[\ufe00-\ufe0f])[\p{Default_Ignorable_Code_Point}\p{Cf}\u2800]/gu, '')
    .replace(/(?<=[\ufe00-\ufe0f])[\ufe00-\ufe0f]/gu, '')
    .replace(/(?<=^|\p{ASCII})(?:\u200c|\u200d|[\ufe00-\ufe0f])+/gu, '')
    .replace(/[\u200c\u200d]+(?=$|\p{ASCII})/gu, '');
}
