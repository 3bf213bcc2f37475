import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { OrgId, UserId } from '../../lib/domain/ids.ts';
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
  // Made all the same: what the service says to such a token is worth seeing.
  for (const fault of faultsOf(values.org, values.user, values.scope)) console.error(`Note: ${fault}`);
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

function faultsOf(org: string, user: string, scope: string): readonly string[] {
  const ids = [
    ['--org', OrgId.safeParse(org)],
    ['--user', UserId.safeParse(user)],
  ] as const;
  const unknown = scope.split(' ').filter((one) => !ALL_SCOPES.split(' ').includes(one));
  return [
    ...ids.flatMap(
      ([name, { error }]) =>
        error?.issues.map(({ message }) => `the service refuses it: ${name} ${message}`) ?? [],
    ),
    ...unknown.map((one) => `there is no scope "${one}"; there are ${ALL_SCOPES}`),
  ];
}
