import type { OrgId } from '../domain/ids.ts';
import type { Runs } from '../lambda/http.ts';
import { archiveMemory } from '../operations/archive.ts';
import { resolvePhrase } from '../operations/chart.ts';
import { explainMemory, explainRequest } from '../operations/explain.ts';
import { getMemory } from '../operations/find-memory.ts';
import { listMemories } from '../operations/list.ts';
import type { OrgPorts } from '../operations/ports-of-org.ts';
import { assistantContext } from '../operations/retrieve.ts';
import { reviewMemory } from '../operations/review.ts';
import { saveMemory } from '../operations/save.ts';

/** Every operation that a tool stands for, run in one process. */
export function memoryRuns(portsOf: (orgId: OrgId) => OrgPorts): Runs {
  return {
    'memories.save': async ({ identity, body }) => ({
      body: await saveMemory(portsOf(identity.orgId), identity, body),
    }),
    'memories.list': async ({ identity, query }) => ({
      body: await listMemories(portsOf(identity.orgId), identity, query),
    }),
    'memories.get': async ({ identity, id }) => ({
      body: await getMemory(portsOf(identity.orgId), identity, id),
    }),
    'memories.archive': async ({ identity, id, body }) => ({
      body: await archiveMemory(portsOf(identity.orgId), identity, id, body),
    }),
    'memories.review': async ({ identity, id, body }) => ({
      body: await reviewMemory(portsOf(identity.orgId), identity, id, body),
    }),
    'memories.evidence': async ({ identity, id }) => ({
      body: await explainMemory(portsOf(identity.orgId), identity, id),
    }),
    'memories.explain': async ({ identity, query }) => ({
      body: await explainRequest(portsOf(identity.orgId), identity, query),
    }),
    'memories.context': async ({ identity, body }) => ({
      body: await assistantContext(portsOf(identity.orgId), identity, body),
    }),
    'accounts.resolve': async ({ identity, query }) => ({
      body: await resolvePhrase(portsOf(identity.orgId), query),
    }),
  };
}
