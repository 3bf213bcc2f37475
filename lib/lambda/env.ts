/** A number in a named environment variable, where there is one. */
export function optionalNumber(name: string): number | undefined {
  const value = process.env[name];
  if (value === undefined || value === '') return undefined;
  if (!Number.isFinite(Number(value))) throw new Error(`The environment variable ${name} is no number.`);
  return Number(value);
}

/** A named environment variable; a missing one fails the cold start, not the thousandth request. */
export function requiredEnv(name: string): string {
  const value = process.env[name];
  if (value === undefined || value === '') throw new Error(`The environment variable ${name} is not set.`);
  return value;
}
