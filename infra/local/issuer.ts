import { createHash, randomUUID } from 'node:crypto';
import { type HostRequest, type HostResponse, joinedHeaders, jsonResponse } from './http-message.ts';
import type { SigningKey } from './keys.ts';

/** Where the template for the local run sends people to sign in: paths of the host itself. */
export const ISSUER_PATHS = {
  authorize: '/local-issuer/authorize',
  token: '/local-issuer/token',
  keys: '/local-issuer/jwks.json',
} as const;

interface Grant {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly challenge: string;
  readonly until: number;
}

/**
 * Stands in for the operator's OIDC issuer: authorization code with PKCE, for one client, and everybody is the demo
 * user. Codes go back to this host only, so that another page in the same browser gets none.
 */
export function localIssuer(
  key: SigningKey,
  claims: () => Parameters<SigningKey['sign']>[0],
): (request: HostRequest) => Promise<HostResponse | undefined> {
  const grants = new Map<string, Grant>();
  return async (request) => {
    const [path, query = ''] = request.target.split('?');
    if (path === ISSUER_PATHS.authorize && request.method === 'GET') {
      return authorize(new URLSearchParams(query), joinedHeaders(request.headers).host ?? '');
    }
    if (path === ISSUER_PATHS.keys && request.method === 'GET') {
      return jsonResponse(200, { keys: [key.publicKey] });
    }
    if (path === ISSUER_PATHS.token && request.method === 'POST') {
      return exchange(new URLSearchParams(request.body.toString()));
    }
    return undefined;
  };

  function authorize(asked: URLSearchParams, host: string): HostResponse {
    const redirectUri = asked.get('redirect_uri') ?? '';
    const target = URL.canParse(redirectUri) ? new URL(redirectUri) : undefined;
    if (!LOOPBACK.test(host) || target?.host !== host || target.protocol !== 'http:') {
      return refusal('invalid_request', 'redirect_uri is not on this host');
    }
    const challenge = asked.get('code_challenge') ?? '';
    if (
      asked.get('response_type') !== 'code' ||
      asked.get('code_challenge_method') !== 'S256' ||
      challenge.length !== 43
    ) {
      return refusal('invalid_request', 'only response_type=code with an S256 code_challenge is known');
    }
    const code = randomUUID();
    grants.set(code, {
      clientId: asked.get('client_id') ?? '',
      redirectUri,
      challenge,
      until: Date.now() + 60_000,
    });
    target.searchParams.set('code', code);
    target.searchParams.set('state', asked.get('state') ?? '');
    return {
      status: 302,
      headers: [
        ['location', target.href],
        ['cache-control', 'no-store'],
      ],
      body: Buffer.alloc(0),
    };
  }

  async function exchange(asked: URLSearchParams): Promise<HostResponse> {
    const code = asked.get('code') ?? '';
    const grant = grants.get(code);
    grants.delete(code);
    const challenge = createHash('sha256')
      .update(asked.get('code_verifier') ?? '')
      .digest('base64url');
    const fits =
      grant !== undefined &&
      grant.until > Date.now() &&
      asked.get('grant_type') === 'authorization_code' &&
      asked.get('client_id') === grant.clientId &&
      asked.get('redirect_uri') === grant.redirectUri &&
      challenge === grant.challenge;
    if (!fits) return refusal('invalid_grant', 'the code is not known, or was used already');
    const signed = claims();
    return jsonResponse(
      200,
      {
        access_token: await key.sign(signed),
        token_type: 'Bearer',
        expires_in: (signed.exp ?? 0) - (signed.iat ?? 0),
        scope: signed.scope,
      },
      [['cache-control', 'no-store']],
    );
  }
}

const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/;

function refusal(error: string, description: string): HostResponse {
  return jsonResponse(400, { error, error_description: description }, [['cache-control', 'no-store']]);
}
