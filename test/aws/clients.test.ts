import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { expect, it } from 'vitest';
import { CLIENT_BOUNDS, documentClient, eventBridgeClient } from '../../lib/aws/clients.ts';
import { memoryStore } from '../../lib/aws/memory-store.ts';
import { ORG, storedMemory } from '../support/builders.ts';
import { clientAt } from '../support/engines.ts';

it('each client is made once', () => {
  process.env['AWS_REGION'] ??= 'eu-west-1';
  expect(documentClient()).toBe(documentClient());
  expect(eventBridgeClient()).toBe(eventBridgeClient());
});

it('a store that takes a request and never answers is unavailable when the time is up', async () => {
  const silent = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const client = clientAt(`http://127.0.0.1:${(silent.address() as AddressInfo).port}`, {
    ...CLIENT_BOUNDS,
    maxAttempts: 2,
    requestHandler: { ...CLIENT_BOUNDS.requestHandler, requestTimeout: 50 },
  });
  const { get } = memoryStore(ORG, { client, table: 'the-table' });
  await expect(get(storedMemory().dedupKey)).rejects.toMatchObject({ code: 'unavailable' });
  client.destroy();
  silent.close();
}, 5000);
