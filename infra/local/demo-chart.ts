import type { ChartInput } from '../../lib/domain/chart-of-accounts.ts';

/**
 * A small company's chart, written by hand, with the traps real ones have: an asset called Software, an income called
 * Software income, two accounts that "software" could mean, groups, a closed account and a catch-all.
 */
export const DEMO_CHART: ChartInput = {
  accounts: [
    { id: '1000', code: '1000', name: 'Business bank account', type: 'asset' },
    { id: '1500', code: '1500', name: 'Software', type: 'asset' },
    { id: '2100', code: '2100', name: 'Company credit card', type: 'liability' },
    { id: '3000', code: '3000', name: 'Owner drawings', type: 'equity' },
    { id: '4100', code: '4100', name: 'Software income', type: 'income' },
    { id: '5000', code: '5000', name: 'Materials', type: 'cost_of_sales' },
    { id: '6000', code: '6000', name: 'Operating expenses', type: 'expense', group: true },
    {
      id: '6100',
      code: '6100',
      name: 'Office and technology',
      type: 'expense',
      group: true,
      parentId: '6000',
    },
    { id: '6110', code: '6110', name: 'Office supplies', type: 'expense', parentId: '6100' },
    { id: '6120', code: '6120', name: 'Software subscriptions', type: 'expense', parentId: '6100' },
    { id: '6125', code: '6125', name: 'Software development', type: 'expense', parentId: '6100' },
    { id: '6130', code: '6130', name: 'Web hosting', type: 'expense', parentId: '6100' },
    { id: '6140', code: '6140', name: 'Telephone and internet', type: 'expense', parentId: '6100' },
    { id: '6200', code: '6200', name: 'Advertising and marketing', type: 'expense', parentId: '6000' },
    { id: '6300', code: '6300', name: 'Travel', type: 'expense', parentId: '6000' },
    { id: '6310', code: '6310', name: 'Hotels', type: 'expense', parentId: '6300' },
    { id: '6320', code: '6320', name: 'Meals and entertainment', type: 'expense', parentId: '6000' },
    { id: '6330', code: '6330', name: 'Vehicle fuel', type: 'expense', parentId: '6000' },
    { id: '6400', code: '6400', name: 'Rent', type: 'expense', parentId: '6000' },
    { id: '6410', code: '6410', name: 'Gas and electricity', type: 'expense', parentId: '6000' },
    { id: '6500', code: '6500', name: 'Bank charges', type: 'expense', parentId: '6000' },
    { id: '6600', code: '6600', name: 'Legal and professional fees', type: 'expense', parentId: '6000' },
    { id: '6990', code: '6990', name: 'Uncategorized expense', type: 'expense', parentId: '6000' },
    { id: '6999', code: '6999', name: 'Fax services', type: 'expense', parentId: '6000', active: false },
  ],
};
