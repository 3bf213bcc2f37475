import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { expect, it } from 'vitest';
import { accountStore } from '../../lib/aws/account-store.ts';
import { correctionLog } from '../../lib/aws/correction-log.ts';
import { memoryStore } from '../../lib/aws/memory-store.ts';
import { TABLES } from '../../lib/aws/tables.ts';
import { chart, MOMENT, ORG } from '../support/builders.ts';
import { ENGINES, startEngine } from '../support/engines.ts';
import { storesContract } from './stores.contract.ts';

for (const name of ENGINES) {
  it(`a replaced chart leaves nothing of the one before on ${name}`, async () => {
    const { client, stop } = await startEngine(name);
    const accounts = accountStore(ORG, { client, table: TABLES.accounts.name });
    await accounts.replace(chart(300), MOMENT);
    await Promise.all([accounts.replace(chart(300), MOMENT), accounts.replace(chart(300), MOMENT)]);
    await accounts.replace(chart(130), MOMENT);
    const { Items = [] } = await client.send(
      new QueryCommand({
        TableName: TABLES.accounts.name,
        KeyConditionExpression: 'orgId = :org',
        ExpressionAttributeValues: { ':org': ORG },
      }),
    );
    await stop();
    expect(Items.map(({ part }) => String(part).replace(/-.*\//, '/'))).toEqual([
      'head',
      'v0000004/000',
      'v0000004/001',
    ]);
  });

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
