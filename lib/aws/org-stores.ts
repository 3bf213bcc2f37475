import type { OrgId } from '../domain/ids.ts';
import type { AccountStore, CorrectionLog, MemoryStore } from '../domain/ports.ts';
import { accountStore } from './account-store.ts';
import { documentClient } from './clients.ts';
import { correctionLog } from './correction-log.ts';
import { memoryStore } from './memory-store.ts';

/** The three stores of one org over the process's one client, by the names of their tables. */
export function orgMemories(orgId: OrgId, table: string): MemoryStore {
  return memoryStore(orgId, { client: documentClient(), table });
}

export function orgLog(orgId: OrgId, table: string, keepDays?: number): CorrectionLog {
  return correctionLog(orgId, { client: documentClient(), table, keepDays });
}

export function orgAccounts(orgId: OrgId, table: string): AccountStore {
  return accountStore(orgId, { client: documentClient(), table });
}
