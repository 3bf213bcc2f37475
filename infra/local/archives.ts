import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { compilePattern } from './event-pattern.ts';
import { awsError, type HostResponse, jsonResponse } from './http-message.ts';
import { readJsonLines } from './json-lines.ts';
import type { ArchiveSpec } from './template.ts';

export interface Archives {
  /** Keeps an event of a bus in the archives that take it. */
  keep(busArn: string, event: ArchivedEvent): void;
  /** Answers `StartReplay` and `DescribeReplay`. Nothing for any other action. */
  answer(action: string, input: unknown): HostResponse | undefined;
}

export interface ArchivedEvent {
  readonly time: string;
  readonly [field: string]: unknown;
}

/** The archives of the template, each a file of one event a line. */
export function openArchives(
  directory: string,
  specs: readonly ArchiveSpec[],
  redeliver: (busArn: string, event: ArchivedEvent, ruleArns: readonly string[]) => void,
): Archives {
  mkdirSync(directory, { recursive: true });
  const archives = specs.map((spec) => ({
    ...spec,
    file: join(directory, `${spec.name}.jsonl`),
    takes: compilePattern(spec.pattern, spec.name),
  }));
  for (const { file, retentionDays } of archives) {
    const oldest = retentionDays === 0 ? 0 : Date.now() - retentionDays * 86_400_000;
    const kept = readJsonLines<ArchivedEvent>(file).filter(({ time }) => Date.parse(time) >= oldest);
    writeFileSync(file, kept.map((event) => `${JSON.stringify(event)}\n`).join(''));
  }
  const replays = new Map<string, Readonly<Record<string, unknown>>>();

  const start = (input: unknown): HostResponse => {
    const parsed = StartReplay.safeParse(input);
    if (!parsed.success) return awsError(400, 'ValidationException', z.prettifyError(parsed.error));
    const { ReplayName, EventSourceArn, EventStartTime, EventEndTime, Destination } = parsed.data;
    const archive = archives.find(({ arn }) => arn === EventSourceArn);
    if (!archive)
      return awsError(400, 'ResourceNotFoundException', `Archive ${EventSourceArn} does not exist.`);
    if (replays.has(ReplayName)) {
      return awsError(400, 'ResourceAlreadyExistsException', `Replay ${ReplayName} already exists.`);
    }
    if (Destination.Arn !== archive.busArn) {
      return awsError(400, 'ValidationException', 'The destination must be the bus that was archived.');
    }
    for (const event of readJsonLines<ArchivedEvent>(archive.file)) {
      const at = Date.parse(event.time) / 1000;
      if (at < EventStartTime || at > EventEndTime) continue;
      redeliver(archive.busArn, { ...event, 'replay-name': ReplayName }, Destination.FilterArns);
    }
    replays.set(ReplayName, { ReplayName, EventSourceArn, EventStartTime, EventEndTime, State: 'COMPLETED' });
    return jsonResponse(200, {
      ReplayArn: `${archive.arn.replace(':archive/', ':replay/')}`,
      State: 'STARTING',
    });
  };

  return {
    keep(busArn, event) {
      for (const archive of archives) {
        if (archive.busArn === busArn && archive.takes(event)) {
          appendFileSync(archive.file, `${JSON.stringify(event)}\n`);
        }
      }
    },
    answer(action, input) {
      if (action === 'StartReplay') return start(input);
      if (action !== 'DescribeReplay') return undefined;
      const name = z.looseObject({ ReplayName: z.string() }).safeParse(input).data?.ReplayName ?? '';
      const replay = replays.get(name);
      if (!replay) return awsError(400, 'ResourceNotFoundException', `Replay ${name} does not exist.`);
      return jsonResponse(200, replay);
    },
  };
}

const StartReplay = z.looseObject({
  ReplayName: z.string().min(1),
  EventSourceArn: z.string(),
  // Seconds, as the protocol has times.
  EventStartTime: z.number(),
  EventEndTime: z.number(),
  Destination: z.looseObject({ Arn: z.string(), FilterArns: z.array(z.string()).default([]) }),
});
