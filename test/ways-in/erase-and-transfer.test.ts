import { describe, expect, it } from 'vitest';
import { OrgErased, PersonErased } from '../../lib/domain/responses.ts';
import { account, correctionEvent } from '../support/builders.ts';
import { startHandlers } from '../support/handlers.ts';

const CHART = { accounts: [account({ id: '6120', name: 'Software' })] };
const CATEGORY = {
  kind: 'canonical_mapping',
  content: { mapping: 'category', merchant: 'Vercel', account: { id: '6120' } },
};

describe('over the wire', () => {
  it('an org goes out as lines, comes back as candidates, and its people and itself can be erased', async () => {
    const handlers = await startHandlers();
    const caller = { org: 'org_wire', user: 'mara.lind' };
    const other = { org: 'org_wire_2', user: 'jo' };
    const call = (method: string, target: string, more: object = {}) =>
      handlers.call({ method, target, caller, ...more });
    try {
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
    } finally {
      await handlers.stop();
    }
  }, 60_000);
});
