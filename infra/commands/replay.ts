import { parseArgs } from 'node:util';
import { orgErasures } from '../../lib/aws/org-erasures.ts';
import { orgLog, orgMemories } from '../../lib/aws/org-stores.ts';
import { ENVIRONMENT, TABLES } from '../../lib/aws/tables.ts';
import { OrgId } from '../../lib/domain/ids.ts';
import { type ReplayChange, replay } from '../../lib/operations/replay.ts';

const USAGE = `Usage: npm run replay -- --org ORG [--dry-run] [--keep-days DAYS] [--endpoint-url http://localhost:4600]

Rebuilds what promotion derives for one workspace from its log of corrections. What people decided stays as it is.
--dry-run says what would change and changes nothing. --keep-days is the stage's correctionDays, where it has them:
subjects whose votes may be gone from the log are left as they are. Region and credentials are the SDK's own environment variables;
the tables are the deployed ones unless ${ENVIRONMENT.memories} and ${ENVIRONMENT.events} name others.`;

const { values } = parseArgs({
  options: {
    org: { type: 'string' },
    'dry-run': { type: 'boolean', default: false },
    'keep-days': { type: 'string' },
    'endpoint-url': { type: 'string' },
  },
});
const org = OrgId.safeParse(values.org);
const keepDays = values['keep-days'] === undefined ? undefined : Number(values['keep-days']);
if (!org.success || (keepDays !== undefined && !(keepDays > 0))) {
  console.error(USAGE);
  process.exit(2);
}
const endpoint = values['endpoint-url'];
if (endpoint !== undefined) {
  // The local run takes any key that is not a function's name for an operator's.
  process.env.AWS_ENDPOINT_URL_DYNAMODB ??= endpoint;
  process.env.AWS_REGION ??= 'us-east-1';
  process.env.AWS_ACCESS_KEY_ID ??= 'operator';
  process.env.AWS_SECRET_ACCESS_KEY ??= 'local';
}

// What the SDK says of old versions of Node is about a runtime, and not about a command run here.
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';
// The AWS command reads the one, the SDK the other.
if (process.env.AWS_DEFAULT_REGION) process.env.AWS_REGION ??= process.env.AWS_DEFAULT_REGION;

const dryRun = values['dry-run'];
const memories = process.env[ENVIRONMENT.memories] ?? TABLES.memories.name;
const corrections = process.env[ENVIRONMENT.events] ?? TABLES.events.name;
const replayed = await replay(
  {
    memories: orgMemories(org.data, memories),
    log: orgLog(org.data, corrections, keepDays),
    erasures: orgErasures(org.data, { memories, events: corrections }),
    clock: { now: Date.now },
  },
  { dryRun, ...(keepDays !== undefined && { keepMillis: keepDays * 86_400_000 }) },
).catch((error: unknown) => {
  const said = error instanceof Error ? error.message : error;
  console.error(said === 'Region is missing' ? `${said}: set AWS_REGION, or --endpoint-url.` : said);
  process.exit(1);
});
const { events, subjects, missingVotes, changes, leftAlone } = replayed;
console.log(
  `${org.data}: ${events} events, ${subjects} subjects, ${missingVotes} votes missing from the log${missingVotes > 0 && !dryRun ? ', now cast' : ''}.`,
);
if (leftAlone > 0) console.log(`${leftAlone} subjects left alone: votes of theirs may have expired.`);
for (const change of changes) console.log(`${dryRun ? 'would change' : 'changed'} ${describeChange(change)}`);
if (changes.length === 0) console.log(dryRun ? 'Nothing would change.' : 'Nothing changed.');

function describeChange({ dedupKey, from, to }: ReplayChange): string {
  return `${dedupKey}\n  from ${from ? JSON.stringify(from) : 'nothing'}\n  to   ${to ? JSON.stringify(to) : 'nothing'}`;
}
