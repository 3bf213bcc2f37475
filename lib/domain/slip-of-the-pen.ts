/**
 * One letter too many, too few or changed with its neighbour, or none; another letter only where `replaced`. The first
 * letter is right.
 */
export function isSlipOf(word: string, meant: string, replaced: boolean): boolean {
  if (word[0] !== meant[0]) return false;
  let start = 1;
  while (start < word.length && word[start] === meant[start]) start += 1;
  const rest = word.slice(start);
  const due = meant.slice(start);
  return (
    rest.slice(1) === due ||
    rest === due.slice(1) ||
    rest === `${due.charAt(1)}${due.charAt(0)}${due.slice(2)}` ||
    (replaced && rest.slice(1) === due.slice(1))
  );
}
