import { describe, expect, it, vi } from 'vitest';
import { MemoryError } from '../../lib/domain/errors.ts';
import { correctionBatch, type DeadLetter } from '../../lib/lambda/batch.ts';
import { correctionEvent } from '../support/builders.ts';

const envelope = (detail: unknown, more: Record<string, unknown> = {}) =>
  JSON.stringify({ source: 'receipts', 'detail-type': 'CorrectionRecorded', detail, ...more });

async function deliver(
  bodies: readonly string[],
  run: (id: string) => void = () => {},
  parking: 'works' | 'fails' = 'works',
) {
  const taken: string[] = [];
  const parked: DeadLetter[] = [];
  const handler = correctionBatch({
    run: async ({ eventId }) => {
      run(eventId);
      taken.push(eventId);
    },
    park: async (letter) => {
      if (parking === 'fails') throw new Error('no queue');
      parked.push(letter);
    },
  });
  const Records = bodies.map((body, index) => ({ messageId: `m${index}`, body }));
  const { batchItemFailures } = await handler({ Records } as unknown as Parameters<typeof handler>[0]);
  return { taken, parked, failed: batchItemFailures.map(({ itemIdentifier }) => itemIdentifier) };
}

describe('a batch of corrections', () => {
  const good = correctionEvent();

  it.each<[string, string, RegExp]>([
    ['an unknown type', envelope({ ...good, type: 'guess' }), /type/],
    ['no orgId', envelope({ ...good, orgId: undefined }), /orgId is required/],
    ['no documents', envelope({ ...good, subjectIds: [] }), /subjectIds/],
    ['a detail that is a string', envelope(JSON.stringify(good)), /detail/],
    ['another detail type', envelope(good, { 'detail-type': 'Other' }), /detail-type/],
    ['its own source', envelope(good, { source: 'ai-memories' }), /source/],
    ['a 30 February', envelope({ ...good, occurredAt: '2026-02-30T00:00:00Z' }), /occurredAt/],
    ['no offset', envelope({ ...good, occurredAt: '2026-02-20T00:00:00' }), /occurredAt/],
    ['a second 60', envelope({ ...good, occurredAt: '2026-02-20T00:00:60Z' }), /occurredAt/],
    ['year 9999', envelope({ ...good, occurredAt: '9999-02-20T00:00:00Z' }), /occurredAt/],
    ['an unknown field', envelope({ ...good, status: 'active' }), /status/],
    [
      'a prototype inside',
      envelope(good).replace('"changeSet":{', '"changeSet":{"__proto__":{"from":1},'),
      /./,
    ],
    [
      'a constructor inside',
      envelope(good).replace('"changeSet":{', '"changeSet":{"constructor":{"name":"Set"},'),
      /./,
    ],
    ['a key twice', envelope(good).replace('"orgId":', '"orgId":"org_x","orgId":'), /duplicate-key/],
    ['a tag character', envelope({ ...good, context: { merchant: 'Vercel\u{e0041}' } }), /merchant/],
    ['no JSON', '{"a":', /invalid-json/],
    ['300 kB', envelope({ ...good, changeSet: { notes: { to: 'x'.repeat(300_000) } } }), /too-large/],
  ])('parks %s with its reason, and takes its neighbours', async (_, body, reason) => {
    const { taken, parked, failed } = await deliver([
      envelope(good),
      body,
      envelope({ ...good, eventId: 'ev_2' }),
    ]);
    expect(taken).toEqual(['ev_1', 'ev_2']);
    expect(failed).toEqual([]);
    expect(parked).toMatchObject([{ body }]);
    expect(parked[0]?.reason).toMatch(reason);
  });

  it('lets a record that meets a fault come again, and only that one', async () => {
    const { taken, parked, failed } = await deliver(
      [envelope(good), envelope({ ...good, eventId: 'ev_2' })],
      (id) => {
        if (id === 'ev_2') throw new MemoryError('unavailable', 'The store cannot be reached.');
      },
    );
    expect({ taken, parked, failed }).toEqual({ taken: ['ev_1'], parked: [], failed: ['m1'] });
  });

  it('lets a bad event come again when it cannot be parked, so that it is never lost', async () => {
    const { failed } = await deliver(['nonsense'], () => {}, 'fails');
    expect(failed).toEqual(['m0']);
  });

  it.each([
    ['another correction', true, 1],
    ['the same one again', false, 0],
  ])('says in the log that an id was used before for %s', async (_, reused, lines) => {
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const handler = correctionBatch({ run: async () => ({ known: true, reused }), park: async () => {} });
    const Records = [{ messageId: 'm', body: envelope(good) }];
    await handler({ Records } as unknown as Parameters<typeof handler>[0]);
    const told = warned.mock.calls.map(([line]) => JSON.parse(String(line)));
    warned.mockRestore();
    expect(told).toHaveLength(lines);
    for (const line of told) expect(line).toMatchObject({ org_id: good.orgId, event_id: good.eventId });
  });
});
