import type { MerchantKey } from './ids.ts';
import { INTERMEDIARIES } from './merchant-data.ts';
import {
  applyStep,
  compact,
  foldLetters,
  hasLetter,
  isOnlyBankPhrase,
  MERCHANT_STEPS,
} from './merchant-steps.ts';

/**
 * A merchant as printed → its identity, or `undefined` when the string names no merchant: a bank phrase, digits or
 * nothing. The key of a key is itself.
 */
export function merchantKey(printed: string): MerchantKey | undefined {
  let key = keyOnce(printed);
  for (let round = 0; key !== undefined && round < ROUNDS; round += 1) {
    const next = keyOnce(key);
    if (next === key) return key as MerchantKey;
    key = next;
  }
  return key as MerchantKey | undefined;
}

/** Whether a key is only a payment intermediary or a wallet, about which nothing is learned. */
export function isIntermediary(key: MerchantKey): boolean {
  return INTERMEDIARIES.has(key);
}

/** What happens to a string, step by step; steps that leave it alone are not listed. */
export function traceMerchantKey(
  printed: string,
): readonly { readonly step: string; readonly text: string }[] {
  const trace: { step: string; text: string }[] = [];
  let text = printed;
  for (const step of MERCHANT_STEPS) {
    const next = applyStep(step, text);
    if (next !== text) trace.push({ step: step.name, text: next });
    text = next;
  }
  return trace;
}

// Taking something away can bring a number or a form to the edge that stood inside; every round shortens the string.
const ROUNDS = 16;

function keyOnce(printed: string): string | undefined {
  const folded = foldLetters(printed);
  if (isOnlyBankPhrase(folded)) return undefined;
  const reduced = MERCHANT_STEPS.reduce((text, step) => applyStep(step, text), printed);
  const key = reduced === '' ? compact(folded) : reduced;
  return hasLetter(key) ? key : undefined;
}
