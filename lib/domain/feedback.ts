import type { HintName } from './memory.ts';
import { isSlipOf } from './slip-of-the-pen.ts';
import { foldText } from './text.ts';

export type LearnableHint = Exclude<HintName, 'custom'>;
export const LEARNABLE_HINTS = [
  'preview_first',
  'show_original_first',
  'ask_before_sending',
  'one_at_a_time',
] as const satisfies readonly LearnableHint[];

/**
 * What a person writes when they reject → the hint they wish for; `undefined` where that is not sure. It takes a wish
 * and not a mention: "the original amount was 30" and "no preview needed" wish for nothing. The first wish counts.
 */
export function recogniseFeedback(feedback: string): LearnableHint | undefined {
  return clausesOf(feedback)
    .map(wishOf)
    .find((hint) => hint !== undefined);
}

function wishOf(clause: string): LearnableHint | undefined {
  const refusal = REFUSALS.find(({ pattern }) => pattern.test(clause));
  if (refusal !== undefined) return refusal.hint;
  if (NEGATED.test(clause)) return undefined;
  return WISHES.find(({ pattern }) => pattern.test(clause))?.hint;
}

interface Wish {
  readonly hint: LearnableHint;
  readonly pattern: RegExp;
}

// A clause with one of these wishes for nothing, unless the whole of it is one of the refusals below.
const NEGATED =
  /\b(?:no|not|never|none|without|stop|skip|drop|hide|less|fewer|unnecessary|enough|why|instead|rather|already|cannot|cant|wont|dont|didnt|doesnt|isnt|wasnt|neednt|shouldnt|wouldnt)\b/u;

// `~` stands for a few words between.
const few = (pattern: string) => new RegExp(`\\b(?:${pattern.replaceAll('~', '(?: \\w+){0,4}?')})\\b`, 'u');

const PREVIEW = '(?:preview|dry run|draft)';
const ORIGINAL =
  '(?:original(?= (?:receipt|document|doc|invoice|bill|pdf|scan|image|photo|picture|file|email|mail|first|please|before|too|as well|next|beside|attached|and|so)\\b|$)|source document|(?:actual|real) (?:receipt|document|invoice|pdf)|scan(?= (?:first|please|before)\\b|$))';
const IT = '(?: it| this| that| them| everything| what~)?';
const SEND =
  '(?:send|sending|post|posting|submit|submitting|export|exporting|book|booking|push|pushing|pay|paying)';
const MINE = '(?:ok|okay|approval|confirmation|go ahead|consent|permission|answer)';

/** Said as what must not happen: "don't send anything without a preview". */
const REFUSALS: readonly Wish[] = [
  {
    hint: 'preview_first',
    pattern: few(`(?:dont|not|never|stop)~ ${SEND}~ (?:without|before|until)~ ${PREVIEW}`),
  },
  {
    hint: 'show_original_first',
    pattern: few(`(?:dont|not|never|stop)~ ${SEND}~ (?:without|before|until)~ ${ORIGINAL}`),
  },
  {
    hint: 'ask_before_sending',
    pattern: few(
      `(?:dont|not|never|stop)~ ${SEND}~ (?:without|before|until)~ (?:asking|checking with me|my ${MINE}|i (?:say|said|approve|confirm|agree|ok|okay)|i have (?:approved|confirmed|agreed))`,
    ),
  },
  {
    hint: 'one_at_a_time',
    pattern: few(
      `(?:dont|not|never|stop)~ (?:all at once|all together|all in one go|in (?:bulk|batches|one batch)|as a batch|batch them)`,
    ),
  },
];

const WISHES: readonly Wish[] = [
  {
    hint: 'show_original_first',
    pattern: few(
      `(?:show|see|want|need|like|give|send me|attach|include|open|view|compare|have|please|always|with)~ ${ORIGINAL}` +
        `|${ORIGINAL}~ (?:please|first)`,
    ),
  },
  {
    hint: 'preview_first',
    pattern: few(
      `(?:show|see|want|need|like|prefer|give|send me|get|have|please|always|with)~ ${PREVIEW}(?! (?:is|was|looks|looked|shows|showed|says|said|has|had|does|did|button|page|window|screen))` +
        `|${PREVIEW}~ (?:please|first|before)|${PREVIEW} is (?:needed|required)` +
        `|show (?:me|us)${IT} (?:first|before)` +
        `|(?:let me|want to|need to|like to|prefer to) (?:see|look|view|review)(?: at)?${IT} (?:first|before)`,
    ),
  },
  {
    hint: 'one_at_a_time',
    pattern: few(
      '(?:one|1) (?:by|at a|after) (?:one|1|time|another|the other)|one at once' +
        '|(?:send|post|submit|export|process|approve|show|handle|do|push)~ (?:separately|individually)',
    ),
  },
  {
    hint: 'ask_before_sending',
    pattern: few(
      `ask(?: me| us)?(?: for my ${MINE})?~ (?:first|before|beforehand)|always ask(?: me)?|check with me|run (?:it|this|that|them) by me` +
        '|confirm with me|confirm(?: it| this)? (?:first|before)' +
        `|(?:wait for|need|get|ask for) my ${MINE}|(?:want|like|have) to (?:approve|confirm|ok|okay)~ (?:first|before)`,
    ),
  },
];

/** Clauses in plain words: shorthand written out, slips of the pen mended, apostrophes dropped. */
function clausesOf(feedback: string): readonly string[] {
  return foldText(feedback)
    .replace(/['’`´]/gu, '')
    .replace(/\bpre[- ]views?\b/gu, 'preview')
    .replace(/\bdry-run\b/gu, 'dry run')
    .split(/[.!?;,:\n()…–—]| - |\b(?:but|because|although)\b/u)
    .map((clause) => Array.from(clause.matchAll(/[\p{L}\p{N}]+/gu), ([word]) => plainWord(word)).join(' '));
}

const SHORTHAND: ReadonlyMap<string, string> = new Map([
  ['pls', 'please'],
  ['plz', 'please'],
  ['plse', 'please'],
  ['b4', 'before'],
  ['wanna', 'want to'],
  ['gimme', 'give me'],
  ['lemme', 'let me'],
  ['orig', 'original'],
  ['doc', 'document'],
]);

const MENDED = [
  'preview',
  'original',
  'please',
  'before',
  'receipt',
  'document',
  'invoice',
  'first',
] as const;

function plainWord(word: string): string {
  return SHORTHAND.get(word) ?? MENDED.find((meant) => isSlipOf(word, meant, true)) ?? word;
}
