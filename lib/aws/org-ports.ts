import type { OrgId } from '../domain/ids.ts';
import { eventBridgeClient } from './clients.ts';
import { eventPublisher } from './event-publisher.ts';
import { orgAccounts, orgLog, orgMemories } from './org-stores.ts';

export interface OrgResources {
  readonly memories: string;
  readonly events: string;
  readonly accounts: string;
  readonly bus: string;
}

/** All that a decision needs, for one org at a time, by the names of the tables and the bus. */
export function orgPorts({ memories, events, accounts, bus }: OrgResources) {
  return (orgId: OrgId) => ({
    memories: orgMemories(orgId, memories),
    log: orgLog(orgId, events),
    accounts: orgAccounts(orgId, accounts),
    publisher: eventPublisher(orgId, { client: eventBridgeClient(), busName: bus }),
    clock: { now: Date.now },
  });
}
