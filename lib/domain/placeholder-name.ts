import { foldText } from './text.ts';

/** Whether a name only says that there is none. A rename to it takes a name away; nothing is called so. */
export function isPlaceholderName(name: string): boolean {
  return PLACEHOLDERS.has(foldText(name));
}

const PLACEHOLDERS = new Set([
  'none',
  '(none)',
  'n/a',
  'na',
  'unknown',
  'expense',
  '-',
  'null',
  'undefined',
  'merchant',
]);
