import { conditionsHold, type Facts, wildcard } from './conditions.ts';
import { awsError, type HostRequest, type HostResponse } from './http-message.ts';
import type { BusSpec, FunctionSpec, StatementSpec } from './template.ts';

/** Answers a call with a refusal where the caller's role does not allow it, and with nothing where it does. */
export type CheckAccess = (
  request: HostRequest,
  action: string,
  resources: readonly string[],
  facts?: Facts,
) => HostResponse | undefined;

/**
 * Holds each function to the policies of its role and to those of the buses. A function signs with its own name as the
 * access key; any other key is an operator's, who may do everything.
 */
export function accessOf(
  { functions, buses }: { readonly functions: readonly FunctionSpec[]; readonly buses: readonly BusSpec[] },
  log: (line: string) => void,
): CheckAccess {
  const byName = new Map(functions.map((spec) => [spec.name, spec]));
  const denials = buses.flatMap(({ policy }) => policy).filter(({ effect }) => effect === 'Deny');
  return (request, action, resources, facts = {}) => {
    const caller = byName.get(callerOf(request));
    if (caller === undefined) return undefined;
    const known = { ...facts, 'aws:principalarn': [caller.roleArn] };
    const statements = [...caller.statements, ...denials];
    const refused = resources.find((resource) => !isAllowed(statements, action, resource, known));
    if (refused === undefined) return undefined;
    const text = `${caller.name} is not authorized to perform: ${action} on resource: ${refused}`;
    log(`Refused: ${text}`);
    return awsError(400, 'AccessDeniedException', `User: ${text}, as no policy allows it or one denies it`);
  };
}

/** An explicit denial wins over any permission; without a permission there is none. */
export function isAllowed(
  statements: readonly StatementSpec[],
  action: string,
  resource: string,
  facts: Facts = {},
): boolean {
  const applying = statements.filter(
    (statement) =>
      statement.actions.some((pattern) => matches(pattern.toLowerCase(), action.toLowerCase())) &&
      statement.resources.some((pattern) => matches(pattern, resource)) &&
      conditionsHold(statement.conditions, facts),
  );
  return (
    applying.some(({ effect }) => effect === 'Allow') && !applying.some(({ effect }) => effect === 'Deny')
  );
}

/** The tables and indexes that a DynamoDB request is about. */
export function tablesIn(given: unknown, arnOfTable: (name: string) => string): readonly string[] {
  // What is malformed here names no table, and is the engine's to refuse.
  const input = (given ?? {}) as StoreInput;
  if (input.TableName !== undefined) {
    const table = arnOfTable(input.TableName);
    return [input.IndexName === undefined ? table : `${table}/index/${input.IndexName}`];
  }
  const batched = Object.keys(input.RequestItems ?? {});
  const transacted = (input.TransactItems ?? []).flatMap((item) =>
    Object.values(item).flatMap((part) => (part.TableName === undefined ? [] : [part.TableName])),
  );
  const named = [...new Set([...batched, ...transacted])].map(arnOfTable);
  return named.length > 0 ? named : ['*'];
}

interface StoreInput {
  readonly TableName?: string;
  readonly IndexName?: string;
  readonly RequestItems?: Readonly<Record<string, unknown>>;
  readonly TransactItems?: readonly Readonly<Record<string, { readonly TableName?: string }>>[];
}

/** The access key that a request is signed with: a function's name, or an operator's key. */
export function callerOf(request: HostRequest): string {
  const header = request.headers.find(([name]) => name.toLowerCase() === 'authorization')?.[1] ?? '';
  return /Credential=([^/,\s]+)/.exec(header)?.[1] ?? '';
}

function matches(pattern: string, text: string): boolean {
  return /[*?]/.test(pattern) ? wildcard(pattern).test(text) : pattern === text;
}
