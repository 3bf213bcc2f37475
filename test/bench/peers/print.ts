import { round } from '../stats.ts';
import type { Comparison } from './compare.ts';
import { BARE, OURS } from './peer.ts';
import { PEERS } from './peers.ts';

export function printComparison(
  { ratios, notRun, versions }: Comparison,
  { memories, pageSize }: { readonly memories: number; readonly pageSize: number },
  engine: string,
): void {
  console.log(
    `\nPeers ÷ ours (medians, p99): ${memories} memories, exact lookups, first pages of ${pageSize}`,
  );
  const kept = new Map([
    [OURS, `DynamoDB over the wire (${engine} in its place, in memory)`],
    [BARE, 'the same'],
    ...PEERS.map(({ name, keeps }) => [name, keeps] as const),
  ]);
  console.table(
    Object.fromEntries(
      Object.entries(ratios).map(([name, { save, lookUp, lookUpToHints, firstPage }]) => [
        name,
        {
          'where it keeps them': kept.get(name),
          save: round(save.median, 2),
          'save p99': round(save.p99, 2),
          'look up': round(lookUp.median, 2),
          'look up p99': round(lookUp.p99, 2),
          '÷ our hints': round(lookUpToHints.median, 2),
          'first page': round(firstPage.median, 2),
          'first page p99': round(firstPage.p99, 2),
        },
      ]),
    ),
  );
  const calls = PEERS.filter(({ name }) => name in ratios).map(({ name, calls }) => [
    name,
    { version: versions[name], ...calls },
  ]);
  console.log('By which calls');
  console.table({
    [OURS]: {
      save: 'memories.save',
      lookUp: 'memories.get; retrieve for hints',
      firstPage: 'memories.list, limit',
    },
    [BARE]: { save: 'PutItem', lookUp: 'GetItem', firstPage: 'Query, Limit' },
    ...Object.fromEntries(calls),
  });
  for (const { name, remarks } of PEERS) {
    const reason = notRun[name];
    console.log(`${name}: ${reason === undefined ? remarks : `not run: ${reason}`}`);
  }
  console.log(`${BARE}: reads no chart beside the memory, puts on no condition, announces nothing`);
  console.log(
    `${OURS}: each save is checked against the chart, put on a condition, recorded with who and when, and announced on the bus; what stands in for DynamoDB keeps nothing on a disk and is no network away`,
  );
}
