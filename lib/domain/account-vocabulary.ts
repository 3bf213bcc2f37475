import { ABBREVIATIONS, CONCEPTS, EXPRESSIONS, FILLERS } from './account-words.ts';
import { foldLetters } from './merchant-steps.ts';

/** The telling words of a folded phrase or name of an account, in their singular; all of them where none tells. */
export function wordsOf(folded: string): readonly string[] {
  const spelled = ANY_EXPRESSION.test(folded)
    ? EXPRESSIONS.reduce((text, [pattern, words]) => text.replace(pattern, words), folded)
    : folded;
  const words = spelled
    .split(/[^\p{L}\p{N}\p{M}]/u)
    .filter((word) => word !== '' && !/^\d+$/u.test(word))
    .map((word) => singular(ABBREVIATIONS.get(word) ?? word))
    .map((word) => ABBREVIATIONS.get(word) ?? word);
  const telling = words.filter((word) => !FILLERS.has(word));
  return telling.length > 0 ? telling : words;
}

const ANY_EXPRESSION = new RegExp(EXPRESSIONS.map(([pattern]) => pattern.source).join('|'), 'u');

/** The English singular, and near enough elsewhere. */
export function singular(word: string): string {
  if (/ies$/u.test(word) && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(?:ch|sh|x|ss)es$/u.test(word)) return word.slice(0, -2);
  return /[^sui]s$/u.test(word) && word.length > 3 ? word.slice(0, -1) : word;
}

/** Scripts without blanks between words. */
export const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Hangul}]/u;

/** Whether a word is one that accounts are called by. */
export function isAccountWord(word: string): boolean {
  return wordsOf(foldLetters(word)).some((one) => conceptsOf(one).size > 0 || one === 'miscellaneous');
}

/** Where a concept is booked when the chart has nothing for it, the better place first. */
export const BROADER: ReadonlyMap<string, readonly string[]> = new Map(
  CONCEPTS.map(({ name, broader }) => [name, broader ?? []]),
);
export const EXACT_WORDS = new Map<string, Set<string>>();
const INSIDE: { readonly part: string; readonly concept: string }[] = [];
const BEGINNINGS: { readonly beginning: string; readonly concept: string }[] = [];
for (const { name, words } of CONCEPTS) {
  for (const word of words.split(/\s+/)) {
    if (word.startsWith('~')) INSIDE.push({ part: word.slice(1), concept: name });
    else if (word.endsWith('*')) BEGINNINGS.push({ beginning: word.slice(0, -1), concept: name });
    else EXACT_WORDS.set(singular(word), (EXACT_WORDS.get(singular(word)) ?? new Set()).add(name));
  }
}

const remembered = new Map<string, ReadonlySet<string>>();
const MOST_REMEMBERED = 20_000;

/** The concepts a word stands for; remembered, because the words of a chart come again and again. */
export function conceptsOf(word: string): ReadonlySet<string> {
  const known = remembered.get(word);
  if (known !== undefined) return known;
  const concepts = new Set(EXACT_WORDS.get(word));
  for (const { beginning, concept } of BEGINNINGS) if (word.startsWith(beginning)) concepts.add(concept);
  if (UNSPACED.test(word)) {
    for (const { part, concept } of INSIDE) if (word.includes(part)) concepts.add(concept);
  }
  if (remembered.size >= MOST_REMEMBERED) remembered.clear();
  remembered.set(word, concepts);
  return concepts;
}
