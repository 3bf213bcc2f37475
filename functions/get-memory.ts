import { orgAccounts, orgMemories } from '../lib/aws/org-stores.ts';
import { ENVIRONMENT } from '../lib/aws/tables.ts';
import type { OrgId } from '../lib/domain/ids.ts';
import { requiredEnv } from '../lib/lambda/env.ts';
import { httpHandler } from '../lib/lambda/http.ts';
import { getMemory } from '../lib/operations/find-memory.ts';

const memories = requiredEnv(ENVIRONMENT.memories);
const accounts = requiredEnv(ENVIRONMENT.accounts);

const portsOf = (orgId: OrgId) => ({
  memories: orgMemories(orgId, memories),
  accounts: orgAccounts(orgId, accounts),
});

/** memories.get */
export const handler = httpHandler({
  'memories.get': async ({ identity, id }) => {
    const memory = await getMemory(portsOf(identity.orgId), identity, id);
    return { headers: { etag: `"${memory.version}"` }, body: memory };
  },
});
