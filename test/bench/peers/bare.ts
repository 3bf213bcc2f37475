import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand, PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { CLIENT_BOUNDS } from '../../../lib/aws/clients.ts';
import { toItem } from '../../../lib/aws/memory-store.ts';
import { TABLES } from '../../../lib/aws/tables.ts';
import { dedupKeyOf } from '../../../lib/domain/dedup-key.ts';
import { categoryBody } from '../../support/builders.ts';
import { putMemories, stored } from '../seeds.ts';
import type { Mapping, Store } from './peer.ts';

/** One call each to the same tables, and nothing else: what is left is DynamoDB's protocol and what stands in for it. */
export async function openBare(memories: readonly Mapping[]): Promise<Store> {
  const org = 'org_bare';
  const { name: TableName, byStatus } = TABLES.memories;
  const client = DynamoDBDocumentClient.from(new DynamoDBClient(CLIENT_BOUNDS), {
    marshallOptions: { removeUndefinedValues: true },
  });
  const itemOf = ({ merchant, account }: Mapping) => stored(org, categoryBody(merchant, account));
  await putMemories(client, memories.map(itemOf));
  return {
    save: (mapping) =>
      client.send(new PutCommand({ TableName, Item: toItem(itemOf(mapping), 'c2VlZGVkIGZvciBh') })),
    async accountOf(merchant) {
      const Key = { orgId: org, dedupKey: dedupKeyOf({ scope: 'org' }, categoryBody(merchant)) };
      const { Item } = await client.send(new GetCommand({ TableName, Key, ConsistentRead: true }));
      return Item?.decided?.content?.account?.id as string | undefined;
    },
    async firstPage(size) {
      const { Items = [] } = await client.send(
        new QueryCommand({
          TableName,
          IndexName: byStatus.name,
          KeyConditionExpression: 'orgId = :org and begins_with(listKey, :active)',
          ExpressionAttributeValues: { ':org': org, ':active': 'active/' },
          ScanIndexForward: false,
          Limit: size,
        }),
      );
      return Items.length;
    },
    close: async () => client.destroy(),
  };
}
