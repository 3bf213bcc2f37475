import type { PutEventsRequestEntry } from '@aws-sdk/client-eventbridge';
import * as z from 'zod/mini';
import type { OrgId } from '../domain/ids.ts';
import type { EventPublisher, Notice } from '../domain/ports.ts';
import { currentInvocation } from '../invocation.ts';
import { chunksOf, pauseBefore } from './batches.ts';
import type { JsonCall } from './json-call.ts';

export interface EventPublisherDeps {
  readonly client: JsonCall;
  readonly busName: string;
}

/** The `source` of what the service itself puts on the bus; its own rule never matches it. */
export const EVENT_SOURCE = 'ai-memories';

const MAX_ENTRIES = 10;
const ROUNDS = 3;
/** All that a bus which does not answer may cost the act that it is told of. */
const PATIENCE_MS = 1500;

/**
 * Notices of one org, sent with `orgId` in their detail. Never throws: what cannot be sent is one line of JSON on
 * stderr, with the types and the error codes, never the detail.
 */
export function eventPublisher(orgId: OrgId, { client, busName }: EventPublisherDeps): EventPublisher {
  return {
    async publish(notices) {
      const patience = AbortSignal.timeout(PATIENCE_MS);
      for (const group of chunksOf(notices, MAX_ENTRIES)) {
        try {
          const failed = await send(client, entriesOf(busName, orgId, group), patience);
          if (failed.length > 0) report(busName, orgId, failed);
        } catch (error) {
          const code = error instanceof Error ? error.name : 'unknown';
          report(
            busName,
            orgId,
            group.map(({ type }) => ({ type, code })),
          );
        }
      }
    },
  };
}

export function entriesOf(
  busName: string,
  orgId: OrgId,
  notices: readonly Notice[],
): PutEventsRequestEntry[] {
  const traceparent = currentInvocation()?.traceparent;
  const metadata = traceparent === undefined ? {} : { metadata: { traceparent } };
  return notices.map(({ type, detail }) => ({
    EventBusName: busName,
    Source: EVENT_SOURCE,
    DetailType: type,
    Detail: JSON.stringify({ ...detail, orgId, ...metadata }),
  }));
}

interface Failure {
  readonly type: string;
  readonly code: string;
}

const Reply = z.lazy(() =>
  z.object({
    FailedEntryCount: z._default(z.number(), 0),
    Entries: z._default(z.array(z.object({ ErrorCode: z.optional(z.string()) })), []),
  }),
);

/** Sends, and sends again only what failed; answers with what still did in the end. */
async function send(
  client: JsonCall,
  entries: readonly PutEventsRequestEntry[],
  patience: AbortSignal,
): Promise<readonly Failure[]> {
  let left = entries;
  let failures: readonly Failure[] = [];
  for (let round = 0; round < ROUNDS && left.length > 0; round += 1) {
    await pauseBefore(round);
    const { FailedEntryCount, Entries: results } = Reply.parse(
      await client('PutEvents', { Entries: left }, patience),
    );
    if (FailedEntryCount === 0) return [];
    const failed = left.flatMap((entry, n) => {
      const code = results[n]?.ErrorCode;
      return code === undefined ? [] : [{ entry, failure: { type: entry.DetailType ?? '', code } }];
    });
    left = failed.map(({ entry }) => entry);
    failures = failed.map(({ failure }) => failure);
  }
  return failures;
}

function report(bus: string, orgId: OrgId, failures: readonly Failure[]): void {
  console.error(JSON.stringify({ level: 'error', message: 'Notices were not sent.', bus, orgId, failures }));
}
