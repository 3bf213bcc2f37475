import * as z from 'zod/mini';
import { Name } from './memory.ts';
import { text } from './text.ts';

export const AccountType = z.enum(['expense', 'cost_of_sales', 'income', 'asset', 'liability', 'equity']);
export type AccountType = z.infer<typeof AccountType>;

/** One account of the org's chart. A `group` cannot be posted to; `active` defaults to true. */
export const Account = z.strictObject({
  id: Name,
  code: z.optional(text({ max: 40 })),
  name: Name,
  type: AccountType,
  parentId: z.optional(Name),
  group: z.optional(z.boolean()),
  active: z.optional(z.boolean()),
  aliases: z.optional(z.array(Name).check(z.maxLength(20))),
});
export type Account = z.infer<typeof Account>;

export const MAX_ACCOUNTS = 5000;

/** A chart as it is put: ids are unique, every parent is in it, no account is its own ancestor. */
export const ChartInput = z
  .strictObject({ accounts: z.array(Account).check(z.minLength(1), z.maxLength(MAX_ACCOUNTS)) })
  .check(
    z.superRefine((chart, context) => {
      for (const fault of chartFaults(chart.accounts)) {
        context.addIssue({ code: 'custom', path: ['accounts', fault.index, fault.member], message: fault.message });
      }
    }),
  );
export type ChartInput = z.infer<typeof ChartInput>;

export interface Chart {
  readonly version: number;
  readonly accounts: readonly Account[];
}

/** Whether a purchase can be booked to it at all: there, active, no group. */
export function isPostable(account: Account | undefined): account is Account {
  return account !== undefined && account.active !== false && account.group !== true;
}

function chartFaults(accounts: readonly Account[]) {
  const faults: { index: number; member: string; message: string }[] = [];
  const parents = new Map<string, string | undefined>();
  accounts.forEach((account, index) => {
    if (parents.has(account.id)) faults.push({ index, member: 'id', message: 'is there twice' });
    parents.set(account.id, account.parentId);
  });
  accounts.forEach((account, index) => {
    const seen = new Set([account.id]);
    let parent = account.parentId;
    while (parent !== undefined) {
      if (!parents.has(parent)) faults.push({ index, member: 'parentId', message: 'is not in the chart' });
      if (seen.has(parent)) faults.push({ index, member: 'parentId', message: 'is its own ancestor' });
      if (seen.has(parent) || !parents.has(parent)) break;
      seen.add(parent);
      parent = parents.get(parent);
    }
  });
  return faults;
}
