import { EventBridgeClient, PutEventsCommand, type PutEventsCommandInput } from '@aws-sdk/client-eventbridge';
import { mockClient } from 'aws-sdk-client-mock';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { eventPublisher } from '../../lib/aws/event-publisher.ts';
import type { Notice } from '../../lib/domain/ports.ts';
import { ORG } from '../support/builders.ts';

const client = new EventBridgeClient({ region: 'eu-west-1' });
const bus = mockClient(client);
const call = (_action: string, input: object, abortSignal?: AbortSignal) =>
  client.send(new PutEventsCommand(input as PutEventsCommandInput), abortSignal ? { abortSignal } : {});
const publisher = eventPublisher(ORG, { client: call, busName: 'the-bus' });
const notices = (count: number): Notice[] =>
  Array.from({ length: count }, (_, n) => ({
    type: 'MemorySaved',
    detail: { memoryId: `m${n}`, text: 'secret' },
  }));
const ok = (count: number) => ({
  FailedEntryCount: 0,
  Entries: Array.from({ length: count }, () => ({ EventId: 'e' })),
});
const sent = () => bus.commandCalls(PutEventsCommand).map(({ args }) => args[0].input.Entries ?? []);

describe('notices on the bus', () => {
  const errors = vi.spyOn(console, 'error');
  const lines = () => errors.mock.calls.map(([line]) => JSON.parse(String(line)));

  beforeEach(() => {
    bus.reset();
    errors.mockReset().mockImplementation(() => undefined);
  });
  afterEach(() => bus.reset());

  it('carry their source, their type and their org', async () => {
    bus.on(PutEventsCommand).resolves(ok(1));
    await publisher.publish([{ type: 'MemoryReviewed', detail: { memoryId: 'm', orgId: 'forged' } }]);
    expect(sent()).toEqual([
      [
        {
          EventBusName: 'the-bus',
          Source: 'ai-memories',
          DetailType: 'MemoryReviewed',
          Detail: JSON.stringify({ memoryId: 'm', orgId: ORG }),
        },
      ],
    ]);
    expect(errors).not.toHaveBeenCalled();
  });

  it('are sent in groups of at most ten, and none without a notice', async () => {
    bus.on(PutEventsCommand).callsFake((input) => ok(input.Entries.length));
    await publisher.publish(notices(23));
    await publisher.publish([]);
    expect(sent().map((entries) => entries.length)).toEqual([10, 10, 3]);
  });

  it('are sent again only where they failed', async () => {
    bus
      .on(PutEventsCommand)
      .resolvesOnce({
        FailedEntryCount: 1,
        Entries: [{ EventId: 'a' }, { ErrorCode: 'InternalFailure' }, { EventId: 'c' }],
      })
      .resolvesOnce(ok(1));
    await publisher.publish(notices(3));
    expect(sent()[1]?.map(({ Detail }) => JSON.parse(Detail ?? '').memoryId)).toEqual(['m1']);
    expect(errors).not.toHaveBeenCalled();
  });

  it('that keep failing are given up after three rounds, with one line that has no content', async () => {
    bus
      .on(PutEventsCommand)
      .resolves({ FailedEntryCount: 1, Entries: [{ ErrorCode: 'ThrottlingException' }] });
    await publisher.publish(notices(1));
    expect(sent()).toHaveLength(3);
    expect(lines()).toEqual([
      {
        level: 'error',
        message: 'Notices were not sent.',
        bus: 'the-bus',
        orgId: ORG,
        failures: [{ type: 'MemorySaved', code: 'ThrottlingException' }],
      },
    ]);
  });

  it('never throw, and a group that cannot be sent does not hold up the next', async () => {
    const gone = Object.assign(new Error('no'), { name: 'ResourceNotFoundException' });
    bus.on(PutEventsCommand).rejectsOnce(gone).resolves(ok(2));
    await publisher.publish(notices(12));
    expect(sent().map((entries) => entries.length)).toEqual([10, 2]);
    expect(lines()).toMatchObject([{ failures: Array(10).fill({ type: 'MemorySaved', code: gone.name }) }]);
    const circular: Record<string, unknown> = {};
    circular['self'] = circular;
    await publisher.publish([{ type: 'MemorySaved', detail: circular }]);
    expect(lines()).toHaveLength(2);
  });
});
