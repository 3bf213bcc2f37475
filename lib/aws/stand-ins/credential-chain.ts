import { environmentCredentials } from '../environment-credentials.ts';

/** In place of the SDK's chain of providers: Lambda puts credentials into the environment and nowhere else. */
export function defaultProvider() {
  return async () => environmentCredentials();
}
