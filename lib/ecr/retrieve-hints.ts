import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import type * as z from 'zod/mini';
import type { ErrorCode } from '../domain/errors.ts';
import { Hints } from '../domain/hints.ts';
import { HintsRequest } from '../domain/requests.ts';
import { hasVisible } from '../domain/text.ts';

export { applyHints, type Extraction, type Hinted, type HintedChange } from '../domain/apply-hints.ts';
export { Hints } from '../domain/hints.ts';

export interface RetrieveOptions {
  /** @default - a client of the surroundings' own settings, made once */
  readonly client?: Pick<LambdaClient, 'send'>;
  /** @default 'ai-memories-retrieve' */
  readonly functionName?: string;
  readonly signal?: AbortSignal;
}

/** What can be asked for, as it is written down; what has a default may be left out. */
export type HintsQuestion = Omit<z.input<typeof HintsRequest>, 'merchants'> & {
  /** As printed. A document may name nobody: what is blank is left out. */
  readonly merchants?: readonly (string | null | undefined)[];
};

export type HintsErrorCode = ErrorCode | 'internal-error' | 'unreachable' | 'invalid-answer';

/** No hints came, and why. A document can be read without any; whether to go on is for the caller to say. */
export class HintsError extends Error {
  override readonly name = 'HintsError';
  readonly code: HintsErrorCode;
  constructor(code: HintsErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
  }
}

/**
 * The hints for a document, from the retrieval function. The answer is checked whole, the workspace it is for included:
 * what does not fit is an error and never half an answer.
 *
 * @throws HintsError
 */
export async function retrieveHints(question: HintsQuestion, options: RetrieveOptions = {}): Promise<Hints> {
  const request = {
    ...question,
    ...(question.merchants && { merchants: question.merchants.filter((name) => hasVisible(name ?? '')) }),
  };
  const asked = HintsRequest.safeParse(request);
  if (!asked.success) {
    const fields = asked.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`);
    throw new HintsError('invalid-request', `The request is not valid. ${fields.join('; ')}`);
  }
  const { failed, payload } = await invoke(JSON.stringify(request), options);
  const answer = parseJson(payload);
  if (failed) throw refusalOf(answer);
  const hints = Hints.safeParse(answer);
  if (!hints.success) throw new HintsError('invalid-answer', 'The answer holds no hints.', hints.error);
  if (hints.data.orgId !== asked.data.orgId) {
    throw new HintsError('invalid-answer', 'The answer is for another workspace.');
  }
  return hints.data;
}

async function invoke(
  payload: string,
  { client = defaultClient(), functionName = 'ai-memories-retrieve', signal }: RetrieveOptions,
): Promise<{ readonly failed: boolean; readonly payload: string }> {
  try {
    const answer = await client.send(
      new InvokeCommand({ FunctionName: functionName, Payload: payload }),
      signal ? { abortSignal: signal } : {},
    );
    return {
      failed: answer.FunctionError !== undefined,
      payload: new TextDecoder().decode(answer.Payload ?? new Uint8Array()),
    };
  } catch (cause) {
    throw new HintsError('unreachable', 'The retrieval function could not be invoked.', cause);
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What the function throws has its code for a name. What Lambda itself says has a name of its own. */
function refusalOf(answer: unknown): HintsError {
  const { errorType, errorMessage } = (answer ?? {}) as { errorType?: unknown; errorMessage?: unknown };
  const isCode =
    typeof errorType === 'string' && /^[a-z]+(-[a-z]+)+$|^(throttled|unavailable|forbidden)$/.test(errorType);
  return new HintsError(
    isCode ? (errorType as HintsErrorCode) : 'internal-error',
    typeof errorMessage === 'string' ? errorMessage : 'The retrieval function failed.',
  );
}

let made: LambdaClient | undefined;
function defaultClient(): LambdaClient {
  made ??= new LambdaClient({});
  return made;
}
