import type { MerchantKey } from './ids.ts';
import { foldText } from './text.ts';

/** A merchant as printed → its identity, or `undefined` when the string names no merchant. */
export function merchantKey(printed: string): MerchantKey | undefined {
  const key = foldText(printed)
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
  return /\p{L}/u.test(key) ? (key as MerchantKey) : undefined;
}

/** Whether a key is only a payment intermediary or a wallet, about which nothing is learned. */
export function isIntermediary(key: MerchantKey): boolean {
  return ['paypal', 'stripe', 'venmo', 'apple pay'].includes(key);
}
