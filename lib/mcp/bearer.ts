import { createRemoteJWKSet, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import * as z from 'zod/mini';
import { MemoryError } from '../domain/errors.ts';
import type { Identity } from '../domain/identity.ts';
import { identityFrom } from '../lambda/http.ts';

export interface IssuerSettings {
  readonly issuer: string;
  readonly audience: readonly string[];
  /** Where the issuer's keys are. @default - as its `.well-known/openid-configuration` says */
  readonly jwksUri?: string | undefined;
}

export type VerifyBearer = (header: string | undefined) => Promise<Identity>;

/**
 * The checks of the API's own authorizer, for a path that goes past it: signature, issuer, audience and time. The keys
 * are fetched once, and again for a key that is not among them.
 *
 * @throws MemoryError `unauthenticated`; `forbidden` for a token that names no workspace or no person; `unavailable`
 * when the issuer's keys cannot be had.
 */
export function bearerVerifier(settings: IssuerSettings): VerifyBearer {
  let keys: Promise<JWTVerifyGetKey> | undefined;
  const keySet = async (): Promise<JWTVerifyGetKey> => {
    keys ??= openKeys(settings);
    try {
      return await keys;
    } catch (error) {
      // What failed once must not fail for as long as the function lives.
      keys = undefined;
      throw error;
    }
  };
  return async (header) => {
    const token = /^bearer +([\w-]+\.[\w-]+\.[\w-]+)$/i.exec(header?.trim() ?? '')?.[1];
    if (token === undefined) throw unauthenticated('A bearer token is needed.');
    const claims = await verified(token, await keySet(), settings);
    return identityFrom(claims, scopesOf(claims));
  };
}

async function openKeys({ issuer, jwksUri }: IssuerSettings): Promise<JWTVerifyGetKey> {
  const uri = jwksUri ?? (await discover(issuer));
  return createRemoteJWKSet(new URL(uri), { timeoutDuration: TIMEOUT_MS });
}

const TIMEOUT_MS = 3000;
const Discovered = z.object({ issuer: z.string(), jwks_uri: z.url() });

async function discover(issuer: string): Promise<string> {
  try {
    const response = await fetch(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`, {
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return Discovered.parse(await response.json()).jwks_uri;
  } catch (cause) {
    throw new MemoryError('unavailable', 'The issuer of the tokens does not answer.', { cause });
  }
}

async function verified(token: string, keys: JWTVerifyGetKey, settings: IssuerSettings): Promise<JWTPayload> {
  let claims: JWTPayload;
  try {
    const { payload } = await jwtVerify(token, keys, {
      issuer: settings.issuer,
      algorithms: ['RS256', 'RS384', 'RS512'],
      requiredClaims: ['exp'],
    });
    claims = payload;
  } catch (cause) {
    if (isAboutToken(cause)) throw unauthenticated('The token is not valid.', cause);
    throw new MemoryError('unavailable', 'The keys of the issuer cannot be had.', { cause });
  }
  // Some issuers leave `aud` out of access tokens and name the client instead.
  const named = claims.aud ?? claims.client_id;
  const names: readonly unknown[] = Array.isArray(named) ? named : [named];
  if (!names.some((name) => typeof name === 'string' && settings.audience.includes(name))) {
    throw unauthenticated('The token is for another service.');
  }
  return claims;
}

/** Whether the fault lies with the token, and not with the way to the keys. */
function isAboutToken(error: unknown): boolean {
  return (
    error instanceof errors.JOSEError &&
    !(error instanceof errors.JWKSTimeout) &&
    !(error instanceof errors.JWKSInvalid) &&
    error.code !== 'ERR_JOSE_GENERIC'
  );
}

function scopesOf({ scope, scp }: JWTPayload): readonly string[] {
  const granted = scope ?? scp;
  if (Array.isArray(granted)) return granted.map(String);
  return typeof granted === 'string' ? granted.split(' ') : [];
}

const unauthenticated = (message: string, cause?: unknown) =>
  new MemoryError('unauthenticated', message, cause === undefined ? {} : { cause });
