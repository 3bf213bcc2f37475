import { orgAccounts, orgMemories } from '../lib/aws/org-stores.ts';
import { ENVIRONMENT } from '../lib/aws/tables.ts';
import { HintsRequest } from '../lib/domain/requests.ts';
import { requiredEnv } from '../lib/lambda/env.ts';
import { invokeHandler } from '../lib/lambda/invoke.ts';
import { measureHints } from '../lib/lambda/measures.ts';
import { retrieveHints } from '../lib/operations/retrieve.ts';

const memories = requiredEnv(ENVIRONMENT.memories);
const accounts = requiredEnv(ENVIRONMENT.accounts);

/** Hints for the extraction pipeline, invoked directly; it trusts the `orgId` of its named invokers. */
export const handler = invokeHandler(
  HintsRequest,
  (request) =>
    retrieveHints(
      { memories: orgMemories(request.orgId, memories), accounts: orgAccounts(request.orgId, accounts) },
      request,
    ),
  measureHints,
);
