import type { ObjectSchema, Schema } from './tool-schemas.ts';

/** Whose strict mode a schema is written for. */
export type StrictDialect = 'openai' | 'anthropic';

/**
 * A schema within what a strict mode takes. What it cannot say is left out: the service checks it all the same, and its
 * refusals name the field. OpenAI wants every member required, so that one left out is `null`; `callTool` takes that.
 */
export function strictSchema(schema: ObjectSchema, dialect: StrictDialect): ObjectSchema {
  return strict(schema, dialect) as ObjectSchema;
}

function strict(schema: Schema, dialect: StrictDialect): Schema {
  const choice = (schema.oneOf ?? schema.anyOf) as readonly Schema[] | undefined;
  if (choice) {
    return {
      ...(schema.description !== undefined && { description: schema.description }),
      anyOf: choice.map((alternative) => strict(alternative, dialect)),
    };
  }
  const kept = Object.fromEntries(
    Object.entries(schema).filter(([keyword, value]) => isTaken(keyword, value, dialect)),
  );
  if ('const' in schema) return { ...kept, type: 'string', enum: [schema.const] };
  if (schema.items) return { ...kept, items: strict(schema.items as Schema, dialect) };
  if (schema.type !== 'object') return kept;
  const required = (schema.required ?? []) as readonly string[];
  const properties = Object.entries((schema.properties ?? {}) as Readonly<Record<string, Schema>>).map(
    ([name, member]) => {
      const made = strict(member, dialect);
      return [name, dialect === 'anthropic' || required.includes(name) ? made : nullable(made)] as const;
    },
  );
  return {
    ...kept,
    properties: Object.fromEntries(properties),
    required: dialect === 'openai' ? properties.map(([name]) => name) : required,
    additionalProperties: false,
  };
}

function nullable(schema: Schema): Schema {
  const { description, ...rest } = schema;
  const said = description === undefined ? {} : { description };
  const forms = (rest.anyOf as readonly Schema[] | undefined) ?? [rest];
  return { ...said, anyOf: [...forms, { type: 'null' }] };
}

const OF_BOTH = ['type', 'description', 'enum'];
const OF_OPENAI = [...OF_BOTH, 'minimum', 'maximum', 'minItems', 'maxItems'];

function isTaken(keyword: string, value: unknown, dialect: StrictDialect): boolean {
  // Neither takes what looks around, nor classes by Unicode property.
  if (keyword === 'pattern') return !/\(\?[=!<]|\\p/i.test(String(value));
  if (keyword === 'maximum' && value === Number.MAX_SAFE_INTEGER) return false;
  return (dialect === 'openai' ? OF_OPENAI : OF_BOTH).includes(keyword);
}
