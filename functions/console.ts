import { ENVIRONMENT } from '../lib/aws/tables.ts';
import { SignIn } from '../lib/domain/sign-in.ts';
import { requiredEnv } from '../lib/lambda/env.ts';
import { siteHandler } from '../lib/lambda/static-site.ts';

const signIn = SignIn.parse(JSON.parse(requiredEnv(ENVIRONMENT.signIn)));

/** The memory console: the page built from `functions/console`, and how to sign in to it. */
export const handler = siteHandler({
  folder: new URL('./site/', import.meta.url),
  documents: { 'sign-in.json': signIn },
  connectTo: URL.canParse(signIn.tokenEndpoint) ? [new URL(signIn.tokenEndpoint).origin] : [],
});
