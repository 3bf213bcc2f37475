import { eventBridgeClient } from '../lib/aws/clients.ts';
import { eventPublisher } from '../lib/aws/event-publisher.ts';
import { orgAccounts, orgLog, orgMemories } from '../lib/aws/org-stores.ts';
import { ENVIRONMENT } from '../lib/aws/tables.ts';
import type { OrgId } from '../lib/domain/ids.ts';
import { requiredEnv } from '../lib/lambda/env.ts';
import { mcpHandler } from '../lib/mcp/mcp-handler.ts';
import { memoryRuns } from '../lib/mcp/memory-runs.ts';

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

/** MCP: the operations as tools for assistants. The API's authorizer does not stand before it; it checks tokens itself. */
export const handler = mcpHandler(memoryRuns(portsOf), {
  issuer: requiredEnv(ENVIRONMENT.jwtIssuer),
  audience: requiredEnv(ENVIRONMENT.jwtAudience).split(','),
  jwksUri: process.env[ENVIRONMENT.jwksUri],
});
