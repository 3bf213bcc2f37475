import { describe, expect, it } from 'vitest';
import { SABOTAGES } from '../support/sabotage.ts';
import { firstBroken, simulate } from '../support/simulation.ts';

describe('promotion, under any delivery and any interleaving', () => {
  it('ends where the fold over the set of events and the decisions made says', async () => {
    for (let seed = 1; seed <= 400; seed += 1) expect(await simulate(seed)).toBeUndefined();
  }, 30_000);

  it('goes the same way each time a seed is run', async () => {
    const sabotage = SABOTAGES['counts events rather than documents'];
    const seed = await firstBroken({ seeds: 100, sabotage });
    const [once, again] = [await simulate(seed ?? 0, sabotage), await simulate(seed ?? 0, sabotage)];
    expect(once).toMatch(/^seed \d+: .*\nshrunk to: /);
    expect(again).toBe(once);
  }, 30_000);
});

describe('the simulation catches promotion that', () => {
  it.each(Object.entries(SABOTAGES))(
    '%s',
    async (_, sabotage) => {
      expect(await firstBroken({ seeds: 2000, sabotage })).toBeDefined();
    },
    30_000,
  );
});
