import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { beforeAll, describe, expect, it } from 'vitest';
import { PROJECT_ROOT, readContext } from '../../infra/local/assembly.ts';
import { MemoryStack } from '../../infra/memory-stack.ts';
import { settingsFrom } from '../../infra/stack-settings.ts';
import { FUNCTIONS } from '../../lib/routes.ts';
import { METRICS } from '../../lib/telemetry.ts';

let plain: Template;
let full: Template;
beforeAll(async () => {
  const context = await readContext();
  const template = (settings: Readonly<Record<string, unknown>>) => {
    const app = new App({ analyticsReporting: false, context: { 'aws:cdk:bundling-stacks': [] } });
    const given: Readonly<Record<string, unknown>> = { ...context, ...settings };
    return Template.fromStack(
      new MemoryStack(
        app,
        'Stack',
        settingsFrom((key) => given[key]),
      ),
    );
  };
  plain = template({});
  full = template({
    producers: ['111122223333', 'arn:aws:iam::444455556666:role/receipts'],
    hintInvokers: 'arn:aws:iam::444455556666:role/extraction',
    alarmTopicArn: 'arn:aws:sns:eu-central-1:111122223333:on-call',
    customerManagedKey: true,
    correctionDays: 800,
    maxReadUnits: 100,
    maxWriteUnits: 50,
    reservedConcurrency: 'retrieve=5,promote=12',
    scopePrefix: 'https://api.example.com/',
    orgClaims: 'tenant',
    logDays: 7,
    orgFence: 'true',
    requestRate: 20,
  });
});

const propertiesOf = (template: Template, type: string) =>
  Object.values(template.findResources(type)).map(({ Properties }) => Properties);

describe('an alarm', () => {
  it('is there for dead letters, waiting, lag, faults of the API, and errors and throttles of each function', () => {
    const names = propertiesOf(plain, 'AWS::CloudWatch::Alarm').map(({ AlarmName }) => AlarmName);
    const ofFunctions = Object.keys(FUNCTIONS).flatMap((name) => [`${name}-errors`, `${name}-throttles`]);
    const others = ['dead-letters', 'waiting-corrections', 'promotion-lag', 'api-5xx'];
    expect(names.sort()).toEqual([...others, ...ofFunctions].map((name) => `ai-memories-${name}`).sort());
  });

  it('names an entry of the runbook, and every entry there is is named', async () => {
    const runbook = await readFile(join(PROJECT_ROOT, 'infra', 'RUNBOOK.md'), 'utf8');
    const [entries = ''] = runbook.split('# Acts');
    const headings = [...entries.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
    const named = propertiesOf(plain, 'AWS::CloudWatch::Alarm').map(
      ({ AlarmDescription }) => /infra\/RUNBOOK\.md#([\w-]+)$/.exec(AlarmDescription)?.[1],
    );
    expect([...new Set(named)].sort()).toEqual([...headings].sort());
  });

  it('tells the topic, when it comes and when it goes', () => {
    for (const alarm of propertiesOf(full, 'AWS::CloudWatch::Alarm')) {
      expect(alarm.AlarmActions).toEqual(['arn:aws:sns:eu-central-1:111122223333:on-call']);
      expect(alarm.OKActions).toEqual(alarm.AlarmActions);
    }
  });
});

describe('the dashboard', () => {
  it('shows every metric of the service', () => {
    const [dashboard] = propertiesOf(plain, 'AWS::CloudWatch::Dashboard');
    const { namespace, ...metrics } = METRICS;
    const body = JSON.stringify(dashboard.DashboardBody);
    for (const name of [namespace, ...Object.values(metrics)]) expect(body).toContain(name);
  });
});

describe('the bus', () => {
  const statements = (template: Template) =>
    propertiesOf(template, 'AWS::Events::EventBusPolicy').map(({ Statement, StatementId }) => ({
      ...Statement,
      id: StatementId.replace('cdk-', ''),
    }));
  const named = (template: Template, wanted: string) => statements(template).find(({ id }) => id === wanted);

  it('takes corrections from nobody where no producer is named', () => {
    expect(named(plain, 'OthersRecordNoCorrections')).toMatchObject({
      Effect: 'Deny',
      Principal: { AWS: '*' },
      Condition: { StringEquals: { 'events:detail-type': 'CorrectionRecorded' } },
    });
    expect(named(plain, 'OthersRecordNoCorrections').Condition).not.toHaveProperty('ArnNotLike');
    expect(statements(plain).filter(({ Effect }) => Effect === 'Allow')).toEqual([]);
  });

  it('takes corrections from the producers that are named, and refuses the rest of the own account', () => {
    const allowed = statements(full).filter(({ Effect }) => Effect === 'Allow');
    expect(allowed).toHaveLength(1);
    expect(allowed[0]).toMatchObject({
      Action: 'events:PutEvents',
      Condition: { StringEquals: { 'events:detail-type': 'CorrectionRecorded' } },
    });
    const { Condition } = named(full, 'OthersRecordNoCorrections');
    const [account, role] = Condition.ArnNotLike['aws:PrincipalArn'];
    expect(JSON.stringify(account)).toContain(':*::111122223333:*');
    expect(role).toBe('arn:aws:iam::444455556666:role/receipts');
  });

  it('lets nobody but the service’s own functions use its source', () => {
    const { Condition, Effect } = named(plain, 'OnlyTheServiceSpeaksAsItself');
    expect(Effect).toBe('Deny');
    expect(Condition['ForAnyValue:StringEquals']).toEqual({ 'events:source': 'ai-memories' });
    expect(Condition.ArnNotLike['aws:PrincipalArn'].length).toBeGreaterThan(3);
  });
});

describe('the bounds', () => {
  it('hold the stage, and costly routes more, each of which is there', () => {
    const [stage] = propertiesOf(plain, 'AWS::ApiGatewayV2::Stage');
    expect(stage.DefaultRouteSettings).toEqual({ ThrottlingRateLimit: 200, ThrottlingBurstLimit: 400 });
    const keys = propertiesOf(plain, 'AWS::ApiGatewayV2::Route').map(({ RouteKey }) => RouteKey);
    expect(keys).toEqual(expect.arrayContaining(Object.keys(stage.RouteSettings)));
    expect(Object.keys(stage.RouteSettings)).toContain('PUT /v1/chart-of-accounts');
    const [tighter] = propertiesOf(full, 'AWS::ApiGatewayV2::Stage');
    expect(tighter.DefaultRouteSettings).toEqual({ ThrottlingRateLimit: 20, ThrottlingBurstLimit: 40 });
  });

  it('trace every function, and log who called what, but no path and no query', () => {
    for (const made of propertiesOf(plain, 'AWS::Lambda::Function')) {
      expect(made.TracingConfig).toEqual({ Mode: 'Active' });
    }
    const [stage] = propertiesOf(plain, 'AWS::ApiGatewayV2::Stage');
    expect(stage.AccessLogSettings.Format).not.toMatch(/context\.path|querystring/i);
  });

  it('keep logs for a time', () => {
    for (const { RetentionInDays } of propertiesOf(plain, 'AWS::Logs::LogGroup')) {
      expect(RetentionInDays).toBe(30);
    }
    for (const { RetentionInDays } of propertiesOf(full, 'AWS::Logs::LogGroup')) {
      expect(RetentionInDays).toBe(7);
    }
  });

  it('are set by the stage: units, executions, the end of corrections', () => {
    const tables = propertiesOf(full, 'AWS::DynamoDB::Table');
    const limits = { MaxReadRequestUnits: 100, MaxWriteRequestUnits: 50 };
    for (const table of tables) {
      expect(table.OnDemandThroughput).toEqual(limits);
      for (const index of table.GlobalSecondaryIndexes ?? [])
        expect(index.OnDemandThroughput).toEqual(limits);
    }
    const expiring = tables.filter(({ TimeToLiveSpecification }) => TimeToLiveSpecification);
    expect(expiring.map(({ TableName }) => TableName)).toEqual(['correction-events']);
    full.hasResourceProperties('AWS::Lambda::Function', {
      FunctionName: 'ai-memories-promote',
      ReservedConcurrentExecutions: 12,
      Environment: { Variables: Match.objectLike({ CORRECTION_DAYS: '800' }) },
    });
    plain.resourcePropertiesCountIs('AWS::DynamoDB::Table', { TimeToLiveSpecification: Match.anyValue() }, 0);
  });
});

describe('identity', () => {
  it('asks each route for its scope as the issuer writes it, and tells the functions', () => {
    for (const { AuthorizationScopes = [] } of propertiesOf(full, 'AWS::ApiGatewayV2::Route')) {
      for (const scope of AuthorizationScopes)
        expect(scope).toMatch(/^https:\/\/api\.example\.com\/memories:/);
    }
    full.allResourcesProperties('AWS::Lambda::Function', {
      Environment: {
        Variables: Match.objectLike({ SCOPE_PREFIX: 'https://api.example.com/', ORG_CLAIMS: 'tenant' }),
      },
    });
  });

  it('tells the console which scopes to ask the issuer for', () => {
    const [made] = propertiesOf(full, 'AWS::Lambda::Function').filter(
      ({ FunctionName }) => FunctionName === 'ai-memories-console',
    );
    expect(JSON.parse(made.Environment.Variables.CONSOLE_SIGN_IN)).toMatchObject({
      scopePrefix: 'https://api.example.com/',
    });
  });

  it('allows retrieval to the invokers that are named', () => {
    full.hasResourceProperties('AWS::Lambda::Permission', {
      Action: 'lambda:InvokeFunction',
      Principal: 'arn:aws:iam::444455556666:role/extraction',
    });
  });

  it('fences the sessions of an org to its own keys', () => {
    full.hasResourceProperties('AWS::IAM::Policy', {
      PolicyDocument: {
        Statement: [
          Match.objectLike({
            Condition: {
              // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a variable of the policy.
              'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': ['${aws:PrincipalTag/orgId}'] },
              Null: { 'dynamodb:LeadingKeys': 'false' },
            },
          }),
        ],
      },
    });
  });
});

describe('a key of the stage’s own', () => {
  it('encrypts the tables and the queues, and is opened to functions through the tables alone', () => {
    for (const { SSESpecification } of propertiesOf(full, 'AWS::DynamoDB::Table')) {
      expect(SSESpecification).toMatchObject({ SSEEnabled: true, SSEType: 'KMS' });
    }
    for (const queue of propertiesOf(full, 'AWS::SQS::Queue')) expect(queue.KmsMasterKeyId).toBeDefined();
    full.hasResource('AWS::KMS::Key', { DeletionPolicy: 'Retain', Properties: { EnableKeyRotation: true } });
    const uses = propertiesOf(full, 'AWS::IAM::Policy')
      .flatMap(({ PolicyDocument }) => PolicyDocument.Statement)
      .filter(({ Action }) => [Action].flat().some((action: string) => action.startsWith('kms:')));
    expect(uses.length).toBeGreaterThan(0);
    expect(JSON.stringify(uses.map(({ Action }) => Action))).not.toContain('*');
    // Promotion reads one queue and puts what it cannot understand on the other.
    const ofQueues = uses.filter(({ Condition }) => Condition === undefined).flatMap(({ Action }) => Action);
    expect([...new Set(ofQueues)].sort()).toEqual(['kms:Decrypt', 'kms:GenerateDataKey']);
  });
});
