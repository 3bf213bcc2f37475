import type { AnswerOf } from '../answers.ts';
import type { ErrorCode, FieldError } from '../domain/errors.ts';
import { OPERATION_DOCS, type OperationDoc } from '../operation-docs.ts';
import type { OperationInput } from '../operation-input.ts';
import { type OperationId, ROUTES, type Scope } from '../routes.ts';
import { strictSchema } from './strict-schema.ts';
import { inputSchemaOf, type ObjectSchema, outputSchemaOf } from './tool-schemas.ts';

/** The tools, each with its operations. With several, the first whose path can be filled in is the one that is meant. */
const TOOLS = {
  memories_save: ['memories.save'],
  memories_list: ['memories.list'],
  memories_get: ['memories.get'],
  memories_archive: ['memories.archive'],
  memories_context: ['memories.context'],
  memories_evidence: ['memories.evidence', 'memories.explain'],
  accounts_resolve: ['accounts.resolve'],
  memories_review: ['memories.review'],
} as const satisfies Record<string, readonly [OperationId, ...OperationId[]]>;
export type ToolName = keyof typeof TOOLS;
type ToolOperation = (typeof TOOLS)[ToolName][number];

/** A tool as JSON Schema says it, and as MCP shows it. */
export interface ToolDefinition {
  readonly name: ToolName;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: ObjectSchema;
  readonly outputSchema: ObjectSchema;
  readonly annotations: {
    readonly title: string;
    readonly readOnlyHint: boolean;
    readonly destructiveHint: boolean;
    readonly idempotentHint: boolean;
    readonly openWorldHint: false;
  };
}

export interface OpenAiTool {
  readonly type: 'function';
  readonly function: {
    readonly name: ToolName;
    readonly description: string;
    readonly parameters: ObjectSchema;
    readonly strict?: true;
  };
}

export interface AnthropicTool {
  readonly name: ToolName;
  readonly description: string;
  readonly input_schema: ObjectSchema;
  readonly strict?: true;
}

export interface ToolOptions {
  /** Schemas within the strict mode of the one they are for; nothing for `json`. @default false */
  readonly strict?: boolean;
  /** Only the tools that a token with these scopes can use. @default read and write, so no `memories_review` */
  readonly scopes?: Iterable<string>;
}

interface Formats {
  readonly json: ToolDefinition;
  readonly openai: OpenAiTool;
  readonly anthropic: AnthropicTool;
}

/** The definitions of the tools, in the form that a model's API takes. */
export function toolDefinitions<Format extends keyof Formats>(
  format: Format,
  options: ToolOptions = {},
): readonly Formats[Format][] {
  const scopes = new Set(options.scopes ?? DEFAULT_SCOPES);
  const names = Object.keys(TOOLS) as ToolName[];
  return names
    .filter((name) => scopes.has(ROUTES[TOOLS[name][0]].scope))
    .map((name) => FORMATS[format](definitionOf(name), options.strict ?? false));
}

/** The scope that a tool needs; nothing for a name that is none. */
export function scopeOfTool(name: unknown): Scope | undefined {
  return typeof name === 'string' && Object.hasOwn(TOOLS, name)
    ? ROUTES[TOOLS[name as ToolName][0]].scope
    : undefined;
}

const DEFAULT_SCOPES: readonly Scope[] = ['memories:read', 'memories:write'];

const FORMATS: {
  readonly [Format in keyof Formats]: (tool: ToolDefinition, strict: boolean) => Formats[Format];
} = {
  json: (tool) => tool,
  openai: ({ name, description, inputSchema }, strict) => ({
    type: 'function',
    function: {
      name,
      description,
      parameters: strict ? strictSchema(inputSchema, 'openai') : inputSchema,
      ...(strict && { strict }),
    },
  }),
  anthropic: ({ name, description, inputSchema }, strict) => ({
    name,
    description,
    input_schema: strict ? strictSchema(inputSchema, 'anthropic') : inputSchema,
    ...(strict && { strict }),
  }),
};

function definitionOf(name: ToolName): ToolDefinition {
  const operations: readonly OperationId[] = TOOLS[name];
  const docs: readonly OperationDoc[] = operations.map((id) => OPERATION_DOCS[id]);
  const [{ title, readOnly, destructive, idempotent }] = docs as [OperationDoc];
  return {
    name,
    title,
    description: docs.map(({ description }) => description).join(' Without an id: '),
    inputSchema: inputSchemaOf(operations),
    outputSchema: outputSchemaOf(operations),
    annotations: {
      title,
      readOnlyHint: readOnly,
      destructiveHint: destructive,
      idempotentHint: idempotent,
      openWorldHint: false,
    },
  };
}

/** Carries an operation out: the typed client is one. It throws refusals that have a `code`. */
export interface OperationCaller {
  call<Id extends OperationId>(id: Id, input: OperationInput<Id>): Promise<AnswerOf<Id>>;
}

export type ToolResult =
  | { readonly ok: true; readonly value: AnswerOf<ToolOperation>; readonly text: string }
  /** `text` says what is wrong and what to do next, for the model; `problem` is the same as data. */
  | { readonly ok: false; readonly problem: ToolProblem; readonly text: string };

export interface ToolProblem {
  readonly code: string;
  readonly message: string;
  readonly errors?: readonly FieldError[];
  /** What to do next. */
  readonly advice?: string;
  /** What the service gives to act on: `instead`, `accounts`, `nearest`. */
  readonly [member: string]: unknown;
}

/**
 * Runs a tool with the arguments a model gave. A refusal of the service is a result, for the model to act on; that the
 * service cannot be reached is thrown.
 *
 * @throws RangeError for a name that is no tool's.
 */
export async function callTool(name: string, args: unknown, caller: OperationCaller): Promise<ToolResult> {
  if (!Object.hasOwn(TOOLS, name)) throw new RangeError(`There is no tool ${name}.`);
  const operations: readonly OperationId[] = TOOLS[name as ToolName];
  const input = withoutNulls(args ?? {});
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    return failed({ code: 'invalid-request', message: 'The arguments must be an object.', errors: [] });
  }
  const hasId = typeof Reflect.get(input, 'id') === 'string' && Reflect.get(input, 'id') !== '';
  const id = operations.find((operation) => hasId || !ROUTES[operation].path.includes('{id}'));
  if (id === undefined) {
    const errors = [{ path: 'id', message: 'is required' }];
    return failed({ code: 'invalid-request', message: 'The request is not valid.', errors });
  }
  try {
    const value = await caller.call(id, input as OperationInput<typeof id>);
    return { ok: true, value: value as AnswerOf<ToolOperation>, text: JSON.stringify(value) };
  } catch (error) {
    const refusal = refusalIn(error);
    if (refusal === undefined) throw error;
    return failed(refusal);
  }
}

/** Strict modes give what is left out as `null`; nothing that a tool takes can be `null`. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  // Own members alone, and none of them is lost to a setter.
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) =>
      member === null || member === undefined ? [] : [[name, withoutNulls(member)]],
    ),
  );
}

interface Refusal {
  readonly code: string;
  readonly message: string;
  readonly errors: readonly FieldError[];
  readonly details?: Readonly<Record<string, unknown>>;
}

/** What the client throws and what the service throws say the same; neither needs to be loaded to be read. */
function refusalIn(error: unknown): Refusal | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, errors, details, extra } = error as Error & {
    code?: unknown;
    errors?: readonly FieldError[];
    details?: Readonly<Record<string, unknown>>;
    extra?: Readonly<Record<string, unknown>>;
  };
  if (typeof code !== 'string' || !Array.isArray(errors)) return undefined;
  return { code, message: error.message, errors, details: details ?? extra ?? {} };
}

function failed({ code, message, errors, details = {} }: Refusal): ToolResult {
  const advice = Object.hasOwn(ADVICE, code) ? ADVICE[code as ErrorCode] : undefined;
  const problem: ToolProblem = {
    ...details,
    code,
    message,
    ...(errors.length > 0 && { errors }),
    ...(advice !== undefined && { advice }),
  };
  return { ok: false, problem, text: JSON.stringify(problem) };
}

const ADVICE: Partial<Record<ErrorCode, string>> = {
  'invalid-request': 'Correct the fields named in errors and call again.',
  'reserved-kind': 'Use another kind.',
  'invalid-cursor': 'List again from the start, without a cursor.',
  forbidden: 'The user may not do this here; say so, and do not try again.',
  unauthenticated: 'The user must sign in again.',
  'not-found': 'Look the memory up again with memories_list.',
  'version-conflict':
    'It has changed meanwhile: read it again with memories_get, show the user what it says now, and let them decide anew.',
  'not-applicable': 'Read it with memories_get: as it stands, this cannot be done with it.',
  'no-merchant': 'Ask the user for the name of the merchant.',
  'use-canonical-mapping':
    'Call memories_save again with instead. Where its account is null, let the user choose first, of accounts or of what accounts_resolve finds, and put in its id.',
  'chart-of-accounts-missing':
    'The workspace has no chart of accounts yet; tell the user that it must be loaded.',
  'unknown-account': 'Let the user choose, of nearest or of what accounts_resolve finds.',
  throttled: 'Wait a moment and call again.',
  unavailable: 'Wait a moment and call again.',
};
