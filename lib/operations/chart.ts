import type { Account, ChartInput } from '../domain/chart-of-accounts.ts';
import { MemoryError } from '../domain/errors.ts';
import type { ResolveRequest } from '../domain/requests.ts';
import { resolveAccount } from '../domain/resolve-account.ts';
import type { OrgPorts } from './ports-of-org.ts';

type ChartPorts = Pick<OrgPorts, 'accounts' | 'clock'>;

/** accounts.replace: the whole chart at once. */
export function replaceChart(
  ports: ChartPorts,
  chart: ChartInput,
): Promise<{ version: number; accounts: number }> {
  return ports.accounts.replace(chart, ports.clock.now());
}

/** accounts.list: the chart in force; version 0 and no accounts where none was put yet. */
export async function listAccounts(
  ports: ChartPorts,
): Promise<{ version: number; accounts: readonly Account[] }> {
  const chart = await ports.accounts.load();
  return { version: chart?.version ?? 0, accounts: chart?.accounts ?? [] };
}

/**
 * accounts.resolve: which account a phrase means.
 *
 * @throws MemoryError `chart-of-accounts-missing`
 */
export async function resolvePhrase(
  ports: ChartPorts,
  request: ResolveRequest,
): Promise<ReturnType<typeof resolveAccount>> {
  const chart = await ports.accounts.load();
  if (chart === undefined) {
    throw new MemoryError(
      'chart-of-accounts-missing',
      'This workspace has no chart of accounts yet; put one first.',
    );
  }
  return resolveAccount(chart, request.query, request.limit === undefined ? {} : { limit: request.limit });
}
