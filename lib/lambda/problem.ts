import { type ErrorCode, MemoryError } from '../domain/errors.ts';

/** What a caller sees for each code: RFC 9457 problem documents are made from this table alone. */
export const PROBLEMS = {
  'invalid-request': { status: 400, title: 'The request is not valid' },
  'empty-body': { status: 400, title: 'The request has no body' },
  'invalid-json': { status: 400, title: 'The body is not JSON' },
  'invalid-utf8': { status: 400, title: 'The body is not UTF-8' },
  'duplicate-key': { status: 400, title: 'A member is named twice' },
  'too-deep': { status: 400, title: 'The body is nested too deep' },
  'too-many-keys': { status: 400, title: 'The body has too many members' },
  'invalid-cursor': { status: 400, title: 'The cursor is not valid here' },
  'reserved-kind': { status: 400, title: 'The kind is reserved' },
  unauthenticated: { status: 401, title: 'Who is calling is not known' },
  forbidden: { status: 403, title: 'The caller may not do this' },
  'not-found': { status: 404, title: 'Not found' },
  'method-not-allowed': { status: 405, title: 'The method is not allowed here' },
  'version-conflict': { status: 409, title: 'The memory has changed' },
  'too-large': { status: 413, title: 'The body is too large' },
  'unsupported-media-type': { status: 415, title: 'The body must be application/json in UTF-8' },
  'not-applicable': { status: 422, title: 'This cannot be done with the memory as it stands' },
  'no-merchant': { status: 422, title: 'No merchant is named' },
  'use-canonical-mapping': { status: 422, title: 'Save it as a canonical mapping' },
  'chart-of-accounts-missing': { status: 422, title: 'No chart of accounts is loaded' },
  'unknown-account': { status: 422, title: 'The account is not known' },
  throttled: { status: 429, title: 'Too many requests', retryAfter: 1 },
  unavailable: { status: 503, title: 'The service cannot answer now', retryAfter: 2 },
} as const satisfies Record<ErrorCode, { status: number; title: string; retryAfter?: number }>;

export interface Problem {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Any error → what the caller sees of it. What is no `MemoryError` is a bug of ours and says nothing of itself. */
export function problemOf(error: unknown, requestId: string): Problem {
  if (!(error instanceof MemoryError)) {
    return {
      status: 500,
      headers: { 'content-type': PROBLEM_TYPE },
      body: {
        type: 'urn:ai-memories:problem:internal-error',
        title: 'Something went wrong on our side',
        status: 500,
        detail: 'The request could not be carried out.',
        code: 'internal-error',
        requestId,
      },
    };
  }
  const entry: { status: number; title: string; retryAfter?: number } = PROBLEMS[error.code];
  return {
    status: entry.status,
    headers: {
      'content-type': PROBLEM_TYPE,
      ...(entry.retryAfter === undefined ? {} : { 'retry-after': String(entry.retryAfter) }),
    },
    body: {
      type: `urn:ai-memories:problem:${error.code}`,
      title: entry.title,
      status: entry.status,
      detail: error.message,
      code: error.code,
      requestId,
      ...error.extra,
      ...(error.errors.length === 0 ? {} : { errors: error.errors }),
    },
  };
}

const PROBLEM_TYPE = 'application/problem+json';
