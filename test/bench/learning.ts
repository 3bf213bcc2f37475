import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import {
  gateOnDescriptor,
  lastValue,
  meanGap,
  ours,
  readRows,
  replayRows,
  shareOfNine,
  threeOfFive,
} from './decision-replay.ts';

/**
 * `npm run --silent bench:learning -- --events FILE(.gz)`: how well what promotion proposes says what the next person
 * decides. The rows are replayed per workspace in the order of the file, each as one document and one decision.
 *
 * - covered: before the row, the policy has a value standing for (workspace, merchant); right: it is the row's account.
 *   For ours a value stands while promotion proposes it, approved or not.
 * - contradicted: of the values that begin to stand, those that the merchant's next document is booked differently from.
 * - A row with a negative amount is a refund: a decision like any other, and nothing is learned from it.
 * - Every row is a correction: a candidate acts on nothing before a person approves it, so whoever booked the row was
 *   shown nothing. `ours, confirming` is the other reading: where a value stood and was right, the row confirms it.
 */
const { values } = parseArgs({ options: { events: { type: 'string' } } });
if (values.events === undefined || !existsSync(values.events)) {
  if (values.events !== undefined) console.error(`There is no file ${values.events}.`);
  console.error('Usage: npm run --silent bench:learning -- --events FILE(.gz)');
  process.exit(2);
}
const rows = readRows(values.events);
const policies = [
  ours('ours'),
  lastValue(),
  threeOfFive(),
  shareOfNine(),
  gateOnDescriptor(),
  ours('ours, confirming', true),
];
const results = policies.map((policy) => replayRows(rows, policy));
console.log(`${rows.length} decisions\n\npolicy                     coverage  precision  contradicted`);
for (const { score } of results) {
  console.log(
    `${score.name.padEnd(26)} ${cell(score.coverage)} ${cell(score.precision, 10)} ${cell(score.contradicted, 13)}`,
  );
}
const [first] = results;
if (first === undefined) throw new RangeError('ours is the first of them');
console.log('\nour confidence in the leading value, and how often the next document was booked to it');
for (const [tenth, bucket] of first.leading.entries()) {
  if (bucket.decisions > 0)
    console.log(
      `${(tenth / 10).toFixed(1)} to ${((tenth + 1) / 10).toFixed(1)} ${cell(bucket.stated)} ${cell(bucket.true)}  ${bucket.decisions}`,
    );
}
const gap = meanGap(first.leading);
const gapStanding = meanGap(first.standing);
console.log(`mean gap ${gap.toFixed(4)}; of what stands alone ${gapStanding.toFixed(4)}`);
console.log(
  JSON.stringify({
    decisions: rows.length,
    policies: results.map(({ score }, index) => (index === 0 ? { ...score, gap, gapStanding } : score)),
  }),
);

function cell(value: number, width = 9): string {
  return value.toFixed(4).padStart(width);
}
