import { randomBytes } from 'node:crypto';
import {
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  type PutCommandInput,
  QueryCommand,
  type QueryCommandInput,
  type QueryCommandOutput,
} from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { CorrectionEvent } from '../domain/correction.ts';
import { causesWithout, type Erased, eventWithout, ownIdMark } from '../domain/erasure.ts';
import type { OrgId } from '../domain/ids.ts';
import type { ErasureHead, Erasures } from '../domain/ports.ts';
import { batchWrite, chunksOf, pauseBefore } from './batches.ts';
import { isConditionFailure, reading, storeFault, translated } from './faults.ts';
import { type Attributes, queryItems } from './queries.ts';
import { toVoteItem } from './vote-item.ts';

export interface ErasureStoreDeps {
  readonly client: DynamoDBDocumentClient;
  readonly memories: string;
  readonly events: string;
  /** Only where whole orgs are erased. */
  readonly accounts?: string;
}

/** Erasures lie beside the log: `x/head` with the org's secret, and one item under `x/` for each that was begun. */
export function erasureStore(orgId: OrgId, deps: ErasureStoreDeps): Erasures {
  const { client, memories, events, accounts } = deps;
  const getEntry = async (entry: string) => {
    const input = { TableName: events, Key: { orgId, entry }, ConsistentRead: true };
    return (await translated(client.send(new GetCommand(input)))).Item;
  };
  const putEntry = (item: Attributes, condition: Partial<PutCommandInput> = {}) =>
    client.send(new PutCommand({ TableName: events, Item: { orgId, ...item }, ...condition }));
  const head = async (): Promise<ErasureHead | undefined> => {
    const item = await getEntry(HEAD);
    return item && reading(events, `${orgId}/${HEAD}`, () => Head.parse(item));
  };

  const open = async (): Promise<ErasureHead> => {
    const standing = await head();
    if (standing !== undefined) return standing;
    const made = { secret: randomBytes(32).toString('base64url') };
    try {
      await putEntry({ entry: HEAD, ...made }, { ConditionExpression: 'attribute_not_exists(entry)' });
      return made;
    } catch (error) {
      // Another made it first, or it is one's own of which the reply was lost.
      const now = isConditionFailure(error) ? await head() : undefined;
      if (now !== undefined) return now;
      throw storeFault(error);
    }
  };

  return {
    orgId,
    head,
    open,

    async markOrg(at) {
      const { secret } = await open();
      await translated(putEntry({ entry: HEAD, secret, orgErasedAt: at }));
    },

    async progress(name) {
      const item = await getEntry(`x/${name}`);
      return item && reading(events, `${orgId}/x/${name}`, () => Progress.parse(item));
    },

    async keep(progress) {
      await translated(putEntry({ entry: `x/${progress.name}`, ...progress }));
    },

    async removeMemories(keys) {
      const requests = [...new Set(keys)].map((dedupKey) => ({
        DeleteRequest: { Key: { orgId, dedupKey } },
      }));
      await batchWrite(client, memories, requests);
    },

    async removeChart() {
      if (accounts === undefined) throw new RangeError('the table of the charts is not known here');
      const input = {
        TableName: accounts,
        KeyConditionExpression: 'orgId = :org',
        ExpressionAttributeValues: { ':org': orgId },
        ProjectionExpression: 'part',
        ConsistentRead: true,
      };
      const parts = (await queryItems(client, input)).map(({ part }) => part);
      // The head goes first, so that no reader finds a chart with parts missing.
      parts.sort((a, b) => Number(b === 'head') - Number(a === 'head'));
      await batchWrite(
        client,
        accounts,
        parts.map((part) => ({ DeleteRequest: { Key: { orgId, part } } })),
      );
    },

    async rewriteLog(person, after) {
      const page = await logPage(namingInput(events, orgId, person, after));
      const votes = page.items
        .map((item) => voteItemWithout(orgId, item, person))
        .filter((item) => item !== undefined);
      for (const lane of chunksOf(votes, LANE)) {
        await Promise.all(
          chunksOf(lane, BATCH).map((chunk) =>
            batchWrite(
              client,
              events,
              chunk.map((item) => ({ PutRequest: { Item: item } })),
            ),
          ),
        );
      }
      const ids = page.items.flatMap(({ entry, body }) => (body === undefined ? [] : [String(entry)]));
      let changed = 0;
      for (const chunk of chunksOf(ids, CONCURRENT)) {
        const rewritten = await Promise.all(chunk.map((entry) => rewriteEntry(entry, person)));
        changed += rewritten.filter((entry) => entry?.changed).length;
      }
      return { events: changed, votes: votes.length, ...page.next };
    },

    async rewriteEvent(person, eventId) {
      return (await rewriteEntry(`e/${eventId}`, person))?.event;
    },

    async removeLog(after) {
      const page = await logPage({ ...logInput(events, orgId, after), ProjectionExpression: 'entry' });
      const entries = page.items.map(({ entry }) => String(entry));
      await removeEntries(entries);
      const votes = entries.filter((entry) => entry.startsWith('v/')).length;
      return { events: entries.length - votes, votes, ...page.next };
    },

    async removeEvent(eventId, votes) {
      await removeEntries([`e/${eventId}`, ...votes.map((vote) => toVoteItem(vote).entry)]);
    },
  };

  async function logPage(input: QueryCommandInput) {
    const page: QueryCommandOutput = await translated(client.send(new QueryCommand(input)));
    const last: unknown = page.LastEvaluatedKey?.entry;
    return { items: page.Items ?? [], next: typeof last === 'string' ? { next: last } : {} };
  }

  async function removeEntries(entries: readonly string[]): Promise<void> {
    const requests = [...new Set(entries)].map((entry) => ({ DeleteRequest: { Key: { orgId, entry } } }));
    await batchWrite(client, events, requests);
  }

  /** On the body that was read, so that two erasures at once both get their person out of it. */
  async function rewriteEntry(entry: string, person: Erased): Promise<Rewritten | undefined> {
    for (let round = 0; ; round += 1) {
      await pauseBefore(round);
      const item = await getEntry(entry);
      if (item === undefined) return undefined;
      const { body, rewrites } = reading(events, `${orgId}/${entry}`, () => EventItem.parse(item));
      const event = reading(events, `${orgId}/${entry}`, () => CorrectionEvent.parse(JSON.parse(body)));
      const next = eventWithout(event, person);
      if (next === undefined) return { event, changed: false };
      try {
        const changed = { ...item, body: JSON.stringify(next), rewrites: (rewrites ?? 0) + 1 };
        await client.send(new PutCommand(rewriteInput(events, changed, rewrites)));
        return { event: next, changed: true };
      } catch (error) {
        if (!isConditionFailure(error)) throw storeFault(error);
      }
    }
  }
}

interface Rewritten {
  readonly event: CorrectionEvent;
  readonly changed: boolean;
}

/** One page of the log with a bound, so that a call is never long over its time. */
export function logInput(table: string, orgId: OrgId, after: string | undefined): QueryCommandInput {
  return {
    TableName: table,
    KeyConditionExpression: 'orgId = :org AND entry BETWEEN :from AND :to',
    // `e/` are events, `v/` votes; `w` is the letter after.
    ExpressionAttributeValues: {
      ':org': orgId,
      ':from': after === undefined ? 'e/' : `${after}!`,
      ':to': 'w',
    },
    ConsistentRead: true,
    Limit: PAGE,
  };
}

/** The same, with only what may name the person: their votes, events with their id in it, and causes that were theirs. */
export function namingInput(
  table: string,
  orgId: OrgId,
  person: Erased,
  after: string | undefined,
): QueryCommandInput {
  const input = logInput(table, orgId, after);
  return {
    ...input,
    FilterExpression: 'u = :user OR attribute_exists(y) OR contains(body, :user) OR contains(body, :own)',
    ExpressionAttributeValues: {
      ...input.ExpressionAttributeValues,
      ':user': person.userId,
      ':own': ownIdMark(person),
    },
  };
}

export function rewriteInput(table: string, item: Attributes, rewrites: number | undefined): PutCommandInput {
  return {
    TableName: table,
    Item: item,
    ...(rewrites === undefined
      ? { ConditionExpression: 'attribute_exists(entry) AND attribute_not_exists(rewrites)' }
      : { ConditionExpression: 'rewrites = :before', ExpressionAttributeValues: { ':before': rewrites } }),
  };
}

function voteItemWithout(orgId: OrgId, item: Attributes, person: Erased): Attributes | undefined {
  if (item.body !== undefined) return undefined;
  const { u, y = [] } = VoteMarks.parse(item);
  const causes = causesWithout(orgId, y, person);
  if (u !== person.userId && causes.length === y.length) return undefined;
  const { y: _, ...rest } = item;
  return { ...rest, u: u === person.userId ? person.alias : u, ...(causes.length > 0 && { y: [...causes] }) };
}

const HEAD = 'x/head';
const PAGE = 1000;
const CONCURRENT = 25;
const BATCH = 25;
/** Votes that are written at once. */
const LANE = 8 * BATCH;

const Head = z.lazy(() =>
  z.object({ secret: z.string().check(z.minLength(1)), orgErasedAt: z.exactOptional(z.int()) }),
);
const Progress = z.lazy(() =>
  z.object({
    name: z.string(),
    startedAt: z.int(),
    phase: z.string(),
    after: z.exactOptional(z.string()),
    counts: z.record(z.string(), z.int()),
    finishedAt: z.exactOptional(z.int()),
  }),
);
const EventItem = z.lazy(() => z.object({ body: z.string(), rewrites: z.optional(z.int()) }));
const VoteMarks = z.lazy(() => z.object({ u: z.string(), y: z.optional(z.array(z.string())) }));
