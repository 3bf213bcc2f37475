import { orgPorts } from '../lib/aws/org-ports.ts';
import { ENVIRONMENT } from '../lib/aws/tables.ts';
import { requiredEnv } from '../lib/lambda/env.ts';
import { httpHandler } from '../lib/lambda/http.ts';
import { saveMemory } from '../lib/operations/save.ts';

const portsOf = orgPorts({
  memories: requiredEnv(ENVIRONMENT.memories),
  events: requiredEnv(ENVIRONMENT.events),
  accounts: requiredEnv(ENVIRONMENT.accounts),
  bus: requiredEnv(ENVIRONMENT.bus),
});

/** memories.save */
export const handler = httpHandler({
  'memories.save': async ({ identity, body }) => {
    const saved = await saveMemory(portsOf(identity.orgId), identity, body);
    return { status: saved.outcome === 'created' ? 201 : 200, body: saved };
  },
});
