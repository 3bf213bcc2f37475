import { createLocalJWKSet, decodeProtectedHeader, type JWK, type JWTPayload, jwtVerify } from 'jose';
import type { AuthorizerSpec } from './template.ts';

export type Authorization =
  | { readonly outcome: 'allowed'; readonly claims: Readonly<Record<string, string>> }
  | { readonly outcome: 'unauthorized'; readonly reason: string }
  | { readonly outcome: 'forbidden' };

export type Authorize = (
  header: string | undefined,
  authorizer: AuthorizerSpec,
  scopes: readonly string[],
) => Promise<Authorization>;

/** The checks of an HTTP API's JWT authorizer, against a key of one's own in place of the issuer's key set. */
export function jwtAuthorizer(publicKey: JWK): Authorize {
  const keys = createLocalJWKSet({ keys: [publicKey] });
  return async (header, authorizer, scopes) => {
    if (header === undefined) return { outcome: 'unauthorized', reason: 'missing' };
    let claims: JWTPayload;
    try {
      const token = header.replace(/^bearer /i, '');
      if (!decodeProtectedHeader(token).kid) throw new Error('no kid');
      const verified = await jwtVerify(token, keys, {
        issuer: authorizer.issuer,
        algorithms: ['RS256', 'RS384', 'RS512'],
        requiredClaims: ['exp'],
      });
      claims = verified.payload;
    } catch {
      return { outcome: 'unauthorized', reason: 'invalid_token' };
    }
    if (!isForAudience(claims, authorizer.audience) || isFromTheFuture(claims)) {
      return { outcome: 'unauthorized', reason: 'invalid_token' };
    }
    const granted = scopesOf(claims);
    if (scopes.length > 0 && !scopes.some((scope) => granted.includes(scope)))
      return { outcome: 'forbidden' };
    return { outcome: 'allowed', claims: asText(claims) };
  };
}

/** `client_id` counts only where there is no `aud`: some issuers leave it out of access tokens. */
function isForAudience(claims: JWTPayload, audience: readonly string[]): boolean {
  const named = claims.aud ?? claims.client_id;
  const names = Array.isArray(named) ? named : [named];
  return names.some((name) => typeof name === 'string' && audience.includes(name));
}

function isFromTheFuture(claims: JWTPayload): boolean {
  return claims.iat !== undefined && claims.iat > Date.now() / 1000 + 1;
}

function scopesOf(claims: JWTPayload): readonly string[] {
  const scope = claims.scope ?? claims.scp;
  if (Array.isArray(scope)) return scope.map(String);
  return typeof scope === 'string' ? scope.split(' ') : [];
}

/** API Gateway hands every claim on as text, and a list as `[a b]`. */
function asText(claims: JWTPayload): Record<string, string> {
  return Object.fromEntries(
    Object.entries(claims).map(([name, value]) => {
      if (Array.isArray(value)) return [name, `[${value.map(String).join(' ')}]`];
      return [name, typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value)];
    }),
  );
}
