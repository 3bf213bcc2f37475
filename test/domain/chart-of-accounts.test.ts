/*
 * Mutants that nothing can tell from the code, and why:
 * - which of two equal names beside each other goes
 * - the way up taken once more from an account without a parent: it ends there, as it did before
 */
import { describe, expect, it } from 'vitest';
import { type Account, ChartInput, isPurchaseAccount, pathsOf } from '../../lib/domain/chart-of-accounts.ts';

const account = (id: string, more: Partial<Account> = {}): Account => ({
  id,
  name: `Account ${id}`,
  type: 'expense',
  ...more,
});
const faultsOf = (accounts: readonly Account[]) =>
  ChartInput.safeParse({ accounts }).error?.issues.map(({ path, message }) => [path.join('.'), message]) ??
  [];

describe('ChartInput', () => {
  it('takes a chart whose parents are all in it', () => {
    expect(
      faultsOf([account('1'), account('2', { parentId: '1' }), account('3', { parentId: '2' })]),
    ).toEqual([]);
  });

  it.each([
    ['an id twice', [account('1'), account('1')], [['accounts.1.id', 'is there twice']]],
    [
      'a parent that is not there',
      [account('1', { parentId: '9' })],
      [['accounts.0.parentId', 'is not in the chart']],
    ],
    [
      'an account that is its own parent',
      [account('1', { parentId: '1' })],
      [['accounts.0.parentId', 'is its own ancestor']],
    ],
    [
      'a circle',
      [account('1', { parentId: '2' }), account('2', { parentId: '1' })],
      [
        ['accounts.0.parentId', 'is its own ancestor'],
        ['accounts.1.parentId', 'is its own ancestor'],
      ],
    ],
  ])('refuses %s', (_what, accounts, faults) => {
    expect(faultsOf(accounts)).toEqual(faults);
  });

  it('takes accounts with all they may have, one at least', () => {
    const full = {
      code: '6120-A',
      parentId: '1',
      group: false,
      active: false,
      aliases: ['Cloud', 'Hosting'],
    };
    const chart = { accounts: [account('1'), account('2', full)] };
    expect(ChartInput.parse(chart)).toEqual(chart);
    expect(ChartInput.safeParse({ accounts: [] }).success).toBe(false);
    expect(ChartInput.safeParse({ ...chart, currency: 'EUR' }).success).toBe(false);
    for (const wrong of [{ code: 'x'.repeat(41) }, { aliases: Array(21).fill('x') }, { balance: 1 }])
      expect(faultsOf([{ ...account('1'), ...wrong }])).toHaveLength(1);
  });

  it('judges a chain of 5,000 accounts at once', () => {
    const chain = Array.from({ length: 5000 }, (_, index) =>
      account(`${index}`, index === 0 ? {} : { parentId: `${index - 1}` }),
    );
    const started = performance.now();
    expect(faultsOf(chain)).toEqual([]);
    expect(pathsOf(chain).size).toBe(5000);
    expect(performance.now() - started).toBeLessThan(1000);
  });
});

describe('pathsOf', () => {
  it.each([
    ['written whole in every name', ['Travel', 'Travel:Hotel', 'Travel:Hotel:Minibar']],
    ['begun at the top with a path of its own', ['Travel:Hotel', 'Minibar']],
    ['written whole only at the end', ['Travel', 'Hotel', 'Travel:Hotel:Minibar']],
    ['with the parent before each name', ['Travel', 'Travel:Hotel', 'Hotel:Minibar']],
  ])('says once what is %s', (_, names) => {
    const chain = names.map((name, at) =>
      account(String(at), { name, ...(at > 0 && { parentId: String(at - 1) }) }),
    );
    expect([...pathsOf(chain).values()].at(-1)).toEqual(['Travel', 'Hotel', 'Minibar']);
  });

  it('names every account from the top of the chart down', () => {
    const paths = pathsOf([
      account('1', { name: 'Travel' }),
      account('2', { name: 'Hotel', parentId: '1' }),
      account('3', { name: 'Travel:Meals' }),
      account('4', { name: 'Travel:Taxi', parentId: '1' }),
    ]);
    expect([...paths.values()]).toEqual([
      ['Travel'],
      ['Travel', 'Hotel'],
      ['Travel', 'Meals'],
      ['Travel', 'Taxi'],
    ]);
  });

  it('takes from the name of a parent only what that parent adds', () => {
    const paths = pathsOf([
      account('1', { name: 'Travel' }),
      account('2', { name: 'Travel : Hotel', parentId: '1' }),
      account('3', { name: 'Travel : Hotel : Suite', parentId: '2' }),
      account('4', { name: 'Minibar', parentId: '3' }),
    ]);
    expect(paths.get('4')).toEqual(['Travel', 'Hotel', 'Suite', 'Minibar']);
  });

  it.each(['Fees:', ':Fees', 'Fees::Bank', ': '])(
    'takes a name for one with a colon in it, where it is no path: %s',
    (name) => {
      expect(pathsOf([account('1', { name })]).get('1')).toEqual([name]);
    },
  );

  it('names the sixteen nearest of a chart deeper than anybody reads', () => {
    const chain = Array.from({ length: 20 }, (_, n) =>
      account(`${n}`, n === 0 ? {} : { parentId: `${n - 1}` }),
    );
    expect(pathsOf(chain).get('19')).toEqual(chain.slice(4).map(({ name }) => name));
  });
});

describe('isPurchaseAccount', () => {
  it('is true of expenses and costs of sales that can be posted to', () => {
    expect(isPurchaseAccount(account('1'))).toBe(true);
    expect(isPurchaseAccount(account('1', { type: 'cost_of_sales' }))).toBe(true);
    expect(isPurchaseAccount(account('1', { type: 'asset' }))).toBe(false);
    expect(isPurchaseAccount(account('1', { group: true }))).toBe(false);
    expect(isPurchaseAccount(account('1', { active: false }))).toBe(false);
  });
});
