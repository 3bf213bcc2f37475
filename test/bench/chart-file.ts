import type { Account, AccountType } from '../../lib/domain/chart-of-accounts.ts';

/** An account as the chart files write it; of `path` it is the names above it that count. */
interface FileAccount {
  readonly code?: string;
  readonly name: string;
  readonly path?: readonly string[] | string;
  readonly type?: string;
  readonly account_type?: string;
  readonly root_type?: string;
  readonly is_group?: boolean | number;
}

/** The accounts of a chart file in the form that the service takes; headings that are only named in a path become groups. */
export function accountsOf(file: unknown): readonly Account[] {
  const rows = (file as { readonly accounts: readonly FileAccount[] }).accounts;
  const accounts: Account[] = [];
  const ids = new Map<string, string>();
  const pathOf = (row: FileAccount) => {
    const above =
      typeof row.path === 'string'
        ? row.path.split(/\s*[:>/]\s*/).filter((name) => name !== '')
        : (row.path ?? []);
    return [...(above.at(-1) === row.name ? above.slice(0, -1) : above), row.name];
  };
  const isSubaccount = new Set<string>();
  rows.forEach((row, index) => {
    const path = pathOf(row);
    // The code need not be unique in a file.
    const code = row.code?.trim() ?? '';
    const id = code !== '' && !accounts.some((account) => account.id === code) ? code : `row-${index}`;
    if (!ids.has(path.join(':'))) ids.set(path.join(':'), id);
    if (path.length > 1) isSubaccount.add(id);
    accounts.push({
      id,
      name: row.name,
      type: typeOf(row),
      ...(code === '' ? {} : { code }),
      ...(row.is_group ? { group: true } : {}),
    });
  });
  rows.forEach((row, index) => {
    const path = pathOf(row);
    const account = accounts[index];
    if (path.length < 2 || account === undefined) return;
    let parentId: string | undefined;
    for (let depth = 1; depth < path.length; depth += 1) {
      const key = path.slice(0, depth).join(':');
      let id = ids.get(key);
      if (id === undefined) {
        id = `heading-${accounts.length}`;
        ids.set(key, id);
        accounts.push({
          id,
          name: path[depth - 1] ?? '',
          type: account.type,
          group: true,
          ...(parentId === undefined ? {} : { parentId }),
        });
      }
      parentId = id;
    }
    if (parentId !== undefined && parentId !== account.id) accounts[index] = { ...account, parentId };
  });
  return accounts;
}

function typeOf(row: FileAccount): AccountType {
  const root = (row.root_type ?? row.type ?? 'expense').toLowerCase();
  const detail = (row.account_type ?? '').toLowerCase();
  if (/cost.of.(?:goods|sales)|^cogs$|cost_of_sales/.test(`${detail} ${root}`)) return 'cost_of_sales';
  if (/income|revenue|sales/.test(root)) return 'income';
  if (/liabilit|payable|credit card/.test(root)) return 'liability';
  if (/equity/.test(root)) return 'equity';
  if (/asset|bank|receivable/.test(root)) return 'asset';
  return 'expense';
}
