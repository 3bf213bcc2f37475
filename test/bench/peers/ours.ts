import type { APIGatewayProxyStructuredResultV2 as HttpResult } from 'aws-lambda';
import { dedupKeyOf, memoryIdOf } from '../../../lib/domain/dedup-key.ts';
import { OrgId } from '../../../lib/domain/ids.ts';
import type { Memory } from '../../../lib/domain/memory.ts';
import type { MemoryPage } from '../../../lib/domain/responses.ts';
import { categoryBody, chart } from '../../support/builders.ts';
import { apiEvent } from '../events.ts';
import { putMemories, stored } from '../seeds.ts';
import type { Mapping, Store } from './peer.ts';

export interface Ours extends Store {
  /** By the hints for a document of the merchant. */
  hintedAccountOf(merchant: string): Promise<string | undefined>;
}

const CONTEXT = { getRemainingTimeInMillis: () => 10_000 };

/** The functions as they are deployed, called as API Gateway and the extraction pipeline call them. */
export async function openOurs(
  handlers: typeof import('../handlers.ts'),
  memories: readonly Mapping[],
): Promise<Ours> {
  const org = 'org_bench';
  const orgId = OrgId.parse(org);
  await answered(200, handlers.accounts(apiEvent('accounts.replace', org, { body: chart(100) }), CONTEXT));
  await putMemories(
    handlers.documentClient(),
    memories.map(({ merchant, account }, n) => stored(org, categoryBody(merchant, account), n)),
  );
  return {
    async save({ merchant, account }) {
      const body = categoryBody(merchant, account);
      await answered(201, handlers.save(apiEvent('memories.save', org, { body }), CONTEXT));
    },
    async accountOf(merchant) {
      const id = memoryIdOf(orgId, dedupKeyOf({ scope: 'org' }, categoryBody(merchant)));
      const body = await answered(200, handlers.get(apiEvent('memories.get', org, { id }), CONTEXT));
      const { content } = JSON.parse(body) as Memory;
      return 'account' in content ? content.account.id : undefined;
    },
    async hintedAccountOf(merchant) {
      const { normalizationHints } = await handlers.retrieve({ orgId: org, merchants: [merchant] });
      const [hint] = normalizationHints;
      return hint?.field === 'category' ? hint.account.id : undefined;
    },
    async firstPage(size) {
      const event = apiEvent('memories.list', org, { query: `limit=${size}` });
      return (JSON.parse(await answered(200, handlers.list(event, CONTEXT))) as MemoryPage).items.length;
    },
    close: async () => undefined,
  };
}

async function answered(status: number, answer: Promise<HttpResult>): Promise<string> {
  const { statusCode, body = '' } = await answer;
  if (statusCode !== status) throw new Error(`Answered ${statusCode} in place of ${status}: ${body}`);
  return body;
}
