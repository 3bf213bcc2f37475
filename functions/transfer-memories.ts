import { orgAccounts, orgLog, orgMemories } from '../lib/aws/org-stores.ts';
import { ENVIRONMENT } from '../lib/aws/tables.ts';
import type { OrgId } from '../lib/domain/ids.ts';
import { requiredEnv } from '../lib/lambda/env.ts';
import { httpHandler } from '../lib/lambda/http.ts';
import { exportMemories } from '../lib/operations/export.ts';
import { importMemories } from '../lib/operations/import.ts';

const memories = requiredEnv(ENVIRONMENT.memories);
const events = requiredEnv(ENVIRONMENT.events);
const accounts = requiredEnv(ENVIRONMENT.accounts);

const portsOf = (orgId: OrgId) => ({
  memories: orgMemories(orgId, memories),
  log: orgLog(orgId, events),
  accounts: orgAccounts(orgId, accounts),
  clock: { now: Date.now },
});
const inTwentySeconds = () => Date.now() + 20_000;

/** transfer.export and transfer.import */
export const handler = httpHandler({
  'transfer.export': async ({ identity, query }) => ({
    body: await exportMemories(portsOf(identity.orgId), identity, query),
  }),
  'transfer.import': async ({ identity, body }) => ({
    body: await importMemories(portsOf(identity.orgId), identity, body, inTwentySeconds()),
  }),
});
