import type { Account } from '../../../lib/domain/chart-of-accounts.ts';
import { accountNames } from './account-names.ts';
import { client } from './api.ts';

let reading: Promise<readonly Account[]> | undefined;

/** The chart, read once for each visit. */
export function readChart(): Promise<readonly Account[]> {
  reading ??= client.accounts.list().then(({ accounts }) => {
    accountNames.value = new Map(accounts.map(({ id, name }) => [id, name]));
    return accounts;
  });
  reading.catch(() => {
    reading = undefined;
  });
  return reading;
}
