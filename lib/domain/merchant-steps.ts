import {
  BANK_FILLERS,
  BANK_LEAD_INS,
  BANK_PHRASES,
  BANK_TAILS,
  BANK_WORDS,
  BRACKETED_COUNTRIES,
  CLOSING_LEGAL_FORMS,
  CLOSING_WORDS,
  CODED_NOUNS,
  CUT_OFF_LEGAL_FORMS,
  CUTTING_LEGAL_FORMS,
  DATED_LEAD_INS,
  DOTTED_LEGAL_FORMS,
  GENERIC_WORDS,
  NAME_NUMBERS,
  OPENING_LEGAL_FORMS,
  PLACE_NOUNS,
  PLACE_WORDS,
  PLAIN_PROCESSORS,
  REFERENCE_NOUNS,
  SERVICE_SUBDOMAINS,
  SHOP_HEADS,
  SMALL_WORDS,
  STARRED_PROCESSORS,
  UNSPACED_LEGAL_FORMS,
  WEB_ENDINGS,
} from './merchant-data.ts';
import { foldText } from './text.ts';

export interface MerchantStep {
  readonly name: string;
  /** Why it is safe: what it takes away never tells two merchants apart. */
  readonly reason: string;
  /** A plain line without this is left as it is. Most lines need few of the steps, and their patterns are dear to make. */
  readonly concerns?: RegExp;
  readonly apply: (text: string) => string;
}

/** What the step makes of the string, which is folded but for the first step. */
export function applyStep({ concerns, apply }: MerchantStep, text: string): string {
  return concerns !== undefined && PLAIN_TEXT.test(text) && !concerns.test(text) ? text : apply(text);
}

const MORE_THAN_A_WORD = /[^a-z0-9]/;

/**
 * What happens to a merchant as printed, in this order. A step that would leave nothing that names anybody leaves the
 * string as it is.
 */
export const MERCHANT_STEPS: readonly MerchantStep[] = [
  {
    name: 'letters',
    reason: 'case, width, Latin and Greek accents and apostrophes change with the printer, not with the shop',
    apply: foldLetters,
  },
  {
    name: 'bank tails',
    reason: 'card numbers, dates and references of the bank come after the shop',
    concerns: MORE_THAN_A_WORD,
    apply: cutBankTail,
  },
  {
    name: 'bank lead-ins',
    reason: 'how it was paid comes before the shop',
    apply: dropBankLeadIns,
  },
  {
    name: 'processors',
    reason: 'a processor or wallet is not the shop behind it',
    concerns: MORE_THAN_A_WORD,
    apply: dropProcessor,
  },
  {
    name: 'bank lead-ins behind a wallet',
    reason: '"Apple pay: COMPRA EN ZARA" has them the other way round',
    concerns: MORE_THAN_A_WORD,
    apply: (text) => dropProcessor(dropBankLeadIns(text)),
  },
  {
    name: 'shop heads',
    reason: 'a few shops abbreviate themselves on card lines',
    concerns: /^(?:amzn|amazon|msft|msbill|facebk|goog)/,
    apply: expandShopHead,
  },
  {
    name: 'legal forms without spaces',
    reason:
      '株式会社, (주) and their like stand at either end of the name, on one receipt and not on the next',
    concerns: /[^ -~]/,
    apply: dropUnspacedLegalForms,
  },
  {
    name: 'brackets',
    reason: 'a bracketed country before a legal form and a bracketed street say where, not who',
    concerns: /[([]/,
    apply: dropBrackets,
  },
  {
    name: 'web addresses',
    reason: 'www.argos.co.uk is Argos; an address after the name repeats it',
    concerns: /[./]| com?(?: |$)|^www/,
    apply: readWebAddresses,
  },
  {
    name: 'numbers and codes',
    reason: 'store, terminal, phone and order numbers, and the place printed after them',
    concerns: /[^a-z ]|xxx/,
    apply: cutAtCodes,
  },
  {
    name: 'legal forms',
    reason: 'printed on one receipt and not on the next; in the middle of a line they end the name',
    concerns: MORE_THAN_A_WORD,
    apply: dropLegalForms,
  },
  {
    name: 'closing words',
    reason: 'how it was sold or billed',
    concerns: MORE_THAN_A_WORD,
    apply: dropClosingWords,
  },
  {
    name: 'article and "and"',
    reason: '"The Book People" and "Book People", "Marks & Spencer" and "Marks and Spencer"',
    concerns: / /,
    apply: dropArticle,
  },
  {
    name: 'spacing',
    reason: 'web names and card lines have no blanks; only between digits does a blank tell names apart',
    apply: compact,
  },
];

/** Whether nothing in a folded string names anybody: only bank words, digits, masks and signs. */
export function isOnlyBankPhrase(folded: string): boolean {
  const words = wordsOf(folded).filter((word) => !isNoWord(word));
  if (BANK_PHRASES.has(words.join(' '))) return true;
  if (words.every(isBankWord) && words.some((word) => BANK_WORDS.has(word))) return true;
  return wordsOf(withoutLeadIns(folded)).every(isNoWord);
}

const withoutLeadIns = (text: string) =>
  mayLeadIn(text) ? leadIns().reduce((line, pattern) => line.replace(pattern, ''), text) : text;

/** Whether any lead-in can match. Few of the lines that are asked about begin like one. */
function mayLeadIn(line: string): boolean {
  const at = line.search(PLAIN_TEXT.test(line) ? /[a-z\d]/i : /[\p{L}\p{N}]/u);
  return LEAD_IN_HEADS.some((head) => line.startsWith(head, at));
}
export const hasLetter = (text: string) => (PLAIN_TEXT.test(text) ? /[a-z]/i : /\p{L}/u).test(text);
const isNoWord = (word: string) => isMask(word) || !hasLetter(word);
const isBankWord = (word: string) => BANK_WORDS.has(word) || BANK_FILLERS.has(word);

/** Letters, digits and their marks alone, without blanks but between digits. */
export function compact(text: string): string {
  // Words of plain letters alone are most of what comes here.
  if (/^[a-z ]*$/.test(text)) return text.replaceAll(' ', '');
  return text
    .replace(/(?<=[\p{L}\p{N}])\+(?=\s|$)/gu, ' plus ')
    .replace(/(?<![\p{L}\p{N}\p{M}])\p{M}+/gu, '')
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, ' ')
    .replace(/(?<!\p{N}) | (?!\p{N})/gu, '');
}

export function foldLetters(text: string): string {
  if (PLAIN_TEXT.test(text))
    return text.slice(0, LONGEST).toLowerCase().replace(/['`]/g, '').replace(/ {2,}/g, ' ').trim();
  const folded = foldText(text.replace(MARKS_OF_TRADE, ' ').slice(0, LONGEST))
    .normalize('NFD')
    .replace(LATIN_MARKS, '')
    .replace(OPTIONAL_MARKS, '')
    .replace(SINGLE_LETTERS, (letter) => SINGLE_LETTER_OF.get(letter) ?? letter)
    .normalize('NFC')
    .replace(/['’‘ʼ`′]/gu, '')
    .replace(/[–—−‐‑]/gu, '-')
    .replace(/\s+/gu, ' ')
    .trim();
  return folded.slice(0, LONGEST);
}

/** Most card lines; nothing in them folds but their case. */
const PLAIN_TEXT = /^[ -~]*$/;
const LONGEST = 4000;
const MARKS_OF_TRADE = /[™®©℠´]/gu;
const LATIN_MARKS = /(?<=[\p{Script=Latin}\p{Script=Greek}]\p{M}*)\p{Mn}/gu;
// Vowel points of Arabic and Hebrew, the Arabic stretching sign, variation selectors, and the two dots of Russian ё.
const OPTIONAL_MARKS =
  /[\u064b-\u0652]|\u0640|[\u0591-\u05bd]|\u05bf|\u05c1|\u05c2|\u05c7|[\ufe00-\ufe0f]|[\u{e0100}-\u{e01ef}]|(?<=е)\u0308/gu;
const SINGLE_LETTER_OF: ReadonlyMap<string, string> = new Map([
  ['ø', 'o'],
  ['æ', 'ae'],
  ['œ', 'oe'],
  ['đ', 'd'],
  ['ð', 'd'],
  ['ł', 'l'],
  ['ı', 'i'],
  ['þ', 'th'],
  ['ħ', 'h'],
  ['ŧ', 't'],
  ['ß', 'ss'],
  ['ς', 'σ'],
]);
const SINGLE_LETTERS = new RegExp(`[${[...SINGLE_LETTER_OF.keys()].join('')}]`, 'gu');

function cutBankTail(text: string): string {
  const at = text.search(bankTail());
  return at > 0 ? keepNaming(text, text.slice(0, at)) : text;
}

function dropBankLeadIns(text: string): string {
  let rest = text;
  for (let round = 0; round < 3; round += 1) {
    const next = withoutLeadIns(rest);
    if (next === rest || isOnlyBankPhrase(next)) return rest;
    rest = next;
  }
  return rest;
}

function dropProcessor(text: string): string {
  for (const pattern of processorsOf(text)) {
    const match = pattern.exec(text);
    if (match === null) continue;
    const rest = text.slice(match[0].length);
    const words = wordsOf(rest).filter(hasLetter);
    // "PAYPAL INST XFER", "PayPal (Europe) Sarl": nobody stands behind it.
    if (words.every((word) => isBankWord(word) || PROCESSOR_OWN_WORDS.has(word))) return match[0];
    // "SHOP *SUBSCRIPTION", "SQ *CAFE": what a thousand shops are called says nothing without the head.
    return isNaming([rest]) ? rest : text;
  }
  const trailing = / vesta$/u.exec(text);
  if (trailing !== null) return keepNaming(text, text.slice(0, trailing.index));
  return dropAbbreviatedHead(text);
}

/** The patterns that can match at all: like those of lead-ins they are large, and most lines are without. */
const processorsOf = (text: string): readonly RegExp[] => [
  ...(/[*:]/u.test(text) ? [starred()] : []),
  ...(PLAIN_HEADS.some((head) => text.startsWith(head)) ? [plain()] : []),
];

const PROCESSOR_OWN_WORDS = new Set(
  's a r l sa rl europe sarl et cie sca inc ltd limited llc holdings com payout payouts transfers uk usa us eu cr echeck iat instant pay money activity'.split(
    ' ',
  ),
);

/** "HLU*HULU", "HIS*HISCOX", "DD *DOORDASH": a head that abbreviates what follows it, or says it twice. */
function dropAbbreviatedHead(text: string): string {
  const twice = /^(\p{L}+) ?\* ?(?=\1(?![\p{L}\p{N}]))/u.exec(text);
  if (twice !== null) return text.slice(twice[0].length);
  const match = /^(\p{L}{2,4}) ?\* ?(?=(\p{L}+))/u.exec(text);
  const [all = '', head = '', word = ''] = match ?? [];
  return word.length > head.length && abbreviates(head, word) ? text.slice(all.length) : text;
}

function expandShopHead(text: string): string {
  for (const [pattern, head] of SHOP_HEADS) {
    if (pattern.test(text)) return text.replace(pattern, head).trim();
  }
  return text;
}

function dropUnspacedLegalForms(text: string): string {
  let rest = text;
  for (const form of UNSPACED_LEGAL_FORMS) {
    if (rest.startsWith(form)) rest = keepAnyName(rest, rest.slice(form.length).trim());
    if (rest.endsWith(form)) rest = keepAnyName(rest, rest.slice(0, -form.length).trim());
  }
  return rest;
}

function dropBrackets(text: string): string {
  const country = text.replace(/\(([^()]*)\)/gu, (all, inside: string) =>
    BRACKETED_COUNTRIES.has(inside.trim()) ? ' ' : all,
  );
  const place = country.replace(/[([]([^()[\]]*)[)\]]?\s*$/u, (all, inside: string) =>
    wordsOf(inside).some((word) => PLACE_WORDS.has(word)) || /^\W*\d{3,}\W*$/u.test(inside) ? ' ' : all,
  );
  return keepNaming(text, place.replace(/\s+/gu, ' ').trim());
}

function readWebAddresses(text: string): string {
  const bare = text.replace(/^https?:\/{0,2}/u, '').replace(/^www\d?[. ]+(?=.)/u, '');
  const known = bare !== text;
  const tokens = bare
    .replace(/(?<=\.\p{L}{2,})\*/gu, ' *')
    .replace(/(?<=\S) com(?= |$)/u, '.com')
    .replace(/(?<=\p{L}) co\.? uk(?= |$)/u, '.co.uk')
    .split(' ');
  const name: string[] = [];
  for (const [index, token] of tokens.entries()) {
    const last = index === tokens.length - 1;
    const web = webName(token, last, known && index === 0);
    if (web === undefined) {
      const isCutOff = last && token.endsWith('.') && SERVICE_SUBDOMAINS.has(token.slice(0, -1));
      if (isCutOff && compact(name.join(' ')) !== '') break;
      name.push(token);
      continue;
    }
    const head = compact(name[0] ?? '');
    if (index > 0 && (web.service || isAkin(head, compact(web.label)))) break;
    name.push(web.label === 'gov' ? token.replace(/^.*?\//u, 'gov ') : web.label);
    if (index === 0 && web.path) break;
  }
  const read = name.join(' ').replace(/\s+/gu, ' ').trim();
  // Hotels.com is not any hotels; 1-800-Flowers is known without the ending.
  return wordsOf(read).length > 1 ? read : keepNaming(text, read);
}

interface WebName {
  readonly label: string;
  readonly path: boolean;
  /** "help.uber.com", "msbill.info", "…/bill": an address to write to and not the name itself. */
  readonly service: boolean;
}

function webName(token: string, last: boolean, known: boolean): WebName | undefined {
  const match = token.includes('.') ? (web().exec(token) ?? (last ? CUT_OFF_WEB.exec(token) : null)) : null;
  if (match === null) {
    const path = known ? /^([\p{L}\p{N}-]{3,})\/(?=\p{L})/u.exec(token) : null;
    return path?.[1] === undefined ? undefined : { label: path[1], path: true, service: false };
  }
  const host = (match[1] ?? '').replace(/^www\d?\./u, '');
  const path = /^\/.*\p{L}/u.test(match[3] ?? '');
  const parts = host.split('.');
  const names = parts.filter((part, index) => index === parts.length - 1 || !SERVICE_SUBDOMAINS.has(part));
  const label = names.join(' ');
  // "d.i.y", "st.it": initials and short words with a dot between are no address unless the ending is unmistakable.
  const short = compact(label).length < 3 && !/^(?:com|net|org|co\.|com\.)/u.test(match[2] ?? '');
  if (short && !known) return undefined;
  const service =
    names.length < parts.length ||
    /bill|help|support/u.test(label) ||
    /^\/(?:bill|help|support)/u.test(match[3] ?? '');
  return { label: withoutGluedArticle(label), path, service };
}

/** "thetrainline.com" is "the trainline"; "theatre.com" is not "the atre". */
function withoutGluedArticle(label: string): string {
  return label.replace(
    /^the(?=\p{L}{5})(?!at|b[er]|ft|i|l[im]|m[aeis]|n[ac]|o|r[aemos]|s[aips]|t[aif]|y)/u,
    '',
  );
}

function cutAtCodes(text: string): string {
  const tokens = text
    .replace(/[,;|"«»“”„()[\]{}<>!?=]/gu, ' ')
    .replace(/(?<=\p{L}{2})(?:[/_-](?=\d{3,}\b)|:(?=[\p{L}\d]*\d))/gu, ' ')
    .replace(/(?<=\p{L})#(?=\d)/gu, ' #')
    .replace(/\*/gu, ' * ')
    .split(/\s/u)
    .flatMap(splitGluedNumber)
    .filter((token) => token !== '');
  let start = 0;
  while (
    start < tokens.length &&
    isLeadingReference(tokens[start] ?? '') &&
    isNaming(tokens.slice(start + 1))
  )
    start += 1;
  let end = tokens.length;
  for (let index = start + 1; index < tokens.length; index += 1) {
    const starred = tokens[index - 1] === '*';
    const rest = () => tokens.slice(index + 1);
    if (
      !isCode(tokens[index] ?? '', starred, tokens[index - 1]) &&
      !(starred && isSold(tokens[index] ?? '', rest()))
    )
      continue;
    const numbered = /^\W*\d+$/u.test(tokens[index] ?? '') ? NUMBERED_NOUNS : CODED_NOUNS;
    let head = index;
    while (head > start + 1 && endsBefore(tokens[head - 1] ?? '', numbered)) head -= 1;
    const name = tokens.slice(start, head);
    if (!isNaming(name)) continue;
    // "TERMINAL 5 CAFE", "INVOICE 1234 ALPHA": what the number counts is nobody, and only with it nobody else's.
    if (name.flatMap(wordsOf).every(isLabel)) continue;
    // "E-TRANSFER 1234 ACME": the number is the bank's, and who is meant comes after it.
    if (name.flatMap(wordsOf).some((word) => BANK_WORDS.has(word)) && rest().some(hasLetter)) continue;
    end = head;
    break;
  }
  return keepNaming(
    text,
    tokens
      .slice(start, end)
      .filter((token) => token !== '*' && token !== '-')
      .join(' '),
  );
}

/** "UBER *TRIP", "LYFT *RIDE SUN 9AM": what was bought; but "TRIP ADVISOR" is somebody. */
const isSold = (noun: string, rest: readonly string[]) =>
  CODED_NOUNS.has(noun) && (rest.length === 0 || rest.some((token) => /\d/.test(token)));

const isLabel = (word: string) => NUMBERED_NOUNS.has(word) || REFERENCE_NOUNS.has(word) || isBankWord(word);

const endsBefore = (token: string, nouns: ReadonlySet<string>) =>
  /^[^\p{L}\p{N}]+$/u.test(token) || nouns.has(token.replace(/\.$/u, ''));

/** "boots0811" and "43035135costa", but not "office365", "7eleven" or "365market". */
function splitGluedNumber(token: string): readonly string[] {
  const after = /^(\p{L}{3,})(\d{3,})$/u.exec(token);
  if (after?.[1] !== undefined && after[2] !== undefined && !NAME_NUMBERS.has(after[2]))
    return [after[1], after[2]];
  const reference = /^(\p{L}{3,})(\d{6,}[\p{L}\d]*)$/u.exec(token);
  if (reference?.[1] !== undefined && reference[2] !== undefined) return [reference[1], reference[2]];
  const before = /^(\d{5,})(\p{L}{3,}.*)$/u.exec(token);
  return before?.[1] !== undefined && before[2] !== undefined ? [before[1], before[2]] : [token];
}

function isLeadingReference(token: string): boolean {
  return (
    /^\d{5,}$/u.test(token) ||
    /^\p{Script=Latin}{1,2}\d{3,}$/u.test(token) ||
    /^[^\p{L}\p{N}]+$/u.test(token) ||
    isMask(token) ||
    isPhone(token) ||
    isFullDate(token)
  );
}

function isCode(token: string, starred: boolean, before: string | undefined): boolean {
  if (isMask(token) || isPhone(token) || isFullDate(token) || isDayOfMonth(token)) return true;
  if (/^#\p{L}?\d+/u.test(token) || /^\d{1,2}:\d{2}(?::\d{2})?$/u.test(token)) return true;
  const bare = token.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '');
  if (/^\d+$/u.test(bare)) {
    if (before !== undefined && PLACE_NOUNS.has(before.replace(/\.$/u, ''))) return true;
    if (NAME_NUMBERS.has(bare)) return false;
    return bare.length >= 3 || /^0\d/u.test(bare);
  }
  if (/^\d[\d/.-]*\d$/u.test(bare)) return bare.replace(/\D/gu, '').length >= 5;
  if (!/\d/u.test(bare)) return false;
  // One or two letters and a number: GB0516, F01234, R118.
  if (/^[a-z]{1,2}-?\d{3,}(?:-\d+)*$/u.test(bare)) return true;
  if (!/^[a-z\d-]+$/u.test(bare)) return false;
  if (starred && bare.length >= 4) return !isWordLike(bare);
  if (before !== undefined && CODED_NOUNS.has(before) && bare.length >= 5) return true;
  return bare.length >= 5 && !isWordLike(bare);
}

/** A name with digits in it reads as words around one number (web2print, 7eleven, 99designs, auto1); a code changes more often. */
function isWordLike(token: string): boolean {
  const runs = token.match(/[a-z]+|\d+/gu) ?? [];
  const digits = runs.filter((run) => /\d/u.test(run));
  if (digits.length > 1) return false;
  const [number = ''] = digits;
  const letters = runs.filter((run) => !/\d/u.test(run));
  if (!letters.some((run) => run.length >= 3 && /[aeiouy]/u.test(run))) {
    return letters.length === 1 && token.startsWith(number) && number.length <= 2;
  }
  if (number.length > 4) return false;
  return letters.length === 1 || number === '2' || number === '4' || number === '1';
}

const isMask = (token: string) => /^(?=.*(?:x{3}|xx\/xx|\*{3}))[x*\d/.-]+$/u.test(token);
/** A phone number, or a date with the year in front. */
const isPhone = (token: string) =>
  /^\+?\d[\d.-]{6,}\d$/u.test(token) &&
  /^(?:\+|.*\d[.-]\d)/u.test(token) &&
  token.replace(/\D/gu, '').length >= 7;
const isFullDate = (token: string) => /^(?:\d{1,2}[/.-]\d{1,2}[/.-]\d{2,4}|[0-3]\d\/[0-3]\d)$/u.test(token);
const isDayOfMonth = (token: string) =>
  /^(?:(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\d{1,2}|\d{1,2}(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec))$/u.test(
    token,
  );

function dropLegalForms(text: string): string {
  let rest = text;
  for (let round = 0; round < 4; round += 1) {
    const next = dropLegalForm(rest, text.length >= CARD_FIELD);
    if (next === rest) break;
    rest = next;
  }
  return rest;
}

/** The narrowest field that card lines are printed in. */
const CARD_FIELD = 18;

function dropLegalForm(text: string, long: boolean): string {
  const dotted = keepAnyName(text, text.replace(dottedForm(), '').trim());
  if (dotted !== text) return dotted;
  const tokens = text.split(/\s+/u).flatMap(splitDots);
  const words = tokens.map((token) => token.replace(/^[^\p{L}\p{N}&]+|[^\p{L}\p{N}&]+$/gu, ''));
  for (let index = 1; index < words.length; index += 1) {
    const cutting = CUTTING.find((form) => startsAt(words, index, form));
    if (cutting === undefined) continue;
    const head = words.slice(0, index);
    if (index + cutting.length === words.length ? isAnyName(head) : isNaming(head))
      return words.slice(0, beforeAnd(words, index)).join(' ');
  }
  for (const form of CLOSING) {
    const index = words.length - form.length;
    if (index < 1 || !startsAt(words, index, form)) continue;
    // "Tiffany & Co" has it in its name.
    if (words[index - 1] === '&' || words[index - 1] === 'and') continue;
    if (isAnyName(words.slice(0, index))) return words.slice(0, index).join(' ');
  }
  const lastWord = words.at(-1) ?? '';
  if (long && CUT_OFF_LEGAL_FORMS.has(lastWord) && isNaming(words.slice(0, -1)))
    return words.slice(0, -1).join(' ');
  for (const form of OPENING_LEGAL_FORMS) {
    if (text.startsWith(`${form} `)) return keepAnyName(text, text.slice(form.length + 1).trim());
  }
  return text;
}

const beforeAnd = (words: readonly string[], index: number) =>
  words[index - 1] === '&' && index > 1 ? index - 1 : index;

/** "sdn.bhd" is two words, "s.a.r.l." one. */
function splitDots(token: string): readonly string[] {
  const parts = token.split('.').filter((part) => part !== '');
  return parts.length > 1 && parts.every((part) => [...part].length === 1) ? [parts.join('')] : parts;
}

function startsAt(words: readonly string[], index: number, form: readonly string[]): boolean {
  return form.every((word, offset) => words[index + offset] === word);
}

function dropClosingWords(text: string): string {
  let words = text.split(/[\s_]|(?<=\p{L})-(?=\p{L})/u).filter((word) => word !== '');
  for (let round = 0; round < 6; round += 1) {
    const bare = words.map((word) => word.replace(/[^\p{L}\p{N}+&]/gu, ''));
    const form = CLOSING_WORD.find(
      (candidate) =>
        startsAt(bare, bare.length - candidate.length, candidate) &&
        isNaming(bare.slice(0, -candidate.length)),
    );
    if (form === undefined) return words.join(' ');
    words = words.slice(0, -form.length);
  }
  return words.join(' ');
}

function dropArticle(text: string): string {
  const spelled = text.replace(/(?<=\S) (?:&|and) (?=\S)/gu, ' ');
  return keepNaming(spelled, spelled.replace(/^the (?=.)/u, ''));
}

/** The shorter string, if it still names somebody. */
function keepNaming(before: string, after: string): string {
  return isNaming(wordsOf(after)) ? after : before;
}

/** A legal form says that a company's name is before it, be it "Computer Ltd"; "The Limited" has no other. */
function isAnyName(tokens: readonly string[]): boolean {
  return tokens
    .flatMap(wordsOf)
    .some(
      (word) =>
        hasLetter(word) && !SMALL_WORDS.has(word) && !BANK_WORDS.has(word) && !CLOSING_FORMS.has(word),
    );
}

function keepAnyName(before: string, after: string): string {
  return isAnyName([after]) ? after : before;
}

/** One word that is a name, or two that a thousand shops share: "Royal Mail" names somebody, "The Cafe" does not. */
function isNaming(tokens: readonly string[]): boolean {
  const words = tokens
    .flatMap(wordsOf)
    .filter((word) => hasLetter(word) && !SMALL_WORDS.has(word) && !CLOSING_FORMS.has(word) && !isMask(word));
  return (
    words.some((word) => !GENERIC_WORDS.has(word) && !isBankWord(word) && !isLatinLetter(word)) ||
    nonBank(words) >= 2
  );
}

const isLatinLetter = (word: string) => /^\p{Script=Latin}$/u.test(word);
const nonBank = (words: readonly string[]) => words.filter((word) => !isBankWord(word)).length;

function wordsOf(text: string): readonly string[] {
  const words = PLAIN_TEXT.test(text) ? text.split(/[^a-zA-Z0-9]/) : text.split(/[^\p{L}\p{N}\p{M}]/u);
  return words.filter((word) => word !== '');
}

/** Whether an address after a name is the name's own. */
function isAkin(head: string, label: string): boolean {
  if (head.length < 3 || label.length < 3) return false;
  return label.startsWith(head) || abbreviates(label, head);
}

/** Whether the letters of the short one come in this order in the word, from its first one on. */
function abbreviates(short: string, word: string): boolean {
  if (short[0] !== word[0]) return false;
  let from = 0;
  for (const letter of short) {
    const at = word.indexOf(letter, from);
    if (at === -1) return false;
    from = at + 1;
  }
  return true;
}

const NUMBERED_NOUNS: ReadonlySet<string> = new Set([...PLACE_NOUNS, ...CODED_NOUNS]);

// Most lines need none of the large patterns, so none is made before it is needed.
const once = <T>(make: () => T): (() => T) => {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
};

const escaped = (literal: string) => literal.replace(/[.*+?^${}()|[\]\\/]/gu, String.raw`\$&`);
const longestFirst = (words: readonly string[]) =>
  [...words].sort((a, b) => b.length - a.length || (a < b ? -1 : 1));
const anyOf = (phrases: readonly string[], gap: string) =>
  longestFirst(phrases)
    .map((phrase) => phrase.split(' ').map(escaped).join(gap))
    .join('|');
const asForms = (forms: readonly string[]) => longestFirst(forms).map((form) => form.split(' '));

const CUTTING = asForms(CUTTING_LEGAL_FORMS);
const CLOSING = asForms(CLOSING_LEGAL_FORMS);
const CLOSING_WORD = asForms(CLOSING_WORDS);
const CLOSING_FORMS: ReadonlySet<string> = new Set(
  CLOSING_LEGAL_FORMS.filter((form) => form.length > 2 && !form.includes(' ')),
);

const DATE = String.raw`(?:\d{1,2}[/.-]\d{1,2}(?:[/.-]\d{2,4})?|\d{4}-\d{2}-\d{2}|xx/xx(?:/xx)?|\d{1,2}(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\w*)(?=[\s,:;]|$)`;
const DIGITS = String.raw`(?:[x*]{2,}[x*\d]*|[x*]*\d{4,})(?=[\s,:;]|$)`;
const REFERENCES = String.raw`(?:[\s:*#.,;/-]*(?:(?:du|le|vom|am|den|del|il|on|of)\s+(?=${DATE}))?(?:${DATE}|${DIGITS}))*`;
const EDGE = String.raw`(?![\p{L}\p{N}])`;
const leadIns = once((): readonly RegExp[] => [
  /^(?:dk|visa)[ -]?nota[ -]?\d+[\s:*#.,;/-]+/u,
  new RegExp(
    String.raw`^[^\p{L}\p{N}]*(?:${anyOf(BANK_LEAD_INS, String.raw`[\s./:*-]+`)})${EDGE}${REFERENCES}[\s:*#.,;/-]*`,
    'u',
  ),
  new RegExp(
    String.raw`^[^\p{L}\p{N}]*(?:${anyOf(DATED_LEAD_INS, String.raw`\s+`)})${EDGE}[\s:*#.-]*(?:(?:du|le|vom|am|den|del|on|of)\s+(?=${DATE}))?(?:${DATE}|${DIGITS})${REFERENCES}[\s:*#.,;/-]*`,
    'u',
  ),
]);
const headsOf = (phrases: readonly string[]) => [
  ...new Set(phrases.map((phrase) => phrase.replace(/ .*/u, ''))),
];
const LEAD_IN_HEADS = headsOf([...BANK_LEAD_INS, ...DATED_LEAD_INS]);
const PLAIN_HEADS = headsOf(PLAIN_PROCESSORS);
const bankTail = once(() => new RegExp(BANK_TAILS.join('|'), 'u'));
const starred = once(
  () => new RegExp(String.raw`^(?:${anyOf(STARRED_PROCESSORS, String.raw`\s?`)})\s*(?:\*|:)[\s*:.-]*`, 'u'),
);
const plain = once(
  () => new RegExp(String.raw`^(?:${anyOf(PLAIN_PROCESSORS, String.raw`\s?`)})[\s*:._/-]+`, 'u'),
);
const dottedForm = once(() => new RegExp(String.raw`(?<=\S)[\s,]+(?:${DOTTED_LEGAL_FORMS.join('|')})$`, 'u'));
const web = once(() => {
  const endings = longestFirst(WEB_ENDINGS).map(escaped).join('|');
  return new RegExp(
    String.raw`^(?:https?:\/{0,2})?([\p{L}\p{N}][\p{L}\p{N}_.-]*?)\.(${endings})([/?:].*)?$`,
    'u',
  );
});
const CUT_OFF_WEB =
  /^([\p{L}\p{N}][\p{L}\p{N}_-]{3,}|www\.[\p{L}\p{N}_.-]{3,})\.(c|co\.?|co\.u|com\.|o|or|org\.|org\.u|n|ne|net\.|)$/u;
