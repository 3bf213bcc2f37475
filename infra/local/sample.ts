import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { EVENTS } from '../../lib/routes.ts';
import { settingsFrom } from '../stack-settings.ts';
import { PROJECT_ROOT, readContext } from './assembly.ts';
import { accessTokenClaims, openSigningKey } from './keys.ts';
import './quiet-sdk.ts';
import { fillWorkspace } from './sample-workspace.ts';

/** Fills the demo workspace of the local run that is up, so that the console has something to show. */
const url = `http://localhost:${process.env.PORT || 4600}`;
const orgId = 'org_demo';
const context = await readContext();
const { jwtIssuer, jwtAudience } = settingsFrom((key) => context[key]);
const key = await openSigningKey(
  join(process.env.DATA_DIR || join(PROJECT_ROOT, '.local'), 'signing-key.json'),
);
const token = await key.sign(
  accessTokenClaims({ issuer: jwtIssuer, audience: jwtAudience }, { org_id: orgId }),
);
const bus = new EventBridgeClient({
  endpoint: url,
  region: 'us-east-1',
  credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
});

try {
  await fillWorkspace({ orgId, call, put });
  console.log(`The workspace ${orgId} is filled. Look at it: ${url}/console`);
} catch (error) {
  const isDown = error instanceof TypeError;
  console.error(isDown ? `Nothing answers on ${url}. Start it first: npm start` : error);
  process.exitCode = 1;
} finally {
  bus.destroy();
}

async function call<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
  const response = await fetch(`${url}/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok)
    throw new Error(`${method} ${path} was answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as Answer;
}

async function put(events: readonly object[]): Promise<void> {
  for (let from = 0; from < events.length; from += 10) {
    const Entries = events.slice(from, from + 10).map((event) => ({
      EventBusName: EVENTS.defaultBusName,
      Source: 'sample.receipts',
      DetailType: EVENTS.correctionDetailType,
      Detail: JSON.stringify(event),
    }));
    await bus.send(new PutEventsCommand({ Entries }));
  }
  // Nothing says from outside when the queue is empty; what is learned stops changing.
  let before = '';
  for (let still = 0; still < 3; ) {
    await pause(700);
    const now = JSON.stringify(await call('GET', '/memories?status=candidate&limit=100'));
    still = now === before ? still + 1 : 0;
    before = now;
  }
}
