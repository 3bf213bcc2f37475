import type { ErrorCode, FieldError } from '../domain/errors.ts';

/** The codes of the service, and what stands for an answer that has none. */
export type ProblemCode = ErrorCode | 'internal-error' | 'unknown';

/** The service said no. `code` is what to branch on; `details` holds the members beside it, such as `instead`. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  readonly status: number;
  readonly code: ProblemCode;
  readonly requestId: string | undefined;
  readonly errors: readonly FieldError[];
  readonly details: Readonly<Record<string, unknown>>;

  constructor(
    message: string,
    problem: {
      readonly status: number;
      readonly code: ProblemCode;
      readonly requestId?: string | undefined;
      readonly errors?: readonly FieldError[];
      readonly details?: Readonly<Record<string, unknown>>;
    },
  ) {
    super(message);
    this.status = problem.status;
    this.code = problem.code;
    this.requestId = problem.requestId;
    this.errors = problem.errors ?? [];
    this.details = problem.details ?? {};
  }
}

/** No answer came: the service could not be reached, or took too long. `cause` says why. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
}

/** An answer that is no success → what to throw. Never throws itself, whatever the body is. */
export function problemFrom(status: number, body: string, requestId: string | undefined): ProblemError {
  const document = recordIn(body);
  const { type: _type, title, status: _status, detail, code, requestId: own, errors, ...details } = document;
  const message = [detail, document.message, title].find((said) => typeof said === 'string' && said !== '');
  return new ProblemError(typeof message === 'string' ? message : `The service answered ${status}.`, {
    status,
    // Codes are an open set to a client that is older than the service.
    code: typeof code === 'string' ? (code as ProblemCode) : codeOfStatus(status),
    requestId: typeof own === 'string' ? own : requestId,
    errors: fieldErrors(errors),
    details: code === undefined ? {} : details,
  });
}

/** What API Gateway answers by itself has a `message` and no code. */
function codeOfStatus(status: number): ProblemCode {
  switch (status) {
    case 401:
      return 'unauthenticated';
    case 403:
      return 'forbidden';
    case 404:
      return 'not-found';
    case 413:
      return 'too-large';
    case 429:
      return 'throttled';
    case 503:
    case 504:
      return 'unavailable';
    default:
      return status >= 500 ? 'internal-error' : 'unknown';
  }
}

function recordIn(body: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Readonly<Record<string, unknown>>)
      : {};
  } catch {
    return {};
  }
}

function fieldErrors(value: unknown): readonly FieldError[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((entry: { path?: unknown; message?: unknown } | null) =>
    typeof entry?.path === 'string' && typeof entry.message === 'string'
      ? [{ path: entry.path, message: entry.message }]
      : [],
  );
}
