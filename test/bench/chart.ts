import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Account } from '../../lib/domain/chart-of-accounts.ts';
import { type AccountMatch, resolveAccount } from '../../lib/domain/resolve-account.ts';
import { accountsOf } from './chart-file.ts';
import { readMeasured, readTable } from './table.ts';

const { values } = parseArgs({
  options: {
    phrases: { type: 'string', default: '../shared/data/chart-phrases.tsv' },
    charts: { type: 'string', default: '../shared/data/charts' },
  },
});

const charts = new Map<string, readonly Account[]>();
const result = {
  resolve: { n: 0, right: 0, wrong: 0, asked: 0 },
  ask: { n: 0, right: 0, wrong: 0 },
  none: { n: 0, right: 0, wrong: 0 },
  // A trap account resolved to, or offered when asking.
  traps: 0,
};
const table: Record<string, unknown>[] = [];

for (const row of readTable(
  readMeasured(values.phrases, 'npm run --silent bench:chart -- --phrases FILE --charts DIR'),
)) {
  const accounts = chartOf(row['chart_file'] ?? '');
  const merchant = row['merchant'] ?? '';
  const { decision, matches } = resolveAccount(
    { accounts },
    row['category_phrase'] ?? '',
    merchant === '' ? {} : { merchant },
  );
  const expected = namesIn(row['expected_accounts']);
  const traps = namesIn(row['trap_accounts']);
  const chosen = decision === 'none' ? [] : matches;
  const outcome = row['expected_outcome'] ?? '';
  const hasExpected = expected.every((name) => chosen.some((match) => isCalled(match, name)));
  const right = decision === outcome && hasExpected;
  const trapped = chosen.filter(
    (match) => traps.some((name) => isCalled(match, name)) && !expected.some((name) => isCalled(match, name)),
  );
  result.traps += trapped.length;
  if (outcome === 'resolve') {
    result.resolve.n += 1;
    if (right) result.resolve.right += 1;
    else if (decision === 'resolve') result.resolve.wrong += 1;
    else result.resolve.asked += 1;
  } else if (outcome === 'ask' || outcome === 'none') {
    result[outcome].n += 1;
    result[outcome][right ? 'right' : 'wrong'] += 1;
  }
  table.push({
    id: row['id'],
    merchant,
    phrase: row['category_phrase'],
    expected: outcome,
    decision,
    right,
    traps: trapped.length,
    matches: matches
      .map(({ path, score }) => `${path} ${score}`)
      .join('; ')
      .slice(0, 100),
  });
}

console.table(table);
console.log(JSON.stringify(result));

function chartOf(file: string): readonly Account[] {
  const known = charts.get(file);
  if (known !== undefined) return known;
  const accounts = accountsOf(JSON.parse(readFileSync(join(values.charts, file), 'utf8')));
  charts.set(file, accounts);
  return accounts;
}

function namesIn(cell: string | undefined): readonly string[] {
  return (cell ?? '')
    .split(';')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

/** Phrase files say "Name", "Parent:Child" or "CODE Name". */
function isCalled({ account, path }: AccountMatch, name: string): boolean {
  const wanted = name.toLowerCase();
  return [account.name, path, account.code, `${account.code} ${account.name}`].some(
    (form) => form?.toLowerCase() === wanted,
  );
}
