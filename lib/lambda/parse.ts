import type * as z from 'zod/mini';
import { type FieldError, MemoryError } from '../domain/errors.ts';

/**
 * Parses what came in; infers its type from the schema.
 *
 * @throws MemoryError `invalid-request` with each field that is wrong by its path, and never with its value.
 */
export function parse<S extends z.ZodMiniType>(schema: S, value: unknown): z.infer<S> {
  if (namesPrototype(value)) throw invalid([{ path: '__proto__', message: 'is not a known field' }]);
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw invalid(result.error.issues.flatMap((issue) => fieldErrors(issue, value)).slice(0, MAX_ERRORS));
}

const invalid = (errors: readonly FieldError[]) =>
  new MemoryError('invalid-request', 'The request is not valid.', { errors });

/** Whether any object in it has a member `__proto__`, which schemas pass over as if it were not there. */
function namesPrototype(value: unknown): boolean {
  const open = [value];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (at === null || typeof at !== 'object') continue;
    if (Object.hasOwn(at, '__proto__')) return true;
    for (const member of Object.values(at)) if (member !== undefined) open.push(member);
  }
  return false;
}

const MAX_ERRORS = 20;

function fieldErrors(issue: z.core.$ZodIssue, value: unknown): FieldError[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ path: pathOf([...issue.path, key]), message: 'is not a known field' }));
  }
  return [{ path: pathOf(issue.path), message: messageOf(issue, valueAt(value, issue.path)) }];
}

function messageOf(issue: z.core.$ZodIssue, value: unknown): string {
  if (value === undefined && issue.code !== 'custom') return 'is required';
  if (issue.message !== '' && issue.message !== 'Invalid input') return issue.message;
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${article(issue.expected)}`;
    case 'too_small':
      return `must be at least ${issue.minimum}${unit(issue.origin)}`;
    case 'too_big':
      return `must be at most ${issue.maximum}${unit(issue.origin)}`;
    case 'invalid_value':
      return `must be ${issue.values.length === 1 ? '' : 'one of '}${issue.values.map(String).join(', ')}`;
    case 'invalid_union':
      return 'options' in issue && issue.options
        ? `must be one of ${issue.options.map(String).join(', ')}`
        : 'is none of the known forms';
    default:
      return 'is not valid';
  }
}

const unit = (origin: string) => (origin === 'string' ? ' characters' : origin === 'array' ? ' items' : '');
const article = (type: string) => (/^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`);

/** A caller's own key is named only where it is plainly a name; anything else is `?`, so that nothing is echoed. */
function pathOf(path: readonly PropertyKey[]): string {
  return path.map((part) => (/^[A-Za-z0-9_.:-]{1,64}$/.test(String(part)) ? String(part) : '?')).join('.');
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (at, part) => (at !== null && typeof at === 'object' ? Reflect.get(at, part) : undefined),
    value,
  );
}
