import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { costOfMillion, mostOfOneOrg, OPERATION_COSTS, PRICES } from '../../infra/costs.ts';
import { PROJECT_ROOT } from '../../infra/local/assembly.ts';
import { account, correctionEvent } from '../support/builders.ts';
import { type Handlers, startHandlers } from '../support/handlers.ts';

const caller = { org: 'org_costs', user: 'u_1' };
const chart = { accounts: [account({ id: '6120', name: 'Software' })] };
const category = (merchant: string) => ({
  kind: 'canonical_mapping',
  content: { mapping: 'category', merchant, account: { id: '6120' } },
});

describe('what an operation costs', () => {
  let handlers: Handlers;
  const call = (method: string, target: string, body?: unknown) =>
    handlers.call({ method, target, caller, ...(body !== undefined && { body }) });
  beforeAll(async () => {
    handlers = await startHandlers();
    await call('PUT', '/v1/chart-of-accounts', chart);
    for (const merchant of ['Vercel', 'Figma', 'Notion'])
      await call('POST', '/v1/memories', category(merchant));
  });
  afterAll(() => handlers?.stop());

  const RUNS = {
    save: () => call('POST', '/v1/memories', category('Linear')),
    list: () => call('GET', '/v1/memories'),
    hints: () => handlers.retrieve({ orgId: caller.org, merchants: ['Vercel', 'Figma', 'Notion'] }),
    correction: () => handlers.deliver([correctionEvent({ orgId: caller.org })]),
  };
  it.each(Object.keys(RUNS) as (keyof typeof RUNS)[])(
    'is worked out from the calls that a %s makes',
    async (operation) => {
      const from = handlers.aws.calls.length;
      await RUNS[operation]();
      const made = handlers.aws.calls.slice(from).map(({ action }) => action);
      const counted = Object.fromEntries(
        [...new Set(made)].map((action) => [action, made.filter((other) => other === action).length]),
      );
      expect(counted).toEqual(OPERATION_COSTS[operation].calls);
    },
  );

  it('is in the document as the arithmetic has it', async () => {
    const text = await readFile(join(PROJECT_ROOT, 'infra', 'SCALE.md'), 'utf8');
    expect(text).toContain(PRICES.readOn);
    const rows = text.split('\n').map((line) => line.split('|').map((cell) => cell.trim()));
    for (const [name, { uses }] of Object.entries(OPERATION_COSTS)) {
      const row = rows.find((cells) => cells[1] === name);
      const [, , dollars, most] = row ?? [];
      expect(dollars, name).toBe(`$${costOfMillion(uses).toFixed(2)}`);
      expect(most, name).toBe(String(mostOfOneOrg(uses)));
    }
  });
});
