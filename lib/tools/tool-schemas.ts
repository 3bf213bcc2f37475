import * as z from 'zod/mini';
import { ANSWERS } from '../answers.ts';
import { MemoryId } from '../domain/ids.ts';
import { RESERVED_KINDS } from '../domain/memory.ts';
import { type OperationId, ROUTES } from '../routes.ts';

/** A JSON Schema of an object, which is what every consumer of tools takes at the root. */
export interface ObjectSchema {
  readonly [keyword: string]: unknown;
  readonly type: 'object';
  readonly properties: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean;
}
export type Schema = Readonly<Record<string, unknown>>;

/** What the operations take, as one flat object: the id of the path and the members of the body or the query. */
export function inputSchemaOf(operations: readonly OperationId[]): ObjectSchema {
  return { ...merged(operations.flatMap(inputsOf)), additionalProperties: false };
}

/** What they answer, as one object. Open, so that an answer may gain members. */
export function outputSchemaOf([first]: readonly OperationId[]): ObjectSchema {
  if (first === undefined) throw new RangeError('A tool has an operation.');
  const { $defs, ...schema } = jsonSchema(ANSWERS[first], 'input', 'ref');
  return opened({ ...merged(alternativesOf(schema)), ...($defs !== undefined && { $defs }) });
}

function opened(schema: ObjectSchema): ObjectSchema {
  const text = JSON.stringify(schema, (key, value) => (key === 'additionalProperties' ? undefined : value));
  return JSON.parse(text) as ObjectSchema;
}

function inputsOf(id: OperationId): readonly ObjectSchema[] {
  const route: { path: string; query: z.ZodMiniType; body?: z.ZodMiniType } = ROUTES[id];
  const rest = route.body ? alternativesOf(jsonSchema(route.body, 'input')) : [queryOf(route.query)];
  if (!route.path.includes('{id}')) return rest.filter((schema) => !isReserved(schema));
  const idSchema = { ...jsonSchema(MemoryId, 'input'), description: 'The id of a memory.' };
  return rest.map((schema) => ({
    ...schema,
    properties: { id: idSchema, ...schema.properties },
    required: ['id', ...(schema.required ?? [])],
  }));
}

/** Numbers are numbers here, though a query string has them as text; what has a default need not be given. */
function queryOf(query: z.ZodMiniType): ObjectSchema {
  const { required: _, ...written } = alternativesOf(jsonSchema(query, 'output'))[0] ?? EMPTY;
  const { required } = alternativesOf(jsonSchema(query, 'input'))[0] ?? EMPTY;
  return { ...written, ...(required && { required }) } as ObjectSchema;
}

const EMPTY: ObjectSchema = { type: 'object', properties: {} };

function jsonSchema(
  schema: z.ZodMiniType,
  io: 'input' | 'output',
  reused: 'inline' | 'ref' = 'inline',
): Schema {
  const { $schema: _, ...made } = z.toJSONSchema(schema, { io, reused }) as Record<string, unknown>;
  return made;
}

function alternativesOf(schema: Schema): readonly ObjectSchema[] {
  const alternatives = (schema.oneOf ?? schema.anyOf) as readonly Schema[] | undefined;
  return alternatives?.flatMap(alternativesOf) ?? [schema as ObjectSchema];
}

/** Kinds that nobody can save are not offered. */
function isReserved({ properties }: ObjectSchema): boolean {
  const kinds = properties.kind?.enum;
  return Array.isArray(kinds) && kinds.every((kind) => RESERVED_KINDS.some((reserved) => reserved === kind));
}

/**
 * Several objects as one: no consumer takes a choice at the root. A member that differs is a choice, each form of it
 * saying to which value of the distinguishing member it belongs.
 */
function merged(schemas: readonly ObjectSchema[]): ObjectSchema {
  const [first = EMPTY, ...others] = schemas;
  if (others.length === 0) return first;
  const names = [...new Set(schemas.flatMap(({ properties }) => Object.keys(properties)))];
  const required = names.filter((name) => schemas.every((schema) => schema.required?.includes(name)));
  return {
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, mergedMember(name, schemas)])),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

function mergedMember(name: string, schemas: readonly ObjectSchema[]): Schema {
  const forms = schemas.flatMap(({ properties }) => {
    const form = properties[name];
    return form === undefined ? [] : [{ form, of: distinguished(properties, name) }];
  });
  const distinct = [...new Map(forms.map((each) => [JSON.stringify(each.form), each])).values()];
  const [only] = distinct;
  if (only !== undefined && distinct.length === 1) return only.form;
  const constants = distinct.flatMap(({ form }) => ('const' in form ? [form.const] : []));
  if (constants.length === distinct.length) return { type: 'string', enum: constants };
  return {
    anyOf: distinct.flatMap(({ form, of }) =>
      alternativesOf(form).map((alternative) => (of ? { ...alternative, description: of } : alternative)),
    ),
  };
}

function distinguished(properties: ObjectSchema['properties'], but: string): string | undefined {
  const [found] = Object.entries(properties).filter(([name, form]) => name !== but && 'const' in form);
  return found && `With ${found[0]} ${String(found[1].const)}.`;
}
