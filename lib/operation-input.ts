import type * as z from 'zod/mini';
import { type OperationId, ROUTES } from './routes.ts';

type Route<Id extends OperationId> = (typeof ROUTES)[Id];

type IdOf<Id extends OperationId> = Route<Id>['path'] extends `${string}{id}${string}`
  ? { readonly id: string }
  : unknown;
type BodyOf<Id extends OperationId> =
  Route<Id> extends { readonly body: infer B extends z.ZodMiniType } ? z.input<B> : unknown;
/** A number may be given as one: it is written out on the way. */
type QueryOf<Id extends OperationId> =
  z.input<Route<Id>['query']> extends Record<string, never>
    ? unknown
    : Written<z.input<Route<Id>['query']>, z.output<Route<Id>['query']>>;
type Written<In, Out> = { [Key in keyof In]: In[Key] | (Key extends keyof Out ? Out[Key] : never) };

/** What an operation takes, as one flat object: the id of the path, and the members of the body or the query. */
export type OperationInput<Id extends OperationId> = IdOf<Id> & BodyOf<Id> & QueryOf<Id>;

export interface OperationRequest {
  readonly method: string;
  /** Path and query string, to be put after the base address. */
  readonly target: string;
  readonly body?: unknown;
}

/** A flat input → the request it stands for. */
export function requestOf(id: OperationId, input: Readonly<Record<string, unknown>>): OperationRequest {
  const { method, path } = ROUTES[id];
  const { idOfPath, rest } = split(path, input);
  const target = path.replace('{id}', encodeURIComponent(idOfPath));
  if ('body' in ROUTES[id]) return { method, target, body: rest };
  const pairs = Object.entries(queryOf(rest)).map(([name, value]) => [name, String(value)]);
  const search = new URLSearchParams(Object.fromEntries(pairs)).toString();
  return { method, target: search === '' ? target : `${target}?${search}` };
}

/** Members as a query string has them: numbers as text, and nothing for what is not given. */
export function queryOf(members: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(members).flatMap(([name, value]) => {
      if (value === undefined) return [];
      // What has no form in a query string stays what it is, for the schema to refuse.
      return [[name, typeof value === 'number' ? String(value) : value]];
    }),
  );
}

/** Takes the id apart where the path has one; elsewhere `id` is a member like any other. */
export function split(
  path: string,
  input: Readonly<Record<string, unknown>>,
): { readonly idOfPath: string; readonly rest: Readonly<Record<string, unknown>> } {
  if (!path.includes('{id}')) return { idOfPath: '', rest: input };
  const { id, ...rest } = input;
  if (typeof id !== 'string' || id === '') throw new TypeError('The id of a memory must be given.');
  return { idOfPath: id, rest };
}
