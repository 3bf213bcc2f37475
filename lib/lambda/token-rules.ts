import { TOKEN_VARIABLES } from '../telemetry.ts';

/** How the issuer's access tokens are read. */
export interface TokenRules {
  /** Claims that may name the workspace; the first that is there does. */
  readonly orgClaims: readonly string[];
  /** What the issuer puts before the scopes. */
  readonly scopePrefix: string;
}

export function tokenRules(): TokenRules {
  const named = process.env[TOKEN_VARIABLES.orgClaims]?.split(' ').filter((name) => name !== '') ?? [];
  return {
    orgClaims: named.length > 0 ? named : DEFAULT_ORG_CLAIMS,
    scopePrefix: process.env[TOKEN_VARIABLES.scopePrefix] ?? '',
  };
}

const DEFAULT_ORG_CLAIMS = ['org_id', 'custom:orgId'];
