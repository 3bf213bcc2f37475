import { orgAccounts, orgLog, orgMemories } from '../lib/aws/org-stores.ts';
import { ENVIRONMENT } from '../lib/aws/tables.ts';
import type { OrgId } from '../lib/domain/ids.ts';
import { requiredEnv } from '../lib/lambda/env.ts';
import { httpHandler } from '../lib/lambda/http.ts';
import { explainMemory, explainRequest } from '../lib/operations/explain.ts';

const memories = requiredEnv(ENVIRONMENT.memories);
const events = requiredEnv(ENVIRONMENT.events);
const accounts = requiredEnv(ENVIRONMENT.accounts);

const portsOf = (orgId: OrgId) => ({
  memories: orgMemories(orgId, memories),
  log: orgLog(orgId, events),
  accounts: orgAccounts(orgId, accounts),
  clock: { now: Date.now },
});

/** memories.evidence and memories.explain */
export const handler = httpHandler({
  'memories.evidence': async ({ identity, id }) => ({
    body: await explainMemory(portsOf(identity.orgId), identity, id),
  }),
  'memories.explain': async ({ identity, query }) => ({
    body: await explainRequest(portsOf(identity.orgId), identity, query),
  }),
});
