import * as z from 'zod/mini';
import { Name } from './memory.ts';
import { text } from './text.ts';

export const AccountType = z.enum(['expense', 'cost_of_sales', 'income', 'asset', 'liability', 'equity']);
export type AccountType = z.infer<typeof AccountType>;

/** One account of the org's chart. A `group` cannot be posted to; `active` defaults to true. */
export const Account = z.lazy(() =>
  z.strictObject({
    id: Name,
    code: z.optional(text({ max: 40 })),
    name: Name,
    type: AccountType,
    parentId: z.optional(Name),
    group: z.optional(z.boolean()),
    active: z.optional(z.boolean()),
    aliases: z.optional(z.array(Name).check(z.maxLength(20))),
  }),
);
export type Account = z.infer<typeof Account>;

export const MAX_ACCOUNTS = 5000;

/** A chart as it is put: ids are unique, every parent is in it, no account is its own ancestor. */
export const ChartInput = z.lazy(() =>
  z.strictObject({ accounts: z.array(Account).check(z.minLength(1), z.maxLength(MAX_ACCOUNTS)) }).check(
    z.superRefine((chart, context) => {
      for (const fault of chartFaults(chart.accounts)) {
        context.addIssue({
          code: 'custom',
          path: ['accounts', fault.index, fault.member],
          message: fault.message,
        });
      }
    }),
  ),
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

/** Whether a purchase fits it: an expense or a cost of sales that can be posted to. */
export function isPurchaseAccount(account: Account): boolean {
  return isPostable(account) && isOfPurchases(account);
}

/** Whether its kind is one for purchases, though it may be closed or a group. */
export function isOfPurchases({ type }: Account): boolean {
  return type === 'expense' || type === 'cost_of_sales';
}

/**
 * The names from the top of the chart down to each account, by id. A name with colons is a path itself; what it repeats
 * of its parents' is said once.
 */
export function pathsOf(accounts: readonly Account[]): ReadonlyMap<string, readonly string[]> {
  const byId = new Map(accounts.map((account) => [account.id, account]));
  return new Map(
    accounts.map((account) => {
      let path: readonly string[] = [];
      for (const { name } of ancestry(account, byId)) path = joined(path, segmentsOf(name));
      return [account.id, path];
    }),
  );
}

/** The account and what is above it, the topmost first. */
function ancestry(account: Account, byId: ReadonlyMap<string, Account>): readonly Account[] {
  const upwards: Account[] = [];
  let at: Account | undefined = account;
  while (at !== undefined && upwards.length < DEEPEST_PATH) {
    upwards.push(at);
    at = at.parentId === undefined ? undefined : byId.get(at.parentId);
  }
  return upwards.reverse();
}

// No chart that a person reads is deeper; a hostile one must not cost its square.
const DEEPEST_PATH = 16;

function segmentsOf(name: string): readonly string[] {
  const segments = name.split(':').map((segment) => segment.trim());
  return segments.some((segment) => segment === '') ? [name] : segments;
}

/** "Travel" and "Travel:Hotel" are Travel, Hotel: the longest end of the one that the other begins with is there once. */
function joined(above: readonly string[], below: readonly string[]): readonly string[] {
  let shared = Math.min(above.length, below.length);
  while (
    shared > 0 &&
    !below.slice(0, shared).every((name, at) => name === above[above.length - shared + at])
  )
    shared -= 1;
  return [...above, ...below.slice(shared)];
}

function chartFaults(accounts: readonly Account[]) {
  const faults: { index: number; member: string; message: string }[] = [];
  const byId = new Map<string, Account>();
  accounts.forEach((account, index) => {
    if (byId.has(account.id)) faults.push({ index, member: 'id', message: 'is there twice' });
    byId.set(account.id, account);
  });
  const onCycle = cycles(accounts, byId);
  accounts.forEach((account, index) => {
    if (account.parentId === undefined) return;
    if (!byId.has(account.parentId)) {
      faults.push({ index, member: 'parentId', message: 'is not in the chart' });
    } else if (onCycle.has(account.id)) {
      faults.push({ index, member: 'parentId', message: 'is its own ancestor' });
    }
  });
  return faults;
}

/** The accounts from which the way up never ends. Every account is walked over once. */
function cycles(accounts: readonly Account[], byId: ReadonlyMap<string, Account>): ReadonlySet<string> {
  const endless = new Set<string>();
  const ended = new Set<string>();
  for (const { id } of accounts) {
    const walked = new Set<string>();
    let at: string | undefined = id;
    while (at !== undefined && !ended.has(at) && !endless.has(at) && !walked.has(at)) {
      walked.add(at);
      at = byId.get(at)?.parentId;
    }
    const known = at !== undefined && (walked.has(at) || endless.has(at)) ? endless : ended;
    for (const account of walked) known.add(account);
  }
  return endless;
}
