import { SignIn } from '../lib/domain/sign-in.ts';

/** What differs between stages. Values come from the context in `cdk.json`, or from `-c name=value`. */
export interface StackSettings {
  /** Issuer of the access tokens: an OIDC provider with `.well-known/openid-configuration` under it. */
  readonly jwtIssuer: string;
  /** The audiences (or client ids) that access tokens are made for. */
  readonly jwtAudience: readonly string[];
  /**
   * Put before every physical name, so that two stages can live in one account: `staging-`.
   * @default - no prefix
   */
  readonly namePrefix?: string;
  /**
   * Name of the event bus.
   * @default - the prefix and `ai-memories`
   */
  readonly busName?: string;
  /**
   * Origins whose pages may call the API. Tokens are sent as a header and never as a cookie.
   * @default ['*']
   */
  readonly allowedOrigins?: readonly string[];
  /**
   * How many days the archive keeps correction events for a replay, 1 to 30.
   * @default 30
   */
  readonly archiveDays?: number;
  /**
   * How many promotion batches may run at once, 2 to 1000.
   * @default 10
   */
  readonly promotionConcurrency?: number;
  /** The console's client at the issuer: public, for authorization code with PKCE, redirecting to `…/console`. */
  readonly consoleClientId: string;
  /** The issuer's `authorization_endpoint`. */
  readonly authorizeEndpoint: string;
  /** The issuer's `token_endpoint`; it must answer the console's origin. */
  readonly tokenEndpoint: string;
  /**
   * The issuer's `end_session_endpoint`.
   * @default - signing out ends the console's own session only
   */
  readonly endSessionEndpoint?: string;
}

/** How the console signs people in. A malformed endpoint fails the synthesis, not the first visit. */
export function signInOf(settings: StackSettings): SignIn {
  const [audience] = settings.jwtAudience;
  return SignIn.parse({
    clientId: settings.consoleClientId,
    authorizeEndpoint: settings.authorizeEndpoint,
    tokenEndpoint: settings.tokenEndpoint,
    ...(settings.endSessionEndpoint !== undefined && { endSessionEndpoint: settings.endSessionEndpoint }),
    ...(audience !== undefined && { audience }),
  });
}

/** Reads the settings from CDK context, where `-c` makes every value a string. */
export function settingsFrom(context: (key: string) => unknown): StackSettings {
  const text = (key: string): string | undefined => {
    const value = context(key);
    if (value === undefined || value === '') return undefined;
    if (typeof value !== 'string') throw new Error(`Context '${key}' must be a string`);
    return value;
  };
  const list = (key: string): readonly string[] | undefined => {
    const value = context(key);
    const items = Array.isArray(value) ? value.map(String) : text(key)?.split(',');
    return items?.map((item) => item.trim()).filter((item) => item !== '');
  };
  const integer = (key: string): number | undefined => {
    const value = context(key);
    if (value === undefined || value === '') return undefined;
    if (!Number.isInteger(Number(value))) throw new Error(`Context '${key}' must be a whole number`);
    return Number(value);
  };
  const required = <Value>(key: string, value: Value | undefined): Value => {
    if (value === undefined) throw new Error(`Context '${key}' is missing; set it in cdk.json or with -c`);
    return value;
  };
  return definedOnly({
    jwtIssuer: required('jwtIssuer', text('jwtIssuer')),
    jwtAudience: required('jwtAudience', list('jwtAudience')),
    consoleClientId: required('consoleClientId', text('consoleClientId')),
    authorizeEndpoint: required('authorizeEndpoint', text('authorizeEndpoint')),
    tokenEndpoint: required('tokenEndpoint', text('tokenEndpoint')),
    endSessionEndpoint: text('endSessionEndpoint'),
    namePrefix: text('namePrefix'),
    busName: text('busName'),
    allowedOrigins: list('allowedOrigins'),
    archiveDays: integer('archiveDays'),
    promotionConcurrency: integer('promotionConcurrency'),
  });
}

type Defined<Value> = {
  [Key in keyof Value as undefined extends Value[Key] ? never : Key]: Value[Key];
} & { [Key in keyof Value as undefined extends Value[Key] ? Key : never]?: Exclude<Value[Key], undefined> };

function definedOnly<Value extends object>(value: Value): Defined<Value> {
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined)) as Defined<Value>;
}
