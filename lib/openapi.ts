import * as z from 'zod/mini';
import { ANSWERS } from './answers.ts';
import { Account, ChartInput } from './domain/chart-of-accounts.ts';
import type { ErrorCode } from './domain/errors.ts';
import { MemoryId, UserId } from './domain/ids.ts';
import {
  CategoryContent,
  IntegrationPreferenceContent,
  LabelsContent,
  Memory,
  MerchantNameContent,
  PreferenceContent,
  WorkflowHintContent,
} from './domain/memory.ts';
import { ArchiveRequest, ContextRequest, ReviewRequest, SaveRequest } from './domain/requests.ts';
import {
  ChartInForce,
  ChartReplaced,
  Context,
  Decision,
  Evidence,
  MemoryPage,
  ProblemDocument,
  Resolution,
} from './domain/responses.ts';
import { PROBLEMS } from './lambda/problem.ts';
import { ANSWER_EXAMPLES } from './openapi-examples.ts';
import { OPERATION_DOCS, type OperationDoc } from './operation-docs.ts';
import { type OperationId, ROUTES } from './routes.ts';

type Json = Record<string, unknown>;

/** The OpenAPI 3.1 document, made of the table of operations and its schemas. */
export function openApiDocument(): Json {
  const ids = Object.keys(ROUTES) as OperationId[];
  const paths: Record<string, Json> = {};
  for (const id of ids) {
    const { path, method } = ROUTES[id];
    paths[path] = { ...paths[path], [method.toLowerCase()]: operationOf(id) };
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'ai-memories',
      version: '1.0.0',
      summary: 'The long-term memory of a receipts and accounting product.',
      description:
        'What people corrected, declared and decided, one workspace at a time. The workspace and the person come from the bearer token and from nowhere else. Answers may gain members: ignore those you do not know.',
      license: { name: 'Unlicensed', identifier: 'LicenseRef-UNLICENSED' },
    },
    servers: [{ url: '/', description: 'Where this document is served.' }],
    tags: [...new Set(ids.map(areaOf))].map((name) => ({ name, description: AREAS[name] ?? name })),
    paths,
    components: {
      schemas: components(),
      examples: Object.fromEntries(
        Object.entries(PROBLEMS)
          // No operation of the document answers it: it is what the others of a path's methods get.
          .filter(([code]) => code !== 'method-not-allowed')
          .map(([code, { title, status }]) => [code, problemExample(code, title, status)]),
      ),
      securitySchemes: {
        token: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description:
            'An access token with the claims `sub` (person), `org_id` (workspace) and `scope`. The scopes that an operation needs are listed with it.',
        },
      },
    },
  };
}

const AREAS: Readonly<Record<string, string>> = {
  memories: 'What is remembered: saved, listed, reviewed, explained, and given to prompts.',
  accounts: "The workspace's chart of accounts.",
  erase: 'Taking people, or everything, out of the records.',
  transfer: 'Memories as files.',
};

const areaOf = (id: OperationId): string => id.split('.')[0] ?? '';

const SCHEMAS = z.registry<{ id: string }>();
const NAMED: Readonly<Record<string, z.ZodMiniType>> = {
  Account,
  ArchiveRequest,
  CategoryContent,
  ChartInForce,
  ChartInput,
  ChartReplaced,
  Context,
  ContextRequest,
  Decision,
  Evidence,
  IntegrationPreferenceContent,
  LabelsContent,
  Memory,
  MemoryPage,
  MerchantNameContent,
  PreferenceContent,
  Problem: ProblemDocument,
  Resolution,
  ReviewRequest,
  SaveRequest,
  WorkflowHintContent,
};
const ANSWERED = new Set<z.ZodMiniType>([...Object.values(ANSWERS), Memory, ProblemDocument]);

const names = new Map<z.ZodMiniType, string>();
for (const [id, schema] of Object.entries(NAMED)) name(schema, id);
for (const id of Object.keys(ROUTES) as OperationId[]) {
  const route: { path: string; body?: z.ZodMiniType } = ROUTES[id];
  const pascal = id.replace(/(?:^|\.)(\w)/g, (_, letter: string) => letter.toUpperCase());
  if (route.body) name(route.body, `${pascal}Request`);
  name(ANSWERS[id], `${pascal}Answer`);
}

function name(schema: z.ZodMiniType, id: string): void {
  if (names.has(schema)) return;
  names.set(schema, id);
  SCHEMAS.add(schema, { id });
}

function components(): Record<string, Json> {
  const { schemas } = z.toJSONSchema(SCHEMAS, {
    io: 'input',
    uri: (id) => `#/components/schemas/${id}`,
  }) as { schemas: Record<string, Json> };
  return Object.fromEntries(
    [...names]
      .map(([schema, id]) => {
        const { $schema: _, $id: __, ...made } = schemas[id] ?? {};
        return [id, ANSWERED.has(schema) ? open(made) : made] as const;
      })
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

/** An answer may gain members without breaking anybody. */
function open(value: Json): Json {
  return JSON.parse(
    JSON.stringify(value, (key, member) => (key === 'additionalProperties' ? undefined : member)),
  ) as Json;
}

const refTo = (schema: z.ZodMiniType): Json => ({ $ref: `#/components/schemas/${names.get(schema)}` });

function operationOf(id: OperationId): Json {
  const route: {
    scope: string;
    path: string;
    query: z.ZodMiniType;
    body?: z.ZodMiniType;
    lines?: boolean;
  } = ROUTES[id];
  const doc: OperationDoc = OPERATION_DOCS[id];
  const { id: _, ...rest } = doc.example;
  const example = route.path.includes('{id}') ? rest : doc.example;
  const parameters = [...pathParameters(route.path, doc), ...queryParameters(route.query, doc)];
  const success = {
    description: 'Done.',
    ...(id === 'memories.get' && { headers: { ETag: header('The version, quoted.') } }),
    content: {
      'application/json': { schema: refTo(ANSWERS[id]), example: ANSWER_EXAMPLES[id] },
      ...(route.lines && route.body === undefined && LINES),
    },
  };
  return {
    operationId: id.replace('.', '_'),
    tags: [areaOf(id)],
    summary: doc.title,
    description: doc.description,
    security: [{ token: [route.scope] }],
    ...(parameters.length > 0 && { parameters }),
    ...(route.body && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: refTo(route.body), example }, ...(route.lines && LINES) },
      },
    }),
    responses: {
      200: success,
      ...(doc.creates && { 201: { ...success, description: 'Done, and something came to be.' } }),
      ...refusals(route, doc),
    },
  };
}

/** One JSON document a line. */
const LINES: Json = { 'application/x-ndjson': { schema: { type: 'string' } } };

function pathParameters(path: string, doc: OperationDoc): Json[] {
  if (!path.includes('{id}')) return [];
  const [description, schema] = path.startsWith('/v1/users/')
    ? ['The id of a person, as their token has it.', UserId]
    : ['The id of a memory, as the service gave it.', MemoryId];
  return [
    {
      name: 'id',
      in: 'path',
      required: true,
      description,
      schema: schemaOf(schema),
      example: doc.example.id,
    },
  ];
}

function queryParameters(query: z.ZodMiniType, doc: OperationDoc): Json[] {
  const { properties = {} } = schemaOf(query, 'output') as { properties?: Record<string, Json> };
  const { required = [] } = schemaOf(query) as { required?: string[] };
  return Object.entries(properties).map(([parameter, { description, ...schema }]) => ({
    name: parameter,
    in: 'query',
    required: required.includes(parameter),
    ...(description !== undefined && { description }),
    schema,
    ...(parameter in doc.example && { example: doc.example[parameter] }),
  }));
}

function schemaOf(schema: z.ZodMiniType, io: 'input' | 'output' = 'input'): Json {
  const { $schema: _, ...made } = z.toJSONSchema(schema, { io }) as Json;
  return made;
}

/** What an operation can answer instead, from its shape, the rules it can refuse by, and the table of problems. */
function refusals(route: { path: string; body?: z.ZodMiniType }, doc: OperationDoc): Record<string, Json> {
  const codes: ErrorCode[] = [
    'invalid-request',
    'unauthenticated',
    'forbidden',
    'throttled',
    'unavailable',
    ...(route.path.includes('{id}') ? (['not-found'] as const) : []),
    ...(route.body ? BODY_CODES : []),
    ...(route.body && takesVersion(route.body) ? (['version-conflict'] as const) : []),
    ...doc.refusals,
  ];
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codes) {
    const { status } = PROBLEMS[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return {
    ...Object.fromEntries([...byStatus].map(([status, of]) => [status, refusal(status, of)])),
    500: problemResponse('Something went wrong on our side.', {
      internal: problemExample('internal-error', 'Something went wrong on our side', 500),
    }),
  };
}

const BODY_CODES = [
  'empty-body',
  'invalid-json',
  'invalid-utf8',
  'duplicate-key',
  'too-deep',
  'too-many-keys',
  'too-large',
  'unsupported-media-type',
] as const satisfies readonly ErrorCode[];

const takesVersion = (body: z.ZodMiniType): boolean =>
  JSON.stringify(schemaOf(body)).includes('"expectedVersion"');

function refusal(status: number, codes: readonly ErrorCode[]): Json {
  const described = codes.map((code) => `\`${code}\`: ${PROBLEMS[code].title}.`).join(' ');
  const examples = Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]));
  const response = problemResponse(described, examples);
  const retried = status === 429 || status === 503;
  return {
    ...response,
    ...(retried && { headers: { 'Retry-After': header('Seconds to wait before trying again.') } }),
    content: {
      ...(response.content as Json),
      // The gateway answers these before the service is asked.
      ...(BY_GATEWAY.includes(status) && {
        'application/json': {
          schema: { type: 'object', properties: { message: { type: 'string' } }, required: ['message'] },
          example: { message: GATEWAY_MESSAGES[status] },
        },
      }),
    },
  };
}

const GATEWAY_MESSAGES: Readonly<Record<number, string>> = {
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  429: 'Too Many Requests',
  503: 'Service Unavailable',
};
const BY_GATEWAY = Object.keys(GATEWAY_MESSAGES).map(Number);

function problemResponse(description: string, examples: Json): Json {
  return {
    description,
    content: { 'application/problem+json': { schema: refTo(ProblemDocument), examples } },
  };
}

function problemExample(code: string, title: string, status: number): Json {
  return {
    value: {
      type: `urn:ai-memories:problem:${code}`,
      title,
      status,
      detail: `${title}.`,
      code,
      requestId: '4cf6b1a2-0000-4000-8000-000000000000',
      ...(code === 'invalid-request' && { errors: [{ path: 'content', message: 'is required' }] }),
    },
  };
}

const header = (description: string): Json => ({ description, schema: { type: 'string' } });
