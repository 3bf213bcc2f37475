import { readFile, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { ANSWERS } from '../lib/answers.ts';
import { openApiDocument } from '../lib/openapi.ts';
import { ANSWER_EXAMPLES } from '../lib/openapi-examples.ts';
import { OPERATION_DOCS } from '../lib/operation-docs.ts';
import { queryOf, split } from '../lib/operation-input.ts';
import { OPEN_ROUTES, type OperationId, ROUTES } from '../lib/routes.ts';

const GOLDEN = new URL('contracts/openapi.json', import.meta.url);
const OPERATIONS = Object.keys(ROUTES) as OperationId[];

let made: ReturnType<typeof JSON.parse>;

/** As a reader has it; made by the first test that asks for it, so that what goes wrong in the making fails a test. */
function documentOf() {
  made ??= JSON.parse(JSON.stringify(openApiDocument()));
  return made;
}

describe('the OpenAPI document', () => {
  it('is the one under contracts; run with UPDATE_CONTRACTS=1 when it is meant to change', async () => {
    const document = documentOf();
    const text = `${JSON.stringify(document, null, 2)}\n`;
    if (process.env.UPDATE_CONTRACTS) await writeFile(GOLDEN, text);
    expect(JSON.parse(await readFile(GOLDEN, 'utf8'))).toEqual(document);
  });

  it.each(OPERATIONS)('has %s with its scope, its answer and its refusals', (id) => {
    const { path, method, scope } = ROUTES[id];
    const operation = documentOf().paths[path][method.toLowerCase()];
    expect(operation.security).toEqual([{ token: [scope] }]);
    expect(operation.responses[200].content['application/json'].schema.$ref).toMatch(
      /^#\/components\/schemas\//,
    );
    for (const status of [400, 401, 403, 429, 500, 503]) {
      expect(operation.responses[status].content).toHaveProperty(['application/problem+json']);
    }
    expect(404 in operation.responses).toBe(path.includes('{id}'));
    expect(413 in operation.responses).toBe('body' in ROUTES[id]);
  });

  it('has the operations of the table and nothing else', () => {
    const described = Object.values(documentOf().paths).flatMap((item) => Object.keys(item as object));
    expect(described).toHaveLength(OPERATIONS.length);
    expect(OPEN_ROUTES).toContainEqual({ method: 'GET', path: '/v1/openapi.json', function: 'openapi' });
  });

  it('refers only to what it holds', () => {
    const document = documentOf();
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(
      ([, path]) => path,
    );
    expect(references.length).toBeGreaterThan(50);
    for (const path of new Set(references)) expect(document, path).toHaveProperty(path?.split('/') ?? []);
  });

  it.each(OPERATIONS)('gives an example for %s that the service takes, and an answer that it gives', (id) => {
    const route: { path: string; query: z.ZodMiniType; body?: z.ZodMiniType } = ROUTES[id];
    const { rest } = split(route.path, OPERATION_DOCS[id].example);
    const asked = route.body?.safeParse(rest) ?? route.query.safeParse(queryOf(rest));
    expect(asked.error).toBeUndefined();
    expect(ANSWERS[id].safeParse(ANSWER_EXAMPLES[id]).error).toBeUndefined();
  });

  it('says how long a text may be, and what a number in a query string is', () => {
    expect(documentOf().components.schemas.PreferenceContent.properties.text).toEqual({
      type: 'string',
      minLength: 1,
      maxLength: 500,
    });
    const { parameters } = documentOf().paths['/v1/memories'].get;
    expect(parameters.find(({ name }: { name: string }) => name === 'limit').schema).toEqual({
      type: 'integer',
      minimum: 1,
      maximum: 100,
    });
  });

  it('closes what is sent and leaves open what is answered', () => {
    const { schemas } = documentOf().components;
    expect(schemas.ArchiveRequest.additionalProperties).toBe(false);
    expect(schemas.Memory.additionalProperties).toBeUndefined();
    expect(z.safeParse(z.looseObject({}), schemas.Memory).success).toBe(true);
  });
});
