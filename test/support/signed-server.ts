import { createHash, createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Seen {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface SignedServer {
  readonly endpoint: string;
  readonly seen: Seen[];
  stop(): Promise<void>;
}

export interface Reply {
  readonly status?: number;
  readonly json: unknown;
  /** Takes the request and never answers. */
  readonly silent?: true;
}

/** Keeps what it was sent, and answers as told. */
export async function startSignedServer(
  replyTo: (seen: Seen, index: number) => Reply,
): Promise<SignedServer> {
  const seen: Seen[] = [];
  const server = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const one = { headers: incoming.headers, body: Buffer.concat(chunks).toString() };
    seen.push(one);
    const { status = 200, json, silent } = replyTo(one, seen.length - 1);
    if (silent) return;
    outgoing.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(json));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    async stop() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** Whether the request carries the AWS Signature Version 4 that this secret makes, reckoned from what was received. */
export function isSignedWith(secret: string, { headers, body }: Seen): boolean {
  const [, scope = '', names = '', signature] =
    /Credential=[^/]+\/(\S+), SignedHeaders=(\S+), Signature=([0-9a-f]{64})$/.exec(
      headers.authorization ?? '',
    ) ?? [];
  const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
  const lines = names.split(';').map((name) => `${name}:${headers[name]}\n`);
  const canonical = ['POST', '/', '', lines.join(''), names, sha256(body)].join('\n');
  const toSign = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, sha256(canonical)].join('\n');
  const key = scope
    .split('/')
    .reduce<string | Buffer>(
      (made, part) => createHmac('sha256', made).update(part).digest(),
      `AWS4${secret}`,
    );
  return createHmac('sha256', key).update(toSign).digest('hex') === signature;
}
