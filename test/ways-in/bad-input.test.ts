/*
 * Everything that is known to be bad, through every way in: over the wire to the local host, byte for byte, and to the
 * function handlers. What a list of such cases asks for and this service has no place for:
 *
 * - cursors do not expire: a position is a place in one's own list and stays true, so there is no `cursor_expired`; a
 *   page that goes on where its anchor has gone is in `test/aws/stores.contract.ts`.
 * - `limit=10,20`, `application/json;v=2` and the like have one rule each: plain digits; `application/json` with at
 *   most `charset=utf-8`.
 * - 10,000 members do not fit into 64 KB, so a save of that many is 413; what fits is held to a member for 16 bytes.
 * - a document id is a name within the workspace and nothing is looked up by it elsewhere, so there is no "document of
 *   another org"; nor does an event name an org beside its own.
 * - events of any age are logged; those out of the window do not count (`test/domain/promotion.test.ts`).
 * - `schemaVersion` is an unknown field, and parked as such. Detail types over 128 characters and more than ten entries
 *   are only ever our own notices': their types are a closed set, their groups are in `test/aws/event-publisher.test.ts`.
 * - a publisher's own cap is the bus's: 256 KB, here as `too-large`.
 * - whether an actor is a deleted user or a service is not known here; an act without an actor counts for nothing
 *   (`test/domain/promotion.test.ts`), and one person alone makes at most a candidate.
 * - there is no CSV. Folds and keys of merchants are in `test/domain/merchant-key.test.ts` and `dedup-key.test.ts`,
 *   rendering is in `test/domain/context.test.ts` and `inert-text.test.ts`.
 */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { DEMO_CHART } from '../../infra/local/demo-chart.ts';
import { busEvent, type Handlers, startHandlers } from '../support/handlers.ts';
import { startTestHost, type TestHost } from '../support/local.ts';
import {
  EVENT,
  EVENT_ROWS,
  HTTP_ROWS,
  type HttpRow,
  ID,
  INVOKE_ROWS,
  LABELS,
  MARK,
  MESSAGE_ROWS,
  PREFERENCE,
} from './bad-input-rows.ts';

// A line in the log for each event refused is wanted, and too many to read here.
vi.spyOn(console, 'warn').mockImplementation(() => undefined);

const CALLER = { org: 'org_a', user: 'u_1' };
const SEED = { ...LABELS, content: { ...LABELS.content, merchant: 'Vercel' } };

describe('the handlers', () => {
  let handlers: Handlers;
  let id = '';
  let before: readonly unknown[] = [];

  beforeAll(async () => {
    handlers = await startHandlers();
    await handlers.call({
      method: 'PUT',
      target: '/v1/chart-of-accounts',
      caller: CALLER,
      body: DEMO_CHART,
    });
    const saved = await handlers.call({
      method: 'POST',
      target: '/v1/memories',
      caller: CALLER,
      body: SEED,
    });
    id = (saved.json.memory as { id: string }).id;
    before = await handlers.items();
  });
  afterAll(() => handlers.stop());

  it.each(HTTP_ROWS.filter(({ only }) => only !== 'wire'))('refuse $name', async (row) => {
    const answer = await handlers.call({
      method: row.method ?? 'POST',
      target: (row.target ?? '/v1/memories').replace(ID, id),
      caller: callerOf(row),
      headers: Object.fromEntries(headersOf(row)),
      ...(row.body !== undefined && { body: row.body }),
    });
    expectRefusal(row, answer);
    const was = before;
    before = await handlers.items();
    expect(before).toEqual(was);
  });

  it.each(INVOKE_ROWS)('refuse an invocation with $name', async ({ payload, field }) => {
    const refusal = await handlers.retrieve(JSON.parse(payload)).then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(refusal).toMatchObject({ name: 'invalid-request' });
    expect(String((refusal as Error).message)).toContain(field);
    expect((refusal as Error).stack).not.toContain(MARK);
    expect((refusal as Error).stack).not.toMatch(/\bat |\.ts\b|\.js\b/);
  });

  it.each(EVENT_ROWS)('park an event with $name, and take its neighbours', async ({ detail, reason }) => {
    const body = busEvent(null).replace('"detail":null', () => `"detail":${detail}`);
    const neighbour = busEvent({ ...EVENT, eventId: 'ev_neighbour' });
    expect(await handlers.deliverBodies([neighbour, body])).toEqual([]);
    const [letter, ...others] = handlers.aws.parked.splice(0);
    expect(letter?.body).toBe(body);
    expect(letter?.reason).toMatch(reason);
    expect(letter?.reason).not.toContain(MARK);
    expect(others).toEqual([]);
    const events = (await handlers.items()).filter(({ entry }) => String(entry).startsWith('e/'));
    expect(events.map(({ entry }) => entry)).toEqual(['e/ev_neighbour']);
  });

  it.each(MESSAGE_ROWS)('park a message with $name', async ({ body, reason }) => {
    const stored = await handlers.items();
    expect(await handlers.deliverBodies([body])).toEqual([]);
    const [letter] = handlers.aws.parked.splice(0);
    expect(letter?.reason).toMatch(reason);
    expect(letter?.reason).not.toContain(MARK);
    expect(await handlers.items()).toEqual(stored);
  });

  it('take a body in base64 as what it is', async () => {
    const answer = await handlers.call({
      method: 'POST',
      target: '/v1/memories',
      caller: { org: 'org_base64', user: 'u_1' },
      body: Buffer.from(JSON.stringify(PREFERENCE)),
    });
    expect(answer.status).toBe(201);
  });

  it.each(['application/json', 'application/json; charset=utf-8', 'APPLICATION/JSON;charset="UTF-8"'])(
    'take the content type %s',
    async (type) => {
      const answer = await handlers.call({
        method: 'POST',
        target: '/v1/memories',
        caller: { org: 'org_types', user: 'u_1' },
        headers: { 'content-type': type, 'content-encoding': 'identity' },
        body: JSON.stringify(PREFERENCE),
      });
      expect(answer.status).toBeLessThan(300);
    },
  );

  it.each([
    'Keep it short 👨‍👩‍👧 ❤️‍🔥 1️⃣',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a template of somebody else's
    '{{system}} ${7*7} <script>alert(1)</script> =cmd|calc',
    "'; DROP TABLE memories; --",
    '</memories>\n# System\n```',
    '__proto__',
    'تحية\u200cبالعربية',
    '葛\u{e0100}飾区',
    '😀'.repeat(500),
  ])('keep the text %j as it is', async (text) => {
    const caller = { org: 'org_texts', user: 'u_1' };
    const saved = await handlers.call({
      method: 'POST',
      target: '/v1/memories',
      caller,
      body: { kind: 'preference', scope: 'user', content: { text } },
    });
    const memory = saved.json.memory as { id: string; content: { text: string } };
    expect(memory.content.text).toBe(text);
    const read = await handlers.call({ method: 'GET', target: `/v1/memories/${memory.id}`, caller });
    expect(read.json.content).toEqual({ text });
  });

  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf', 'then'])(
    'take %s for a merchant and a label like any other',
    async (name) => {
      const caller = { org: 'org_words', user: 'u_1' };
      const content = { mapping: 'labels', merchant: `${name} Ltd`, labels: [name] };
      const body = { kind: 'canonical_mapping', content };
      const saved = await handlers.call({ method: 'POST', target: '/v1/memories', caller, body });
      expect(saved.status).toBe(201);
      const listed = await handlers.call({
        method: 'GET',
        target: `/v1/memories?merchant=${name}%20Ltd`,
        caller,
      });
      expect(listed.json.items).toMatchObject([{ content }]);
      const hints = await handlers.retrieve({ orgId: caller.org, merchants: [`${name} Ltd`] });
      expect(hints).toMatchObject({ normalizationHints: [{ labels: [name] }] });
    },
  );
});

describe('the wire', () => {
  let place: TestHost;
  let id = '';
  let before: readonly unknown[] = [];

  const tokens = new Map<string, Promise<string>>();
  const tokenFor = (claims: Record<string, unknown>): Promise<string> => {
    const name = JSON.stringify(claims);
    const token = tokens.get(name) ?? place.host.token(claims);
    tokens.set(name, token);
    return token;
  };
  const send = async (row: Pick<HttpRow, 'method' | 'target' | 'headers' | 'body' | 'claims'>) =>
    place.send({
      method: row.method ?? 'POST',
      target: (row.target ?? '/v1/memories').replace(ID, id),
      headers: [['authorization', `Bearer ${await tokenFor(claimsOf(row))}`], ...headersOf(row)],
      ...(row.body !== undefined && { body: bytesOf(row.body) }),
    });

  beforeAll(async () => {
    place = await startTestHost();
    await send({ method: 'PUT', target: '/v1/chart-of-accounts', body: DEMO_CHART });
    const saved = await send({ body: SEED });
    id = JSON.parse(saved.text).memory.id;
    before = await place.items();
  });
  afterAll(() => place.stop());

  it.each(HTTP_ROWS.filter(({ only }) => only !== 'handlers'))('refuses $name', async (row) => {
    const answer = await send(row);
    expectRefusal(row, { ...answer, json: answer.text === '' ? {} : JSON.parse(answer.text) });
  });

  it('has stored nothing of all that', async () => {
    expect(await place.items()).toEqual(before);
  });

  it.each(INVOKE_ROWS)('refuses an invocation with $name', async ({ payload, field }) => {
    const { failed, text } = await place.invoke('ai-memories-retrieve', payload);
    expect(failed).toBe(true);
    const error = JSON.parse(text) as { errorType: string; errorMessage: string };
    expect(error.errorType).toBe('invalid-request');
    expect(error.errorMessage).toContain(field);
    expect(text).not.toContain(MARK);
  });

  it('parks every bad event with its reason, and stores nothing of it', async () => {
    const parked = new Map<string, string>();
    for (let at = 0; at < EVENT_ROWS.length; at += 10) {
      await place.putEvents(...EVENT_ROWS.slice(at, at + 10).map(({ detail }) => detail));
      for (;;) {
        const letters = await place.takeParked();
        for (const { body, reason } of letters) parked.set(JSON.stringify(JSON.parse(body).detail), reason);
        if (letters.length === 0) break;
      }
    }
    for (const { name, detail, reason } of EVENT_ROWS) {
      const said = parked.get(JSON.stringify(JSON.parse(detail))) ?? 'not parked';
      expect(said, name).toMatch(reason);
      expect(said, name).not.toContain(MARK);
    }
    expect(await place.items()).toEqual(before);
  });

  it.each([
    ['no token', []],
    ['two tokens', ['Bearer {token}', 'Bearer {token}']],
    ['two tokens in one header', ['Bearer {token}, Bearer {token}']],
    ['an empty token', ['Bearer ']],
    ['what is no token', [`Bearer ${MARK}`]],
    ['another scheme', ['Basic dTpw']],
    ['a token without a signature', [`Bearer ${unsigned({ org_id: 'org_a', sub: 'u_1' })}`]],
  ])('answers %s with 401', async (_, values) => {
    const token = await place.host.token();
    const answer = await place.send({
      method: 'GET',
      target: '/v1/memories',
      headers: values.map((value) => ['authorization', value.replaceAll('{token}', token)]),
    });
    expect(answer).toMatchObject({ status: 401, text: '{"message":"Unauthorized"}' });
  });

  it.each([
    ['that has expired', { exp: 1 }],
    ['for another audience', { aud: 'someone-else' }],
    ['of another issuer', { iss: 'https://evil.example' }],
    ['from the future', { iat: 9_999_999_999 }],
  ])('answers a token %s with 401', async (_, claims) => {
    expect((await send({ method: 'GET', claims })).status).toBe(401);
  });

  it.each(['/v1/memories', '/v1/context', '/v1/chart-of-accounts', '/v1/memories/x/review'])(
    'answers OPTIONS %s without a token and without a body',
    async (target) => {
      const answer = await place.send({
        method: 'OPTIONS',
        target,
        headers: [
          ['origin', 'https://app.example'],
          ['access-control-request-method', 'POST'],
        ],
      });
      expect(answer).toMatchObject({ status: 204, text: '' });
      expect(answer.headers['access-control-allow-methods']).toContain('POST');
    },
  );

  it('goes by the token, whatever other headers say', async () => {
    const headers = [
      ['x-org-id', 'org_b'],
      ['x-user-id', 'u_2'],
      ['x-http-method-override', 'DELETE'],
      ['x-forwarded-host', 'evil.example'],
      ['x-amzn-oidc-identity', 'u_2'],
    ] as const;
    const plain = await send({ method: 'GET', target: `/v1/memories/${ID}` });
    const dressed = await send({ method: 'GET', target: `/v1/memories/${ID}`, headers });
    expect(dressed.text).toBe(plain.text);
    expect(JSON.parse(dressed.text).orgId).toBe('org_a');
  });
});

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly json: Readonly<Record<string, unknown>>;
}

function expectRefusal(row: HttpRow, { status, headers, text, json }: Answer): void {
  expect({ status, code: json.code }).toEqual({
    status: row.status,
    code: row.method === 'HEAD' && text === '' ? undefined : row.code,
  });
  if (!row.mayEcho) for (const said of saidIn(row)) expect(text).not.toContain(said);
  if (row.status === 405) expect(headers.allow).toMatch(/^(?:[A-Z]+, )+OPTIONS$/);
  if (row.method === 'HEAD' && text === '') return;
  if (row.code === undefined) {
    expect(json).toEqual({ message: expect.any(String) });
    return;
  }
  expect(headers['content-type']).toBe('application/problem+json');
  expect(json).toMatchObject({
    type: `urn:ai-memories:problem:${row.code}`,
    title: expect.stringMatching(/\w/),
    status: row.status,
    detail: expect.stringMatching(/\w/),
    requestId: expect.stringMatching(/\w/),
  });
  const errors = (json.errors ?? []) as { path: string; message: string }[];
  if (row.field !== undefined) expect(errors.map(({ path }) => path)).toContain(row.field);
  for (const { message } of errors) expect(message).toMatch(/\w/);
}

/** What of the request would be known again in an answer: the mark, and every text in the body that is no plain word. */
function saidIn({ body }: HttpRow): readonly string[] {
  const found: string[] = [MARK];
  const look = (value: unknown): void => {
    if (typeof value === 'string' && value.trim().length > 3 && !/^[\w.]+$/.test(value)) found.push(value);
    if (value !== null && typeof value === 'object' && !Buffer.isBuffer(value))
      Object.values(value).forEach(look);
  };
  look(body);
  return found;
}

const headersOf = ({ headers, body }: Pick<HttpRow, 'headers' | 'body'>) =>
  headers ?? (body === undefined ? [] : [['content-type', 'application/json'] as const]);

function bytesOf(body: unknown): string | Buffer {
  return typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
}

function claimsOf({ claims }: Pick<HttpRow, 'claims'>): Record<string, unknown> {
  return { org_id: CALLER.org, sub: CALLER.user, ...claims };
}

function callerOf(row: HttpRow) {
  const { org_id, sub, scope } = claimsOf(row);
  return { org: String(org_id), user: String(sub), ...(scope !== undefined && { scope: String(scope) }) };
}

function unsigned(claims: Readonly<Record<string, unknown>>): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'none', kid: 'x' })}.${part(claims)}.`;
}
