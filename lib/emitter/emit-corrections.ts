import {
  EventBridgeClient,
  PutEventsCommand,
  type PutEventsRequestEntry,
  type PutEventsResultEntry,
} from '@aws-sdk/client-eventbridge';
import { CorrectionEvent, MAX_CLOCK_AHEAD } from '../domain/correction.ts';
import type { FieldError } from '../domain/errors.ts';

export { type CorrectionMeta, correctionFrom, type DocumentFields } from './correction-from.ts';

export interface EmitOptions {
  /** @default - a client of the surroundings' own settings, made once */
  readonly client?: Pick<EventBridgeClient, 'send'>;
  /** @default 'ai-memories' */
  readonly busName?: string;
  /** Who sends: the product's name. Never `ai-memories`, which is the service's own and is not listened to. */
  readonly source: string;
  /** How often one event is tried in all. @default 5 */
  readonly attempts?: number;
  /** The pause before the second try, doubled before each further one; the real one is anywhere below it. @default 100 */
  readonly firstPauseMillis?: number;
}

/** Why an event did not leave: it is not valid, it is too large, or the bus did not take it. */
export type UnsentReason = 'invalid' | 'too-large' | 'refused';

export interface Unsent {
  /** Its place among the events given. */
  readonly index: number;
  readonly reason: UnsentReason;
  /** What the bus said, where it was `refused`. */
  readonly code?: string;
  /** What is wrong, where it is `invalid`. */
  readonly errors?: readonly FieldError[];
}

export interface Emitted {
  /** The places of the events that the bus took, in order. */
  readonly sent: readonly number[];
  /** In order; nothing of these was taken, as far as the bus said. Sending one again is safe: its id makes it the same event. */
  readonly unsent: readonly Unsent[];
}

/**
 * Puts corrections on the service's bus. Every event is checked before the first one leaves, as the service would; what
 * is not valid stays behind and holds nothing else up. Entries the bus could not take now are sent again, and only they.
 *
 * Never throws for an event or for the bus: what was not sent is in the answer.
 *
 * @throws RangeError for a source that is the service's own.
 */
export async function emitCorrections(events: readonly unknown[], options: EmitOptions): Promise<Emitted> {
  if (options.source === OWN_SOURCE) throw new RangeError(`The source ${OWN_SOURCE} is the service's own.`);
  const checked = events.map((event, index) => check(event, index, options));
  const client = options.client ?? defaultClient();
  const sent: number[] = [];
  const unsent: Unsent[] = checked.flatMap((one) => ('unsent' in one ? [one.unsent] : []));
  const letters = checked.flatMap((one) => ('letter' in one ? [one.letter] : []));
  for (const batch of batchesOf(letters)) {
    const left = await sendBatch(client, batch, options);
    const failed = new Set(left.map(({ index }) => index));
    sent.push(...batch.flatMap(({ index }) => (failed.has(index) ? [] : [index])));
    unsent.push(...left);
  }
  return { sent, unsent: unsent.sort((a, b) => a.index - b.index) };
}

const OWN_SOURCE = 'ai-memories';
const DETAIL_TYPE = 'CorrectionRecorded';
const MAX_ENTRIES = 10;
/** Of all entries of a request. */
const MAX_BYTES = 256 * 1024;
/** Of one entry: what the bus writes around it must fit into a message of the service's queue too. */
const MAX_ENTRY_BYTES = 255 * 1024;

interface Letter {
  readonly index: number;
  readonly entry: PutEventsRequestEntry;
  readonly bytes: number;
}

/** What is checked is what leaves: the event as JSON has it. */
function check(
  event: unknown,
  index: number,
  { busName = OWN_SOURCE, source }: EmitOptions,
): { readonly letter: Letter } | { readonly unsent: Unsent } {
  const invalid = (errors: readonly FieldError[]) => ({
    unsent: { index, reason: 'invalid' as const, errors },
  });
  const Detail = asJson(event);
  if (Detail === undefined) return invalid([{ path: '', message: 'is not JSON' }]);
  const parsed = CorrectionEvent.safeParse(JSON.parse(Detail));
  if (!parsed.success) {
    return invalid(parsed.error.issues.map(({ path, message }) => ({ path: path.join('.'), message })));
  }
  if (Date.parse(parsed.data.occurredAt) > Date.now() + MAX_CLOCK_AHEAD) {
    return invalid([{ path: 'occurredAt', message: 'lies too far ahead' }]);
  }
  const entry = { EventBusName: busName, Source: source, DetailType: DETAIL_TYPE, Detail };
  const bytes = [source, DETAIL_TYPE, Detail].reduce((sum, part) => sum + Buffer.byteLength(part), 0);
  return bytes > MAX_ENTRY_BYTES
    ? { unsent: { index, reason: 'too-large' } }
    : { letter: { index, entry, bytes } };
}

function asJson(event: unknown): string | undefined {
  try {
    return JSON.stringify(event);
  } catch {
    return undefined;
  }
}

function batchesOf(letters: readonly Letter[]): readonly (readonly Letter[])[] {
  const batches: Letter[][] = [];
  let room = 0;
  for (const letter of letters) {
    const last = batches.at(-1);
    if (last === undefined || last.length === MAX_ENTRIES || letter.bytes > room) {
      batches.push([letter]);
      room = MAX_BYTES - letter.bytes;
    } else {
      last.push(letter);
      room -= letter.bytes;
    }
  }
  return batches;
}

/** Sends, and sends again only what failed; answers with what still did in the end. */
async function sendBatch(
  client: Pick<EventBridgeClient, 'send'>,
  batch: readonly Letter[],
  { attempts = 5, firstPauseMillis = 100 }: EmitOptions,
): Promise<readonly Unsent[]> {
  const given: Unsent[] = [];
  let left = batch;
  for (let attempt = 1; left.length > 0; attempt += 1) {
    const faults = await tryOnce(client, left);
    const again: Letter[] = [];
    left.forEach((letter, at) => {
      const fault = faults[at];
      if (fault === undefined) return;
      if (fault.passes && attempt < attempts) again.push(letter);
      else given.push({ index: letter.index, reason: 'refused', code: fault.code });
    });
    left = again;
    if (left.length > 0) {
      await new Promise((resolve) =>
        setTimeout(resolve, Math.random() * firstPauseMillis * 2 ** (attempt - 1)),
      );
    }
  }
  return given;
}

interface Fault {
  readonly code: string;
  /** Whether trying again can help. */
  readonly passes: boolean;
}

/** One call → what became of each entry; nothing where it was taken. */
async function tryOnce(
  client: Pick<EventBridgeClient, 'send'>,
  letters: readonly Letter[],
): Promise<readonly (Fault | undefined)[]> {
  try {
    const { Entries = [] } = await client.send(
      new PutEventsCommand({ Entries: letters.map(({ entry }) => entry) }),
    );
    return letters.map((_, at) => faultOf(Entries[at]));
  } catch (error) {
    // Nothing is known of any entry. Its id makes an event that was taken after all the same one the second time.
    const fault = { code: codeOf(error), passes: !isFinal(error) };
    return letters.map(() => fault);
  }
}

function faultOf(entry: PutEventsResultEntry | undefined): Fault | undefined {
  if (entry?.EventId !== undefined && entry.ErrorCode === undefined) return undefined;
  const code = entry?.ErrorCode ?? 'NoAnswer';
  return { code, passes: /throttl|internal|limitexceeded|unavailable|NoAnswer/i.test(code) };
}

/** What was never sent, as for want of a region, has no name but what is said of it. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  return error.name === 'Error' ? error.message : error.name;
}

/** What the caller got wrong stays wrong; everything else may pass. */
function isFinal(error: unknown): boolean {
  const status = (error as { $metadata?: { httpStatusCode?: number } } | null)?.$metadata?.httpStatusCode;
  const isThrottling = error instanceof Error && /throttl/i.test(error.name);
  return status !== undefined && status >= 400 && status < 500 && status !== 429 && !isThrottling;
}

let made: EventBridgeClient | undefined;
function defaultClient(): EventBridgeClient {
  made ??= new EventBridgeClient({});
  return made;
}
