import { parseArgs } from 'node:util';
import { simulate } from '../support/simulation.ts';

/** `npm run simulate -- [--seeds 5000] [--from 1]`: many more seeds than the suite has time for. */
const { values } = parseArgs({
  options: { seeds: { type: 'string', default: '5000' }, from: { type: 'string', default: '1' } },
});
const from = Number(values.from);
const seeds = Number(values.seeds);
const started = performance.now();
let broken = 0;
for (let seed = from; seed < from + seeds; seed += 1) {
  const report = await simulate(seed);
  if (report === undefined) continue;
  broken += 1;
  console.log(report);
}
console.log(
  `${seeds} seeds from ${from}, ${broken} broken, ${((performance.now() - started) / 1000).toFixed(1)} s`,
);
process.exitCode = broken === 0 ? 0 : 1;
