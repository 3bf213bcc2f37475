import { Buffer } from 'node:buffer';
import { gzipSync } from 'node:zlib';
import { ROUTES } from '../../lib/routes.ts';

/** Stands in what is sent wherever there is room for it, and in no answer. */
export const MARK = 'Zq9-echo';

export interface HttpRow {
  readonly name: string;
  readonly method?: string;
  readonly target?: string;
  readonly headers?: readonly (readonly [string, string])[];
  /** Strings and bytes go as they are, `undefined` is no body, anything else goes as JSON. */
  readonly body?: unknown;
  readonly status: number;
  /** Absent where API Gateway answers by itself, with its `message` form. */
  readonly code?: string;
  /** The path that `errors` names. */
  readonly field?: string;
  readonly only?: 'wire' | 'handlers';
  /** Overrides what the token says. */
  readonly claims?: Readonly<Record<string, unknown>>;
  /** The contract has this answer say what the caller said, in structured form. */
  readonly mayEcho?: true;
}

/** `{memory}` in a target is the id of the seeded memory. */
export const ID = '{memory}';

export const PREFERENCE = { kind: 'preference', scope: 'user', content: { text: `Totals first ${MARK}` } };
export const LABELS = {
  kind: 'canonical_mapping',
  content: { mapping: 'labels', merchant: `Vercel ${MARK}`, labels: ['travel'] },
};
const RENAME = {
  kind: 'canonical_mapping',
  content: { mapping: 'merchant_name', merchant: 'Vercel', canonicalName: 'Vercel' },
};
const CATEGORY = {
  kind: 'canonical_mapping',
  content: { mapping: 'category', merchant: 'Vercel', account: { id: '6120' } },
};
const INTEGRATION = {
  kind: 'integration_preference',
  content: { capability: 'integrations.send', integration: 'xero', target: 'bills' },
};
const HINT = { kind: 'workflow_hint', content: { hint: 'custom', text: 'Show the scan' } };
const ACCOUNT = { id: '6120', name: 'Software subscriptions', type: 'expense' };

/** Each unfit in every field that holds text, whatever the way in. */
export const BAD_TEXTS: Readonly<Record<string, string>> = {
  empty: '',
  blank: '   ',
  'of a no-break space and a byte order mark': '\u00a0\ufeff',
  'of a zero-width space': '\u200b',
  'of a Hangul filler': '\u3164',
  'of a blank Braille pattern': '\u2800',
  'of joiners and fillers': '\u034f\u115f\u1160\u17b5\u180b\uffa0',
  'with a high surrogate alone': `${MARK}\ud800`,
  'with surrogates the wrong way round': `${MARK}\udc00\ud800`,
  'with NUL': `${MARK}\u0000`,
  'with an escape character': `${MARK}\u001b[31m`,
  'with a C1 control': `${MARK}\u0085`,
  'with DEL': `${MARK}\u007f`,
  'with tag characters': `${MARK}\u{e0049}\u{e0067}\u{e006e}`,
  'with a right-to-left override': `${MARK}\u202egnp.exe`,
  'with an isolate': `${MARK}\u2066x\u2069`,
  'with a row of variation selectors': `${MARK}\ufe01\ufe02`,
  'with supplementary variation selectors': `${MARK}\u{e0101}\u{e0102}\u{e0103}`,
};

/** Unfit in a field of one line, and welcome in a text of many. */
const LINE_BREAKS: Readonly<Record<string, string>> = {
  'with a line feed': `${MARK}\nx`,
  'with a tab': `${MARK}\tx`,
  'with a line separator': `${MARK}\u2028x`,
};

const NOT_TEXT: readonly unknown[] = [1, true, null, ['x'], { x: 'y' }];

interface TextField {
  readonly field: string;
  readonly max: number;
  readonly multiline?: true;
  readonly method?: string;
  readonly target?: string;
  readonly body: (value: unknown) => unknown;
}

const TEXT_FIELDS: readonly TextField[] = [
  {
    field: 'content.text',
    max: 500,
    multiline: true,
    body: (text) => ({ ...PREFERENCE, content: { text } }),
  },
  {
    field: 'content.text',
    max: 500,
    multiline: true,
    body: (text) => ({ ...HINT, content: { hint: 'custom', text } }),
  },
  {
    field: 'content.merchant',
    max: 200,
    body: (merchant) => ({ ...LABELS, content: { ...LABELS.content, merchant } }),
  },
  {
    field: 'content.canonicalName',
    max: 200,
    body: (canonicalName) => ({ ...RENAME, content: { ...RENAME.content, canonicalName } }),
  },
  {
    field: 'content.labels.0',
    max: 40,
    body: (label) => ({ ...LABELS, content: { ...LABELS.content, labels: [label] } }),
  },
  {
    field: 'content.account.id',
    max: 200,
    body: (id) => ({ ...CATEGORY, content: { ...CATEGORY.content, account: { id } } }),
  },
  {
    field: 'content.account.name',
    max: 200,
    body: (name) => ({ ...CATEGORY, content: { ...CATEGORY.content, account: { id: '6120', name } } }),
  },
  {
    field: 'content.target',
    max: 200,
    body: (target) => ({ ...INTEGRATION, content: { ...INTEGRATION.content, target } }),
  },
  {
    field: 'reason',
    max: 500,
    multiline: true,
    target: `/v1/memories/${ID}/archive`,
    body: (reason) => ({ reason }),
  },
  {
    field: 'reason',
    max: 500,
    multiline: true,
    target: `/v1/memories/${ID}/review`,
    body: (reason) => ({ decision: 'reject', expectedVersion: 1, reason }),
  },
  {
    field: 'merchants.0',
    max: 200,
    target: '/v1/context',
    body: (merchant) => ({ merchants: [merchant] }),
  },
  {
    field: 'accounts.0.name',
    max: 200,
    method: 'PUT',
    target: '/v1/chart-of-accounts',
    body: (name) => ({ accounts: [{ ...ACCOUNT, name }] }),
  },
  {
    field: 'accounts.0.aliases.0',
    max: 200,
    method: 'PUT',
    target: '/v1/chart-of-accounts',
    body: (alias) => ({ accounts: [{ ...ACCOUNT, aliases: [alias] }] }),
  },
];

const textRows: readonly HttpRow[] = TEXT_FIELDS.flatMap((text) => {
  const row = (name: string, value: unknown): HttpRow => ({
    name: `${text.target ?? 'POST /v1/memories'}: ${text.field} ${name}`,
    ...(text.method !== undefined && { method: text.method }),
    ...(text.target !== undefined && { target: text.target }),
    body: text.body(value),
    status: 400,
    code: 'invalid-request',
    field: text.field,
  });
  return [
    ...Object.entries(BAD_TEXTS).map(([name, value]) => row(name, value)),
    ...(text.multiline ? [] : Object.entries(LINE_BREAKS).map(([name, value]) => row(name, value))),
    row('one character too long', MARK.padEnd(text.max + 1, 'x')),
    row('one character too long in emoji', '😀'.repeat(text.max + 1)),
    ...NOT_TEXT.map((value) => row(`that is ${JSON.stringify(value)}`, value)),
  ];
});

const queryRows: readonly HttpRow[] = [
  ...Object.values(BAD_TEXTS)
    .filter((value) => value.isWellFormed())
    .map((value) => [`/v1/memories?merchant=${encodeURIComponent(value)}`, 'merchant'] as const),
  ...Object.values(BAD_TEXTS)
    .filter((value) => value.isWellFormed())
    .map((value) => [`/v1/chart-of-accounts/resolve?query=${encodeURIComponent(value)}`, 'query'] as const),
  ...[
    '',
    '0',
    '-1',
    '101',
    '1e3',
    '0x10',
    '10.5',
    'NaN',
    'Infinity',
    '999999999999',
    '%2010',
    '010',
    'ten',
    '%D9%A1',
    'null',
  ].map((limit) => [`/v1/memories?limit=${limit}`, 'limit'] as const),
  ['/v1/memories?limit', 'limit'],
  ['/v1/memories?limit=10&limit=20', 'limit'],
  ['/v1/memories?limit=10,20', 'limit'],
  ['/v1/memories?limit=10&%6Cimit=20', 'limit'],
  ['/v1/memories?status=active&status=archived', 'status'],
  ['/v1/memories?status=', 'status'],
  ['/v1/memories?status=ACTIVE', 'status'],
  [`/v1/memories?status=${MARK}`, 'status'],
  ['/v1/memories?kind=category', 'kind'],
  ['/v1/memories?kind=__proto__', 'kind'],
  ['/v1/memories?scope=everyone', 'scope'],
  ['/v1/memories?documentId=', 'documentId'],
  [`/v1/memories?documentId=${MARK}%20x`, 'documentId'],
  [`/v1/memories?documentId=${'d'.repeat(129)}`, 'documentId'],
  ['/v1/memories?filter=x', 'filter'],
  ['/v1/memories?orgId=org_b', 'orgId'],
  ['/v1/memories?userId=u_2', 'userId'],
  ['/v1/memories?__proto__=1', '__proto__'],
  ['/v1/memories?constructor=1', 'constructor'],
  ['/v1/memories?limit[]=10', '?'],
  ['/v1/memories?=1', '?'],
  [`/v1/memories?%3Cb%3E${MARK}=1`, '?'],
  ['/v1/memories?merchant=%E0%A4%A', 'merchant'],
  ['/v1/memories?merchant=100%', 'merchant'],
  ['/v1/memories?merchant=%ED%A0%80', 'merchant'],
  ['/v1/memories?merchant=%C0%AF', 'merchant'],
  ['/v1/memories?%E0%A4%A=1', '?'],
  [`/v1/memories?merchant=${'x'.repeat(201)}`, 'merchant'],
  [`/v1/memories?merchant=${'%E6%BC%A2'.repeat(700)}`, 'merchant'],
  ['/v1/memories?cursor=', 'cursor'],
  [`/v1/memories?cursor=${MARK}`, 'cursor'],
  ['/v1/memories?cursor=%2E%2E%2F', 'cursor'],
  [`/v1/memories?cursor=${'A'.repeat(2049)}`, 'cursor'],
  [`/v1/memories?cursor=${'A'.repeat(2048)}`, 'cursor'],
  ['/v1/memories?cursor=eyJQSyI6Im9yZ19iIn0', 'cursor'],
  ['/v1/evidence', 'merchant'],
  ['/v1/evidence?merchant=', 'merchant'],
  ['/v1/evidence?merchant=Vercel&mapping=labels2', 'mapping'],
  ['/v1/evidence?merchant=Vercel&kind=preference', 'kind'],
  ['/v1/evidence?kind=integration_preference', 'capability'],
  ['/v1/evidence?capability=a%20b', 'capability'],
  ['/v1/evidence?merchant=Vercel&hint=custom', 'hint'],
  ['/v1/evidence?kind=workflow_hint&senderDomain=a..b', 'senderDomain'],
  [`/v1/memories/${ID}?expand=1`, 'expand'],
  [`/v1/memories/${ID}/evidence?limit=1`, 'limit'],
  ['/v1/chart-of-accounts?version=1', 'version'],
  ['/v1/chart-of-accounts/resolve', 'query'],
  ['/v1/chart-of-accounts/resolve?query=travel&limit=0', 'limit'],
  ['/v1/chart-of-accounts/resolve?query=travel&limit=21', 'limit'],
].map(([target = '', field = '']) => ({
  name: `GET ${target.length > 90 ? `${target.slice(0, 90)}…` : target}`,
  method: 'GET',
  target,
  status: 400,
  code: /cursor=(?:Zq9|A{2048}$|eyJ)/.test(target) ? 'invalid-cursor' : 'invalid-request',
  field,
}));

const BAD_IDS = [
  'a%2Fb',
  '%252F',
  'a+b',
  'a%20b',
  '%00',
  '..',
  '.',
  '%2E%2E%2F%2E%2E%2Fetc',
  'a%3Fb',
  'a%23b',
  '%0A',
  `${ID}%0A`,
  `${ID}A`,
  `${ID}%3D`,
  '-',
  '__proto__',
  'constructor',
  MARK,
  'b3JnL2Nhbm9uaWNhbF9tYXBwaW5nL3ZlcmNlbC9sYWJlbHM',
  '%F0%9F%98%80',
  'A'.repeat(512),
  'A'.repeat(513),
  'A'.repeat(3000),
  `%7B%22id%22%3A%221%22%7D`,
  '*',
];
const idRows: readonly HttpRow[] = BAD_IDS.flatMap((id) => {
  const shown = id.length > 60 ? `${id.length} characters` : id;
  const row = { status: 404, code: 'not-found' } as const;
  return [
    { ...row, name: `GET by the id ${shown}`, method: 'GET', target: `/v1/memories/${id}` },
    { ...row, name: `evidence of the id ${shown}`, method: 'GET', target: `/v1/memories/${id}/evidence` },
    { ...row, name: `archiving the id ${shown}`, target: `/v1/memories/${id}/archive`, body: {} },
    {
      ...row,
      name: `reviewing the id ${shown}`,
      target: `/v1/memories/${id}/review`,
      body: { decision: 'approve', expectedVersion: 1 },
    },
  ];
});

const gatewayRows: readonly HttpRow[] = [
  { name: 'an id that is no UTF-8', method: 'GET', target: '/v1/memories/%E0%A4%A', status: 400 },
  { name: 'an id with a bare percent sign', method: 'GET', target: '/v1/memories/100%', status: 400 },
  { name: 'an empty id', method: 'GET', target: '/v1/memories/', status: 404 },
  { name: 'a path with another case', method: 'GET', target: '/V1/memories', status: 404 },
  { name: 'a path with two slashes', method: 'GET', target: '//v1/memories', status: 404 },
  { name: 'a path with an encoded slash', method: 'GET', target: '/v1%2Fmemories', status: 404 },
  { name: 'a path with dots in it', method: 'GET', target: '/v1/x/../memories', status: 404 },
  { name: 'an unknown path', method: 'GET', target: '/v1/everything', status: 404 },
  { name: 'an unknown method', method: 'PROPFIND', target: '/v1/memories', status: 404 },
].map((row) => ({ ...row, only: 'wire' }));

const JSON_TYPE = ['content-type', 'application/json'] as const;
const typed = (...headers: readonly (readonly [string, string])[]) => ({
  headers,
  body: JSON.stringify(PREFERENCE),
  status: 415,
  code: 'unsupported-media-type',
});
const text = JSON.stringify(PREFERENCE);
const inText = (bytes: readonly number[]) =>
  Buffer.concat([
    Buffer.from('{"kind":"preference","content":{"text":"'),
    Buffer.from(bytes),
    Buffer.from('"}}'),
  ]);

const envelopeRows: readonly HttpRow[] = [
  { name: 'no body', status: 400, code: 'empty-body' },
  { name: 'a body that is null', body: null, status: 400, code: 'empty-body', only: 'handlers' },
  { name: 'an empty body', body: '', status: 400, code: 'empty-body' },
  ...[
    '   ',
    '{"a":1',
    '{"a":1}garbage',
    '{"a":1}{"b":2}',
    '\ufeff{}',
    "{'kind':'preference'}",
    '{"kind":"preference",}',
    '{kind:"preference"}',
    '{"kind":NaN}',
    '{"kind":undefined}',
    '{"expectedVersion":0x10}',
    '{"expectedVersion":01}',
    '{"expectedVersion":+1}',
    '{"expectedVersion":1.}',
    '{"a":"\n"}',
    '{"a":"\u0000"}',
    '{"a":"\\x41"}',
    '{"a":"\\ud8"}',
    '/* */{}',
    '{"a":1}//',
    '<xml/>',
    `"${MARK}`,
    `"${'\\"'.repeat(30_000)}`,
  ].map(
    (body): HttpRow => ({
      name: `the body ${JSON.stringify(body.slice(0, 40))}`,
      body,
      status: 400,
      code: 'invalid-json',
    }),
  ),
  ...['null', '[]', '1', 'true', `"${MARK}"`, '[{}]', '{}'].map(
    (body): HttpRow => ({ name: `the body ${body}`, body, status: 400, code: 'invalid-request' }),
  ),
  ...Object.entries({
    'the bytes FF FE': [0xff, 0xfe],
    'an overlong slash': [0xc0, 0xaf],
    'a surrogate in UTF-8': [0xed, 0xa0, 0x80],
    'a sequence cut short': [0xe2, 0x82],
    'a code point past the last': [0xf4, 0x90, 0x80, 0x80],
  }).map(
    ([name, bytes]): HttpRow => ({
      name: `a string with ${name}`,
      body: inText(bytes),
      status: 400,
      code: 'invalid-utf8',
    }),
  ),
  { name: 'no content type', ...typed() },
  { name: 'a form', ...typed(['content-type', 'application/x-www-form-urlencoded']), body: 'a=1&b=2' },
  ...[
    'application/json; charset=utf-16',
    'application/json;charset=latin1',
    'application/json;v=2',
    'application/json; charset=utf-8; v=2',
    'text/json',
    'text/plain',
    'application/x-json',
    'application/problem+json',
    'application/json, text/html',
    'json',
  ].map((type): HttpRow => ({ name: `the content type ${type}`, ...typed(['content-type', type]) })),
  {
    name: 'two content types',
    ...typed(['content-type', 'text/plain'], ['content-type', 'application/json']),
    only: 'wire',
  },
  {
    name: 'a body under gzip',
    ...typed(JSON_TYPE, ['content-encoding', 'gzip']),
    body: gzipSync(text),
  },
  { name: 'plain JSON that says it is gzip', ...typed(JSON_TYPE, ['content-encoding', 'gzip']) },
  { name: 'two encodings', ...typed(JSON_TYPE, ['content-encoding', 'identity, br']) },
  { name: '300 KB', body: text.padEnd(300 * 1024), status: 413, code: 'too-large' },
  { name: 'one byte over 64 KB', body: text.padEnd(64 * 1024 + 1), status: 413, code: 'too-large' },
  {
    name: '300 KB that is no JSON',
    body: MARK.repeat(40_000),
    headers: [['content-type', 'text/plain']],
    status: 413,
    code: 'too-large',
  },
  {
    name: 'a chart over 1 MB',
    method: 'PUT',
    target: '/v1/chart-of-accounts',
    body: JSON.stringify({ accounts: [ACCOUNT] }).padEnd(1024 * 1024 + 1),
    status: 413,
    code: 'too-large',
  },
  {
    name: '5,001 accounts',
    method: 'PUT',
    target: '/v1/chart-of-accounts',
    body: { accounts: Array.from({ length: 5001 }, (_, n) => ({ ...ACCOUNT, id: String(n) })) },
    status: 413,
    code: 'too-large',
  },
  {
    name: 'an import of 5,001 lines',
    target: '/v1/import',
    body: { lines: Array.from({ length: 5001 }, () => ({})) },
    status: 413,
    code: 'too-large',
  },
  ...[
    '{"scope":"user","scope":"org"}',
    '{"scope":"user","sc\\u006fpe":"org"}',
    '{"kind":"preference","content":{"text":"a","te\\u0078t":"b"}}',
    '[{"a":1},{"a":1,"a":1}]',
    '{"":1,"":2}',
    '{"__proto__":1,"__proto__":2}',
  ].map((body): HttpRow => ({ name: `a member twice: ${body}`, body, status: 400, code: 'duplicate-key' })),
  {
    name: '5,000 arrays in each other',
    body: '['.repeat(5000) + ']'.repeat(5000),
    status: 400,
    code: 'too-deep',
  },
  {
    name: '5,000 objects in each other',
    body: `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`,
    status: 400,
    code: 'too-deep',
  },
  { name: '30,000 brackets that never close', body: '['.repeat(30_000), status: 400, code: 'too-deep' },
  {
    name: '5,000 members',
    body: JSON.stringify(Object.fromEntries(Array.from({ length: 5000 }, (_, n) => [`k${n}`, 1]))),
    status: 400,
    code: 'too-many-keys',
  },
  {
    name: '100,000 members in a chart',
    method: 'PUT',
    target: '/v1/chart-of-accounts',
    body: `{${Array.from({ length: 100_000 }, (_, n) => `"${n.toString(36)}":1`).join()}}`,
    status: 400,
    code: 'too-many-keys',
  },
];

/** Where `raw` is, it goes out as it is: what `JSON.stringify` cannot write. */
type Refused = readonly [name: string, body: unknown, field: string, code?: string];

const refusedSaves: readonly Refused[] = [
  ['no kind', { content: PREFERENCE.content }, 'kind'],
  ['an unknown kind', { ...PREFERENCE, kind: MARK }, 'kind'],
  ['a kind that is a list', { ...PREFERENCE, kind: ['preference'] }, 'kind'],
  ['a kind of the prototype', { ...PREFERENCE, kind: 'constructor' }, 'kind'],
  ['a playbook', { kind: 'playbook', content: { steps: [MARK] } }, 'kind', 'reserved-kind'],
  ['an approval policy', { kind: 'approval_policy_hint', content: {} }, 'kind', 'reserved-kind'],
  ['no content', { kind: 'preference' }, 'content'],
  ['content that is null', { kind: 'preference', content: null }, 'content'],
  ['content that is a list', { kind: 'preference', content: [PREFERENCE.content] }, 'content'],
  ['content that is text', { kind: 'preference', content: MARK }, 'content'],
  ['content of another kind', { kind: 'preference', content: LABELS.content }, 'content.mapping'],
  ['the scope agent', { ...PREFERENCE, scope: 'agent' }, 'scope'],
  ['an unknown scope', { ...PREFERENCE, scope: 'ORG' }, 'scope'],
  ['a scope that is null', { ...PREFERENCE, scope: null }, 'scope'],
  ['a mapping for one person', { ...LABELS, scope: 'user' }, 'scope'],
  ['a mapping for one document', { ...LABELS, scope: 'document', documentId: 'doc_1' }, 'scope'],
  ['the scope document without one', { ...PREFERENCE, scope: 'document' }, 'documentId'],
  ['a document with the scope user', { ...PREFERENCE, documentId: 'doc_1' }, 'documentId'],
  ['a document id with a slash', { ...PREFERENCE, scope: 'document', documentId: 'a/b' }, 'documentId'],
  ['an empty document id', { ...PREFERENCE, scope: 'document', documentId: '' }, 'documentId'],
  [
    'a document id that is too long',
    { ...PREFERENCE, scope: 'document', documentId: 'd'.repeat(129) },
    'documentId',
  ],
  ...[
    'orgId',
    'userId',
    'source',
    'status',
    'confidence',
    'evidenceCount',
    'version',
    'rev',
    'createdAt',
    'dedupKey',
    'id',
    'history',
    'constructor',
    'toString',
  ].map((name): Refused => [`${name} from the caller`, { ...PREFERENCE, [name]: MARK }, name]),
  ['a key that is no name', { ...PREFERENCE, [`<b>${MARK}</b>`]: 1 }, '?'],
  ['a member of the prototype', '{"kind":"preference","__proto__":{"scope":"org"}}', '__proto__'],
  [
    'a member of the prototype inside',
    '{"kind":"preference","content":{"text":"a","__proto__":{"admin":true}}}',
    '__proto__',
  ],
  [
    'an escaped member of the prototype',
    '{"kind":"preference","content":{"text":"a","\\u005f_proto__":1}}',
    '__proto__',
  ],
  [
    'a constructor inside',
    { kind: 'preference', content: { text: 'a', constructor: { name: 'Set' } } },
    'content.constructor',
  ],
  ...[-1, 1.5, '1', true, null, [1], {}].map(
    (expectedVersion): Refused => [
      `the version ${JSON.stringify(expectedVersion)}`,
      { ...PREFERENCE, expectedVersion },
      'expectedVersion',
    ],
  ),
  ...['1e400', '9007199254740993', '-9007199254740993', '1e20', '0.1e-5'].map(
    (literal): Refused => [
      `the version ${literal}`,
      `{"kind":"preference","scope":"user","content":{"text":"a"},"expectedVersion":${literal}}`,
      'expectedVersion',
    ],
  ),
  ['a topic with blanks', { ...PREFERENCE, content: { text: 'a', topic: `${MARK} x` } }, 'content.topic'],
  [
    'a topic of the prototype',
    { ...PREFERENCE, content: { text: 'a', topic: '__proto__' } },
    'content.topic',
  ],
  [
    'a topic that is too long',
    { ...PREFERENCE, content: { text: 'a', topic: 't'.repeat(101) } },
    'content.topic',
  ],
  ['no mapping', { ...LABELS, content: { merchant: 'Vercel', labels: ['a'] } }, 'content.mapping'],
  ['an unknown mapping', { ...LABELS, content: { ...LABELS.content, mapping: MARK } }, 'content.mapping'],
  ['no labels', { ...LABELS, content: { ...LABELS.content, labels: [] } }, 'content.labels'],
  [
    '100 labels',
    { ...LABELS, content: { ...LABELS.content, labels: Array.from({ length: 100 }, (_, n) => `l${n}`) } },
    'content.labels',
  ],
  [
    'one label in two spellings',
    { ...LABELS, content: { ...LABELS.content, labels: ['Travel', 'ｔｒａｖｅｌ '] } },
    'content.labels',
  ],
  ['labels that are text', { ...LABELS, content: { ...LABELS.content, labels: 'travel' } }, 'content.labels'],
  [
    'labels in a list in the list',
    { ...LABELS, content: { ...LABELS.content, labels: [['travel']] } },
    'content.labels.0',
  ],
  [
    'a label that is null',
    { ...LABELS, content: { ...LABELS.content, labels: ['travel', null] } },
    'content.labels.1',
  ],
  ['no account', { ...CATEGORY, content: { mapping: 'category', merchant: 'Vercel' } }, 'content.account'],
  [
    'an account that is text',
    { ...CATEGORY, content: { ...CATEGORY.content, account: '6120' } },
    'content.account',
  ],
  [
    'an account with more to it',
    { ...CATEGORY, content: { ...CATEGORY.content, account: { id: '6120', type: 'asset' } } },
    'content.account.type',
  ],
  ['an unknown hint', { ...HINT, content: { hint: 'skip_validation' } }, 'content.hint'],
  ['a custom hint without text', { ...HINT, content: { hint: 'custom' } }, 'content.text'],
  [
    'a sender that is no domain',
    { ...HINT, content: { hint: 'preview_first', senderDomain: `${MARK}..com` } },
    'content.senderDomain',
  ],
  [
    'a sender of 300 characters',
    { ...HINT, content: { hint: 'preview_first', senderDomain: `${'a'.repeat(60)}.`.repeat(5) } },
    'content.senderDomain',
  ],
  [
    'a capability with blanks',
    { ...INTEGRATION, content: { ...INTEGRATION.content, capability: 'a b' } },
    'content.capability',
  ],
  ['no integration', { ...INTEGRATION, content: { capability: 'integrations.send' } }, 'content.integration'],
  [
    'a merchant of 2,100 bytes',
    { ...LABELS, content: { ...LABELS.content, merchant: '漢'.repeat(700) } },
    'content.merchant',
  ],
];

const refusedReviews: readonly Refused[] = [
  ['no decision', { expectedVersion: 1 }, 'decision'],
  ['an unknown decision', { decision: 'activate', expectedVersion: 1 }, 'decision'],
  ['no version', { decision: 'approve' }, 'expectedVersion'],
  ['a version as text', { decision: 'approve', expectedVersion: '1' }, 'expectedVersion'],
  ['content', { decision: 'approve', expectedVersion: 1, content: { text: MARK } }, 'content'],
];

const refusedContexts: readonly Refused[] = [
  ...[199, 32_001, '4000', 1.5, null, -1].map(
    (maxChars): Refused => [`${JSON.stringify(maxChars)} characters`, { maxChars }, 'maxChars'],
  ),
  ['an unknown format', { format: 'markdown' }, 'format'],
  ['21 merchants', { merchants: Array.from({ length: 21 }, (_, n) => `Shop ${n}`) }, 'merchants'],
  ['merchants that are text', { merchants: MARK }, 'merchants'],
  ['a merchant that is a list', { merchants: [['x']] }, 'merchants.0'],
  ['a document id with blanks', { documentId: 'a b' }, 'documentId'],
  ['a snapshot that is none', { knownSnapshot: `${MARK} x` }, 'knownSnapshot'],
  ['another workspace', { orgId: 'org_b' }, 'orgId'],
  ['another person', { userId: 'u_2' }, 'userId'],
];

const refusedCharts: readonly Refused[] = [
  ['no accounts', {}, 'accounts'],
  ['an empty chart', { accounts: [] }, 'accounts'],
  ['a bare list', [ACCOUNT], ''],
  ['one account twice', { accounts: [ACCOUNT, ACCOUNT] }, 'accounts.1.id'],
  ['a parent that is not there', { accounts: [{ ...ACCOUNT, parentId: MARK }] }, 'accounts.0.parentId'],
  ['an account above itself', { accounts: [{ ...ACCOUNT, parentId: '6120' }] }, 'accounts.0.parentId'],
  ['an unknown type', { accounts: [{ ...ACCOUNT, type: 'expenses' }] }, 'accounts.0.type'],
  ['no name', { accounts: [{ id: '1', type: 'expense' }] }, 'accounts.0.name'],
  ['an id that is a number', { accounts: [{ ...ACCOUNT, id: 6120 }] }, 'accounts.0.id'],
  ['a flag that is text', { accounts: [{ ...ACCOUNT, active: 'no' }] }, 'accounts.0.active'],
  ['21 aliases', { accounts: [{ ...ACCOUNT, aliases: Array(21).fill('x') }] }, 'accounts.0.aliases'],
  ['an unknown member', { accounts: [{ ...ACCOUNT, balance: 1 }] }, 'accounts.0.balance'],
  ['an account that is null', { accounts: [null] }, 'accounts.0'],
];

const refusedArchives: readonly Refused[] = [
  ['an unknown member', { why: MARK }, 'why'],
  ['a version as text', { expectedVersion: '1' }, 'expectedVersion'],
  ['a reason that is an object', { reason: { text: MARK } }, 'reason'],
];

const refused = (what: string, route: Partial<HttpRow>, rows: readonly Refused[]): readonly HttpRow[] =>
  rows.map(([name, body, field, code = 'invalid-request']) => ({
    ...route,
    name: `${what} with ${name}`,
    body,
    status: 400,
    code,
    ...(field !== '' && { field }),
  }));

const ruleRows: readonly HttpRow[] = [
  {
    name: 'a merchant that is digits alone',
    body: { ...LABELS, content: { ...LABELS.content, merchant: '0012 3456' } },
    status: 422,
    code: 'no-merchant',
    field: 'content.merchant',
  },
  {
    name: 'evidence for a merchant that is digits alone',
    method: 'GET',
    target: '/v1/evidence?merchant=00123456',
    status: 422,
    code: 'no-merchant',
    field: 'merchant',
  },
  ...['7777', '6000', '6999'].map(
    (id): HttpRow => ({
      name: `a category in the account ${id}, which is unknown, a group or closed`,
      body: { ...CATEGORY, content: { ...CATEGORY.content, account: { id } } },
      status: 422,
      code: 'unknown-account',
      field: 'content.account.id',
    }),
  ),
  {
    name: 'a category in a workspace without a chart',
    body: CATEGORY,
    claims: { org_id: 'org_bare' },
    status: 422,
    code: 'chart-of-accounts-missing',
  },
  {
    name: 'a phrase in a workspace without a chart',
    method: 'GET',
    target: '/v1/chart-of-accounts/resolve?query=travel',
    claims: { org_id: 'org_bare' },
    status: 422,
    code: 'chart-of-accounts-missing',
  },
  {
    name: 'a preference that is a categorisation',
    body: { ...PREFERENCE, content: { text: 'Classify Vercel as software' } },
    status: 422,
    code: 'use-canonical-mapping',
    field: 'content.text',
    mayEcho: true,
  },
  {
    name: 'a save that must be the first',
    body: { ...LABELS, content: { ...LABELS.content, merchant: 'Vercel' }, expectedVersion: 0 },
    status: 409,
    code: 'version-conflict',
  },
  {
    name: 'a review of an older version',
    target: `/v1/memories/${ID}/review`,
    body: { decision: 'approve', expectedVersion: 7 },
    status: 409,
    code: 'version-conflict',
  },
  {
    name: 'approving what is active',
    target: `/v1/memories/${ID}/review`,
    body: { decision: 'approve', expectedVersion: 1 },
    status: 422,
    code: 'not-applicable',
  },
  {
    name: 'an archive of an older version',
    target: `/v1/memories/${ID}/archive`,
    body: { expectedVersion: 7 },
    status: 409,
    code: 'version-conflict',
  },
];

const callerRows: readonly HttpRow[] = [
  ...['', '*', 'a/b', 'org b', 'o'.repeat(129), 'org_\u0000'].map(
    (org_id): HttpRow => ({
      name: `a token for the workspace ${JSON.stringify(org_id.slice(0, 20))}`,
      claims: { org_id },
      body: PREFERENCE,
      status: 403,
      code: 'forbidden',
    }),
  ),
  { name: 'a token without a person', claims: { sub: '' }, body: PREFERENCE, status: 403, code: 'forbidden' },
  {
    name: 'a preference for everybody without the review scope',
    claims: { scope: 'memories:read memories:write' },
    body: { ...PREFERENCE, scope: 'org' },
    status: 403,
    code: 'forbidden',
  },
  {
    name: 'a save with the read scope',
    claims: { scope: 'memories:read' },
    body: PREFERENCE,
    status: 403,
    only: 'wire',
  },
  {
    name: 'a save with the read scope',
    claims: { scope: 'memories:read' },
    body: PREFERENCE,
    status: 403,
    code: 'forbidden',
    only: 'handlers',
  },
  {
    name: 'a save with a scope that only begins alike',
    claims: { scope: 'memories:write:none memories:writer' },
    body: PREFERENCE,
    status: 403,
    only: 'wire',
  },
];

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];
const methodRows: readonly HttpRow[] = [
  ...new Set<string>(Object.values(ROUTES).map(({ path }) => path)),
].flatMap((path) => {
  const taken: readonly string[] = Object.values(ROUTES)
    .filter((route) => route.path === path)
    .map(({ method }) => method);
  return METHODS.filter((method) => !taken.includes(method)).map((method) => ({
    name: `${method} ${path}`,
    method,
    target: path.replace('{id}', ID),
    ...(method === 'HEAD' ? {} : { body: { text: MARK } }),
    status: 405,
    code: 'method-not-allowed',
  }));
});

export const HTTP_ROWS: readonly HttpRow[] = [
  ...envelopeRows,
  ...refused('a save', {}, refusedSaves),
  ...refused('a review', { target: `/v1/memories/${ID}/review` }, refusedReviews),
  ...refused('an archive', { target: `/v1/memories/${ID}/archive` }, refusedArchives),
  ...refused('a context', { target: '/v1/context' }, refusedContexts),
  ...refused('a chart', { method: 'PUT', target: '/v1/chart-of-accounts' }, refusedCharts),
  ...ruleRows,
  ...textRows,
  ...queryRows,
  ...idRows,
  ...callerRows,
  ...methodRows,
  ...gatewayRows,
];

export interface InvokeRow {
  readonly name: string;
  /** The payload as JSON. */
  readonly payload: string;
  readonly field: string;
}

const invoked = (name: string, payload: unknown, field: string): InvokeRow => ({
  name,
  payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
  field,
});

export const INVOKE_ROWS: readonly InvokeRow[] = [
  invoked('null', 'null', ''),
  invoked('a list', '[]', ''),
  invoked('text', `"${MARK}"`, ''),
  invoked('a number', '1', ''),
  invoked('nothing', {}, 'orgId'),
  ...['', '*', 'a/b', ' org_a', `org ${MARK}`, 'o'.repeat(129), null, 1, ['org_a'], { id: 'org_a' }].map(
    (orgId) => invoked(`the workspace ${JSON.stringify(orgId).slice(0, 30)}`, { orgId }, 'orgId'),
  ),
  ...[0, 501, 1.5, '10', null, -1].map((maxHints) =>
    invoked(`${JSON.stringify(maxHints)} hints`, { orgId: 'org_a', maxHints }, 'maxHints'),
  ),
  invoked('an unknown member', { orgId: 'org_a', status: 'candidate' }, 'status'),
  invoked('a constructor', { orgId: 'org_a', constructor: { name: 'Set' } }, 'constructor'),
  invoked('a prototype', '{"orgId":"org_a","__proto__":{"userId":"u_2"}}', '__proto__'),
  invoked('a person with blanks', { orgId: 'org_a', userId: `u ${MARK}` }, 'userId'),
  invoked('a document with a slash', { orgId: 'org_a', documentId: 'a/b' }, 'documentId'),
  invoked('merchants as text', { orgId: 'org_a', merchants: MARK }, 'merchants'),
  invoked('a merchant that is null', { orgId: 'org_a', merchants: [null] }, 'merchants.0'),
  invoked('21 merchants', { orgId: 'org_a', merchants: Array(21).fill('Vercel') }, 'merchants'),
  invoked(
    '10,000 merchants',
    { orgId: 'org_a', merchants: Array.from({ length: 10_000 }, (_, n) => `Shop ${n}`) },
    'merchants',
  ),
  invoked(
    '5,000 levels',
    `{"orgId":"org_a","merchants":${'['.repeat(5000)}${']'.repeat(5000)}}`,
    'merchants.0',
  ),
  invoked('a sender that is no domain', { orgId: 'org_a', senderDomain: 'a b' }, 'senderDomain'),
  invoked(
    'a document type with nothing visible',
    { orgId: 'org_a', documentType: ' \u3164 ' },
    'documentType',
  ),
  ...Object.entries({ ...BAD_TEXTS, ...LINE_BREAKS }).map(([name, merchant]) =>
    invoked(`a merchant ${name}`, { orgId: 'org_a', merchants: [merchant] }, 'merchants.0'),
  ),
];

export interface EventRow {
  readonly name: string;
  /** The detail as JSON; on the wire one that is no object is refused by the bus. */
  readonly detail: string;
  readonly reason: RegExp;
}

export const EVENT = {
  eventId: 'ev_bad',
  orgId: 'org_a',
  type: 'manual_patch',
  occurredAt: '2025-11-30T03:00:00Z',
  actor: { userId: 'u_1' },
  subjectType: 'document',
  subjectIds: ['doc_1'],
  changedFields: ['category'],
  changeSet: { category: { from: '6000', to: '6120' } },
  context: { merchant: 'Vercel' },
};

const event = (name: string, detail: unknown, reason: RegExp): EventRow => ({
  name,
  detail: typeof detail === 'string' ? detail : JSON.stringify(detail),
  reason,
});
const without = (name: keyof typeof EVENT) => ({ ...EVENT, [name]: undefined });
const inEvent = (from: string, to: string) => JSON.stringify(EVENT).replace(from, to);
const UNFIT = Object.entries(BAD_TEXTS).filter(([, value]) => value.includes(MARK));

export const EVENT_ROWS: readonly EventRow[] = [
  ...(['eventId', 'orgId', 'type', 'occurredAt', 'subjectIds'] as const).map((name) =>
    event(`no ${name}`, without(name), new RegExp(`${name} is required`)),
  ),
  ...['', '*', 'a/b', null, 1].map((orgId) =>
    event(`the workspace ${JSON.stringify(orgId)}`, { ...EVENT, orgId }, /orgId/),
  ),
  event('an empty event id', { ...EVENT, eventId: '' }, /eventId/),
  event('an event id of 129 characters', { ...EVENT, eventId: 'e'.repeat(129) }, /eventId/),
  event('an unknown type', { ...EVENT, type: MARK }, /type/),
  event('a type of the prototype', { ...EVENT, type: 'constructor' }, /type/),
  event('no documents', { ...EVENT, subjectIds: [] }, /subjectIds/),
  event(
    '1,001 documents',
    { ...EVENT, subjectIds: Array.from({ length: 1001 }, (_, n) => `d${n}`) },
    /subjectIds/,
  ),
  event('a document that is null', { ...EVENT, subjectIds: ['doc_1', null] }, /subjectIds\.1/),
  event('documents as text', { ...EVENT, subjectIds: 'doc_1' }, /subjectIds/),
  ...[
    '2026-02-30T00:00:00Z',
    '2026-11-30T03:00:00',
    '2026-11-30T03:00:60Z',
    '2026-11-30',
    '9999-01-01T00:00:00Z',
    '0000-01-01T00:00:00Z',
    '2026-13-01T00:00:00Z',
    'yesterday',
    '',
    1_800_000_000,
    null,
  ].map((occurredAt) =>
    event(`the time ${JSON.stringify(occurredAt)}`, { ...EVENT, occurredAt }, /occurredAt/),
  ),
  event('the future', { ...EVENT, occurredAt: '2126-11-30T03:00:00Z' }, /occurredAt lies more than five/),
  event('a status', { ...EVENT, status: 'active' }, /status/),
  event('a schema version', { ...EVENT, schemaVersion: 99 }, /schemaVersion/),
  event('a source of its own', { ...EVENT, source: 'user_declared' }, /source/),
  event('an actor without an id', { ...EVENT, actor: {} }, /actor\.userId/),
  event('an actor with a role', { ...EVENT, actor: { userId: 'u_1', role: 'admin' } }, /actor\.role/),
  event('a change set that is a list', { ...EVENT, changeSet: [] }, /changeSet/),
  event(
    '101 changes',
    { ...EVENT, changeSet: Object.fromEntries(Array.from({ length: 101 }, (_, n) => [`f${n}`, {}])) },
    /changeSet/,
  ),
  event('a field that is no name', { ...EVENT, changeSet: { [`<b>${MARK}`]: {} } }, /changeSet/),
  event(
    'a change with more to it',
    { ...EVENT, changeSet: { category: { to: '6120', by: 'x' } } },
    /changeSet\.category/,
  ),
  event(
    'a category that is a number',
    { ...EVENT, changeSet: { category: { to: 6120 } } },
    /changeSet\.category/,
  ),
  event(
    'a merchant that is a list',
    { ...EVENT, changeSet: { merchant: { to: ['x'] } } },
    /changeSet\.merchant/,
  ),
  event(
    'a merchant of 401 characters',
    { ...EVENT, context: { merchant: 'x'.repeat(401) } },
    /context\.merchant/,
  ),
  event(
    'feedback of 2,001 characters',
    { ...EVENT, context: { feedback: 'x'.repeat(2001) } },
    /context\.feedback/,
  ),
  event(
    'a sender of 254 characters',
    { ...EVENT, context: { senderDomain: 'x'.repeat(254) } },
    /context\.senderDomain/,
  ),
  event('an unknown context', { ...EVENT, context: { instructions: MARK } }, /context\.instructions/),
  event('a capability with blanks', { ...EVENT, context: { capability: 'a b' } }, /context\.capability/),
  event('a split that is text', { ...EVENT, context: { split: 'true' } }, /context\.split/),
  event('51 causes', { ...EVENT, causedBy: Array(51).fill('id') }, /causedBy/),
  event('a prototype', inEvent('"changeSet":{', '"changeSet":{"__proto__":{"to":1},'), /__proto__/),
  event('a constructor', inEvent('"changeSet":{', '"changeSet":{"constructor":{"name":"Set"},'), /changeSet/),
  event(
    'a constructor far inside',
    inEvent('"changeSet":{', '"changeSet":{"notes":{"to":{"constructor":{"name":"Set"}}},'),
    /changeSet\.notes/,
  ),
  event(
    'seven levels of a note',
    inEvent('"changeSet":{', '"changeSet":{"notes":{"to":[[[[[[[1]]]]]]]},'),
    /changeSet\.notes/,
  ),
  event(
    'an integer that is not safe',
    inEvent('"changeSet":{', '"changeSet":{"total":{"to":9007199254740993},'),
    /changeSet\.total/,
  ),
  event(
    'a lone surrogate in a note',
    { ...EVENT, changeSet: { notes: { to: '\ud800' } } },
    /changeSet\.notes/,
  ),
  ...UNFIT.flatMap(([name, value]) => [
    event(`a merchant ${name}`, { ...EVENT, context: { merchant: value } }, /context\.merchant/),
    event(
      `a new name ${name}`,
      { ...EVENT, changeSet: { merchant: { from: 'V', to: value } } },
      /changeSet\.merchant\.to/,
    ),
    event(
      `an account ${name}`,
      { ...EVENT, changeSet: { category: { to: { id: '1', name: value } } } },
      /changeSet\.category\.to/,
    ),
    event(`feedback ${name}`, { ...EVENT, context: { feedback: value } }, /context\.feedback/),
    event(`a sender ${name}`, { ...EVENT, context: { senderDomain: value } }, /context\.senderDomain/),
    event(`a target ${name}`, { ...EVENT, context: { target: value } }, /context\.target/),
  ]),
  ...['\u{e0041}\u{e0042}', '\u202e', '\u0000', '\ud800'].map((merchant) =>
    event(
      `a merchant of nothing but ${JSON.stringify(merchant)}`,
      { ...EVENT, context: { merchant } },
      /context\.merchant/,
    ),
  ),
];

/** Bodies of messages that no bus would bring, but a queue can. */
export const MESSAGE_ROWS: readonly {
  readonly name: string;
  readonly body: string;
  readonly reason: RegExp;
}[] = [
  {
    name: 'a number that is none',
    body: envelope(EVENT).replace('"changeSet":{', '"changeSet":{"total":{"to":1e400},'),
    reason: /changeSet\.total/,
  },
  { name: 'no JSON', body: `{"a":${MARK}`, reason: /invalid-json/ },
  { name: 'nothing', body: '', reason: /invalid-json/ },
  { name: 'a list', body: '[]', reason: /invalid-request/ },
  { name: 'a detail that is text', body: envelope(JSON.stringify(EVENT)), reason: /detail/ },
  { name: 'a detail that is a list', body: envelope([EVENT]), reason: /detail/ },
  { name: 'no detail', body: '{"source":"receipts","detail-type":"CorrectionRecorded"}', reason: /detail/ },
  { name: 'another detail type', body: envelope(EVENT, { 'detail-type': 'Other' }), reason: /detail-type/ },
  {
    name: 'the source of the service itself',
    body: envelope(EVENT, { source: 'ai-memories' }),
    reason: /source/,
  },
  {
    name: 'a key twice',
    body: envelope(EVENT).replace('"orgId":', '"orgId":"org_b","orgId":'),
    reason: /duplicate-key/,
  },
  {
    name: 'a key twice, once escaped',
    body: envelope(EVENT).replace('"orgId":', '"org\\u0049d":"org_b","orgId":'),
    reason: /duplicate-key/,
  },
  {
    name: '5,000 levels',
    body: envelope(EVENT).replace('"6000"', `${'['.repeat(5000)}${']'.repeat(5000)}`),
    reason: /too-deep/,
  },
  {
    name: '300 KB',
    body: envelope({ ...EVENT, changeSet: { notes: { to: 'x'.repeat(300_000) } } }),
    reason: /too-large/,
  },
  {
    name: '6,000 members',
    body: envelope({ ...EVENT, ...Object.fromEntries(Array.from({ length: 6000 }, (_, n) => [`k${n}`, 1])) }),
    reason: /too-many-keys/,
  },
];

function envelope(detail: unknown, more: Readonly<Record<string, unknown>> = {}): string {
  return JSON.stringify({ source: 'receipts', 'detail-type': 'CorrectionRecorded', detail, ...more });
}
