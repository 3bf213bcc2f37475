import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { entriesOf } from '../../lib/aws/event-publisher.ts';
import { HintsRequest } from '../../lib/domain/requests.ts';
import { correctionBatch } from '../../lib/lambda/batch.ts';
import { httpHandler, identityFrom, type Runs } from '../../lib/lambda/http.ts';
import { invokeHandler } from '../../lib/lambda/invoke.ts';
import { measureHints } from '../../lib/lambda/measures.ts';
import { SERVICE_VARIABLE, TOKEN_VARIABLES } from '../../lib/telemetry.ts';
import { correctionEvent, ORG } from '../support/builders.ts';

let lines: Record<string, unknown>[] = [];
beforeEach(() => {
  lines = [];
  for (const method of ['log', 'warn', 'error'] as const) {
    vi.spyOn(console, method).mockImplementation((line) => void lines.push(JSON.parse(String(line))));
  }
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const TRACEPARENT = `00-${TRACE}-00f067aa0ba902b7-01`;
const SCOPE = 'memories:read memories:write memories:review';
const CONTEXT = {
  awsRequestId: 'r_1',
  functionName: 'ai-memories-save',
  memoryLimitInMB: '512',
  getRemainingTimeInMillis: () => 10_000,
};
const SECRET = 'the quarterly merger';

function httpEvent(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
  return {
    version: '2.0',
    routeKey: `${method} ${path}`,
    rawPath: path,
    rawQueryString: '',
    headers: { 'content-type': 'application/json', ...headers },
    pathParameters: { id: 'm_1' },
    isBase64Encoded: false,
    ...(body !== undefined && { body: JSON.stringify(body) }),
    requestContext: {
      requestId: 'api_1',
      http: { method, path },
      authorizer: { jwt: { claims: { sub: 'u_1', org_id: ORG, scope: SCOPE }, scopes: null } },
    },
  } as unknown as Parameters<ReturnType<typeof httpHandler>>[0];
}

const answering = (body: unknown) => async () => ({ body });
const decided = (outcome: string) => answering({ outcome, memory: { id: 'm_1', content: { text: SECRET } } });
const preference = { kind: 'preference', scope: 'user', content: { text: SECRET } };

const metricsIn = (line: Record<string, unknown> | undefined) => {
  const { CloudWatchMetrics = [] } = (line?._aws ?? {}) as {
    CloudWatchMetrics?: { Namespace: string; Dimensions: string[][]; Metrics: { Name: string }[] }[];
  };
  return CloudWatchMetrics.flatMap(({ Metrics }) => Metrics.map(({ Name }) => [Name, line?.[Name]]));
};

describe('an act', () => {
  const ACTS: readonly (readonly [string, Runs, ReturnType<typeof httpEvent>, unknown[]])[] = [
    [
      'a save',
      { 'memories.save': decided('created') },
      httpEvent('POST', '/v1/memories', preference),
      [['MemoriesSaved', 1]],
    ],
    [
      'a save that changes nothing',
      { 'memories.save': decided('unchanged') },
      httpEvent('POST', '/v1/memories', preference),
      [],
    ],
    [
      'an archive',
      { 'memories.archive': decided('archived') },
      httpEvent('POST', '/v1/memories/{id}/archive', {}),
      [['MemoriesArchived', 1]],
    ],
    ...(['activated', 'replaced', 'rejected', 'proposal-rejected', 'restored'] as const).map(
      (outcome) =>
        [
          `a review that ends ${outcome}`,
          { 'memories.review': decided(outcome) },
          httpEvent('POST', '/v1/memories/{id}/review', { decision: 'approve', expectedVersion: 1 }),
          outcome === 'restored'
            ? []
            : [[outcome.endsWith('rejected') ? 'ProposalsRejected' : 'ProposalsApproved', 1]],
        ] as const,
    ),
    [
      'a context',
      { 'memories.context': answering({ memories: [1, 2], text: SECRET }) },
      httpEvent('POST', '/v1/context', {}),
      [['MemoriesInjected', 2]],
    ],
    [
      'a list',
      { 'memories.list': answering({ items: [{ unresolvable: true }, {}] }) },
      httpEvent('GET', '/v1/memories'),
      [['MemoriesUnresolvable', 1]],
    ],
  ];
  it.each(ACTS)('%s is counted, by ids and never by content', async (_, runs, event, metrics) => {
    const { statusCode } = await httpHandler(runs)(event, CONTEXT);
    expect(statusCode).toBe(200);
    expect(metricsIn(lines[0])).toEqual(metrics);
    expect(lines).toHaveLength(metrics.length);
    expect(JSON.stringify(lines)).not.toContain(SECRET);
    for (const line of lines) expect(line).toMatchObject({ org_id: ORG, service: 'ai-memories' });
  });

  it('is measured for the stage that it is of', async () => {
    vi.stubEnv(SERVICE_VARIABLE, 'staging-ai-memories');
    await httpHandler({ 'memories.save': decided('created') })(
      httpEvent('POST', '/v1/memories', preference),
      CONTEXT,
    );
    expect(lines[0]).toMatchObject({ service: 'staging-ai-memories', memory_id: 'm_1', outcome: 'created' });
    expect(lines[0]?._aws).toMatchObject({
      CloudWatchMetrics: [{ Namespace: 'AiMemories', Dimensions: [['service']] }],
    });
  });
});

describe('a request', () => {
  it('that fails says in its log which it was, whose, and of which trace', async () => {
    const fails = async () => {
      throw new Error('down');
    };
    const event = httpEvent('POST', '/v1/memories', preference, { traceparent: TRACEPARENT });
    await httpHandler({ 'memories.save': fails })(event, CONTEXT);
    expect(lines).toEqual([
      expect.objectContaining({
        level: 'ERROR',
        message: 'request failed',
        timestamp: expect.any(String),
        service: 'ai-memories',
        function_name: 'ai-memories-save',
        function_memory_size: 512,
        function_request_id: 'r_1',
        api_request_id: 'api_1',
        cold_start: expect.any(Boolean),
        trace_id: TRACE,
        org_id: ORG,
        error: expect.objectContaining({ name: 'Error', message: 'down' }),
      }),
    ]);
    expect(JSON.stringify(lines)).not.toContain(SECRET);
  });

  const noticeMetadata = async (headers: Record<string, string>) => {
    let detail = '';
    const run = async () => {
      const [entry] = entriesOf('bus', ORG, [{ type: 'MemorySaved', detail: {} }]);
      detail = entry?.Detail ?? '';
      return { body: {} };
    };
    await httpHandler({ 'memories.save': run })(
      httpEvent('POST', '/v1/memories', preference, headers),
      CONTEXT,
    );
    return JSON.parse(detail).metadata;
  };

  it('hands its trace on in the metadata of what the service tells the bus', async () => {
    expect(await noticeMetadata({ traceparent: TRACEPARENT })).toEqual({ traceparent: TRACEPARENT });
    expect(await noticeMetadata({})).toBeUndefined();
  });

  it.each(['', 'x', `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`, `${TRACEPARENT}\n`, `01-${TRACE}`])(
    'hands no trace on that is none: %j',
    async (traceparent) => {
      expect(await noticeMetadata({ traceparent })).toBeUndefined();
    },
  );

  it('is of the trace that X-Ray gave it where its caller gave none', async () => {
    vi.stubEnv(
      '_X_AMZN_TRACE_ID',
      'Root=1-5759e988-bd862e3fe1be46a994272793;Parent=53995c3f42cd8ad8;Sampled=1',
    );
    expect(await noticeMetadata({})).toEqual({
      traceparent: '00-5759e988bd862e3fe1be46a994272793-53995c3f42cd8ad8-01',
    });
  });
});

describe('hints', () => {
  it('are counted by memory', async () => {
    const hints = {
      orgId: ORG,
      promptHints: [{ memoryId: 'a' }],
      routingHints: [{ memoryId: 'a' }, { memoryId: 'b' }],
      entityHints: [],
      normalizationHints: [],
    };
    await invokeHandler(HintsRequest, async () => hints, measureHints)({ orgId: ORG }, CONTEXT);
    expect(lines.flatMap(metricsIn)).toEqual([['MemoriesInjected', 2]]);
  });
});

describe('a correction', () => {
  const record = (messageId: string, detail: unknown, header?: string) => ({
    messageId,
    body: JSON.stringify({ source: 'test', 'detail-type': 'CorrectionRecorded', detail }),
    attributes: header === undefined ? {} : { AWSTraceHeader: header },
  });
  const handle = (answer: unknown, ...records: ReturnType<typeof record>[]) =>
    correctionBatch({ run: async () => answer, park: async () => {} })(
      { Records: records } as never,
      CONTEXT,
    );

  it('is measured from the act to the candidate, with what it met on the way', async () => {
    const occurredAt = new Date(Date.now() - 60_000).toISOString();
    await handle({ known: false, proposed: 1, conflicts: 2 }, record('m', correctionEvent({ occurredAt })));
    const measured = Object.fromEntries(metricsIn(lines[0]));
    expect(measured).toMatchObject({ CandidatesProposed: 1, ConflictsRetried: 2 });
    expect(measured.PromotionLag).toBeGreaterThanOrEqual(60_000);
    expect(measured.PromotionLag).toBeLessThan(70_000);
    expect(lines[0]).toMatchObject({ org_id: ORG, message_id: 'm' });
  });

  it('that was known already says nothing of how long it takes', async () => {
    await handle({ known: true, proposed: 0, conflicts: 0 }, record('m', correctionEvent({})));
    expect(lines).toEqual([]);
  });

  it('that is refused is counted by the reason, in the trace that it came with', async () => {
    const header = 'Root=1-5759e988-bd862e3fe1be46a994272793;Parent=53995c3f42cd8ad8;Sampled=1';
    await handle({}, record('m', { eventId: 'broken', text: SECRET }, header));
    const counted = lines.find(({ _aws }) => _aws !== undefined);
    expect(metricsIn(counted)).toEqual([['EventsRefused', 1]]);
    expect(counted).toMatchObject({
      reason: 'invalid-request',
      trace_id: '5759e988bd862e3fe1be46a994272793',
    });
    expect(counted?._aws).toMatchObject({
      CloudWatchMetrics: [{ Dimensions: [['service'], ['service', 'reason']] }],
    });
    expect(JSON.stringify(lines)).not.toContain(SECRET);
  });
});

describe('who calls', () => {
  const claims = { sub: 'u_1', org_id: 'o_1' };
  it('is read from the claims that the stage names, the first that is there', () => {
    expect(identityFrom({ sub: 'u_1', 'custom:orgId': 'o_2' }, []).orgId).toBe('o_2');
    vi.stubEnv(TOKEN_VARIABLES.orgClaims, 'tenant workspace');
    expect(identityFrom({ sub: 'u_1', workspace: 'o_3', org_id: 'o_1' }, []).orgId).toBe('o_3');
    expect(() => identityFrom(claims, [])).toThrow(/does not name a workspace/);
  });

  it('has the scopes without what the issuer puts before them, and none that lacks it', () => {
    vi.stubEnv(TOKEN_VARIABLES.scopePrefix, 'https://api.test/');
    const { scopes } = identityFrom(claims, ['https://api.test/memories:read', 'memories:write']);
    expect([...scopes]).toEqual(['memories:read']);
  });

  it('is nobody by a token that is for telling who somebody is', () => {
    expect(() => identityFrom({ ...claims, token_use: 'id' }, [])).toThrow(/access token/);
    expect(identityFrom({ ...claims, token_use: 'access' }, []).orgId).toBe('o_1');
  });
});
