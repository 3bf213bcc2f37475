import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Account } from '../../lib/domain/chart-of-accounts.ts';
import { resolveAccount } from '../../lib/domain/resolve-account.ts';

const account = (id: string, name: string, more: Partial<Account> = {}): Account => ({
  id,
  name,
  type: 'expense',
  ...more,
});

const accounts: readonly Account[] = [
  account('1500', 'Software', { type: 'asset' }),
  account('4100', 'Software income', { type: 'income' }),
  account('4200', 'Consulting income', { type: 'income' }),
  account('3000', "Owner's Personal Expenses", { type: 'equity' }),
  account('5000', 'Cost of Goods Sold', { type: 'cost_of_sales' }),
  account('6000', 'Travel', { group: true }),
  account('6010', 'Hotels', { parentId: '6000' }),
  account('6020', 'Flights & Trains', { parentId: '6000' }),
  account('6030', 'Travel Meals', { parentId: '6000' }),
  account('6100', 'Office Supplies & Software'),
  account('6120', 'Software Subscriptions', { code: 'SW-1', aliases: ['SaaS tools'] }),
  account('6130', 'Hosting', { active: false }),
  account('6140', 'Web Hosting'),
  account('6200', 'Advertising & Marketing'),
  account('6300', 'Gas & Electric'),
  account('6310', 'Car & Truck'),
  account('6320', 'Telephone & Internet'),
  account('6400', 'Rent & Lease'),
  account('6500', 'Legal & Professional Services'),
  account('6600', 'Insurance'),
  account('6700', 'Business Meals'),
  account('6800', 'Miscellaneous Expenses'),
  account('6810', 'Uncategorized Expense'),
  account('6820', 'Ask My Accountant'),
  account('6830', 'Suspense'),
  account('6900', 'Bank Charges & Fees'),
  account('7000', 'Miete'),
  account('7010', '通信費'),
];

const ask = (query: string, merchant?: string) => {
  const { decision, matches } = resolveAccount(
    { accounts },
    query,
    merchant === undefined ? {} : { merchant },
  );
  return { decision, ids: matches.map((match) => match.account.id) };
};

describe('resolveAccount', () => {
  it.each([
    ['an id', '6140', '6140'],
    ['a code, whatever its case', 'sw-1', '6120'],
    ['a code with its name', 'SW-1 Software Subscriptions', '6120'],
    ['a name', 'insurance', '6600'],
    ['a full path', 'Travel:Hotels', '6010'],
    ['a path written otherwise', 'Travel > Hotels', '6010'],
    ['a leaf in the singular', 'hotel', '6010'],
    ['an alias', 'saas tools', '6120'],
    ['all its words in another order', 'subscriptions software', '6120'],
    ['one word that only it has', 'internet', '6320'],
    ['words that add nothing', 'our monthly insurance costs', '6600'],
    ['a synonym', 'lodging', '6010'],
    ['ads', 'ads', '6200'],
    ['lease', 'lease', '6400'],
    ['broadband', 'broadband', '6320'],
    ['petrol', 'petrol', '6310'],
    ['train', 'train', '6020'],
    ['fees by another word', 'bank fees', '6900'],
    ['legal fees', 'legal fees', '6500'],
    ['where it is booked when it has no account', 'bookkeeping', '6500'],
    ['a slip', 'insurrance', '6600'],
    ['a cost of sales', 'COGS', '5000'],
    ['a word in another language', 'Miete', '7000'],
    ['a word of a script without blanks', '通信', '7010'],
  ])('finds an account by %s', (_how, query, id) => {
    expect(ask(query)).toEqual({ decision: 'resolve', ids: [id] });
  });

  it.each([
    ['software', ['6100', '6120']],
    ['sofware', ['6100', '6120']],
    ['meals', ['6030', '6700']],
    ['lunch', ['6030', '6700']],
    ['travel', ['6010', '6020', '6030']],
    ['gas', ['6300', '6310']],
    ['phone', ['6320', '7010']],
    ['misc', ['6800', '6810']],
  ])('asks where %s could be several', (query, ids) => {
    const { decision, ids: found } = ask(query);
    expect(decision).toBe('ask');
    expect([...found].sort()).toEqual(ids);
  });

  it.each(['R&D', 'crypto', 'donations', '', '!!', 'Consulting income', 'personal', 'business', 'payroll'])(
    'finds none for %j',
    (query) => {
      expect(ask(query).decision).toBe('none');
    },
  );

  it('lets the merchant decide between two meanings of a word', () => {
    expect(ask('gas', 'Shell 1234')).toEqual({ decision: 'resolve', ids: ['6310'] });
    expect(ask('gas', 'PG&E')).toEqual({ decision: 'resolve', ids: ['6300'] });
    expect(ask('gas', 'Shell Energy')).toEqual({ decision: 'resolve', ids: ['6300'] });
    expect(ask('gas', 'Acme').decision).toBe('ask');
  });

  it('never resolves to a catch-all, not even by its name', () => {
    for (const query of [
      'Miscellaneous Expenses',
      'uncategorized',
      '6810',
      'Ask My Accountant',
      'suspense',
      '6830',
    ]) {
      expect(ask(query).decision).not.toBe('resolve');
    }
    expect(ask('Uncategorized Expense').decision).toBe('ask');
    expect(ask('accountant').ids).not.toContain('6820');
  });

  it('takes a label for an account only where one is called so', () => {
    const own = { accounts: [...accounts, account('9', 'Personal')] };
    expect(resolveAccount(own, 'personal')).toMatchObject({
      decision: 'resolve',
      matches: [{ account: { id: '9' } }],
    });
  });

  it('does not take a word beside what the account is for', () => {
    const chart = {
      accounts: [
        account('1', 'Maintenance for software'),
        account('2', 'Promotional Meals'),
        account('3', 'Rent'),
      ],
    };
    expect(resolveAccount(chart, 'software').decision).toBe('none');
    expect(resolveAccount(chart, 'ads').decision).toBe('none');
  });

  it('takes no part of a name for the whole where the whole is an account that no purchase fits', () => {
    const chart = [
      account('1400', 'Prepaid insurance', { type: 'asset' }),
      account('6600', 'Insurance'),
      account('2100', 'Loan interest', { type: 'liability' }),
      account('7100', 'Interest on loan'),
    ];
    expect(resolveAccount({ accounts: chart }, 'Prepaid Insurance').decision).toBe('none');
    expect(resolveAccount({ accounts: chart }, 'insurance').matches[0]?.account.id).toBe('6600');
    // All of it is said, in other words' order.
    expect(resolveAccount({ accounts: chart }, 'loan interest').matches[0]?.account.id).toBe('7100');
    expect(ask('software income').decision).toBe('none');
  });

  it('asks where the leaf under a heading is not all that the word could mean', () => {
    const chart = {
      accounts: [
        account('1', 'Auto:Repairs'),
        account('2', 'Repairs and Maintenance'),
        account('3', 'Catering Disposables'),
        account('4', 'Staff Meals'),
      ],
    };
    expect(resolveAccount(chart, 'repairs').decision).toBe('ask');
    expect(resolveAccount(chart, 'auto repairs').matches).toMatchObject([{ account: { id: '1' } }]);
    expect(resolveAccount(chart, 'catering').decision).toBe('ask');
  });

  it('asks between accounts of one name under two headings', () => {
    const chart = {
      accounts: [
        account('a', 'Sales', { group: true }),
        account('b', 'Admin', { group: true }),
        account('1', 'Travel', { parentId: 'a' }),
        account('2', 'Travel', { parentId: 'b' }),
      ],
    };
    expect(resolveAccount(chart, 'travel').decision).toBe('ask');
    expect(resolveAccount(chart, 'sales:travel').matches).toMatchObject([
      { account: { id: '1' }, path: 'Sales:Travel' },
    ]);
  });

  it('reads names with colons as paths', () => {
    const chart = { accounts: [account('1', 'Travel'), account('2', 'Travel:Hotel')] };
    expect(resolveAccount(chart, 'hotel').matches).toMatchObject([
      { account: { id: '2' }, path: 'Travel:Hotel' },
    ]);
    expect(resolveAccount(chart, 'travel').matches).toMatchObject([{ account: { id: '1' } }]);
  });

  it('shows the nearest where it finds none', () => {
    const { decision, matches } = resolveAccount({ accounts }, 'telephone museum');
    expect(decision).toBe('none');
    expect(matches[0]?.account.id).toBe('6320');
    expect(resolveAccount({ accounts }, 'telephone museum', { limit: 1 }).matches).toHaveLength(1);
  });

  it('offers only what a purchase can be booked to, and as many as each decision says', () => {
    const words = fc.constantFrom(
      ...accounts.flatMap(({ name }) => name.split(' ')),
      'gas',
      'misc',
      'ads',
      'personal',
      'x',
      '',
    );
    fc.assert(
      fc.property(fc.array(words, { maxLength: 4 }), fc.integer({ min: 1, max: 20 }), (parts, limit) => {
        const { decision, matches } = resolveAccount({ accounts }, parts.join(' '), { limit });
        if (decision === 'resolve') expect(matches).toHaveLength(1);
        if (decision === 'ask') expect(matches.length).toBeGreaterThanOrEqual(2);
        for (const { account: found } of matches) {
          expect(['expense', 'cost_of_sales']).toContain(found.type);
          expect(found.group).not.toBe(true);
          expect(found.active).not.toBe(false);
        }
        if (decision === 'resolve')
          expect(['6800', '6810', '6820', '6830']).not.toContain(matches[0]?.account.id);
      }),
      { numRuns: 500 },
    );
  });

  it('finds every account by its id', () => {
    for (const { id } of accounts.filter((one) => !/^(?:1500|[34]\d00|6000|6130|68\d\d)$/.test(one.id))) {
      expect(ask(id)).toEqual({ decision: 'resolve', ids: [id] });
    }
  });

  it('answers at once over a chart of 5,000 accounts', () => {
    const many = Array.from({ length: 5000 }, (_, index) =>
      account(`${index}`, `Account ${index} ${'abcdefghij'[index % 10]}ing costs`),
    );
    const chart = { accounts: many };
    resolveAccount(chart, 'hotel');
    const started = performance.now();
    for (let round = 0; round < 10; round += 1) resolveAccount(chart, `sofware number ${round}`);
    expect((performance.now() - started) / 10).toBeLessThan(500);
  });

  it('does not throw on any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 80 }), (query) => {
        expect(() => resolveAccount({ accounts }, query, { merchant: query })).not.toThrow();
      }),
    );
  });
});

describe.runIf(existsSync('../shared/data/chart-phrases.tsv'))('the measured phrases', () => {
  it('chooses no trap and is right nine times in ten', () => {
    const printed = execFileSync('node', ['--import', 'tsx', 'test/bench/chart.ts'], { encoding: 'utf8' });
    const result = JSON.parse(printed.trimEnd().split('\n').at(-1) ?? '');
    expect(result.traps).toBe(0);
    for (const { n, right } of [result.resolve, result.ask, result.none])
      expect(right / n).toBeGreaterThanOrEqual(0.9);
  });
});
