import {
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  type PutCommandInput,
  type QueryCommandInput,
} from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { CorrectionEvent } from '../domain/correction.ts';
import type { DedupKey, Millis, OrgId } from '../domain/ids.ts';
import type { CorrectionLog } from '../domain/ports.ts';
import type { Vote } from '../domain/votes.ts';
import { chunksOf } from './batches.ts';
import { isConditionFailure, reading, storeFault, translated } from './faults.ts';
import { queryItems } from './queries.ts';
import { TABLES } from './tables.ts';
import { fromVoteItem, toVoteItem, votePrefix } from './vote-item.ts';

export interface CorrectionLogDeps {
  readonly client: DynamoDBDocumentClient;
  readonly table: string;
  /** Entries may be removed so many days after their time. @default - never */
  readonly keepDays?: number | undefined;
}

const CONCURRENT_CASTS = 10;

/** The learning log of one org: events under `e/`, votes under `v/`. */
export function correctionLog(orgId: OrgId, { client, table, keepDays }: CorrectionLogDeps): CorrectionLog {
  return {
    orgId,

    async record(event, receivedAt) {
      try {
        await client.send(
          new PutCommand(
            expiring(recordInput(table, orgId, event, receivedAt), Date.parse(event.occurredAt), keepDays),
          ),
        );
        return { event, known: false };
      } catch (error) {
        if (!isConditionFailure(error)) throw storeFault(error);
        const body = bodyIn(error) ?? (await storedBody(event.eventId));
        return { event: eventOf(table, orgId, eventEntry(event.eventId), body), known: true };
      }
    },

    async cast(votes) {
      for (const chunk of chunksOf(votes, CONCURRENT_CASTS)) {
        const puts = chunk.map((vote) =>
          client.send(new PutCommand(expiring(castInput(table, orgId, vote), vote.at, keepDays))),
        );
        await translated(Promise.all(puts));
      }
    },

    async newestVotes(range, limit) {
      const items = await queryItems(client, votesInput(table, orgId, range), limit);
      return items.map((item) => reading(table, `${orgId}/${item.entry}`, () => fromVoteItem(range, item)));
    },

    async events(after, limit) {
      const wanted = limit + (after === undefined ? 1 : 2);
      const read = await queryItems(client, eventsInput(table, orgId, after), wanted);
      const items = read.filter((item) => after === undefined || item.entry !== eventEntry(after));
      const events = items.slice(0, limit).map((item) => eventOf(table, orgId, item.entry, item.body));
      const last = events.at(-1);
      return items.length > limit && last !== undefined ? { events, next: last.eventId } : { events };
    },
  };

  async function storedBody(eventId: string): Promise<unknown> {
    const Key = { orgId, entry: eventEntry(eventId) };
    const { Item } = await translated(
      client.send(new GetCommand({ TableName: table, Key, ConsistentRead: true })),
    );
    return Item?.body;
  }
}

/** The body is one string, so that nothing a caller wrote is ever taken for structure by the client. */
export function recordInput(
  table: string,
  orgId: OrgId,
  event: CorrectionEvent,
  receivedAt: Millis,
): PutCommandInput {
  if (event.orgId !== orgId) throw new Error('An event of another org cannot be recorded here.');
  return {
    TableName: table,
    Item: { orgId, entry: eventEntry(event.eventId), body: JSON.stringify(event), receivedAt },
    ConditionExpression: 'attribute_not_exists(entry)',
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  };
}

/** The same put, of an item that names its end. An event and its votes end together. */
export function expiring(input: PutCommandInput, at: Millis, keepDays: number | undefined): PutCommandInput {
  if (keepDays === undefined) return input;
  const expiresAt = Math.ceil(at / 1000) + keepDays * 86_400;
  return { ...input, Item: { ...input.Item, [TABLES.events.expiresAt]: expiresAt } };
}

export function castInput(table: string, orgId: OrgId, vote: Vote): PutCommandInput {
  return { TableName: table, Item: { orgId, ...toVoteItem(vote) } };
}

export function votesInput(table: string, orgId: OrgId, range: DedupKey): QueryCommandInput {
  return {
    TableName: table,
    KeyConditionExpression: 'orgId = :org AND begins_with(entry, :prefix)',
    ExpressionAttributeValues: { ':org': orgId, ':prefix': votePrefix(range) },
    ScanIndexForward: false,
    ConsistentRead: true,
  };
}

/** `BETWEEN` takes both ends in; the event at `after` itself is left out by the reader. */
export function eventsInput(table: string, orgId: OrgId, after: string | undefined): QueryCommandInput {
  return {
    TableName: table,
    KeyConditionExpression: 'orgId = :org AND entry BETWEEN :from AND :to',
    // `0` is the character after the slash.
    ExpressionAttributeValues: { ':org': orgId, ':from': eventEntry(after ?? ''), ':to': 'e0' },
    ConsistentRead: true,
  };
}

const eventEntry = (eventId: string) => `e/${eventId}`;

function eventOf(table: string, orgId: OrgId, entry: unknown, body: unknown): CorrectionEvent {
  return reading(table, `${orgId}/${entry}`, () => CorrectionEvent.parse(JSON.parse(z.string().parse(body))));
}

// The old item of a failed condition comes as it is on the wire, which the document client leaves alone.
const FailedOn = z.lazy(() => z.object({ Item: z.object({ body: z.object({ S: z.string() }) }) }));

const bodyIn = (error: unknown): string | undefined => FailedOn.safeParse(error).data?.Item.body.S;
