import { BROADER, conceptsOf, EXACT_WORDS, singular, UNSPACED, wordsOf } from './account-vocabulary.ts';
import {
  ALTERNATIVES,
  CATCH_ALL_COMPANIONS,
  CATCH_ALL_WORDS as CATCH_ALL_PLURALS,
  CATCH_ALL_UNSPACED,
  LABEL_WORDS,
  LIGHT_HEADS,
  LIGHT_MODIFIERS,
  MERCHANT_KINDS,
  type MerchantKind,
  NAME_PREPOSITIONS,
  TECHNICAL_ACCOUNTS,
  TWO_MEANINGS,
} from './account-words.ts';
import { type Account, type Chart, isOfPurchases, isPurchaseAccount, pathsOf } from './chart-of-accounts.ts';
import { foldLetters } from './merchant-steps.ts';
import { isSlipOf } from './slip-of-the-pen.ts';

export interface AccountMatch {
  readonly account: Account;
  /** The names from the top of the chart down, joined by colons: "Travel:Hotel". */
  readonly path: string;
  /** 0..1; only to be compared within one answer. */
  readonly score: number;
}

export interface Resolution {
  /** `resolve` has one match, `ask` the two or more it could be, `none` the nearest to be seen. */
  readonly decision: 'resolve' | 'ask' | 'none';
  readonly matches: readonly AccountMatch[];
}

/**
 * The account that a phrase means in this chart, as a careful bookkeeper reads it: postable, active and fit for a
 * purchase. Choosing a wrong account is worse than asking.
 *
 * @param options.merchant whose purchase it is; decides words of two meanings ("gas")
 */
export function resolveAccount(
  chart: Pick<Chart, 'accounts'>,
  query: string,
  options: { readonly limit?: number; readonly merchant?: string } = {},
): Resolution {
  const limit = Math.max(options.limit ?? DEFAULT_LIMIT, 2);
  const index = indexOf(chart.accounts);
  const asked = foldLetters(query);
  const words = wordsOf(prepared(query));
  const named = byName(index, asked);
  const read = named ?? byWords(index, words, kindOf(options.merchant), options.merchant !== undefined);
  // "Prepaid insurance" is an asset here: "Insurance" is not what was said.
  const found =
    named === undefined && words.length > 1 && index.unfitNames.has(nameKey(asked))
      ? read.filter(({ entry }) => words.every((word) => entry.pathWords.has(word)))
      : read;
  const top = found[0]?.score ?? 0;
  const close = found.filter(({ score }) => top - score < MARGIN);
  const [first] = close;
  if (first === undefined)
    return { decision: 'none', matches: nearest(index, asked, options.limit ?? DEFAULT_LIMIT) };
  if (close.length > 1) return { decision: 'ask', matches: close.slice(0, limit).map(shown) };
  // Said only beside what the account is for: not enough to choose it.
  if (first.score <= SCORE.aside) return { decision: 'none', matches: [shown(first)] };
  if (isChoosable(first)) return { decision: 'resolve', matches: [shown(first)] };
  // A catch-all is never chosen, not even by its name: it is asked about beside what else it could be.
  const others = found.length > 1 ? found.slice(1) : catchAlls(index, first.entry);
  if (others.length === 0) return { decision: 'none', matches: [shown(first)] };
  return { decision: 'ask', matches: [first, ...others].slice(0, limit).map(shown) };
}

const isChoosable = ({ entry, score }: Found) =>
  entry.standing === 'plain' || (entry.standing === 'remainder' && score >= SCORE.words);

const CATCH_ALL_WORDS: ReadonlySet<string> = new Set(
  [...CATCH_ALL_PLURALS].flatMap((word) => [word, singular(word)]),
);

const DEFAULT_LIMIT = 10;
const MARGIN = 0.05;

/** How sure each way of finding an account is; two ways further apart than the margin are not in doubt. */
const SCORE = {
  code: 1,
  name: 0.97,
  words: 0.85,
  sameThing: 0.79,
  synonyms: 0.73,
  misspelt: 0.66,
  headOnly: 0.58,
  broader: 0.5,
  underGroup: 0.4,
  aside: 0.35,
} as const;

/** "Legal fees, other" is the remainder of something; "Other expenses" is of nothing, a catch-all. */
type Standing = 'plain' | 'remainder' | 'catch-all' | 'technical';

interface Entry {
  readonly account: Account;
  readonly path: string;
  readonly standing: Standing;
  /** Id and code, folded. */
  readonly codes: ReadonlySet<string>;
  readonly pathKey: string;
  readonly folded: string;
  readonly names: ReadonlySet<string>;
  readonly words: ReadonlySet<string>;
  readonly pathWords: ReadonlySet<string>;
  readonly concepts: ReadonlySet<string>;
  readonly pathConcepts: ReadonlySet<string>;
  /** What the account is about: not "promotional" in "Promotional Meals", nor what comes after "for". */
  readonly mainWords: ReadonlySet<string>;
  readonly mainConcepts: ReadonlySet<string>;
  /** What is joined by "and" in it, each by its key: "Repairs and Maintenance" is both. */
  readonly parts: ReadonlySet<string>;
  /** Words before a head that is something else: "catering" in "Catering Disposables". */
  readonly modifiers: ReadonlySet<string>;
  /** How many words the leaf has, numbers too. */
  readonly length: number;
}

interface Index {
  readonly entries: readonly Entry[];
  readonly vocabulary: ReadonlySet<string>;
  /** Names of the accounts that are of no kind for a purchase. */
  readonly unfitNames: ReadonlySet<string>;
  /** What stands under a heading that cannot be posted to, by the heading's words. */
  readonly headings: ReadonlyMap<string, readonly Entry[]>;
}

interface Found {
  readonly entry: Entry;
  readonly score: number;
}

const indexes = new WeakMap<readonly Account[], Index>();

/** Words are taken apart once a chart. */
function indexOf(accounts: readonly Account[]): Index {
  const known = indexes.get(accounts);
  if (known !== undefined) return known;
  const paths = pathsOf(accounts);
  const vocabulary = new Set<string>();
  const entries = accounts.filter(isPurchaseAccount).map((account) => {
    const segments = paths.get(account.id) ?? [account.name];
    const entry = entryOf(account, segments);
    for (const word of entry.words) vocabulary.add(word);
    return entry;
  });
  const unfit = accounts.filter((account) => !isOfPurchases(account));
  const unfitNames = new Set(unfit.map((account) => nameKey(foldLetters(account.name))));
  const index = { entries, vocabulary, unfitNames, headings: headingsOf(entries, paths) };
  indexes.set(accounts, index);
  return index;
}

function headingsOf(
  entries: readonly Entry[],
  paths: ReadonlyMap<string, readonly string[]>,
): ReadonlyMap<string, readonly Entry[]> {
  const postable = new Set(entries.map(({ pathKey }) => pathKey));
  const headings = new Map<string, Entry[]>();
  for (const entry of entries) {
    const segments = paths.get(entry.account.id) ?? [];
    for (let depth = 1; depth < segments.length; depth += 1) {
      if (postable.has(nameKey(foldLetters(segments.slice(0, depth).join(':'))))) continue;
      const key = headingKey(wordsOf(prepared(segments[depth - 1] ?? '')));
      const under = headings.get(key);
      if (under === undefined) headings.set(key, [entry]);
      else under.push(entry);
    }
  }
  return headings;
}

const headingKey = (words: readonly string[]) => [...new Set(words)].sort().join(' ');

function entryOf(account: Account, segments: readonly string[]): Entry {
  const leaf = segments.at(-1) ?? account.name;
  const path = segments.join(':');
  const aliases = account.aliases ?? [];
  const leafWords = wordsOf(prepared(leaf));
  const words = new Set([...leafWords, ...aliases.flatMap((text) => wordsOf(prepared(text)))]);
  const pathWords = new Set([...segments.flatMap((text) => wordsOf(prepared(text))), ...words]);
  const main = [leaf, ...aliases].map(mainOf);
  const names = [account.name, leaf, path, ...aliases];
  if (account.code !== undefined) names.push(`${account.code} ${account.name}`);
  return {
    account,
    path,
    standing: standingOf(foldLetters(leaf), leafWords),
    codes: new Set([account.id, account.code ?? account.id].map(foldLetters)),
    pathKey: nameKey(foldLetters(path)),
    folded: foldLetters(path),
    names: new Set(
      [...new Set(names)].flatMap((name) => [nameKey(foldLetters(name)), nameKey(prepared(name))]),
    ),
    words,
    pathWords,
    concepts: conceptsOfAll(words),
    pathConcepts: conceptsOfAll(pathWords),
    mainWords: new Set(main.flatMap((part) => [...part.words])),
    mainConcepts: new Set(main.flatMap((part) => [...part.concepts])),
    parts: new Set(main.flatMap((part) => part.parts)),
    modifiers: new Set(main.flatMap((part) => part.modifiers)),
    length: new Set(leafWords).size + (leaf.match(/\d+/gu)?.length ?? 0),
  };
}

const conceptsOfAll = (words: Iterable<string>): ReadonlySet<string> =>
  new Set([...words].flatMap((word) => [...conceptsOf(word)]));

function mainOf(name: string) {
  const [before = ''] = prepared(name).split(NAME_PREPOSITIONS);
  const words: string[] = [];
  const concepts: string[] = [];
  const modifiers: string[] = [];
  const parts: string[] = [];
  for (const part of before.split(/[,&/+;()]|\s(?:and|und|et|og|och|y|e|en)\s/u)) {
    const inPart = wordsOf(part);
    const head = [...conceptsOf(inPart.at(-1) ?? '')].filter((concept) => !LIGHT_CONCEPTS.has(concept));
    parts.push(headingKey(inPart));
    words.push(...inPart);
    for (const word of inPart) {
      const own = [...conceptsOf(word)];
      if (head.length === 0 || own.some((concept) => head.includes(concept))) concepts.push(...own);
      else modifiers.push(word);
    }
  }
  return { words, concepts, modifiers, parts };
}

/** "Bank charges" is about the bank. */
const LIGHT_CONCEPTS: ReadonlySet<string> = new Set(['fee', 'professional']);

/** Folded, with French and Italian elisions and words run together taken apart. */
function prepared(name: string): string {
  return foldLetters(
    splitCase(name).replace(/(?<![\p{L}])(?:[dlnsc]|qu|dell|all|nell)['’](?=\p{L}{2})/giu, ''),
  );
}

function standingOf(folded: string, words: readonly string[]): Standing {
  if (TECHNICAL_ACCOUNTS.test(folded)) return 'technical';
  if (CATCH_ALL_UNSPACED.test(folded)) return 'catch-all';
  if (!words.some((word) => CATCH_ALL_WORDS.has(word))) return 'plain';
  return words.every((word) => CATCH_ALL_WORDS.has(word) || CATCH_ALL_COMPANIONS.has(word))
    ? 'catch-all'
    : 'remainder';
}

/** Exact: an id or a code, the whole path, the leaf, an alias, or a code with its name. */
function byName(index: Index, asked: string): readonly Found[] | undefined {
  const coded = index.entries.filter(({ codes }) => codes.has(asked));
  if (coded.length > 0) return coded.map((entry) => ({ entry, score: SCORE.code }));
  const key = nameKey(asked);
  if (key === '') return undefined;
  const paths = index.entries.filter((entry) => entry.pathKey === key);
  const hits = paths.length > 0 ? paths : index.entries.filter((entry) => entry.names.has(key));
  // "Repairs" under "Auto" is not all that "Repairs and Maintenance" could mean.
  if (paths.length === 0 && hits.length > 0 && hits.every((entry) => entry.path.includes(':'))) {
    const part = headingKey(wordsOf(asked));
    hits.push(
      ...index.entries.filter((entry) => isOpen(entry) && !hits.includes(entry) && entry.parts.has(part)),
    );
  }
  return hits.length === 0 ? undefined : hits.map((entry) => ({ entry, score: SCORE.name }));
}

const isOpen = ({ standing }: Entry) => standing === 'plain' || standing === 'remainder';

/** A name without the words and signs that are written or not. */
function nameKey(folded: string): string {
  return folded
    .split(/[^\p{L}\p{N}\p{M}]/u)
    .filter((word) => word !== '' && word !== 'and')
    .join(' ');
}

function byWords(
  index: Index,
  asked: readonly string[],
  kind: MerchantKind | undefined,
  hasMerchant: boolean,
): readonly Found[] {
  const words = [...new Set(asked)];
  if (words.every((word) => LABEL_WORDS.has(word))) return [];
  const meanings = TWO_MEANINGS.get(words.join(' '));
  if (meanings !== undefined) return byMeaning(index, words, meanings, kind, hasMerchant);
  if (
    words.some((word) => CATCH_ALL_WORDS.has(word)) &&
    words.every((word) => CATCH_ALL_WORDS.has(word) || CATCH_ALL_COMPANIONS.has(word))
  ) {
    return index.entries
      .filter(({ standing }) => standing === 'catch-all' || standing === 'remainder')
      .map((entry) => ({ entry, score: entry.standing === 'catch-all' ? SCORE.words : SCORE.words - MARGIN }))
      .sort(byScore);
  }
  const under = (index.headings.get(headingKey(words)) ?? []).filter(({ standing }) => standing === 'plain');
  if (under.length > 1) return under.map((entry) => ({ entry, score: SCORE.underGroup }));
  return ways(index, words);
}

function byMeaning(
  index: Index,
  words: readonly string[],
  meanings: readonly { readonly kind: MerchantKind; readonly concept: string }[],
  kind: MerchantKind | undefined,
  hasMerchant: boolean,
): readonly Found[] {
  const found = meanings.map((meaning) => ({ ...meaning, accounts: byConcept(index, meaning.concept) }));
  const meant = found.find((meaning) => meaning.kind === kind);
  if (meant !== undefined) return meant.accounts;
  // Nobody named who sold it, and one account is called just that.
  const [called, ...others] = hasMerchant ? [] : index.entries.filter((entry) => sameWords(entry, words));
  if (called !== undefined && others.length === 0) return [{ entry: called, score: SCORE.name }];
  const all = new Map(
    found.flatMap(({ accounts }) => accounts.map(({ entry }) => [entry.account.id, entry])),
  );
  return [...all.values()].map((entry) => ({ entry, score: SCORE.synonyms }));
}

function byConcept(index: Index, concept: string): readonly Found[] {
  const own = index.entries.filter((entry) => entry.standing === 'plain' && entry.mainConcepts.has(concept));
  if (own.length > 0) return own.map((entry) => ({ entry, score: SCORE.synonyms }));
  for (const broader of BROADER.get(concept) ?? []) {
    const found = byConcept(index, broader);
    if (found.length > 0) return found.map(({ entry }) => ({ entry, score: SCORE.broader }));
  }
  return [];
}

/** From the surest to the boldest; the first that finds anything answers. */
function ways(index: Index, words: readonly string[]): readonly Found[] {
  const spelt = words.map((word) => ({
    word,
    options: isKnown(index, word) ? [word] : corrections(index, word),
  }));
  const misspelt = spelt.some(({ word, options }) => options[0] !== word);
  const meant = spelt.map(({ options }) => options);
  const found = allWords(index, meant);
  if (found.length > 0) {
    const broader = found.some(({ score }) => score > SCORE.aside) ? [] : broaderAccounts(index, meant);
    if (broader.length > 0) return broader;
    return misspelt
      ? found.map(({ entry, score }) => ({ entry, score: score - (SCORE.words - SCORE.misspelt) }))
      : found;
  }
  for (const [these, instead] of ALTERNATIVES) {
    if (these.length !== words.length || !these.every((word) => words.includes(word))) continue;
    const other = instead.flatMap((word) =>
      [...conceptsOf(word)].flatMap((concept) => byConcept(index, concept)),
    );
    if (other.length > 0) return other;
  }
  if (words.length > 1 && LIGHT_HEADS.has(words.at(-1) ?? '')) return ways(index, words.slice(0, -1));
  const partly = headWords(index, meant);
  if (partly.length > 0) return partly;
  const broader = broaderAccounts(index, meant);
  if (broader.length > 0) return broader;
  return underGroup(index, meant);
}

/** Every word is in the account, itself or by a synonym. */
function allWords(index: Index, meant: readonly (readonly string[])[]): readonly Found[] {
  if (meant.some((options) => options.length === 0)) return [];
  const found: Found[] = [];
  for (const entry of index.entries) {
    if (!isOfferable(entry, meant)) continue;
    const marks = meant.map((options) => Math.max(...options.map((word) => markOf(entry, word))));
    const least = Math.min(...marks);
    if (least === 0 || !meant.some((options) => options.some((word) => isInLeaf(entry, word)))) continue;
    // A name without blanks has more in it than the one word that was found.
    const whole =
      entry.length <= meant.length && (least === 2 || ![...entry.words].some((word) => UNSPACED.test(word)));
    if (!meant.some((options) => options.some((word) => isMain(entry, word))))
      found.push({ entry, score: SCORE.aside });
    else if (least === 2) found.push({ entry, score: whole ? SCORE.name : SCORE.words });
    else found.push({ entry, score: whole ? SCORE.sameThing : SCORE.synonyms });
  }
  // Where the word is somewhere only what tells one kind from another, the word alone does not tell which account.
  const loose =
    meant.length === 1 && found.some(({ entry }) => meant[0]?.every((word) => entry.modifiers.has(word)));
  return found
    .map(({ entry, score }) => ({ entry, score: loose && score === SCORE.words ? SCORE.synonyms : score }))
    .sort(byScore);
}

function isMain(entry: Entry, word: string): boolean {
  if (entry.mainWords.has(word)) return true;
  for (const concept of conceptsOf(word)) if (entry.mainConcepts.has(concept)) return true;
  return isWithin(entry, word);
}

/** 2: the word itself, 1: a synonym, 0: not there. */
function markOf(entry: Entry, word: string): number {
  if (entry.pathWords.has(word) || isWithin(entry, word)) return 2;
  for (const concept of conceptsOf(word)) if (entry.pathConcepts.has(concept)) return 1;
  return 0;
}

function isInLeaf(entry: Entry, word: string): boolean {
  if (entry.words.has(word)) return true;
  for (const concept of conceptsOf(word)) if (entry.concepts.has(concept)) return true;
  return isWithin(entry, word);
}

/** Without blanks a part of the name is a word of it. */
const isWithin = (entry: Entry, word: string) =>
  UNSPACED.test(word) && word.length > 1 && entry.folded.includes(word);

/** "warehouse rent": the last word says what it is. What the others point to is asked about beside it. */
function headWords(index: Index, meant: readonly (readonly string[])[]): readonly Found[] {
  const head = allWords(index, meant.slice(-1));
  if (head.length === 0) return [];
  const others = meant
    .slice(0, -1)
    .filter((options) => !options.some((word) => LIGHT_MODIFIERS.has(word)))
    .flatMap((options) => allWords(index, [options]).filter(({ score }) => score > SCORE.aside));
  const entries = new Set(
    [...head.filter(({ score }) => score > (head[0]?.score ?? 0) - MARGIN), ...others].map(
      ({ entry }) => entry,
    ),
  );
  return [...entries].map((entry) => ({ entry, score: SCORE.headOnly }));
}

function broaderAccounts(index: Index, meant: readonly (readonly string[])[]): readonly Found[] {
  const concepts = new Set((meant.at(-1) ?? []).flatMap((word) => [...conceptsOf(word)]));
  const found = new Set<Entry>();
  for (const concept of concepts) {
    // What can be booked in two places is asked about.
    const steps = BROADER.get(concept) ?? [];
    const reached = steps.map((step) => byConcept(index, step)).filter((accounts) => accounts.length > 0);
    for (const { entry } of reached[0] ?? []) found.add(entry);
  }
  return [...found].map((entry) => ({ entry, score: SCORE.broader }));
}

/** The phrase is a heading of the chart: what stands under it is asked about. */
function underGroup(index: Index, meant: readonly (readonly string[])[]): readonly Found[] {
  const words = meant.flat();
  if (words.length === 0 || meant.some((options) => options.length === 0)) return [];
  const under = index.entries.filter(
    (entry) => entry.standing === 'plain' && words.every((word) => entry.pathWords.has(word)),
  );
  return under.length > 1 ? under.map((entry) => ({ entry, score: SCORE.underGroup })) : [];
}

/** Catch-alls only where nobody could mean less, accounts of the bookkeeper only by their own names. */
function isOfferable(entry: Entry, meant: readonly (readonly string[])[]): boolean {
  if (entry.standing === 'technical') return false;
  return entry.standing !== 'catch-all' || meant.flat().some((word) => CATCH_ALL_WORDS.has(word));
}

/** What else nobody placed yet, else what is nearest to it, so that there is something to choose from. */
function catchAlls(index: Index, but: Entry): readonly Found[] {
  const others = index.entries.filter((entry) => entry !== but && entry.standing === 'catch-all');
  if (others.length > 0 || but.standing === 'technical') {
    return others.map((entry) => ({ entry, score: SCORE.underGroup }));
  }
  const wanted = pairsOf(but.folded);
  return index.entries
    .filter((entry) => entry !== but && entry.standing === 'plain')
    .map((entry) => ({ entry, score: likeness(wanted, pairsOf(entry.folded)) * SCORE.underGroup }))
    .filter(({ score }) => score >= LEAST_NEARNESS)
    .sort(byScore)
    .slice(0, 1);
}

const sameWords = (entry: Entry, words: readonly string[]) =>
  entry.standing === 'plain' && entry.length === words.length && words.every((word) => entry.words.has(word));

function isKnown(index: Index, word: string): boolean {
  return index.vocabulary.has(word) || conceptsOf(word).size > 0 || UNSPACED.test(word);
}

/** Words of the chart and of the synonyms that a misspelt word could be. */
function corrections(index: Index, word: string): readonly string[] {
  if (word.length < SHORTEST_MISSPELT) return [];
  const all = [...index.vocabulary, ...EXACT_WORDS.keys()].filter(
    // Another letter makes another word of a short one.
    (known) => known.length >= SHORTEST_MISSPELT && isSlipOf(word, known, word.length >= 8),
  );
  return [...new Set(all)];
}

const SHORTEST_MISSPELT = 5;

function nearest(index: Index, asked: string, limit: number): readonly AccountMatch[] {
  const words = wordsOf(asked);
  if (words.every((word) => LABEL_WORDS.has(word))) return [];
  const wanted = pairsOf(asked);
  return index.entries
    .filter(({ standing }) => standing === 'plain' || standing === 'remainder')
    .map((entry) => {
      const shared = words.filter((word) => markOf(entry, word) > 0).length / words.length;
      return { entry, score: Math.max(shared * 0.39, likeness(wanted, pairsOf(entry.folded)) * 0.39) };
    })
    .filter(({ score }) => score >= LEAST_NEARNESS)
    .sort(byScore)
    .slice(0, Math.min(limit, MOST_NEAREST))
    .map(shown);
}

const LEAST_NEARNESS = 0.08;
const MOST_NEAREST = 5;

/**
 * What to choose from instead of an account that is not there: those with the nearest names, else those whose codes
 * begin alike, from the front of the chart on.
 */
export function accountsInstead(
  chart: Pick<Chart, 'accounts'>,
  id: string,
  name: string,
): readonly AccountMatch[] {
  const { matches } = resolveAccount(chart, name, { limit: MOST_NEAREST });
  if (matches.length > 0) return matches;
  const code = foldLetters(id);
  return indexOf(chart.accounts)
    .entries.map((entry) => ({
      entry,
      score: Math.max(...[...entry.codes].map((own) => sharedStart(own, code))),
    }))
    .sort((a, b) => b.score - a.score)
    .slice(0, MOST_NEAREST)
    .map(shown);
}

/** Which part of the longer one both begin with. */
function sharedStart(a: string, b: string): number {
  let shared = 0;
  while (shared < a.length && a[shared] === b[shared]) shared += 1;
  return shared / Math.max(a.length, b.length, 1);
}

function pairsOf(text: string): ReadonlySet<string> {
  const pairs = new Set<string>();
  for (let at = 0; at + 1 < text.length; at += 1) pairs.add(text.slice(at, at + 2));
  return pairs;
}

function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size === 0 || b.size === 0) return 0;
  let shared = 0;
  for (const pair of a) if (b.has(pair)) shared += 1;
  return (2 * shared) / (a.size + b.size);
}

/** "Phon NonCentrx", "R&MStrat": names that ran out of room. */
function splitCase(name: string): string {
  return name.replace(/(?<=\p{Ll})(?=\p{Lu}\p{Ll})/gu, ' ');
}

function kindOf(merchant: string | undefined): MerchantKind | undefined {
  if (merchant === undefined) return undefined;
  const folded = foldLetters(merchant);
  return MERCHANT_KINDS.find(({ pattern }) => pattern.test(folded))?.kind;
}

const byScore = (a: Found, b: Found) =>
  b.score - a.score || (a.entry.path < b.entry.path ? -1 : a.entry.path > b.entry.path ? 1 : 0);

const shown = ({ entry, score }: Found): AccountMatch => ({
  account: entry.account,
  path: entry.path,
  score: Math.round(score * 100) / 100,
});
