import { Buffer } from 'node:buffer';
import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import * as z from 'zod/mini';
import { CorrectionEvent } from '../domain/correction.ts';
import { MemoryError } from '../domain/errors.ts';
import { EVENTS } from '../routes.ts';
import { type Deadline, withinTime } from './deadline.ts';
import { log } from './log.ts';
import { measurePromotion } from './measures.ts';
import { emit } from './metrics.ts';
import { observed, within } from './observed.ts';
import { parse } from './parse.ts';
import { parseStrictJson } from './strict-json.ts';

/** What a bad event leaves behind: its body as it came, and why it was refused. */
export interface DeadLetter {
  readonly body: string;
  readonly reason: string;
}

interface Effects {
  readonly run: (event: CorrectionEvent) => Promise<unknown>;
  readonly park: (letter: DeadLetter) => Promise<void>;
}

/**
 * SQS records of bus events → one correction each. A bad one is parked at once with its reason, one that failed is
 * reported and comes again, and so does one that time ran out for; none holds up its neighbours.
 */
export function correctionBatch({
  run,
  park,
}: Effects): (event: SQSEvent, context?: Deadline) => Promise<SQSBatchResponse> {
  return async ({ Records }, context) =>
    observed(context, undefined, async () => {
      const failures = await Promise.all(
        Records.map((record) =>
          within({ fields: { message_id: record.messageId }, xrayHeader: traceOf(record) }, () =>
            withinTime(context, take(record, run, park)).catch((error: unknown) => failed(record, error)),
          ),
        ),
      );
      return {
        batchItemFailures: failures.flatMap((itemIdentifier) => (itemIdentifier ? [{ itemIdentifier }] : [])),
      };
    });
}

const traceOf = (record: SQSRecord) => record.attributes?.AWSTraceHeader;

async function take(
  record: SQSRecord,
  run: Effects['run'],
  park: Effects['park'],
): Promise<string | undefined> {
  try {
    const event = parseRecord(record.body);
    const promoted = await within({ fields: { org_id: event.orgId, event_id: event.eventId } }, () =>
      run(event),
    );
    if (Reused.safeParse(promoted).success) {
      log('WARN', 'the event id is that of another correction, which alone counts', {
        org_id: event.orgId,
        event_id: event.eventId,
      });
    }
    measurePromotion(promoted, event.orgId, event.occurredAt, Date.now());
    return undefined;
  } catch (error) {
    if (!isBadEvent(error)) return failed(record, error);
    const reason = reasonOf(error);
    log('WARN', 'correction refused', { reason });
    try {
      await park({ body: record.body, reason });
      emit({ refused: 1 }, { operation: 'promote' }, error.code);
      return undefined;
    } catch (parkError) {
      return failed(record, parkError);
    }
  }
}

function failed(record: SQSRecord, error: unknown): string {
  log('ERROR', 'correction failed, will come again', { error });
  return record.messageId;
}

const MAX_EVENT_KEYS = 5000;
/** What the bus takes at the most; one item of the log holds it. */
const MAX_EVENT_BYTES = 256 * 1024;

function parseRecord(body: string): CorrectionEvent {
  if (Buffer.byteLength(body, 'utf8') > MAX_EVENT_BYTES) {
    throw new MemoryError('too-large', `The event is larger than ${MAX_EVENT_BYTES} bytes.`);
  }
  const envelope = parse(Envelope, parseStrictJson(body, MAX_EVENT_KEYS));
  return parse(CorrectionEvent, envelope.detail);
}

const Envelope = z.lazy(() =>
  z.looseObject({
    source: z
      .string()
      .check(z.refine((source) => source !== EVENTS.source, { error: 'must not be the service itself' })),
    'detail-type': z.literal(EVENTS.correctionDetailType),
    detail: z.record(z.string(), z.unknown()),
  }),
);

const Reused = z.lazy(() => z.object({ reused: z.literal(true) }));

const BAD = new Set([
  'too-large',
  'invalid-request',
  'invalid-json',
  'duplicate-key',
  'too-deep',
  'too-many-keys',
]);

function isBadEvent(error: unknown): error is MemoryError {
  return error instanceof MemoryError && BAD.has(error.code);
}

function reasonOf(error: MemoryError): string {
  const fields = error.errors.map(({ path, message }) => `${path} ${message}`).join('; ');
  return `${error.code}: ${fields || error.message}`.slice(0, 500);
}
