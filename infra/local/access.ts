import { awsError, type HostRequest, type HostResponse } from './http-message.ts';
import type { FunctionSpec, StatementSpec } from './template.ts';

/** Answers a call with a refusal where the caller's role does not allow it, and with nothing where it does. */
export type CheckAccess = (
  request: HostRequest,
  action: string,
  resources: readonly string[],
) => HostResponse | undefined;

/**
 * Holds each function to the policies of its role. A function signs with its own name as the access key; any other
 * key is an operator's, who may do everything.
 */
export function accessOf(functions: readonly FunctionSpec[], log: (line: string) => void): CheckAccess {
  const byName = new Map(functions.map((spec) => [spec.name, spec]));
  return (request, action, resources) => {
    const caller = byName.get(accessKeyOf(request));
    const refused = caller && resources.find((resource) => !isAllowed(caller.statements, action, resource));
    if (refused === undefined) return undefined;
    const text = `${caller?.name} is not authorized to perform: ${action} on resource: ${refused}`;
    log(`Refused: ${text}`);
    return awsError(400, 'AccessDeniedException', `User: ${text}, as no identity-based policy allows it`);
  };
}

/** An explicit denial wins over any permission; without a permission there is none. */
export function isAllowed(statements: readonly StatementSpec[], action: string, resource: string): boolean {
  const applying = statements.filter(
    (statement) =>
      statement.actions.some((pattern) => matches(pattern.toLowerCase(), action.toLowerCase())) &&
      statement.resources.some((pattern) => matches(pattern, resource)),
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

function accessKeyOf(request: HostRequest): string {
  const header = request.headers.find(([name]) => name.toLowerCase() === 'authorization')?.[1] ?? '';
  return /Credential=([^/,\s]+)/.exec(header)?.[1] ?? '';
}

function matches(pattern: string, text: string): boolean {
  if (!/[*?]/.test(pattern)) return pattern === text;
  const source = pattern
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  return new RegExp(`^${source}$`, 's').test(text);
}
