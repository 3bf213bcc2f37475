import { SignIn } from '../lib/domain/sign-in.ts';
import { FUNCTIONS, type FunctionName } from '../lib/routes.ts';

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
  /**
   * The claims of a token that may name the workspace, the first that is there.
   * @default ['org_id', 'custom:orgId']
   */
  readonly orgClaims?: readonly string[];
  /**
   * What the issuer puts before the scopes: `https://api.example.com/` where it grants
   * `https://api.example.com/memories:read`.
   * @default ''
   */
  readonly scopePrefix?: string;
  /**
   * Who may put corrections on the bus: account ids, or ARNs of roles. All others are refused, those of the own
   * account included.
   * @default - nobody
   */
  readonly producers?: readonly string[];
  /**
   * Who may invoke retrieval directly: account ids, or ARNs of roles.
   * @default - whom the account's own policies allow it
   */
  readonly hintInvokers?: readonly string[];
  /**
   * Requests a second that the API takes.
   * @default 200
   */
  readonly requestRate?: number;
  /**
   * Requests that may come at once before the rate is held.
   * @default - twice the rate
   */
  readonly requestBurst?: number;
  /**
   * The most read request units a second that one table or index serves.
   * @default - the account's limits
   */
  readonly maxReadUnits?: number;
  /**
   * The most write request units a second that one table or index takes.
   * @default - the account's limits
   */
  readonly maxWriteUnits?: number;
  /**
   * Executions kept for a function by its short name, which are also the most that it has at once:
   * `{ "retrieve": 50 }`, or `retrieve=50,promote=10`.
   * @default - as many as the account has left
   */
  readonly reservedConcurrency?: Readonly<Partial<Record<FunctionName, number>>>;
  /**
   * Days after which entries of the log of corrections are removed; at least two windows of promotion, 730.
   * @default - they are kept for good
   */
  readonly correctionDays?: number;
  /**
   * Days that logs are kept.
   * @default 30
   */
  readonly logDays?: number;
  /**
   * Encrypts the tables and the queues with a key of the stack's own.
   * @default false
   */
  readonly customerManagedKey?: boolean;
  /**
   * ARN of the SNS topic that is told of alarms.
   * @default - they are seen in CloudWatch only
   */
  readonly alarmTopicArn?: string;
  /**
   * Where the runbook is read.
   * @default 'infra/RUNBOOK.md'
   */
  readonly runbookUrl?: string;
  /**
   * Makes the role whose sessions reach one org's items only. See `infra/SCALE.md` for what its use costs.
   * @default false
   */
  readonly orgFence?: boolean;
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
    ...(settings.scopePrefix !== undefined && { scopePrefix: settings.scopePrefix }),
  });
}

/**
 * Reads the settings from CDK context, where `-c` makes every value a string. With `-c stage=name`, what `stages` says
 * of that stage stands before what is said of all.
 */
export function settingsFrom(everywhere: (key: string) => unknown): StackSettings {
  const context = ofStage(everywhere);
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
  const flag = (key: string): boolean | undefined => {
    const value = context(key);
    if (value === undefined || value === '') return undefined;
    if (String(value) !== 'true' && String(value) !== 'false') {
      throw new Error(`Context '${key}' must be true or false`);
    }
    return String(value) === 'true';
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
    orgClaims: list('orgClaims'),
    scopePrefix: text('scopePrefix'),
    producers: principals('producers', list('producers')),
    hintInvokers: principals('hintInvokers', list('hintInvokers')),
    requestRate: integer('requestRate'),
    requestBurst: integer('requestBurst'),
    maxReadUnits: integer('maxReadUnits'),
    maxWriteUnits: integer('maxWriteUnits'),
    reservedConcurrency: reservations(context('reservedConcurrency')),
    correctionDays: keepDays(integer('correctionDays')),
    logDays: integer('logDays'),
    customerManagedKey: flag('customerManagedKey'),
    alarmTopicArn: text('alarmTopicArn'),
    runbookUrl: text('runbookUrl'),
    orgFence: flag('orgFence'),
  });
}

function ofStage(everywhere: (key: string) => unknown): (key: string) => unknown {
  const stage = everywhere('stage');
  if (stage === undefined || stage === '') return everywhere;
  const stages = (everywhere('stages') ?? {}) as Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  const own = Object.hasOwn(stages, String(stage)) ? stages[String(stage)] : undefined;
  if (own === undefined) throw new Error(`There is no stage '${stage}' in cdk.json`);
  return (key) => (Object.hasOwn(own, key) ? own[key] : everywhere(key));
}

function principals(key: string, named: readonly string[] | undefined): readonly string[] | undefined {
  for (const name of named ?? []) {
    if (!/^(?:\d{12}|arn:[\w-]+:iam::\d{12}:(?:role|user)\/[\w+=,.@/-]+)$/.test(name)) {
      throw new Error(`Context '${key}': '${name}' is neither an account id nor the ARN of a role`);
    }
  }
  return named;
}

/** An older vote than this can be in no window that a new vote opens. */
const MIN_CORRECTION_DAYS = 730;

function keepDays(days: number | undefined): number | undefined {
  if (days !== undefined && days < MIN_CORRECTION_DAYS) {
    throw new Error(`correctionDays must be ${MIN_CORRECTION_DAYS} or more: promotion looks a year back`);
  }
  return days;
}

function reservations(value: unknown): Readonly<Partial<Record<FunctionName, number>>> | undefined {
  if (value === undefined || value === '') return undefined;
  const entries: readonly (readonly string[])[] =
    typeof value === 'object' && value !== null
      ? Object.entries(value).map(([name, count]) => [name, String(count)])
      : String(value)
          .split(',')
          .map((pair) => pair.trim().split('='));
  for (const [name = '', count = ''] of entries) {
    if (!Object.hasOwn(FUNCTIONS, name) || !/^\d+$/.test(count)) {
      throw new Error(`Context 'reservedConcurrency' must be of the form retrieve=50, not ${name}=${count}`);
    }
  }
  return Object.fromEntries(entries.map(([name, count]) => [name, Number(count)]));
}

type Defined<Value> = {
  [Key in keyof Value as undefined extends Value[Key] ? never : Key]: Value[Key];
} & { [Key in keyof Value as undefined extends Value[Key] ? Key : never]?: Exclude<Value[Key], undefined> };

function definedOnly<Value extends object>(value: Value): Defined<Value> {
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined)) as Defined<Value>;
}
