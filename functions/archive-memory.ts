import { orgPorts } from '../lib/aws/org-ports.ts';
import { ENVIRONMENT } from '../lib/aws/tables.ts';
import { requiredEnv } from '../lib/lambda/env.ts';
import { httpHandler } from '../lib/lambda/http.ts';
import { archiveMemory } from '../lib/operations/archive.ts';

const portsOf = orgPorts({
  memories: requiredEnv(ENVIRONMENT.memories),
  events: requiredEnv(ENVIRONMENT.events),
  accounts: requiredEnv(ENVIRONMENT.accounts),
  bus: requiredEnv(ENVIRONMENT.bus),
});

/** memories.archive */
export const handler = httpHandler({
  'memories.archive': async ({ identity, id, body }) => ({
    body: await archiveMemory(portsOf(identity.orgId), identity, id, body),
  }),
});
