import { eventBridgeClient } from '../lib/aws/clients.ts';
import { eventPublisher } from '../lib/aws/event-publisher.ts';
import { orgAccounts, orgLog, orgMemories } from '../lib/aws/org-stores.ts';
import { ENVIRONMENT } from '../lib/aws/tables.ts';
import type { OrgId } from '../lib/domain/ids.ts';
import { requiredEnv } from '../lib/lambda/env.ts';
import { httpHandler } from '../lib/lambda/http.ts';
import { archiveMemory } from '../lib/operations/archive.ts';

const memories = requiredEnv(ENVIRONMENT.memories);
const events = requiredEnv(ENVIRONMENT.events);
const accounts = requiredEnv(ENVIRONMENT.accounts);
const bus = requiredEnv(ENVIRONMENT.bus);

const portsOf = (orgId: OrgId) => ({
  memories: orgMemories(orgId, memories),
  log: orgLog(orgId, events),
  accounts: orgAccounts(orgId, accounts),
  publisher: eventPublisher(orgId, { client: eventBridgeClient(), busName: bus }),
  clock: { now: Date.now },
});

/** memories.archive */
export const handler = httpHandler({
  'memories.archive': async ({ identity, id, body }) => ({
    body: await archiveMemory(portsOf(identity.orgId), identity, id, body),
  }),
});
