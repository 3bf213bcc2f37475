import { parseArgs } from 'node:util';
import { merchantKey } from '../../lib/domain/merchant-key.ts';
import { readMeasured, readTable } from './table.ts';

// Kinds that no reading of the two strings can join: only a person's alias can.
const BEYOND_STRINGS: ReadonlySet<string> = new Set(['alias', 'cross_script']);

const { values } = parseArgs({
  options: {
    pairs: { type: 'string', default: '../shared/data/merchant-pairs.tsv' },
    show: { type: 'boolean', default: false },
  },
});

const kinds = new Map<string, { pairs: number; tp: number; fp: number; fn: number }>();
for (const row of readTable(readMeasured(values.pairs, 'npm run --silent bench:merchants -- --pairs FILE'))) {
  const kind = row['kind'] ?? row['relation'] ?? '';
  const a = merchantKey(row['raw_a'] ?? '');
  const b = merchantKey(row['raw_b'] ?? '');
  const joined = a !== undefined && a === b;
  // The ambiguous pairs have no `same`: none of them may be joined.
  const same = row['same'] === '1';
  const count = kinds.get(kind) ?? { pairs: 0, tp: 0, fp: 0, fn: 0 };
  kinds.set(kind, {
    pairs: count.pairs + 1,
    tp: count.tp + Number(joined && same),
    fp: count.fp + Number(joined && !same),
    fn: count.fn + Number(!joined && same),
  });
  if (values.show && joined !== same)
    console.log(`${joined ? 'joined' : 'apart '}  ${row['raw_a']}  |  ${row['raw_b']}  →  ${a} | ${b}`);
}

const total = sum([...kinds.values()]);
const decidable = sum([...kinds].filter(([kind]) => !BEYOND_STRINGS.has(kind)).map(([, count]) => count));
console.table(
  Object.fromEntries(
    [...kinds]
      .sort()
      .map(([kind, { pairs, tp, fp, fn }]) => [
        kind,
        { pairs, joined: tp, falsely: fp, missed: fn, recall: round(share(tp, tp + fn)) },
      ]),
  ),
);
console.log(
  `recall over the kinds that a string can decide: ${round(share(decidable.tp, decidable.tp + decidable.fn))}`,
);
console.log(
  JSON.stringify({
    pairs: total.pairs,
    truePositives: total.tp,
    falsePositives: total.fp,
    falseNegatives: total.fn,
    precision: round(share(total.tp, total.tp + total.fp)),
    recall: round(share(total.tp, total.tp + total.fn)),
  }),
);

function sum(counts: readonly { pairs: number; tp: number; fp: number; fn: number }[]) {
  return counts.reduce(
    (all, { pairs, tp, fp, fn }) => ({
      pairs: all.pairs + pairs,
      tp: all.tp + tp,
      fp: all.fp + fp,
      fn: all.fn + fn,
    }),
    { pairs: 0, tp: 0, fp: 0, fn: 0 },
  );
}

/** Of nothing, all are right: no join is no false join. */
function share(part: number, whole: number): number {
  return whole === 0 ? 1 : part / whole;
}

function round(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
