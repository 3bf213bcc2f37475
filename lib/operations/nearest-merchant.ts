import { distance } from 'fastest-levenshtein';
import { merchantKey } from '../domain/merchant-key.ts';

/**
 * The known merchant that a new one is probably a slip, a cut or a branch of; `undefined` when none is close. For a
 * person to join: what is only probably the same is never joined by itself.
 *
 * @param printed the new merchant, as printed or its key
 * @param known merchants as printed or their keys; one with the same key is no proposal
 */
export function nearestMerchant<Known extends string>(
  printed: string,
  known: readonly Known[],
): Known | undefined {
  const wanted = formsOf(printed);
  if (wanted === undefined) return undefined;
  let nearest: { readonly merchant: Known; readonly likeness: number } | undefined;
  for (const merchant of known) {
    const likeness = likenessOf(wanted, formsOf(merchant));
    if (likeness === 0 || (nearest !== undefined && nearest.likeness > likeness)) continue;
    // Ties go by name, so that the order of what is known does not matter.
    if (nearest !== undefined && nearest.likeness === likeness && nearest.merchant <= merchant) continue;
    nearest = { merchant, likeness };
  }
  return nearest?.merchant;
}

interface Forms {
  readonly key: string;
  readonly words: ReadonlySet<string>;
}

function formsOf(merchant: string): Forms | undefined {
  const key = merchantKey(merchant);
  if (key === undefined) return undefined;
  const words = merchant
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .map((word) => merchantKey(word))
    .filter((word) => word !== undefined && word.length >= SHORTEST_WORD);
  return { key, words: new Set(words as string[]) };
}

const SHORTEST_WORD = 3;
/** Shorter keys are all near each other. */
const SHORTEST_KEY = 4;

function likenessOf(wanted: Forms, known: Forms | undefined): number {
  if (known === undefined || known.key === wanted.key) return 0;
  if (wanted.key.length < SHORTEST_KEY || known.key.length < SHORTEST_KEY) return 0;
  return Math.max(bySlips(wanted.key, known.key), byBeginning(wanted.key, known.key), byWords(wanted, known));
}

/** One slip in a short key, two in a longer one, three in a long one; a changed first letter is another name. */
function bySlips(a: string, b: string): number {
  const longest = Math.max(a.length, b.length);
  const allowed = longest < 8 ? 1 : longest < 16 ? 2 : 3;
  if (Math.abs(a.length - b.length) > allowed || a[0] !== b[0]) return 0;
  const slips = distance(a, b);
  return slips <= allowed ? 1 - slips / longest : 0;
}

/** "starbucks" and "starbuckscoffee": one is how the other begins. */
function byBeginning(a: string, b: string): number {
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  return long.startsWith(short) && short.length / long.length >= LEAST_BEGINNING
    ? (0.9 * short.length) / long.length
    : 0;
}

const LEAST_BEGINNING = 0.4;

/** The share of words that both have, from two thirds on: "Boulangerie Dupont Paris" and "Dupont Boulangerie". */
function byWords(a: Forms, b: Forms): number {
  const shared = [...a.words].filter((word) => b.words.has(word)).length;
  if (shared < 2) return 0;
  const overlap = shared / (a.words.size + b.words.size - shared);
  return overlap >= LEAST_OVERLAP ? 0.9 * overlap : 0;
}

const LEAST_OVERLAP = 0.6;
