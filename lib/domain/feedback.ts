import type { HintName } from './memory.ts';
import { foldText } from './text.ts';

export type LearnableHint = Exclude<HintName, 'custom'>;
export const LEARNABLE_HINTS = [
  'preview_first',
  'show_original_first',
  'ask_before_sending',
  'one_at_a_time',
] as const satisfies readonly LearnableHint[];

/** What people write when they reject → the hint they mean; `undefined` where nothing is sure. Tried in this order. */
export function recogniseFeedback(feedback: string): LearnableHint | undefined {
  const said = foldText(feedback).replace(/[’`]/g, "'");
  if (NEGATED.test(said)) return undefined;
  return HINT_PATTERNS.find(({ pattern }) => pattern.test(said))?.hint;
}

const NEGATED =
  /\b(?:no|without|skip(?: the)?|don'?t (?:need|show|want|ask)|do not (?:need|show|want|ask)|stop (?:showing|asking)) (?:(?:me|a|an|the|to|any|first|see) )*(?:preview|original|ask|confirm)/u;

const HINT_PATTERNS: readonly { readonly hint: LearnableHint; readonly pattern: RegExp }[] = [
  {
    hint: 'show_original_first',
    pattern: /\b(?:original|source document|scan|actual (?:receipt|invoice|document)|pdf itself)\b/u,
  },
  {
    hint: 'preview_first',
    pattern: /\b(?:pre-?view|dry[- ]run|draft first|show me (?:first|before|what))\b/u,
  },
  {
    hint: 'one_at_a_time',
    pattern:
      /\b(?:one (?:by|at a|after) (?:one|time|another)|one at once|individually|separately|not (?:all|everything) (?:at once|together)|single (?:one )?at a time)\b/u,
  },
  {
    hint: 'ask_before_sending',
    pattern:
      /\b(?:ask (?:me )?(?:first|before)|check with me|confirm (?:with me|first|before)|(?:wait for|need|get) my (?:ok|okay|approval|confirmation|go)|don'?t send (?:\w+ ){0,3}(?:without|before|until)|before (?:you )?send)/u,
  },
];
