import { orgErasures } from '../lib/aws/org-erasures.ts';
import { orgMemories } from '../lib/aws/org-stores.ts';
import { ENVIRONMENT } from '../lib/aws/tables.ts';
import { MemoryError } from '../lib/domain/errors.ts';
import { type OrgId, UserId } from '../lib/domain/ids.ts';
import { requiredEnv } from '../lib/lambda/env.ts';
import { httpHandler } from '../lib/lambda/http.ts';
import { eraseOrg } from '../lib/operations/erase-org.ts';
import { erasePerson } from '../lib/operations/erase-person.ts';

const memories = requiredEnv(ENVIRONMENT.memories);
const events = requiredEnv(ENVIRONMENT.events);
const accounts = requiredEnv(ENVIRONMENT.accounts);

const portsOf = (orgId: OrgId) => ({
  memories: orgMemories(orgId, memories),
  erasures: orgErasures(orgId, { memories, events, accounts }),
  clock: { now: Date.now },
});
const inTwentySeconds = () => Date.now() + 20_000;

/** erase.me, erase.person and erase.org */
export const handler = httpHandler({
  'erase.me': async ({ identity }) => ({
    body: await erasePerson(portsOf(identity.orgId), identity.userId, inTwentySeconds()),
  }),
  'erase.person': async ({ identity, id }) => {
    const userId = UserId.safeParse(id);
    if (!userId.success) throw new MemoryError('not-found', 'There can be no such person.');
    return { body: await erasePerson(portsOf(identity.orgId), userId.data, inTwentySeconds()) };
  },
  'erase.org': async ({ identity, query }) => ({
    body: await eraseOrg(portsOf(identity.orgId), identity, query.confirm, inTwentySeconds()),
  }),
});
