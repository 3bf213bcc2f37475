import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { OrgErased, PersonErased } from '../../lib/domain/responses.ts';
import type { AwsCall, Fault } from '../support/aws-proxy.ts';
import { account, correctionEvent } from '../support/builders.ts';
import { type Handlers, startHandlers } from '../support/handlers.ts';

const CHART = { accounts: [account({ id: '6120', name: 'Software' })] };
const CATEGORY = {
  kind: 'canonical_mapping',
  content: { mapping: 'category', merchant: 'Vercel', account: { id: '6120' } },
};

vi.spyOn(console, 'error').mockImplementation(() => undefined);

let handlers: Handlers;
beforeAll(async () => {
  handlers = await startHandlers();
});
afterAll(() => handlers.stop());

describe('over the wire', () => {
  it('an org goes out as lines, comes back as candidates, and its people and itself can be erased', async () => {
    const caller = { org: 'org_wire', user: 'mara.lind' };
    const other = { org: 'org_wire_2', user: 'jo' };
    const call = (method: string, target: string, more: object = {}) =>
      handlers.call({ method, target, caller, ...more });
    for (const by of [caller, other]) {
      await call('PUT', '/v1/chart-of-accounts', { body: CHART, caller: by });
    }
    await call('POST', '/v1/memories', { body: CATEGORY });
    const mine = { kind: 'preference', scope: 'user', content: { text: 'My own.' } };
    await call('POST', '/v1/memories', { body: mine });
    await handlers.deliver([correctionEvent({ orgId: 'org_wire', actor: { userId: 'mara.lind' } })]);

    const exported = await call('GET', '/v1/export');
    expect(exported.headers['content-type']).toBe('application/x-ndjson');
    expect(exported.text.trimEnd().split('\n')).toHaveLength(2);
    const asked = await call('GET', '/v1/export', { headers: { accept: 'application/json' } });
    expect(asked.json).toMatchObject({ items: [{ type: 'memory', status: 'active' }] });

    const headers = { 'content-type': 'application/x-ndjson' };
    const imported = await call('POST', '/v1/import', { caller: other, headers, body: exported.text });
    expect(imported.json).toMatchObject({ done: true, counts: { imported: 1, ignored: 1 } });
    const again = await call('POST', '/v1/import', { caller: other, body: { lines: asked.json.items } });
    expect(again.json).toMatchObject({ counts: { imported: 0, unchanged: 1 } });
    expect((await call('POST', '/v1/memories', { headers, body: '{}' })).status).toBe(415);
    expect((await call('POST', '/v1/import', { headers, body: 'x'.repeat(1024 * 1024 + 1) })).status).toBe(
      413,
    );

    const reviewer = { ...caller, user: 'kim', scope: 'memories:write' };
    expect((await call('DELETE', '/v1/users/mara.lind/memories', { caller: reviewer })).status).toBe(403);
    expect((await call('DELETE', '/v1/users/a%20b/memories')).status).toBe(404);
    const erased = await call('DELETE', '/v1/users/me/memories');
    expect(PersonErased.parse(erased.json)).toEqual({
      done: true,
      counts: { preferences: 1, memories: 1, events: 1, votes: 1 },
    });
    expect(JSON.stringify(await handlers.items('org_wire'))).not.toContain('mara.lind');
    // The archive brings the event again, and a late one comes.
    await handlers.deliver([
      correctionEvent({ orgId: 'org_wire', actor: { userId: 'mara.lind' } }),
      correctionEvent({ orgId: 'org_wire', actor: { userId: 'mara.lind' }, eventId: 'late' }),
    ]);
    expect(JSON.stringify(await handlers.items('org_wire'))).not.toContain('mara.lind');

    expect((await call('DELETE', '/v1/orgs/me/memories')).status).toBe(400);
    expect((await call('DELETE', '/v1/orgs/me/memories?confirm=org_other')).status).toBe(400);
    const gone = await call('DELETE', '/v1/orgs/me/memories?confirm=org_wire');
    expect(OrgErased.parse(gone.json)).toMatchObject({ done: true, counts: { memories: 1, events: 2 } });
    await handlers.deliver([correctionEvent({ orgId: 'org_wire' })]);
    const left = await handlers.items('org_wire');
    expect(left.map(({ entry }) => String(entry).slice(0, 2))).toEqual(left.map(() => 'x/'));
    expect(await handlers.items('org_wire_2')).not.toEqual([]);
  }, 60_000);

  it('an erasure meets every fault at every call it makes, says so, and is whole when it is asked for again', async () => {
    let orgs = 0;
    const filled = async () => {
      orgs += 1;
      const caller = { org: `org_faults_${orgs}`, user: 'mara.lind' };
      const { org } = caller;
      const mine = { kind: 'preference', scope: 'user', content: { text: 'My own.' } };
      await handlers.call({ method: 'PUT', target: '/v1/chart-of-accounts', caller, body: CHART });
      await handlers.call({ method: 'POST', target: '/v1/memories', caller, body: CATEGORY });
      await handlers.call({ method: 'POST', target: '/v1/memories', caller, body: mine });
      await handlers.deliver([correctionEvent({ orgId: org, actor: { userId: 'mara.lind' } })]);
      const target = '/v1/users/me/memories';
      const erase = () => handlers.call({ method: 'DELETE', target, caller });
      return { erase, left: async () => JSON.stringify(await handlers.items(org)) };
    };
    const faults: readonly [string, (call: AwsCall) => Fault | undefined][] = [
      ['throttled', () => ({ exception: 'ProvisionedThroughputExceededException', status: 400 })],
      ['out of reach', () => ({ exception: 'InternalServerError', status: 500 })],
      [
        'left unprocessed',
        ({ action, input }) =>
          action === 'BatchWriteItem'
            ? { reply: () => ({ UnprocessedItems: input.RequestItems }) }
            : undefined,
      ],
    ];
    const healthy = await filled();
    const before = handlers.aws.calls.length;
    await healthy.erase();
    const calls = handlers.aws.calls.length - before;
    expect(calls).toBeGreaterThan(10);
    for (let at = 0; at < calls; at += 1) {
      // Both kinds of refusal in turn, since the SDK takes its time over each; what is unprocessed comes with either.
      for (const [name, fault] of faults.filter((_, kind) => kind === at % 2 || (kind === 2 && at === 0))) {
        const { erase, left } = await filled();
        const from = handlers.aws.calls.length + at;
        handlers.aws.fail((call) => (handlers.aws.calls.length > from ? fault(call) : undefined));
        const refused = await erase();
        handlers.aws.fail();
        if (refused.status === 200) expect(refused.json, `${name} at ${at}`).toMatchObject({ done: true });
        else expect([429, 503], `${name} at ${at}`).toContain(refused.status);
        const again = await erase();
        expect(again.json, `${name} at ${at}`).toMatchObject({ done: true });
        expect(await left(), `${name} at ${at}`).not.toContain('mara.lind');
      }
      const { erase, left } = await filled();
      const lost = handlers.aws.calls.length + at + 1;
      handlers.aws.fail(() => (handlers.aws.calls.length === lost ? 'lost-after' : undefined));
      expect((await erase()).json, `lost at ${at}`).toMatchObject({ done: true });
      handlers.aws.fail();
      expect(await left(), `lost at ${at}`).not.toContain('mara.lind');
    }
  }, 120_000);
});
