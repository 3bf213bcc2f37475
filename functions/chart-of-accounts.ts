import { orgAccounts } from '../lib/aws/org-stores.ts';
import { ENVIRONMENT } from '../lib/aws/tables.ts';
import type { OrgId } from '../lib/domain/ids.ts';
import { requiredEnv } from '../lib/lambda/env.ts';
import { httpHandler } from '../lib/lambda/http.ts';
import { listAccounts, replaceChart, resolvePhrase } from '../lib/operations/chart.ts';

const accounts = requiredEnv(ENVIRONMENT.accounts);

const portsOf = (orgId: OrgId) => ({
  accounts: orgAccounts(orgId, accounts),
  clock: { now: Date.now },
});

/** accounts.replace, accounts.list and accounts.resolve */
export const handler = httpHandler({
  'accounts.replace': async ({ identity, body }) => ({
    body: await replaceChart(portsOf(identity.orgId), body),
  }),
  'accounts.list': async ({ identity }) => ({ body: await listAccounts(portsOf(identity.orgId)) }),
  'accounts.resolve': async ({ identity, query }) => ({
    body: await resolvePhrase(portsOf(identity.orgId), query),
  }),
});
