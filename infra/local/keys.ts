import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import {
  calculateJwkThumbprint,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWK,
  type JWTPayload,
  SignJWT,
} from 'jose';

/** The key that stands in for the issuer's on one's own machine. */
export interface SigningKey {
  /** What the authorizer checks signatures with: never holds the private part. */
  readonly publicKey: JWK;
  sign(claims: JWTPayload): Promise<string>;
}

export const ALL_SCOPES = 'memories:read memories:write memories:review';

/** Opens the key file, and makes one the first time. */
export async function openSigningKey(file: string): Promise<SigningKey> {
  const privateKey = (await readKey(file)) ?? (await makeKey(file));
  const { kty, n, e, kid } = privateKey;
  const publicKey = { kty, n, e, kid, alg: ALGORITHM, use: 'sig' } as JWK;
  const key = await importJWK(privateKey, ALGORITHM);
  return {
    publicKey,
    sign: (claims) =>
      new SignJWT(claims).setProtectedHeader({ alg: ALGORITHM, kid: kid ?? '', typ: 'JWT' }).sign(key),
  };
}

/** The claims of an access token for the local run; what is given wins over what is filled in. */
export function accessTokenClaims(
  issued: { readonly issuer: string; readonly audience: readonly string[] },
  given: JWTPayload = {},
): JWTPayload {
  const now = Math.floor(Date.now() / 1000);
  const [audience] = issued.audience;
  return {
    iss: issued.issuer,
    ...(audience !== undefined && { aud: audience }),
    iat: now,
    exp: now + 12 * 60 * 60,
    sub: 'u_demo',
    org_id: 'org_demo',
    scope: ALL_SCOPES,
    ...given,
  };
}

// API Gateway takes RSA signatures only.
const ALGORITHM = 'RS256';

async function readKey(file: string): Promise<JWK | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as JWK;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new Error(`The signing key in ${file} cannot be read; delete the file and a new one is made`, {
      cause: error,
    });
  }
}

async function makeKey(file: string): Promise<JWK> {
  const pair = await generateKeyPair(ALGORITHM, { extractable: true });
  const jwk = await exportJWK(pair.privateKey);
  const key: JWK = { ...jwk, kid: await calculateJwkThumbprint(jwk) };
  await mkdir(dirname(file), { recursive: true });
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, JSON.stringify(key), { mode: 0o600 });
  try {
    await link(draft, file);
  } catch (error) {
    // The host and the token command may both be the first: then the key of the quicker one counts.
    const others = (error as NodeJS.ErrnoException).code === 'EEXIST' ? await readKey(file) : undefined;
    if (others) return others;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
  return key;
}
