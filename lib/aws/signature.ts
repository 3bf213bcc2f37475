import { createHash, createHmac } from 'node:crypto';
import type { EnvironmentCredentials } from './environment-credentials.ts';

export interface Unsigned {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface SigningScope {
  readonly region: string;
  /** As AWS spells it in a signature: `events`, `sqs`. */
  readonly service: string;
  readonly credentials: EnvironmentCredentials;
  readonly at: Date;
}

/** The headers of a POST to the root of a service, with its AWS Signature Version 4. */
export function signedHeaders(
  { url, headers, body }: Unsigned,
  { region, service, credentials, at }: SigningScope,
): Readonly<Record<string, string>> {
  const time = at.toISOString().replace(/[-:]|\.\d{3}/g, '');
  const day = time.slice(0, 8);
  const scope = `${day}/${region}/${service}/aws4_request`;
  const payload = sha256(body);
  const all: Record<string, string> = {
    ...headers,
    host: url.host,
    'content-length': String(Buffer.byteLength(body)),
    'x-amz-content-sha256': payload,
    'x-amz-date': time,
    ...(credentials.sessionToken && { 'x-amz-security-token': credentials.sessionToken }),
  };
  const names = Object.keys(all).sort();
  const signed = names.join(';');
  const lines = names.map((name) => `${name}:${all[name]?.trim()}\n`).join('');
  const canonical = ['POST', '/', '', lines, signed, payload].join('\n');
  const key = [day, region, service, 'aws4_request'].reduce<string | Buffer>(
    hmac,
    `AWS4${credentials.secretAccessKey}`,
  );
  const signature = hmac(key, ['AWS4-HMAC-SHA256', time, scope, sha256(canonical)].join('\n'));
  return {
    ...all,
    authorization: `AWS4-HMAC-SHA256 Credential=${credentials.accessKeyId}/${scope}, SignedHeaders=${signed}, Signature=${signature.toString('hex')}`,
  };
}

const hmac = (key: string | Buffer, data: string) => createHmac('sha256', key).update(data).digest();

const sha256 = (data: string) => createHash('sha256').update(data).digest('hex');
