import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import type { ArchivedEvent } from './archives.ts';
import type { Facts } from './conditions.ts';
import { compilePattern } from './event-pattern.ts';
import { awsError, type HostResponse, jsonResponse } from './http-message.ts';
import type { Surroundings } from './intrinsics.ts';
import type { BusSpec, RuleSpec } from './template.ts';

export interface EventBuses {
  /** Answers `PutEvents`, once every event is where its rules send it. */
  putEvents(input: unknown): HostResponse;
  /** Sends an event that was on the bus before to its rules, or to those named. */
  redeliver(busArn: string, event: ArchivedEvent, ruleArns: readonly string[]): void;
}

/** Sends events to the targets of the rules that they match. */
export function eventBuses(
  specs: { readonly buses: readonly BusSpec[]; readonly rules: readonly RuleSpec[] },
  here: Surroundings,
  deliver: (targetArn: string, event: string) => void,
  archive: (busArn: string, event: ArchivedEvent) => void = () => {},
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
    if (bus) {
      archive(bus.arn, event);
      send(bus, event);
    }
    return { EventId: id };
  };

  const send = (bus: BusSpec, event: ArchivedEvent, ruleArns: readonly string[] = []): void => {
    for (const rule of rules) {
      if (rule.bus !== bus.name && rule.bus !== bus.arn) continue;
      if (ruleArns.length > 0 && !ruleArns.includes(rule.arn)) continue;
      if (rule.matches(event)) for (const arn of rule.targetArns) deliver(arn, JSON.stringify(event));
    }
  };

  return {
    redeliver: (busArn, event, ruleArns) => {
      const bus = busNamed(busArn);
      if (bus) send(bus, event, ruleArns);
    },
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

/** The buses that a `PutEvents` request names, and what a policy may ask of each entry. */
export function entriesIn(input: unknown): readonly { readonly bus: string; readonly facts: Facts }[] {
  const entries = PutEventsInput.safeParse(input).data?.Entries ?? [];
  return entries.map(({ EventBusName: name = 'default', Source, DetailType }) => ({
    bus: name.slice(name.lastIndexOf('/') + 1),
    facts: {
      'events:source': Source === undefined ? [] : [Source],
      'events:detail-type': DetailType === undefined ? [] : [DetailType],
    },
  }));
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
