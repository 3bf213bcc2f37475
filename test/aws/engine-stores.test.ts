import { accountStore } from '../../lib/aws/account-store.ts';
import { correctionLog } from '../../lib/aws/correction-log.ts';
import { memoryStore } from '../../lib/aws/memory-store.ts';
import { TABLES } from '../../lib/aws/tables.ts';
import { ENGINES, startEngine } from '../support/engines.ts';
import { storesContract } from './stores.contract.ts';

for (const name of ENGINES) {
  storesContract(name, async () => {
    const { client, stop } = await startEngine(name);
    return {
      stores: (orgId) => ({
        memories: memoryStore(orgId, { client, table: TABLES.memories.name }),
        log: correctionLog(orgId, { client, table: TABLES.events.name }),
        accounts: accountStore(orgId, { client, table: TABLES.accounts.name }),
      }),
      close: stop,
    };
  });
}
