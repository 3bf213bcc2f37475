/**
 * In place of the SDK's configuration: what it reads from the environment, and its defaults. Lambda has no `~/.aws`, nor
 * an instance to ask for its region, and without this the SDK looks for the former at every call of a client.
 */
export const CONFIG_PREFIX_SEPARATOR = '.';

export const SelectorType = { ENV: 'env', CONFIG: 'shared config entry' } as const;

type Environment = Readonly<Record<string, string | undefined>>;

interface Selectors<T> {
  readonly environmentVariableSelector: (env: Environment, options?: object) => T | undefined;
  readonly default: T | (() => T | Promise<T>);
}

export function loadConfig<T>({ environmentVariableSelector, default: fallback }: Selectors<T>) {
  let known: { readonly value: T } | undefined;
  return async (): Promise<T> => {
    known ??= {
      value:
        environmentVariableSelector(process.env) ??
        (fallback instanceof Function ? await fallback() : fallback),
    };
    return known.value;
  };
}

/** @throws Error where the variable is neither `true` nor `false`. */
export function booleanSelector(env: Environment, key: string): boolean | undefined {
  const value = env[key];
  if (value === undefined) return undefined;
  if (value !== 'true' && value !== 'false') throw new Error(`${key} must be "true" or "false".`);
  return value === 'true';
}

export const REGION_ENV_NAME = 'AWS_REGION';
export const REGION_INI_NAME = 'region';

export const NODE_REGION_CONFIG_OPTIONS: Selectors<string> = {
  environmentVariableSelector: (env) => env[REGION_ENV_NAME],
  default: () => {
    throw new Error('Region is missing');
  },
};

export const NODE_REGION_CONFIG_FILE_OPTIONS = {};

export const NODE_USE_DUALSTACK_ENDPOINT_CONFIG_OPTIONS: Selectors<boolean> = {
  environmentVariableSelector: (env) => booleanSelector(env, 'AWS_USE_DUALSTACK_ENDPOINT'),
  default: false,
};

export const NODE_USE_FIPS_ENDPOINT_CONFIG_OPTIONS: Selectors<boolean> = {
  environmentVariableSelector: (env) => booleanSelector(env, 'AWS_USE_FIPS_ENDPOINT'),
  default: false,
};

export class ProviderError extends Error {}

/** Of the modes' defaults we take none: attempts and time-outs are given where the client is made. */
export const resolveDefaultsModeConfig = () => async () => 'legacy';

/** The names of regions that meant FIPS are older than any region variable of Lambda. */
export const resolveRegionConfig = <T>(config: T): T => config;
