import * as z from 'zod/mini';

/** Absolute and encrypted, or a path on the service's own origin. */
const Endpoint = z
  .string()
  .check(z.regex(/^(?:https:\/\/[^\s"';,]+|\/(?!\/)[^\s"';,]*)$/, { error: 'must be an https address' }));

/** What the console needs to sign a person in with the operator's OIDC issuer: authorization code with PKCE. */
export const SignIn = z.strictObject({
  clientId: z.string().check(z.minLength(1)),
  authorizeEndpoint: Endpoint,
  tokenEndpoint: Endpoint,
  /** Where signing out leads, if the issuer has such a page. */
  endSessionEndpoint: z.optional(Endpoint),
  /** Whom the access token is for; sent as `audience`, which issuers that do not know it leave aside. */
  audience: z.optional(z.string()),
  /** What the issuer puts before the scopes. */
  scopePrefix: z.optional(z.string()),
});
export type SignIn = z.infer<typeof SignIn>;
