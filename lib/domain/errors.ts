/** Every way the service says no. What a caller sees for each (status, title) is in `lib/lambda/problem.ts`. */
export type ErrorCode =
  | 'invalid-request'
  | 'empty-body'
  | 'invalid-json'
  | 'invalid-utf8'
  | 'duplicate-key'
  | 'too-deep'
  | 'too-many-keys'
  | 'invalid-cursor'
  | 'reserved-kind'
  | 'unauthenticated'
  | 'forbidden'
  | 'not-found'
  | 'method-not-allowed'
  | 'version-conflict'
  | 'too-large'
  | 'unsupported-media-type'
  | 'not-applicable'
  | 'no-merchant'
  | 'use-canonical-mapping'
  | 'chart-of-accounts-missing'
  | 'unknown-account'
  | 'throttled'
  | 'unavailable';

/** One invalid field: a JSON path such as `content.account.id`, and what is wrong with it. Never the value. */
export interface FieldError {
  readonly path: string;
  readonly message: string;
}

export interface ErrorDetails {
  readonly errors?: readonly FieldError[];
  /** Further members of the problem document, for example the structured body to send instead. */
  readonly extra?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

/** The one error the domain and the operations throw; anything else that surfaces is a bug or a fault. */
export class MemoryError extends Error {
  override readonly name = 'MemoryError';
  readonly code: ErrorCode;
  readonly errors: readonly FieldError[];
  readonly extra: Readonly<Record<string, unknown>>;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, details);
    this.code = code;
    this.errors = details.errors ?? [];
    this.extra = details.extra ?? {};
  }
}
