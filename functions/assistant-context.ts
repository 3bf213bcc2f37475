import { orgAccounts, orgMemories } from '../lib/aws/org-stores.ts';
import { ENVIRONMENT } from '../lib/aws/tables.ts';
import type { OrgId } from '../lib/domain/ids.ts';
import { requiredEnv } from '../lib/lambda/env.ts';
import { httpHandler } from '../lib/lambda/http.ts';
import { assistantContext } from '../lib/operations/retrieve.ts';

const memories = requiredEnv(ENVIRONMENT.memories);
const accounts = requiredEnv(ENVIRONMENT.accounts);

const portsOf = (orgId: OrgId) => ({
  memories: orgMemories(orgId, memories),
  accounts: orgAccounts(orgId, accounts),
});

/** memories.context */
export const handler = httpHandler({
  'memories.context': async ({ identity, body }) => ({
    body: await assistantContext(portsOf(identity.orgId), identity, body),
  }),
});
