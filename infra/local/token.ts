import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { settingsFrom } from '../stack-settings.ts';
import { PROJECT_ROOT, readContext } from './assembly.ts';
import { ALL_SCOPES, accessTokenClaims, openSigningKey } from './keys.ts';

const USAGE = `Usage: npm run --silent token -- --org ORG --user USER [--scope "memories:read memories:write"]`;

try {
  const { values } = parseArgs({
    options: {
      org: { type: 'string' },
      user: { type: 'string' },
      scope: { type: 'string', default: ALL_SCOPES },
    },
  });
  if (!values.org || !values.user) throw new Error('Both --org and --user are needed');
  const context = await readContext();
  const { jwtIssuer, jwtAudience } = settingsFrom((key) => context[key]);
  const key = await openSigningKey(
    join(process.env.DATA_DIR || join(PROJECT_ROOT, '.local'), 'signing-key.json'),
  );
  const claims = accessTokenClaims(
    { issuer: jwtIssuer, audience: jwtAudience },
    { org_id: values.org, sub: values.user, scope: values.scope },
  );
  console.log(await key.sign(claims));
} catch (error) {
  console.error(error instanceof Error ? `${error.message}\n${USAGE}` : error);
  process.exit(1);
}
