/** A request read in full, its headers as they came, repeated ones included. */
export interface HostRequest {
  readonly method: string;
  /** Path and query as sent. */
  readonly target: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer;
  readonly sourceIp: string;
}

export interface HostResponse {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer;
}

/** Names in lower case, repeated ones joined with a comma. */
export function joinedHeaders(headers: HostRequest['headers'], separator = ','): Record<string, string> {
  const joined = new Map<string, string>();
  for (const [name, value] of headers) {
    const key = name.toLowerCase();
    const before = joined.get(key);
    joined.set(key, before === undefined ? value : `${before}${separator}${value}`);
  }
  return Object.fromEntries(joined);
}

export function jsonResponse(
  status: number,
  body: unknown,
  headers: readonly (readonly [string, string])[] = [],
): HostResponse {
  return {
    status,
    headers: [['content-type', 'application/json'], ...headers],
    body: Buffer.from(JSON.stringify(body)),
  };
}

/** An error in the form that the AWS JSON protocols have. */
export function awsError(status: number, code: string, message: string): HostResponse {
  return jsonResponse(status, { __type: code, message, Message: message }, [['x-amzn-errortype', code]]);
}
