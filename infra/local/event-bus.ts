import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { compilePattern } from './event-pattern.ts';
import { awsError, type HostResponse, jsonResponse } from './http-message.ts';
import type { Surroundings } from './intrinsics.ts';
import type { BusSpec, RuleSpec } from './template.ts';

export interface EventBuses {
  /** Answers `PutEvents`, once every event is where its rules send it. */
  putEvents(input: unknown): HostResponse;
}

/** Sends events to the targets of the rules that they match. */
export function eventBuses(
  specs: { readonly buses: readonly BusSpec[]; readonly rules: readonly RuleSpec[] },
  here: Surroundings,
  deliver: (targetArn: string, event: string) => void,
): EventBuses {
  const rules = specs.rules.map((rule) => ({ ...rule, matches: compilePattern(rule.pattern, rule.name) }));
  const busNamed = (given: string): BusSpec | undefined =>
    specs.buses.find((bus) => bus.name === given || bus.arn === given);

  const put = (entry: Entry): EntryResult => {
    const fault = faultOf(entry);
    if (fault) return fault;
    // Nobody of ours listens on the default bus; an event is as welcome there as it is in AWS.
    const name = entry.EventBusName ?? 'default';
    const bus = busNamed(name);
    if (!bus && name !== 'default') {
      return { ErrorCode: 'ResourceNotFoundException', ErrorMessage: `Event bus ${name} does not exist.` };
    }
    const id = randomUUID();
    const event = {
      version: '0',
      id,
      'detail-type': entry.DetailType,
      source: entry.Source,
      account: here.accountId,
      time: new Date(entry.Time === undefined ? Date.now() : entry.Time * 1000)
        .toISOString()
        .replace(/\.\d+Z$/, 'Z'),
      region: here.region,
      resources: entry.Resources ?? [],
      detail: JSON.parse(entry.Detail ?? '{}') as unknown,
    };
    for (const rule of rules) {
      if (bus && (rule.bus === bus.name || rule.bus === bus.arn) && rule.matches(event)) {
        for (const arn of rule.targetArns) deliver(arn, JSON.stringify(event));
      }
    }
    return { EventId: id };
  };

  return {
    putEvents: (input) => {
      const parsed = PutEventsInput.safeParse(input);
      if (!parsed.success) return awsError(400, 'ValidationException', z.prettifyError(parsed.error));
      const entries = parsed.data.Entries;
      if (entries.reduce((sum, entry) => sum + sizeOf(entry), 0) > MAX_BYTES) {
        return awsError(
          400,
          'ValidationException',
          'Total size of the entries in the request is over the limit.',
        );
      }
      const results = entries.map(put);
      return jsonResponse(200, {
        FailedEntryCount: results.filter((result) => 'ErrorCode' in result).length,
        Entries: results,
      });
    },
  };
}

/** The buses that a `PutEvents` request names. */
export function busesIn(input: unknown): readonly string[] {
  const parsed = PutEventsInput.safeParse(input);
  const names = parsed.data?.Entries.map((entry) => entry.EventBusName ?? 'default') ?? [];
  return [...new Set(names.map((name) => name.slice(name.lastIndexOf('/') + 1)))];
}

type EntryResult =
  | { readonly EventId: string }
  | { readonly ErrorCode: string; readonly ErrorMessage: string };

const MAX_BYTES = 256 * 1024;

const Entry = z.looseObject({
  Source: z.string().optional(),
  DetailType: z.string().optional(),
  Detail: z.string().optional(),
  EventBusName: z.string().optional(),
  Time: z.number().optional(),
  Resources: z.array(z.string()).optional(),
});
type Entry = z.infer<typeof Entry>;
const PutEventsInput = z.looseObject({ Entries: z.array(Entry).min(1).max(10) });

function faultOf(entry: Entry): EntryResult | undefined {
  for (const name of ['Source', 'DetailType', 'Detail'] as const) {
    if (entry[name] === undefined || entry[name] === '') {
      return {
        ErrorCode: 'InvalidArgument',
        ErrorMessage: `Parameter ${name} is not valid. Reason: ${name} is a required argument.`,
      };
    }
  }
  if (entry.Source?.startsWith('aws.')) {
    return { ErrorCode: 'NotAuthorizedForSourceException', ErrorMessage: 'Not authorized for the source.' };
  }
  try {
    const detail: unknown = JSON.parse(entry.Detail ?? '');
    if (typeof detail === 'object' && detail !== null && !Array.isArray(detail)) return undefined;
  } catch {
    // Not JSON is answered like JSON that is no object.
  }
  return { ErrorCode: 'MalformedDetail', ErrorMessage: 'Detail is malformed.' };
}

/** As AWS counts: the time is 14 bytes, the rest as UTF-8. */
function sizeOf(entry: Entry): number {
  const texts = [entry.Source, entry.DetailType, entry.Detail, ...(entry.Resources ?? [])];
  return texts.reduce<number>(
    (sum, text) => sum + Buffer.byteLength(text ?? ''),
    entry.Time === undefined ? 0 : 14,
  );
}
