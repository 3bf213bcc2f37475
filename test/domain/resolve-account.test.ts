import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Account } from '../../lib/domain/chart-of-accounts.ts';
import { accountsInstead, resolveAccount } from '../../lib/domain/resolve-account.ts';

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

type Expected = readonly [query: string, decision: 'resolve' | 'ask' | 'none', ...paths: readonly string[]];

describe('what a bookkeeper would answer', () => {
  const chartOf = (...names: readonly (string | Partial<Account>)[]) => ({
    accounts: names.map((given, n) => {
      const { id = `${n + 1}`, name = '', ...more } = typeof given === 'string' ? { name: given } : given;
      return account(id, name, more);
    }),
  });
  const answer = (
    chart: ReturnType<typeof chartOf>,
    query: string,
    options: { readonly limit?: number; readonly merchant?: string } = {},
  ) => {
    const { decision, matches } = resolveAccount(chart, query, options);
    return [query, decision, ...matches.map(({ path }) => path)];
  };
  const check = (chart: ReturnType<typeof chartOf>, expected: readonly Expected[]) =>
    expect(expected.map(([query]) => answer(chart, query))).toEqual(expected);

  it('is at most ten accounts to choose from, at least two, and as many as are wanted', () => {
    const cities = 'Berlin Cologne Dresden Essen Frankfurt Hamburg Kiel Leipzig Munich Nuremberg Rostock Ulm';
    const hotels = chartOf(...cities.split(' ').map((city) => `Hotel ${city}`));
    const counted = (limit?: number) =>
      resolveAccount(hotels, 'hotel', limit === undefined ? {} : { limit }).matches.length;
    expect([counted(), counted(1), counted(3), counted(20)]).toEqual([10, 2, 3, 12]);
  });

  it('has scores from 0 to 1, the surer the higher', () => {
    const chart = chartOf({ id: 'A1', name: 'Insurance' }, 'Car insurance', 'Hotel', 'Utilities');
    const scores = ['A1', 'hotel', 'car', 'lodging', 'insurrance', 'my boat insurance', 'water'].map(
      (query) => resolveAccount(chart, query).matches[0]?.score ?? Number.NaN,
    );
    for (const score of scores) expect(score).toBeGreaterThan(0);
    expect(scores[0]).toBe(1);
    expect(scores[1]).toBe(0.97);
    expect(Math.max(...scores)).toBe(1);
    expect(scores).toEqual(scores.map((score) => Number(score.toFixed(2))));
    const [, , , , misspelt = 0] = scores;
    expect(misspelt).toBeLessThan(resolveAccount(chart, 'insurance').matches[0]?.score ?? 0);
    const near = resolveAccount(chart, 'hotel museum unicorn').matches[0]?.score ?? 0;
    expect(near).toBeLessThan(Math.min(...scores));
  });

  it('is the remainder of something, but never a catch-all', () => {
    check(chartOf('Legal fees, other', 'Rent', 'Insurance'), [
      ['Legal fees, other', 'resolve', 'Legal fees, other'],
      ['other legal fees', 'resolve', 'Legal fees, other'],
      ['legal', 'resolve', 'Legal fees, other'],
      ['lawyer', 'none', 'Legal fees, other'],
      ['other', 'none', 'Legal fees, other'],
    ]);
    check(chartOf('Other legal fees', 'Other Business Expenses', 'Uncategorized', 'Suspense', 'Rent'), [
      ['other', 'ask', 'Other Business Expenses', 'Uncategorized'],
      ['misc charges', 'ask', 'Other Business Expenses', 'Uncategorized'],
      ['Uncategorized', 'ask', 'Uncategorized', 'Other Business Expenses'],
      ['suspense', 'ask', 'Suspense', 'Other Business Expenses', 'Uncategorized'],
      ['other legal fees', 'resolve', 'Other legal fees'],
      ['business', 'none'],
    ]);
  });

  it('puts beside a lone catch-all what is named most like it', () => {
    check(chartOf('Miscellaneous costs', 'Miscellany prints', 'Other prints', 'Rent'), [
      ['Miscellaneous costs', 'ask', 'Miscellaneous costs', 'Miscellany prints'],
      ['misc', 'ask', 'Miscellaneous costs', 'Other prints'],
    ]);
    check(chartOf('Miscellaneous costs', 'Miscanthus costs', 'Miscellany prints'), [
      ['Miscellaneous costs', 'ask', 'Miscellaneous costs', 'Miscanthus costs'],
    ]);
    check(chartOf('Miscellaneous costs', 'Miso', 'Miscellany', 'Miscellaneously'), [
      ['Miscellaneous costs', 'ask', 'Miscellaneous costs', 'Miscellaneously'],
    ]);
    check(chartOf('Other charges', 'Rent'), [['charges', 'none']]);
    check(chartOf('Other', 'Rent'), [['Other', 'none', 'Other']]);
    check(chartOf('Suspense', 'Suspended ceilings'), [['Suspense', 'none', 'Suspense']]);
    check(chartOf('Suspense', 'Uncategorized'), [['Suspense', 'ask', 'Suspense', 'Uncategorized']]);
    expect(answer(chartOf('Misc', 'Other', 'Sundries'), 'Misc', { limit: 2 })).toEqual([
      'Misc',
      'ask',
      'Misc',
      'Other',
    ]);
  });

  it('shows what the words are only said beside, and does not choose it', () => {
    check(chartOf('Maintenance for software', 'Promotional Meals', 'Rent'), [
      ['software', 'none', 'Maintenance for software'],
      ['ads', 'none', 'Promotional Meals'],
      ['maintenance', 'resolve', 'Maintenance for software'],
      ['meals', 'resolve', 'Promotional Meals'],
    ]);
    check(chartOf('Promotional Staff Meals', 'Rent'), [['ads', 'none', 'Promotional Staff Meals']]);
    check(chartOf('Maintenance for software', 'IT'), [['software', 'resolve', 'IT']]);
    check(chartOf('Software', 'Maintenance for software', 'IT'), [['app', 'resolve', 'Software']]);
  });

  it('goes by a code, alone or with the name', () => {
    const coded = { id: 'x1', code: '6400', name: 'Rent' };
    check(chartOf(coded, { id: 'x2', code: '6500', name: 'Insurance' }, { id: 'x3', name: 'Hotel' }), [
      ['6400', 'resolve', 'Rent'],
      ['X2', 'resolve', 'Insurance'],
      ['x3', 'resolve', 'Hotel'],
      ['6400 - Rent', 'resolve', 'Rent'],
    ]);
    check(chartOf(coded, { id: 'x4', name: 'Rent' }), [
      ['6400 Rent', 'resolve', 'Rent'],
      ['rent', 'ask', 'Rent', 'Rent'],
    ]);
  });

  it('sees a word through an elision, and in names that are run together', () => {
    check(chartOf("Frais d'avocat", "Achats d'équipement", 'Assurance', "Spese dell'ufficio"), [
      ['avocat', 'resolve', "Frais d'avocat"],
      ['lawyer', 'resolve', "Frais d'avocat"],
      ['équipement', 'resolve', "Achats d'équipement"],
      ['ufficio', 'resolve', "Spese dell'ufficio"],
      ['Rechtsanwaltskosten', 'resolve', "Frais d'avocat"],
      ["L'assurance", 'resolve', 'Assurance'],
      ['d’avocat', 'resolve', "Frais d'avocat"],
    ]);
    check(chartOf('PhoneInternet', 'OfficeRENT', 'Travel'), [
      ['phone', 'resolve', 'PhoneInternet'],
      ['internet', 'resolve', 'PhoneInternet'],
      ['officerent', 'resolve', 'OfficeRENT'],
    ]);
  });

  it('finds a part of a name that is written without blanks', () => {
    check(chartOf('旅費交通費', '通信費', '雑費', '水道光熱費'), [
      ['旅費', 'resolve', '旅費交通費'],
      ['電話', 'resolve', '通信費'],
      ['travel', 'resolve', '旅費交通費'],
      ['水道光熱', 'resolve', '水道光熱費'],
      ['雑費', 'none', '雑費'],
      ['費', 'none'],
    ]);
    check(chartOf('雑費', 'Uncategorized'), [['Uncategorized', 'ask', 'Uncategorized', '雑費']]);
  });

  it('asks about what stands under a heading', () => {
    const headed = chartOf(
      { id: 'g', name: 'Vehicle', group: true },
      { id: 'h', name: 'Building', group: true },
      { name: 'Insurance', parentId: 'g' },
      { name: 'Insurance', parentId: 'h' },
      { name: 'Fuel', parentId: 'g' },
      { name: 'Other vehicle costs', parentId: 'g' },
      { name: 'Cleaning', parentId: 'h' },
    );
    check(headed, [
      ['the vehicle', 'ask', 'Vehicle:Insurance', 'Vehicle:Fuel'],
      ['building', 'ask', 'Building:Insurance', 'Building:Cleaning'],
      ['insurance', 'ask', 'Vehicle:Insurance', 'Building:Insurance'],
      ['building insurance', 'resolve', 'Building:Insurance'],
      ['Vehicle:Insurance', 'resolve', 'Vehicle:Insurance'],
      ['vehicle fuel', 'resolve', 'Vehicle:Fuel'],
      ['Building Insurance fee', 'ask', 'Building:Insurance', 'Vehicle:Insurance'],
    ]);
    check(chartOf('Travel', 'Travel:Hotel', 'Travel:Meals', 'Auto:Repairs', 'Auto:Fuel', 'Staff:Meals'), [
      ['travel', 'resolve', 'Travel'],
      ['auto', 'ask', 'Auto:Repairs', 'Auto:Fuel'],
      ['staff', 'none', 'Staff:Meals'],
      ['travel meals', 'resolve', 'Travel:Meals'],
      ['meals', 'ask', 'Travel:Meals', 'Staff:Meals'],
    ]);
    check(chartOf('Office:Upstairs:Cleaning', 'Office:Upstairs:Rent', 'Office:Cellar:Taxi'), [
      ['office', 'ask', 'Office:Upstairs:Cleaning', 'Office:Upstairs:Rent', 'Office:Cellar:Taxi'],
      ['upstairs', 'ask', 'Office:Upstairs:Cleaning', 'Office:Upstairs:Rent'],
      ['cellar', 'none', 'Office:Cellar:Taxi'],
    ]);
  });

  it('takes a heading that can be booked to for itself', () => {
    check(chartOf('Travel', 'Travel:Hotel', 'Travel:Meals'), [['our travel', 'resolve', 'Travel']]);
    check(chartOf('Office', 'Office:Attic', 'Office:Attic:Cleaning', 'Office:Attic:Taxi'), [
      ['the attic', 'resolve', 'Office:Attic'],
    ]);
    const fleet = chartOf(
      { id: 'g', name: 'Motor Fleet Service', group: true },
      { name: 'Rent', parentId: 'g' },
      { name: 'Fuel', parentId: 'g' },
    );
    check(fleet, [
      ['fleet service motor', 'ask', 'Motor Fleet Service:Rent', 'Motor Fleet Service:Fuel'],
      ['fuel for the fleet', 'resolve', 'Motor Fleet Service:Fuel'],
    ]);
    const days = chartOf(
      { id: 'g', name: 'Training and travel days', group: true },
      { id: 'h', name: 'Travel days', group: true },
      { id: 'i', name: 'Legal matters', group: true },
      { name: 'Rent', parentId: 'g' },
      { name: 'Fuel', parentId: 'g' },
      { name: 'Suspense', parentId: 'g' },
      { name: 'Water', parentId: 'h' },
      { name: 'Insurance', parentId: 'i' },
    );
    check(days, [
      ['travel training', 'ask', 'Training and travel days:Rent', 'Training and travel days:Fuel'],
      ['legal', 'none', 'Legal matters:Insurance'],
      ['lawyer', 'none', 'Legal matters:Insurance'],
    ]);
  });

  it('asks where a leaf is a part of what another account is called', () => {
    check(
      chartOf(
        'Auto:Repairs',
        'Repairs and Maintenance',
        'Other repairs',
        'Repairs, uncategorized',
        'Uncategorized',
      ),
      [
        ['repairs', 'ask', 'Auto:Repairs', 'Repairs and Maintenance', 'Repairs, uncategorized'],
        ['Auto: Repairs', 'resolve', 'Auto:Repairs'],
      ],
    );
    check(
      chartOf('Auto:Repairs', 'Repairs and Maintenance', 'Repairs, suspense', 'Auto repairs, body work'),
      [
        ['repairs', 'ask', 'Auto:Repairs', 'Repairs and Maintenance'],
        ['Auto: Repairs', 'resolve', 'Auto:Repairs'],
      ],
    );
    check(chartOf({ name: 'Garage', aliases: ['repairs'] }, 'Auto:Repairs', 'Repairs and Maintenance'), [
      ['repairs', 'ask', 'Garage', 'Auto:Repairs'],
    ]);
    check(chartOf('Repairs', 'Repairs and Maintenance'), [['repairs', 'resolve', 'Repairs']]);
    check(chartOf('Auto:Repairs', 'Repairs', 'Repairs and Maintenance'), [['repairs', 'resolve', 'Repairs']]);
  });

  it('is the same in the plural, and whatever numbers are said beside', () => {
    check(chartOf('Boxes', 'Pies', 'Utilities and batteries', 'Covid19 tests', '3D models', 'Costs'), [
      ['box', 'resolve', 'Boxes'],
      ['pie', 'resolve', 'Pies'],
      ['battery', 'resolve', 'Utilities and batteries'],
      ['boxes 2026', 'resolve', 'Boxes'],
      ['covid19', 'resolve', 'Covid19 tests'],
      ['3d', 'resolve', '3D models'],
      ['cost', 'resolve', 'Costs'],
    ]);
  });

  it('is the same with "and", with signs and in another order', () => {
    check(chartOf('Repairs and Maintenance', 'Meals & Entertainment', 'Rent, Lease'), [
      ['repairs & maintenance', 'resolve', 'Repairs and Maintenance'],
      ['meals and entertainment', 'resolve', 'Meals & Entertainment'],
      ['lease / rent', 'resolve', 'Rent, Lease'],
      ['entertainment', 'resolve', 'Meals & Entertainment'],
    ]);
    check(chartOf('Clearing & Suspense.', 'Uncategorized'), [
      ['clearing and suspense', 'ask', 'Clearing & Suspense.', 'Uncategorized'],
    ]);
    check(chartOf('***', 'Rent'), [['!!', 'none']]);
  });

  it('tells accounts apart by their numbers', () => {
    check(chartOf('Training 1', 'Training 2', 'Training 12'), [
      ['training', 'ask', 'Training 1', 'Training 12', 'Training 2'],
      ['Training 2', 'resolve', 'Training 2'],
    ]);
    check(chartOf('Training', 'Training 22'), [
      ['training', 'resolve', 'Training'],
      ['course', 'resolve', 'Training'],
    ]);
  });

  it.each([
    ['a letter too many', 'insurrance', 'Insurance'],
    ['a letter too few', 'insurnce', 'Insurance'],
    ['two letters changed about', 'insruance', 'Insurance'],
    ['the last two changed about', 'travle', 'Travel'],
    ['another letter in a long word', 'insurange', 'Insurance'],
    ['another letter in one of eight', 'shipmint', 'Shipment'],
    ['a letter too few at the end', 'travl', 'Travel'],
    ['a letter too many at the end', 'shipmentt', 'Shipment'],
    ['a letter too few in the middle of a synonym', 'lodgng', 'Hotel'],
    ['two letters changed about in five', 'hotle', 'Hotel'],
    ['a letter too many in a word of five', 'hottel', 'Hotel'],
  ])('reads over a slip of the pen: %s', (_, query, path) => {
    const chart = chartOf('Insurance', 'Shipment', 'Travel', 'Meals', 'Hotel');
    expect(answer(chart, query).slice(1)).toEqual(['resolve', path]);
  });

  it.each([
    'nsurance',
    'xnsurance',
    'trovel',
    'traveels x',
    'insuranxx',
    'insruacne',
    'reprais',
    'meels',
    'retn',
    'rnet',
    'repairing',
    'rentt',
    'hotl',
    'shipxxxnt',
  ])('takes "%s" for no slip of the pen', (query) => {
    expect(
      answer(chartOf('Insurance', 'Travel', 'Repairs', 'Hotel', 'Meals', 'Rent', 'Shipment'), query)[1],
    ).toBe('none');
  });

  it('asks what a slip could be where it could be two things', () => {
    check(chartOf('Parking', 'Packing'), [
      ['paking', 'ask', 'Packing', 'Parking'],
      ['parkng', 'resolve', 'Parking'],
      ['pakcing', 'resolve', 'Packing'],
    ]);
  });

  it('asks what gas is, unless an account is called so or the merchant says it', () => {
    check(chartOf('Gas', 'Fuel', 'Utilities'), [['gas', 'resolve', 'Gas']]);
    check(chartOf('Utilities', 'Car & Truck'), [['gas', 'ask', 'Car & Truck', 'Utilities']]);
    check(chartOf('Utilities', 'Car & Truck', 'Ovens'), [['gas ovens', 'resolve', 'Ovens']]);
    check(chartOf('Gas & Electric', 'Fuel', 'Other gas'), [['gas', 'ask', 'Fuel', 'Gas & Electric']]);
    expect(answer(chartOf('Utilities', 'Car & Truck'), 'gas', { merchant: 'Shell' })).toEqual([
      'gas',
      'resolve',
      'Car & Truck',
    ]);
    expect(answer(chartOf('Natural Gas', 'Fuel'), 'gas', { merchant: 'Acme' })).toEqual([
      'gas',
      'ask',
      'Fuel',
      'Natural Gas',
    ]);
    check(chartOf('Gas costs', 'Fuel'), [['gas', 'resolve', 'Gas costs']]);
    expect(answer(chartOf('Gas costs', 'Fuel'), 'gas', { merchant: 'Acme' })).toEqual([
      'gas',
      'ask',
      'Fuel',
      'Gas costs',
    ]);
    check(chartOf('Gas costs', 'The gas', 'Fuel'), [['our gas', 'ask', 'Fuel', 'Gas costs', 'The gas']]);
  });

  it('goes to the wider account where there is none of its own, the better one first', () => {
    check(chartOf('Vehicle costs', 'Transport', 'Utilities', 'Professional fees', 'IT', 'Entertainment'), [
      ['toll', 'resolve', 'Vehicle costs'],
      ['taxi', 'resolve', 'Transport'],
      ['water', 'resolve', 'Utilities'],
      ['lawyer', 'resolve', 'Professional fees'],
      ['hosting', 'resolve', 'IT'],
      ['team lunch', 'resolve', 'Entertainment'],
      ['hotel', 'none'],
    ]);
    check(chartOf('Travel', 'Suspense taxi'), [['taxi', 'resolve', 'Travel']]);
  });

  it('goes by the last word, and asks where another points elsewhere', () => {
    check(chartOf('Rent', 'Warehouse', 'Client gifts', 'Insurance', 'Meals', 'Maintenance for boats'), [
      ['warehouse rent', 'resolve', 'Rent'],
      ['client meals', 'resolve', 'Meals'],
      ['gift insurance', 'ask', 'Insurance', 'Client gifts'],
      ['boat gift insurance', 'ask', 'Insurance', 'Client gifts'],
      ['client unicorn rent', 'resolve', 'Rent'],
      ['meals rent', 'ask', 'Rent', 'Meals'],
      ['boats rent', 'resolve', 'Rent'],
      ['unicorn rent', 'resolve', 'Rent'],
      ['rent rent', 'resolve', 'Rent'],
      ['rent unicorn', 'none', 'Rent', 'Client gifts'],
    ]);
    check(chartOf('Rent', 'Rent & Lease of cars', 'Software'), [
      ['boat rent', 'resolve', 'Rent'],
      ['software rent', 'ask', 'Rent', 'Software'],
    ]);
  });

  it('knows what is also said in other words', () => {
    check(chartOf('Stationery', 'Bank', 'Rent'), [
      ['office supplies', 'resolve', 'Stationery'],
      ['credit card fee', 'resolve', 'Bank'],
      ['card fee', 'resolve', 'Bank'],
      ['card', 'none'],
    ]);
    check(chartOf('Stationery and printing', 'Office rent'), [
      ['office supplies', 'resolve', 'Stationery and printing'],
      ['office', 'resolve', 'Office rent'],
    ]);
    check(chartOf('Rent', 'Meals'), [['office supplies', 'none']]);
    check(chartOf('Internet', 'Rent'), [
      ['web hosting', 'resolve', 'Internet'],
      ['server', 'resolve', 'Internet'],
    ]);
    check(chartOf('Credit cards', 'Rent'), [['credit card fee', 'resolve', 'Credit cards']]);
    expect(answer(chartOf('Stationery', 'Rent'), 'unicorn office supplies')[1]).toBe('none');
  });

  it('takes words that say little for no more than they say', () => {
    check(chartOf('Bank charges', 'Legal', 'Professional services', 'Subscription'), [
      ['bank', 'resolve', 'Bank charges'],
      ['legal fees', 'resolve', 'Legal'],
      ['legal subscription', 'resolve', 'Legal'],
      ['professional fees', 'resolve', 'Professional services'],
      ['consulting', 'resolve', 'Professional services'],
      ['subscription', 'resolve', 'Subscription'],
    ]);
    check(chartOf('Catering Disposables', 'Staff Meals'), [
      ['catering', 'ask', 'Catering Disposables', 'Staff Meals'],
      ['catering disposables', 'resolve', 'Catering Disposables'],
      ['meals', 'resolve', 'Staff Meals'],
    ]);
    check(chartOf('Personal', 'Work clothing', 'Rent'), [
      ['personal', 'resolve', 'Personal'],
      ['work', 'none'],
      ['personal work', 'none'],
      ['work clothing', 'resolve', 'Work clothing'],
      ['personal rent', 'ask', 'Rent', 'Personal'],
    ]);
  });

  it('shows up to five names that are near, the nearest first, and no technical account', () => {
    const chart = chartOf(
      'Printing and copying',
      'Press releases',
      'Rental of presses',
      'Other press',
      'Miscellaneous',
      'Suspense press',
      'Insurance',
    );
    check(chart, [
      ['pressing', 'none', 'Other press', 'Press releases', 'Rental of presses', 'Printing and copying'],
      ['press unicorn', 'none', 'Other press', 'Press releases', 'Rental of presses'],
      ['printing unicorn', 'none', 'Printing and copying'],
      ['private press unicorn', 'none', 'Other press', 'Press releases', 'Rental of presses'],
      ['zzz', 'none'],
      ['q', 'none'],
    ]);
    const presses = chartOf(...'ABCDEFG'.split('').map((letter) => `Pressure ${letter}x`));
    expect(resolveAccount(presses, 'pressing', { limit: 10 }).matches).toHaveLength(5);
  });

  it('lets only the name of an asset or the like, said in full, stand in the way', () => {
    check(
      chartOf(
        { name: 'Petrol', type: 'asset' },
        { name: 'Loan interest', type: 'liability' },
        { name: 'Boat insurance', active: false },
        { name: 'Cargo insurance', type: 'cost_of_sales', active: false },
        'Fuel',
        'Interest on loans',
        'Insurance',
      ),
      [
        ['petrol', 'resolve', 'Fuel'],
        ['loan interest', 'resolve', 'Interest on loans'],
        ['boat insurance', 'resolve', 'Insurance'],
        ['cargo insurance', 'resolve', 'Insurance'],
      ],
    );
  });

  it('asks between accounts that share their name', () => {
    check(chartOf('Meals', 'Meals', 'Food:Meals'), [
      ['meals', 'ask', 'Meals', 'Meals'],
      ['lunch', 'ask', 'Food:Meals', 'Meals', 'Meals'],
    ]);
  });

  it('offers the nearest codes where neither code nor name is there', () => {
    const chart = chartOf(
      { id: '81', name: 'Tax' },
      { id: '6200', name: 'Bus' },
      { id: '6120', name: 'Hotel' },
      { id: 'r', code: '6130', name: 'Rent' },
      { id: '71', name: 'Fuel' },
      { id: '6210', name: 'Gifts' },
    );
    const instead = (id: string, name: string) =>
      accountsInstead(chart, id, name).map(({ account: { id: found } }) => found);
    expect(instead('612', 'Zzz').slice(0, 2)).toEqual(['6120', 'r']);
    expect(instead('612', 'Zzz')).toHaveLength(5);
    expect(instead('62', 'Zzz').slice(0, 2)).toEqual(['6200', '6210']);
    expect(instead('812345678', 'Zzz')[0]).toBe('81');
    expect(instead('R', 'Zzz')[0]).toBe('r');
    expect(instead('612', 'Hotels')).toEqual(['6120']);
    for (const { score } of accountsInstead(chart, '6120', 'Zzz')) expect(score).toBeLessThanOrEqual(1);
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
