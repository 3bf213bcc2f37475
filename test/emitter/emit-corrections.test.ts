import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, describe, expect, it } from 'vitest';
import { type EmitOptions, emitCorrections } from '../../lib/emitter/emit-corrections.ts';
import { correctionEvent } from '../support/builders.ts';

const bus = mockClient(EventBridgeClient);
const options: EmitOptions = {
  client: new EventBridgeClient({ region: 'us-east-1' }),
  source: 'receipts',
  firstPauseMillis: 1,
};
const events = (count: number, overrides: Readonly<Record<string, unknown>> = {}) =>
  Array.from({ length: count }, (_, n) => correctionEvent({ eventId: `ev_${n}`, ...overrides }));

/** What each call carried: the ids of its events. */
const calls = () =>
  bus
    .commandCalls(PutEventsCommand)
    .map(({ args }) => (args[0].input.Entries ?? []).map(({ Detail }) => JSON.parse(Detail ?? '').eventId));
const took = (...codes: (string | undefined)[]) => ({
  FailedEntryCount: codes.filter(Boolean).length,
  Entries: codes.map((code) => (code ? { ErrorCode: code, ErrorMessage: code } : { EventId: 'x' })),
});
const takeAll = () =>
  bus.on(PutEventsCommand).callsFake((input) => took(...input.Entries.map(() => undefined)));

beforeEach(() => {
  bus.reset();
  takeAll();
});

describe('emitting corrections', () => {
  it('sends ten at a time, as they came, and says which the bus took', async () => {
    const { sent, unsent } = await emitCorrections(events(23), { ...options, busName: 'other' });
    expect(sent).toEqual(Array.from({ length: 23 }, (_, n) => n));
    expect(unsent).toEqual([]);
    expect(calls().map((ids) => ids.length)).toEqual([10, 10, 3]);
    expect(bus.commandCalls(PutEventsCommand)[0]?.args[0].input.Entries?.[0]).toEqual({
      EventBusName: 'other',
      Source: 'receipts',
      DetailType: 'CorrectionRecorded',
      Detail: JSON.stringify(events(1)[0]),
    });
  });

  it('splits at the size that the bus takes, counted in bytes', async () => {
    const long = { changeSet: { note: { from: 'ü'.repeat(60 * 1024) } } };
    const { sent } = await emitCorrections(events(5, long), options);
    expect(sent).toHaveLength(5);
    expect(calls().map((ids) => ids.length)).toEqual([2, 2, 1]);
  });

  it('keeps back what is too large for any call, and sends its neighbours', async () => {
    const [small, big] = [
      correctionEvent(),
      correctionEvent({ changeSet: { note: { to: 'x'.repeat(256 * 1024) } } }),
    ];
    const { sent, unsent } = await emitCorrections([big, small], options);
    expect(sent).toEqual([1]);
    expect(unsent).toEqual([{ index: 0, reason: 'too-large' }]);
  });

  it('keeps back what is not valid before anything leaves, with its fields', async () => {
    const circular: Record<string, unknown> = {};
    circular.self = circular;
    const ahead = correctionEvent({ occurredAt: new Date(Date.now() + 10 * 60_000).toISOString() });
    const { sent, unsent } = await emitCorrections(
      [{ ...correctionEvent(), subjectIds: [] }, correctionEvent(), circular, undefined, 7, ahead],
      options,
    );
    expect(sent).toEqual([1]);
    expect(unsent.map(({ index, reason }) => [index, reason])).toEqual([
      [0, 'invalid'],
      [2, 'invalid'],
      [3, 'invalid'],
      [4, 'invalid'],
      [5, 'invalid'],
    ]);
    expect(unsent[0]?.errors).toEqual([{ path: 'subjectIds', message: 'must name at least one document' }]);
    expect(calls()).toEqual([['ev_1']]);
  });

  it('sends again exactly the entries that failed, until they are taken', async () => {
    bus.reset();
    bus
      .on(PutEventsCommand)
      .resolvesOnce(took(undefined, 'ThrottlingException', undefined, 'InternalFailure'))
      .resolvesOnce(took('InternalFailure', undefined))
      .resolvesOnce(took(undefined));
    const { sent, unsent } = await emitCorrections(events(4), options);
    expect(calls()).toEqual([['ev_0', 'ev_1', 'ev_2', 'ev_3'], ['ev_1', 'ev_3'], ['ev_1']]);
    expect(sent).toEqual([0, 1, 2, 3]);
    expect(unsent).toEqual([]);
  });

  it('does not try again what the bus refuses for good', async () => {
    bus.reset();
    bus.on(PutEventsCommand).resolves(took('NotAuthorizedForSourceException', undefined));
    const { sent, unsent } = await emitCorrections(events(2), options);
    expect(calls()).toHaveLength(1);
    expect(sent).toEqual([1]);
    expect(unsent).toEqual([{ index: 0, reason: 'refused', code: 'NotAuthorizedForSourceException' }]);
  });

  it('gives up in the end and says so, and goes on with the next ten', async () => {
    bus.reset();
    bus
      .on(PutEventsCommand)
      .callsFake((input) =>
        took(...input.Entries.map(() => (input.Entries.length < 10 ? undefined : 'ThrottlingException'))),
      );
    const { sent, unsent } = await emitCorrections(events(12), { ...options, attempts: 3 });
    expect(sent).toEqual([10, 11]);
    expect(unsent).toHaveLength(10);
    expect(calls().map((ids) => ids.length)).toEqual([10, 10, 10, 2]);
  });

  it('sends again where the bus gave no answer, and not where the caller may not call', async () => {
    const denied = Object.assign(new Error('no'), {
      name: 'AccessDeniedException',
      $metadata: { httpStatusCode: 400 },
    });
    bus.reset();
    bus
      .on(PutEventsCommand)
      .rejectsOnce(new Error('socket hang up'))
      .resolvesOnce(took(undefined))
      .rejects(denied);
    expect(await emitCorrections(events(1), options)).toEqual({ sent: [0], unsent: [] });
    expect(await emitCorrections(events(1), options)).toEqual({
      sent: [],
      unsent: [{ index: 0, reason: 'refused', code: 'AccessDeniedException' }],
    });
    expect(calls()).toHaveLength(3);
  });

  it('treats an answer with too few entries as no answer for the rest', async () => {
    bus.reset();
    bus.on(PutEventsCommand).resolvesOnce(took(undefined)).resolvesOnce(took(undefined));
    expect((await emitCorrections(events(2), options)).sent).toEqual([0, 1]);
    expect(calls()).toEqual([['ev_0', 'ev_1'], ['ev_1']]);
  });

  it('calls nothing for nothing, and refuses the source that the service itself speaks as', async () => {
    expect(await emitCorrections([], options)).toEqual({ sent: [], unsent: [] });
    expect(calls()).toEqual([]);
    await expect(emitCorrections([], { ...options, source: 'ai-memories' })).rejects.toThrow(RangeError);
  });
});
