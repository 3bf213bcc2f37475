import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 as HttpResult } from 'aws-lambda';

export interface SiteOptions {
  /** The folder of built files; `index.html` is the page, what lies under `assets/` has its hash in its name. */
  readonly folder: URL;
  /** Answers made by the function itself, by path: JSON. */
  readonly documents: Readonly<Record<string, unknown>>;
  /** Other origins that scripts may call. */
  readonly connectTo: readonly string[];
}

/** Serves a built page from the function's own files. Only what is in the folder can be named; no path is joined. */
export function siteHandler(options: SiteOptions): (event: APIGatewayProxyEventV2) => Promise<HttpResult> {
  const headers = securityHeaders(options.connectTo);
  const files = new Map([
    ...readSite(fileURLToPath(options.folder)),
    ...Object.entries(options.documents).map(
      ([path, value]) => [path, fileOf(path, Buffer.from(JSON.stringify(value)))] as const,
    ),
  ]);
  return async (event) => {
    // The site's own path with a slash at its end comes with nothing for the rest of it.
    const file = files.get(event.pathParameters?.proxy || 'index.html');
    if (file === undefined) {
      const plain = { ...headers, 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' };
      return { statusCode: 404, headers: plain, body: 'There is no such page.' };
    }
    const own = { ...headers, etag: file.etag, 'cache-control': file.caching, vary: 'accept-encoding' };
    if (event.headers['if-none-match'] === file.etag) return { statusCode: 304, headers: own };
    const { encoding, body } = encoded(file, event.headers['accept-encoding'] ?? '');
    return {
      statusCode: 200,
      headers: { ...own, 'content-type': file.type, ...(encoding && { 'content-encoding': encoding }) },
      body: body.toString('base64'),
      isBase64Encoded: true,
    };
  };
}

interface SiteFile {
  readonly type: string;
  readonly etag: string;
  readonly caching: string;
  readonly bytes: Buffer;
  /** Filled at the first request that wants it: most files are asked for in one encoding only. */
  readonly compressed: Map<string, Buffer>;
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
};

function readSite(folder: string): (readonly [string, SiteFile])[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      const name = path.slice(join(folder, '/').length).replaceAll('\\', '/');
      return [name, fileOf(name, readFileSync(path))] as const;
    });
}

function fileOf(name: string, bytes: Buffer): SiteFile {
  return {
    type: TYPES[extname(name)] ?? 'application/octet-stream',
    etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"`,
    caching: name.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
    bytes,
    compressed: new Map(),
  };
}

/** The HTTP API compresses nothing itself. */
function encoded(file: SiteFile, accepted: string): { encoding?: string; body: Buffer } {
  const encoding = /\bbr\b/.test(accepted) ? 'br' : /\bgzip\b/.test(accepted) ? 'gzip' : undefined;
  if (encoding === undefined) return { body: file.bytes };
  const known = file.compressed.get(encoding);
  if (known) return { encoding, body: known };
  const body =
    encoding === 'gzip'
      ? gzipSync(file.bytes, { level: 9 })
      : brotliCompressSync(file.bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } });
  file.compressed.set(encoding, body);
  return { encoding, body };
}

function securityHeaders(connectTo: readonly string[]): Readonly<Record<string, string>> {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    `connect-src ${["'self'", ...connectTo].join(' ')}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ];
  return {
    'content-security-policy': policy.join('; '),
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    'strict-transport-security': 'max-age=31536000',
  };
}
