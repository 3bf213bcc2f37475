import { PortInUse, startLocalHost } from './host.ts';

const port = Number(process.env.PORT || 4600);
const aborting = new AbortController();
let stopping = false;
let stop = async (): Promise<void> => {};

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    if (stopping) return;
    stopping = true;
    aborting.abort();
    // What is acknowledged is on disk already, so there is nothing to wait long for.
    setTimeout(() => process.exit(0), 900).unref();
    void stop().finally(() => process.exit(0));
  });
}

try {
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new Error(`PORT must be a port number`);
  const host = await startLocalHost({
    port,
    signal: aborting.signal,
    ...(process.env.DATA_DIR && { dataDir: process.env.DATA_DIR }),
  });
  stop = host.stop;
  console.log(welcome(`http://localhost:${new URL(host.url).port}`, await host.token()));
} catch (error) {
  if (stopping) process.exit(0);
  console.error(
    error instanceof PortInUse
      ? `Port ${error.port} is already in use. Stop what uses it, or choose another one: PORT=${error.port + 1} npm start`
      : error instanceof Error
        ? error.message
        : error,
  );
  process.exit(1);
}

function welcome(url: string, token: string): string {
  return `
ai-memories runs on ${url}   (Ctrl-C stops it; its data is kept in .local/)

A token for the demo workspace, user u_demo, all scopes:

  export TOKEN=${token}

The console, where people review what was learned: ${url}/console   (${port === 4600 ? '' : `PORT=${port} `}npm run sample fills it)

To try:

  curl ${url}/v1/memories -H "authorization: Bearer $TOKEN"

  curl ${url}/v1/memories -H "authorization: Bearer $TOKEN" -H 'content-type: application/json' \\
    -d '{"kind":"preference","scope":"user","content":{"text":"Keep answers short"}}'

  export AWS_ACCESS_KEY_ID=local AWS_SECRET_ACCESS_KEY=local AWS_DEFAULT_REGION=us-east-1

  aws --endpoint-url ${url} events put-events --entries '[{"EventBusName":"ai-memories","Source":"demo","DetailType":"CorrectionRecorded","Detail":"{\\"eventId\\":\\"e-${Date.now()}\\",\\"orgId\\":\\"org_demo\\",\\"type\\":\\"manual_patch\\",\\"occurredAt\\":\\"${new Date().toISOString()}\\",\\"actor\\":{\\"userId\\":\\"u_demo\\"},\\"subjectType\\":\\"document\\",\\"subjectIds\\":[\\"doc_1\\"],\\"changedFields\\":[\\"merchant\\"],\\"changeSet\\":{\\"merchant\\":{\\"from\\":\\"VERCEL INC.\\",\\"to\\":\\"Vercel\\"}}}"}]'

  echo '{"orgId":"org_demo","merchants":["Vercel"]}' | aws --endpoint-url ${url} lambda invoke \\
    --function-name ai-memories-retrieve --payload fileb:///dev/stdin /dev/stdout

Another workspace or user: npm run --silent token -- --org ORG --user USER --scope "memories:read"
`;
}
