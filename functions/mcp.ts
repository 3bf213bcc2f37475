import { orgPorts } from '../lib/aws/org-ports.ts';
import { ENVIRONMENT } from '../lib/aws/tables.ts';
import { requiredEnv } from '../lib/lambda/env.ts';
import { mcpHandler } from '../lib/mcp/mcp-handler.ts';
import { memoryRuns } from '../lib/mcp/memory-runs.ts';

const portsOf = orgPorts({
  memories: requiredEnv(ENVIRONMENT.memories),
  events: requiredEnv(ENVIRONMENT.events),
  accounts: requiredEnv(ENVIRONMENT.accounts),
  bus: requiredEnv(ENVIRONMENT.bus),
});

/** MCP: the operations as tools for assistants. The API's authorizer does not stand before it; it checks tokens itself. */
export const handler = mcpHandler(memoryRuns(portsOf), {
  issuer: requiredEnv(ENVIRONMENT.jwtIssuer),
  audience: requiredEnv(ENVIRONMENT.jwtAudience).split(','),
  jwksUri: process.env[ENVIRONMENT.jwksUri],
});
