import { orgPorts } from '../lib/aws/org-ports.ts';
import { ENVIRONMENT } from '../lib/aws/tables.ts';
import { requiredEnv } from '../lib/lambda/env.ts';
import { httpHandler } from '../lib/lambda/http.ts';
import { reviewMemory } from '../lib/operations/review.ts';

const portsOf = orgPorts({
  memories: requiredEnv(ENVIRONMENT.memories),
  events: requiredEnv(ENVIRONMENT.events),
  accounts: requiredEnv(ENVIRONMENT.accounts),
  bus: requiredEnv(ENVIRONMENT.bus),
});

/** memories.review */
export const handler = httpHandler({
  'memories.review': async ({ identity, id, body }) => ({
    body: await reviewMemory(portsOf(identity.orgId), identity, id, body),
  }),
});
