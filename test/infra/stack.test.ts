import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { FUNCTION_SETTINGS, type FunctionSettings } from '../../infra/function-settings.ts';
import { assembleStack, PROJECT_ROOT } from '../../infra/local/assembly.ts';
import { settingsFrom } from '../../infra/stack-settings.ts';
import { ENVIRONMENT, TABLES } from '../../lib/aws/tables.ts';
import { FUNCTIONS, type FunctionName, OPEN_ROUTES, PAGES, ROUTES } from '../../lib/routes.ts';
import { SERVICE_VARIABLE } from '../../lib/telemetry.ts';

interface Resource {
  readonly Type: string;
  // biome-ignore lint/suspicious/noExplicitAny: a template is as deep as it likes; a wrong path fails its test.
  readonly Properties: any;
  readonly DeletionPolicy?: string;
  readonly UpdateReplacePolicy?: string;
}

let resources: Readonly<Record<string, Resource>> = {};
let directory = '';
beforeAll(async () => {
  directory = await assembleStack();
  const file = (await readdir(directory)).find((name) => name.endsWith('.template.json'));
  resources = JSON.parse(await readFile(join(directory, file ?? ''), 'utf8')).Resources;
}, 120_000);

const ofType = (type: string) => Object.entries(resources).filter(([, resource]) => resource.Type === type);
const only = (type: string) => {
  const found = ofType(type);
  expect(found).toHaveLength(1);
  return found[0] as [string, Resource];
};
const functionNames = Object.keys(FUNCTIONS) as FunctionName[];
const functionNamed = (name: FunctionName) =>
  ofType('AWS::Lambda::Function').find(
    ([, { Properties }]) => Properties.FunctionName === `ai-memories-${name}`,
  ) as [string, Resource];
const nameAt = (reference: { 'Fn::GetAtt'?: [string]; Ref?: string }) =>
  reference['Fn::GetAtt']?.[0] ?? reference.Ref ?? '';

describe('the tables', () => {
  it.each(Object.values(TABLES))('keep $name for good, recoverable and encrypted', (table) => {
    const [, found] = ofType('AWS::DynamoDB::Table').find(
      ([, { Properties }]) => Properties.TableName === table.name,
    ) as [string, Resource];
    expect(found).toMatchObject({
      DeletionPolicy: 'Retain',
      UpdateReplacePolicy: 'Retain',
      Properties: {
        BillingMode: 'PAY_PER_REQUEST',
        DeletionProtectionEnabled: true,
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
        SSESpecification: { SSEEnabled: true },
        KeySchema: [
          { AttributeName: table.partitionKey, KeyType: 'HASH' },
          { AttributeName: table.sortKey, KeyType: 'RANGE' },
        ],
      },
    });
  });

  it('have both indexes of the memories whole', () => {
    const [, found] = ofType('AWS::DynamoDB::Table').find(
      ([, { Properties }]) => Properties.TableName === TABLES.memories.name,
    ) as [string, Resource];
    const { byStatus, awaitingReview } = TABLES.memories;
    expect(found.Properties.GlobalSecondaryIndexes).toEqual(
      [byStatus, awaitingReview].map((index) => ({
        IndexName: index.name,
        KeySchema: [
          { AttributeName: index.partitionKey, KeyType: 'HASH' },
          { AttributeName: index.sortKey, KeyType: 'RANGE' },
        ],
        Projection: { ProjectionType: 'ALL' },
      })),
    );
  });
});

describe('the API', () => {
  const everyRoute = () => ofType('AWS::ApiGatewayV2::Route').map(([, { Properties }]) => Properties);
  const isPage = ({ RouteKey }: { RouteKey: string }) => Object.hasOwn(PAGES, RouteKey.split(' ')[1] ?? '');
  const openKeys: readonly string[] = OPEN_ROUTES.map(({ method, path }) => `${method} ${path}`);
  const isOpen = ({ RouteKey }: { RouteKey: string }) => openKeys.includes(RouteKey);
  const routes = () => everyRoute().filter((route) => !isPage(route) && !isOpen(route));

  it('asks for no token on the open routes of the table, and sends each to its function', () => {
    const open = everyRoute().filter(isOpen);
    expect(open.map(({ RouteKey }) => RouteKey).sort()).toEqual([...openKeys].sort());
    for (const { RouteKey, AuthorizationType, Target } of open) {
      expect(AuthorizationType).toBe('NONE');
      const target = nameAt(resources[nameAt(Target['Fn::Join'][1][1])]?.Properties.IntegrationUri);
      const [named] = OPEN_ROUTES.filter(({ method, path }) => RouteKey === `${method} ${path}`);
      expect(target).toBe(functionNamed(named?.function ?? 'openapi')[0]);
    }
  });

  it('lets anybody load the pages, by GET alone, from the one function that reaches no data', () => {
    const pages = everyRoute().filter(isPage);
    expect(pages.map(({ RouteKey }) => RouteKey).sort()).toEqual(
      Object.keys(PAGES).map((path) => `GET ${path}`),
    );
    for (const { AuthorizationType, Target } of pages) {
      expect(AuthorizationType).toBe('NONE');
      const target = nameAt(resources[nameAt(Target['Fn::Join'][1][1])]?.Properties.IntegrationUri);
      expect(target).toBe(functionNamed('console')[0]);
    }
  });

  it('asks for a token on every other route', () => {
    const [authorizer] = only('AWS::ApiGatewayV2::Authorizer');
    expect(routes().length).toBeGreaterThan(0);
    for (const route of routes()) {
      expect(route).toMatchObject({ AuthorizationType: 'JWT', AuthorizerId: { Ref: authorizer } });
    }
  });

  it('takes issuer and audience from the settings', async () => {
    const [, authorizer] = only('AWS::ApiGatewayV2::Authorizer');
    const { context } = JSON.parse(await readFile(join(PROJECT_ROOT, 'cdk.json'), 'utf8'));
    const { jwtIssuer, jwtAudience } = settingsFrom((key) => context[key]);
    expect(authorizer.Properties.JwtConfiguration).toEqual({ Issuer: jwtIssuer, Audience: jwtAudience });
  });

  it.each(Object.entries(ROUTES))('sends %s to its function, with its scope', (_, operation) => {
    const route = routes().find(({ RouteKey }) => RouteKey === `${operation.method} ${operation.path}`);
    expect(route.AuthorizationScopes).toEqual([operation.scope]);
    const integration = nameAt(route.Target['Fn::Join'][1][1]);
    const target = nameAt(resources[integration]?.Properties.IntegrationUri);
    expect(target).toBe(functionNamed(operation.function)[0]);
  });

  it('sends every other method of a path to one of its functions, and has no other path', () => {
    const operations = Object.values(ROUTES);
    for (const { RouteKey, Target } of routes()) {
      const [, path] = RouteKey.split(' ');
      const target = nameAt(resources[nameAt(Target['Fn::Join'][1][1])]?.Properties.IntegrationUri);
      const own = operations.filter((operation) => operation.path === path);
      expect(own.map((operation) => functionNamed(operation.function)[0])).toContain(target);
    }
    const paths = new Set(operations.map(({ path }) => path));
    const expected = [...paths].flatMap((path) =>
      ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'].map((method) => `${method} ${path}`),
    );
    expect(
      routes()
        .map(({ RouteKey }) => RouteKey)
        .sort(),
    ).toEqual(expected.sort());
  });

  it('answers a preflight without a route that would ask it for a token', () => {
    const [, api] = only('AWS::ApiGatewayV2::Api');
    expect(api.Properties.CorsConfiguration.AllowHeaders).toContain('authorization');
    expect(routes().filter(({ RouteKey }) => /^(OPTIONS|ANY|\$default)/.test(RouteKey))).toEqual([]);
  });
});

describe('the functions', () => {
  it('are those of the table, and each has its file', async () => {
    const names = ofType('AWS::Lambda::Function').map(([, { Properties }]) => Properties.FunctionName);
    expect(names.sort()).toEqual(functionNames.map((name) => `ai-memories-${name}`).sort());
    const files = await readdir(join(PROJECT_ROOT, 'functions'));
    expect(files.filter((file) => file.endsWith('.ts')).sort()).toEqual(
      Object.values(FUNCTIONS)
        .map((file) => `${file}.ts`)
        .sort(),
    );
  });

  it.each(functionNames)('run %s on the current runtime, bounded, and from an ES module', async (name) => {
    const [, { Properties }] = functionNamed(name);
    expect(Properties).toMatchObject({
      Runtime: 'nodejs24.x',
      Architectures: ['arm64'],
      Timeout: FUNCTION_SETTINGS[name].timeoutSeconds,
      MemorySize: FUNCTION_SETTINGS[name].memoryMegabytes,
    });
    const asset = join(directory, `asset.${Properties.Code.S3Key.replace('.zip', '')}`);
    const served = 'servesConsole' in FUNCTION_SETTINGS[name] ? ['site'] : [];
    const lazyParts = /^[a-z-]+-[A-Z0-9]{8}\.mjs$/;
    const files = (await readdir(asset)).filter((file) => !lazyParts.test(file));
    expect(files).toEqual(['index.mjs', ...served]);
    expect((await readFile(join(asset, 'index.mjs'))).length).toBeLessThan(1024 * 1024);
  });

  it.each(functionNames)('give %s the variables for what it may reach, and no others', (name) => {
    const settings: FunctionSettings = FUNCTION_SETTINGS[name];
    const [, { Properties }] = functionNamed(name);
    const expected = [
      SERVICE_VARIABLE,
      settings.memories && ENVIRONMENT.memories,
      settings.events && ENVIRONMENT.events,
      settings.accounts && ENVIRONMENT.accounts,
      settings.publishes && ENVIRONMENT.bus,
      settings.parks && ENVIRONMENT.deadLetters,
      settings.servesConsole && ENVIRONMENT.signIn,
      settings.verifiesTokens && ENVIRONMENT.jwtIssuer,
      settings.verifiesTokens && ENVIRONMENT.jwtAudience,
    ];
    expect(Object.keys(Properties.Environment?.Variables ?? {}).sort()).toEqual(
      expected.filter(Boolean).sort(),
    );
  });
});

describe('the roles', () => {
  const statementsOf = (name: FunctionName) => {
    const role = nameAt(functionNamed(name)[1].Properties.Role);
    expect(resources[role]?.Properties).not.toHaveProperty('ManagedPolicyArns');
    return ofType('AWS::IAM::Policy')
      .filter(([, { Properties }]) => Properties.Roles.some((item: { Ref: string }) => item.Ref === role))
      .flatMap(([, { Properties }]) => Properties.PolicyDocument.Statement)
      .flatMap((statement: { Action: string | string[]; Resource: unknown }) =>
        [statement.Action]
          .flat()
          .flatMap((action) =>
            [statement.Resource].flat().map((resource) => `${action} ${placeOf(resource)}`),
          ),
      )
      .filter((line: string) => !/^(logs|xray):/.test(line))
      .sort();
  };

  it.each(functionNames)('allow %s what the table of grants says, and nothing else', (name) => {
    const {
      memories = [],
      indexes = [],
      events = [],
      accounts = [],
      ...rest
    }: FunctionSettings = FUNCTION_SETTINGS[name];
    expect(statementsOf(name)).toEqual(
      [
        ...memories.map((action) => `dynamodb:${action} ai-memories`),
        ...indexes.map((index) => `dynamodb:Query ai-memories/index/${TABLES.memories[index].name}`),
        ...events.map((action) => `dynamodb:${action} correction-events`),
        ...accounts.map((action) => `dynamodb:${action} chart-of-accounts`),
        ...(rest.publishes ? ['events:PutEvents ai-memories'] : []),
        ...(rest.parks ? ['sqs:SendMessage ai-memories-corrections-dead'] : []),
        ...(name === 'promote'
          ? [
              'sqs:ChangeMessageVisibility ai-memories-corrections',
              'sqs:DeleteMessage ai-memories-corrections',
              'sqs:GetQueueAttributes ai-memories-corrections',
              'sqs:GetQueueUrl ai-memories-corrections',
              'sqs:ReceiveMessage ai-memories-corrections',
            ]
          : []),
      ].sort(),
    );
  });

  it.each(['retrieve', 'context', 'get', 'list', 'evidence'] as const)('let %s change nothing', (name) => {
    expect(statementsOf(name).filter((line: string) => /Put|Write|Update|Delete|Send/.test(line))).toEqual(
      [],
    );
  });

  it('hold no scan, and no wildcard but the one that traces need', () => {
    const statements = ofType('AWS::IAM::Policy').flatMap(
      ([, { Properties }]) => Properties.PolicyDocument.Statement,
    );
    const traces = {
      Effect: 'Allow',
      Action: ['xray:PutTelemetryRecords', 'xray:PutTraceSegments'],
      Resource: '*',
    };
    const [wild, others] = [
      statements.filter(({ Resource }) => Resource === '*'),
      statements.filter(({ Resource }) => Resource !== '*'),
    ];
    expect(others.length).toBeGreaterThan(0);
    expect(JSON.stringify(others)).not.toMatch(/\*|Scan/);
    for (const statement of wild) expect(statement).toEqual(traces);
  });

  it('let a function speak on the bus as the service itself only', () => {
    const statements = ofType('AWS::IAM::Policy')
      .flatMap(([, { Properties }]) => Properties.PolicyDocument.Statement)
      .filter(({ Action }) => Action === 'events:PutEvents');
    const speaking = Object.values<FunctionSettings>(FUNCTION_SETTINGS).filter(({ publishes }) => publishes);
    expect(statements).toHaveLength(speaking.length);
    for (const { Condition } of statements) {
      expect(Condition).toEqual({
        'ForAllValues:StringEquals': { 'events:source': 'ai-memories' },
        Null: { 'events:source': 'false' },
      });
    }
  });

  /** The physical name of what a statement is about, and the index where it is about one. */
  function placeOf(resource: unknown): string {
    const joined = (resource as { 'Fn::Join'?: [string, unknown[]] })['Fn::Join'];
    if (joined) return joined[1].map((part) => (typeof part === 'string' ? part : placeOf(part))).join('');
    const { Properties } = resources[nameAt(resource as { Ref?: string })] ?? {};
    return Properties?.TableName ?? Properties?.QueueName ?? Properties?.Name ?? JSON.stringify(resource);
  }
});

describe('the way of a correction', () => {
  const queue = (name: string) =>
    ofType('AWS::SQS::Queue').find(([, { Properties }]) => Properties.QueueName === name) as [
      string,
      Resource,
    ];

  it('starts at the rule, which never matches the service itself', () => {
    const [, rule] = only('AWS::Events::Rule');
    expect(rule.Properties.EventPattern).toEqual({
      'detail-type': ['CorrectionRecorded'],
      source: [{ 'anything-but': ['ai-memories'] }],
    });
    expect(rule.Properties.Targets).toHaveLength(1);
    expect(nameAt(rule.Properties.Targets[0].Arn)).toBe(queue('ai-memories-corrections')[0]);
    expect(rule.Properties.Targets[0].DeadLetterConfig).toBeDefined();
  });

  it('waits in a queue that outlasts an outage, and gives up into another after three tries', () => {
    const [dead, { Properties: deadQueue }] = queue('ai-memories-corrections-dead');
    const { Properties } = queue('ai-memories-corrections')[1];
    const fourteenDays = 14 * 24 * 60 * 60;
    expect(Properties).toMatchObject({
      MessageRetentionPeriod: fourteenDays,
      SqsManagedSseEnabled: true,
      RedrivePolicy: { maxReceiveCount: 3 },
    });
    expect(nameAt(Properties.RedrivePolicy.deadLetterTargetArn)).toBe(dead);
    expect(deadQueue).toMatchObject({ MessageRetentionPeriod: fourteenDays, SqsManagedSseEnabled: true });
    expect(Properties.VisibilityTimeout).toBeGreaterThanOrEqual(6 * FUNCTION_SETTINGS.promote.timeoutSeconds);
  });

  it('takes no message over a plain connection', () => {
    const denied = ofType('AWS::SQS::QueuePolicy').filter(([, { Properties }]) =>
      Properties.PolicyDocument.Statement.some(
        (statement: { Effect: string; Condition?: { Bool?: Record<string, string> } }) =>
          statement.Effect === 'Deny' && statement.Condition?.Bool?.['aws:SecureTransport'] === 'false',
      ),
    );
    expect(denied).toHaveLength(2);
  });

  it('reaches promotion in bounded batches whose failures come back alone', () => {
    const [, mapping] = only('AWS::Lambda::EventSourceMapping');
    expect(mapping.Properties).toMatchObject({
      BatchSize: 10,
      MaximumBatchingWindowInSeconds: 1,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      ScalingConfig: { MaximumConcurrency: 10 },
    });
    expect(nameAt(mapping.Properties.FunctionName)).toBe(functionNamed('promote')[0]);
  });

  it('is archived for a replay, for a bounded time', () => {
    const [, archive] = only('AWS::Events::Archive');
    const [, rule] = only('AWS::Events::Rule');
    expect(archive.Properties.EventPattern).toEqual(rule.Properties.EventPattern);
    expect(archive.Properties.RetentionDays).toBeLessThanOrEqual(30);
  });
});
