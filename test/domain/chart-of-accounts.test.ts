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
