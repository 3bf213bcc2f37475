import { isAccountWord } from './account-vocabulary.ts';
import { LABEL_WORDS } from './account-words.ts';
import { type CategorisationLanguage, LANGUAGES } from './categorisation-data.ts';
import type { Chart } from './chart-of-accounts.ts';
import { merchantKey } from './merchant-key.ts';
import { resolveAccount } from './resolve-account.ts';

/** A sentence that says where a merchant belongs, and with what. */
export interface Categorisation {
  /** As it was written. */
  readonly merchant: string;
  /** The category, the label or the name, as it was written. */
  readonly phrase: string;
  readonly kind: 'category' | 'labels' | 'merchant_name';
}

/**
 * Whether a free-text preference is really a categorisation: "classify Vercel as software" is a mapping with an exact
 * key. A sentence that only looks alike ("always show totals as a table") is none, and in doubt it is none. So is one
 * with a condition or a negation, which a mapping could not hold.
 *
 * @param known.chart the workspace's own accounts, whose names are categories too
 */
export function recogniseCategorisation(
  text: string,
  known: { readonly chart?: Pick<Chart, 'accounts'> | undefined } = {},
): Categorisation | undefined {
  if (text.length > LONGEST) return undefined;
  for (const grammar of GRAMMARS) {
    const found = recognise(text, grammar, known.chart);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A mapping is said in a line. */
const LONGEST = 160;
const MOST_WORDS = 6;

interface Grammar {
  readonly language: CategorisationLanguage;
  readonly opening: RegExp;
  readonly closing: RegExp;
  readonly sighting: RegExp;
  readonly condition: RegExp;
  readonly determiner: RegExp;
  readonly papersBefore: RegExp;
  readonly papersAfter: RegExp;
  readonly forms: readonly Form[];
  readonly noMerchant: ReadonlySet<string>;
  readonly presentation: ReadonlySet<string>;
  readonly weak: ReadonlySet<string>;
  readonly categoryNoun: RegExp;
  readonly categoryNounAfter: RegExp;
}

type Certainty = 'verb' | 'account' | 'is' | 'label' | 'called' | 'same';

interface Form {
  readonly pattern: RegExp;
  /** What has to be true of the two parts for it to be a categorisation. */
  readonly certainty: Certainty;
}

function recognise(
  text: string,
  grammar: Grammar,
  chart: Pick<Chart, 'accounts'> | undefined,
): Categorisation | undefined {
  const sentence = sentenceOf(text, grammar);
  if (sentence === undefined) return undefined;
  const called = nameInside(sentence, grammar);
  if (called !== undefined) return called;
  for (const { pattern, certainty } of grammar.forms) {
    const match = pattern.exec(sentence);
    const merchant = merchantIn(match?.groups?.['merchant'] ?? '', grammar);
    const phrase = phraseIn(match?.groups?.['phrase'] ?? '', grammar);
    if (merchant === undefined || phrase === undefined) continue;
    const kind = kindOf(certainty, merchant, phrase, grammar, chart);
    if (kind === undefined) continue;
    return { merchant, phrase: kind === 'labels' ? (phrase.label ?? phrase.text) : phrase.text, kind };
  }
  return undefined;
}

/** One statement without its politeness, or nothing where there are more, a question or a condition. */
function sentenceOf(text: string, { opening, closing, sighting, condition }: Grammar): string | undefined {
  let sentence = text
    .replace(/[’‘`]/gu, "'")
    .replace(/\s+/gu, ' ')
    .trim()
    .replace(/^["“„«]([^"“”„«»]*)["”“»]$/u, '$1')
    .replace(/^((?:please )?(?:can|could|would|will) you .*)\?$/iu, '$1');
  if (/[?;]|[.!] \p{Lu}/u.test(sentence.replace(/\b(?:inc|ltd|co|corp|no|st|llc|mr|dr)\. /giu, '')))
    return undefined;
  sentence = sentence.replace(/[.! ]+$/u, '');
  for (let before = ''; before !== sentence; ) {
    before = sentence;
    sentence = sentence.replace(opening, '').replace(closing, '');
  }
  // That it is seen at all is no condition: "when you see Uber, book it to travel" is "book Uber to travel".
  sentence = sentence.replace(sighting, '$<verb> $<merchant> $<rest>');
  return condition.test(sentence) ? undefined : sentence;
}

function kindOf(
  certainty: Certainty,
  merchant: string,
  phrase: Phrase,
  grammar: Grammar,
  chart: Pick<Chart, 'accounts'> | undefined,
): Categorisation['kind'] | undefined {
  const key = merchantKey(merchant);
  if (key === undefined) return undefined;
  if (certainty === 'called') return phrase.text === merchant ? undefined : 'merchant_name';
  const other = merchantKey(phrase.text);
  const isOneMerchant =
    other !== undefined && (other === key || (other.length >= 4 && key.startsWith(other)));
  if (certainty === 'same') return isOneMerchant && phrase.text !== merchant ? 'merchant_name' : undefined;
  if (phrase.label !== undefined) return 'labels';
  if (certainty === 'label')
    return phrase.words.some((word) => grammar.presentation.has(word)) ? undefined : 'labels';
  if (certainty === 'is' && isOneMerchant && phrase.text !== merchant) return 'merchant_name';
  if (phrase.isCode) return certainty === 'is' ? undefined : 'category';
  if (phrase.words.some((word) => grammar.presentation.has(word))) return undefined;
  if (certainty === 'verb' && (isProper(merchant) || isCategory(phrase, grammar, chart, merchant)))
    return 'category';
  if (certainty === 'is' && !isProper(merchant) && merchant.includes(' ')) return undefined;
  if (phrase.hasDeterminer && !phrase.isNamedCategory) return undefined;
  return isCategory(phrase, grammar, chart, merchant) ? 'category' : undefined;
}

/** Whether it is a word of accounts, or the chart has an account that it names. */
function isCategory(
  phrase: Phrase,
  grammar: Grammar,
  chart: Pick<Chart, 'accounts'> | undefined,
  merchant: string,
): boolean {
  if (
    phrase.words.some((word) => grammar.language.phrasePrepositions.includes(word)) &&
    !isCalledSo(phrase, chart)
  ) {
    return false;
  }
  if (phrase.isNamedCategory) return true;
  const strong = phrase.words.filter((word) => !grammar.weak.has(word));
  if (strong.length === 0) return false;
  const head = phrase.words.at(-1) ?? '';
  if (isAccountWord(head) && phrase.words.length <= 4) return true;
  return chart !== undefined && resolveAccount(chart, phrase.text, { merchant }).decision !== 'none';
}

/** "Cost of sales" has one inside, but is the name of an account. */
function isCalledSo(phrase: Phrase, chart: Pick<Chart, 'accounts'> | undefined): boolean {
  const name = phrase.text.toLowerCase();
  return (
    /^costs? of \p{L}+(?: sold)?$/u.test(name) ||
    chart?.accounts.some((account) => account.name.toLowerCase() === name) === true
  );
}

const isProper = (merchant: string) => /\p{Lu}|\d|\p{Lo}/u.test(merchant);

/** The merchant in "all my bills from Vercel" and "Facebook ads"; nothing where none is named. */
function merchantIn(part: string, grammar: Grammar): string | undefined {
  let merchant = unquoted(part);
  for (let before = ''; before !== merchant; ) {
    before = merchant;
    merchant = merchant
      .replace(grammar.determiner, '')
      .replace(grammar.papersBefore, '')
      .replace(grammar.papersAfter, '');
  }
  merchant = withoutPurpose(unquoted(merchant));
  const words = foldedWords(merchant);
  const [first = ''] = words;
  if (words.length > MOST_WORDS) return undefined;
  if (grammar.noMerchant.has(words.at(-1) ?? '')) return undefined;
  // "Home Depot" is one though home is none.
  if (grammar.noMerchant.has(first) && !/\s\P{L}*[\p{Lu}\d]/u.test(merchant)) return undefined;
  if (words.length === 1 && grammar.language.documentNouns.includes(first)) return undefined;
  // "hotels go to travel" names no merchant, "my accountant" does.
  if (words.length === 1 && grammar.language.parties.includes(first))
    return OWN.test(part) ? merchant : undefined;
  return words.every((word) => isAccountWord(word)) ? undefined : merchant;
}

/** "Facebook ads": the small word behind a name says what is bought there. */
function withoutPurpose(merchant: string): string {
  const last = /(.*\p{Lu}.*) (\p{Ll}+)$/u.exec(merchant);
  return last?.[1] !== undefined && isAccountWord(last[2] ?? '') ? last[1] : merchant;
}

const OWN = /^(?:all (?:of )?)?(?:my|our)\b/iu;

interface Phrase {
  readonly text: string;
  readonly words: readonly string[];
  /** "a travel expense", "the software account". */
  readonly isNamedCategory: boolean;
  readonly isCode: boolean;
  /** "personal", also said as "a personal expense". */
  readonly label: string | undefined;
  readonly hasDeterminer: boolean;
}

function phraseIn(part: string, grammar: Grammar): Phrase | undefined {
  const bare = part.replace(grammar.determiner, '');
  const text = unquoted(
    bare.replace(/ (?:account|category)$/iu, '').replace(/^(?:account|category) (?=\S)/iu, ''),
  );
  const words = foldedWords(text);
  if (words.length === 0 || words.length > MOST_WORDS) return undefined;
  const label = text.replace(grammar.categoryNounAfter, '');
  const named = grammar.categoryNoun.exec(unquoted(bare));
  return {
    text,
    words,
    isNamedCategory:
      named !== null && !words.some((word) => grammar.noMerchant.has(word) && !LABEL_WORDS.has(word)),
    isCode: /^[a-z]{0,2}\d{3,8}(?:[.-]\d+)?$/iu.test(text),
    label: foldedWords(label).every((word) => LABEL_WORDS.has(word)) ? label : undefined,
    hasDeterminer: bare !== part,
  };
}

/** "call VERCEL INC Vercel": the place where one name ends and the other begins is where both are one merchant. */
function nameInside(sentence: string, { language }: Grammar): Categorisation | undefined {
  const verb = new RegExp(`^(?:${anyOf(language.calls)}) (.+)$`, 'iu').exec(sentence);
  if (verb?.[1] === undefined) return undefined;
  const quoted = /^(["'“«])(.+?)["'”»] (?:as )?["'“«]?(.+?)["'”»]?$/u.exec(verb[1]);
  if (quoted?.[2] !== undefined && quoted[3] !== undefined) {
    return merchantKey(quoted[2]) === undefined
      ? undefined
      : { merchant: quoted[2], phrase: quoted[3], kind: 'merchant_name' };
  }
  const words = verb[1].split(' ');
  for (let at = words.length - 1; at > 0; at -= 1) {
    const merchant = words.slice(0, at).join(' ');
    const phrase = words.slice(at).join(' ');
    const [a, b] = [merchantKey(merchant), merchantKey(phrase)];
    if (a === undefined || b === undefined || merchant === phrase) continue;
    if (a === b || (b.length >= 3 && a.startsWith(b) && isProper(merchant)))
      return { merchant, phrase, kind: 'merchant_name' };
  }
  return undefined;
}

const unquoted = (text: string) =>
  text
    .replace(/^["'“”«»„]+|["'“”«»]+$/gu, '')
    .replace(/^[,:]+|[,.:!]+$/gu, (end) => (end === '.' ? '.' : ''))
    .trim();

const foldedWords = (text: string) =>
  text
    .toLowerCase()
    .replace(/\br ?& ?d\b/gu, 'rnd')
    .split(/[^\p{L}\p{N}\p{M}'&+*#.]/u)
    .map((word) => word.replace(/^[.'*#&+]+|[.'*#&+]+$/gu, ''))
    .filter((word) => word !== '');

const escaped = (literal: string) => literal.replace(/[.*+?^${}()|[\]\\/]/gu, String.raw`\$&`);
const anyOf = (phrases: readonly string[]) =>
  [...phrases]
    .sort((a, b) => b.length - a.length)
    .map((phrase) => escaped(phrase).replaceAll(' ', ' +'))
    .join('|');

const GRAMMARS: readonly Grammar[] = LANGUAGES.map(grammarOf);

function grammarOf(language: CategorisationLanguage): Grammar {
  const on = anyOf(language.prepositions);
  const form = (certainty: Certainty, source: string): Form => ({
    certainty,
    pattern: new RegExp(`^${source}$`, 'iu'),
  });
  const verbs = (list: readonly string[]) => `(?:${anyOf(list)}) (?<merchant>.+?) (?:${on}) (?<phrase>.+)`;
  return {
    language,
    opening: new RegExp(`^(?:${anyOf(language.openings)})(?:,? +)(?=\\S)`, 'iu'),
    closing: new RegExp(`,? +(?:${anyOf(language.closings)})$`, 'iu'),
    sighting: new RegExp(
      `^(?:${anyOf(language.sightings)}) (?<merchant>.+?),? (?:then +)?(?<verb>${anyOf(
        [language.bookkeepingVerbs, language.otherVerbs, language.labelVerbs].flat(),
      )}) (?:${anyOf(language.pronouns)}) (?<rest>.+)$`,
      'iu',
    ),
    condition: new RegExp(String.raw`(?<![\p{L}'])(?:${anyOf(language.conditions)})(?![\p{L}'])`, 'iu'),
    determiner: new RegExp(`^(?:${anyOf(language.determiners)}) +`, 'iu'),
    papersBefore: new RegExp(`^(?:${anyOf(language.documentNouns)}) +(?:${anyOf(language.from)}) +`, 'iu'),
    papersAfter: new RegExp(`(?<=\\S) +(?:${anyOf(language.documentNouns)})$`, 'iu'),
    forms: [
      form(
        'called',
        `(?:${anyOf(language.renames)}) (?<merchant>.+?) (?:${anyOf(language.renamedTo)}) (?<phrase>.+)`,
      ),
      form('same', `(?<merchant>.+?) (?:${anyOf(language.isCalled)}) (?<phrase>.+)`),
      form(
        'same',
        `(?:${anyOf(language.shows)}) (?<merchant>.+?) (?:${anyOf(language.shownAs)}) (?<phrase>.+)`,
      ),
      form('verb', verbs(language.bookkeepingVerbs)),
      form('label', verbs(language.labelVerbs)),
      form('account', verbs(language.otherVerbs)),
      form(
        'account',
        `(?:${anyOf(language.deems)}) (?<merchant>.+?) (?<phrase>(?:${anyOf(language.determiners)}) .+)`,
      ),
      form(
        'account',
        `(?:${anyOf(language.uses)}) (?<phrase>.+?) (?:${anyOf(language.usedFor)}) (?<merchant>.+)`,
      ),
      form(
        'account',
        `(?:${anyOf(language.usedFor)}) (?<merchant>.+?),? (?:${anyOf(language.uses)}) (?<phrase>.+)`,
      ),
      form('account', `(?<merchant>.+?) (?:${anyOf(language.belongs)}) (?<phrase>.+)`),
      form('is', `(?<merchant>.+?) (?:${anyOf(language.is)}) (?<phrase>.+)`),
      // The signs of every language: "Vercel = software", "Vercel: software".
      form('is', '(?<merchant>[^:]+?)(?: ?(?:=>?|->|→) ?|: | [-–—] )(?<phrase>.+)'),
    ],
    noMerchant: new Set(language.noMerchant),
    presentation: new Set(language.presentationWords),
    weak: new Set(language.weakCategories),
    categoryNounAfter: new RegExp(` +(?:${anyOf(language.categoryNouns)})$`, 'iu'),
    categoryNoun: new RegExp(`.+ (?:${anyOf(language.categoryNouns)})$`, 'iu'),
  };
}
