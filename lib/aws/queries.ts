import { type DynamoDBDocumentClient, QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import { MemoryError } from '../domain/errors.ts';
import { translated } from './faults.ts';

export type Attributes = Readonly<Record<string, unknown>>;

/**
 * The first `wanted` items of a query, over as many pages as it takes: a page is cut at 1 MB, and one without items is
 * not the end while it has a `LastEvaluatedKey`.
 *
 * @throws MemoryError `unavailable` where it goes on for more pages than anything here has.
 */
export async function queryItems(
  client: DynamoDBDocumentClient,
  input: Omit<QueryCommandInput, 'Limit' | 'ExclusiveStartKey'>,
  wanted = Number.POSITIVE_INFINITY,
): Promise<readonly Attributes[]> {
  const items: Attributes[] = [];
  let start: QueryCommandInput['ExclusiveStartKey'];
  for (let pages = 0; items.length < wanted; pages += 1) {
    if (pages === MAX_PAGES) throw new MemoryError('unavailable', 'The store does not come to an end.');
    const left = wanted - items.length;
    const page = await translated(
      client.send(
        new QueryCommand({
          ...input,
          ...(Number.isFinite(left) && { Limit: left }),
          ...(start !== undefined && { ExclusiveStartKey: start }),
        }),
      ),
    );
    items.push(...(page.Items ?? []));
    start = page.LastEvaluatedKey;
    if (start === undefined) break;
  }
  return items;
}

const MAX_PAGES = 50;
