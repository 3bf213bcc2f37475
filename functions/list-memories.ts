import { orgAccounts, orgMemories } from '../lib/aws/org-stores.ts';
import { ENVIRONMENT } from '../lib/aws/tables.ts';
import type { OrgId } from '../lib/domain/ids.ts';
import { requiredEnv } from '../lib/lambda/env.ts';
import { httpHandler } from '../lib/lambda/http.ts';
import { listMemories } from '../lib/operations/list.ts';

const memories = requiredEnv(ENVIRONMENT.memories);
const accounts = requiredEnv(ENVIRONMENT.accounts);

const portsOf = (orgId: OrgId) => ({
  memories: orgMemories(orgId, memories),
  accounts: orgAccounts(orgId, accounts),
});

/** memories.list */
export const handler = httpHandler({
  'memories.list': async ({ identity, query }) => ({
    body: await listMemories(portsOf(identity.orgId), identity, query),
  }),
});
