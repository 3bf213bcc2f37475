export interface EnvironmentCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Roles have one, and with it a function's role; long-lived keys have none. */
  readonly sessionToken?: string;
}

/** @throws Error named `CredentialsProviderError` where the environment has none. */
export function environmentCredentials(): EnvironmentCredentials {
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = process.env;
  if (!AWS_ACCESS_KEY_ID || !AWS_SECRET_ACCESS_KEY) {
    const error = new Error('The environment has no AWS credentials.');
    error.name = 'CredentialsProviderError';
    throw error;
  }
  return {
    accessKeyId: AWS_ACCESS_KEY_ID,
    secretAccessKey: AWS_SECRET_ACCESS_KEY,
    ...(AWS_SESSION_TOKEN && { sessionToken: AWS_SESSION_TOKEN }),
  };
}
