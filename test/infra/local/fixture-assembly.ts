import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type LocalHost, type LocalHostOptions, startLocalHost } from '../../../infra/local/host.ts';
import type { TemplateResource } from '../../../infra/local/intrinsics.ts';

/** A directory of its own for each test, and hosts in it that end with the test. */
export async function workplace() {
  const directory = await mkdtemp(join(tmpdir(), 'local-host-'));
  const hosts: LocalHost[] = [];
  return {
    dataDir: join(directory, 'data'),
    /** A host on a small stack with the given handlers: the source of `handler`'s function, by function name. */
    async start(
      handlers: Readonly<Record<string, string>>,
      options: LocalHostOptions = {},
      more: Resources = {},
    ): Promise<LocalHost> {
      const assembly = await writeAssembly(join(directory, 'assembly'), handlers, more);
      const host = await startLocalHost({
        port: 0,
        quiet: true,
        dataDir: join(directory, 'data'),
        assembly,
        ...options,
      });
      hosts.push(host);
      return host;
    },
    async clear(): Promise<void> {
      for (const host of hosts) await host.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

export const ISSUER = 'https://issuer.test/';
export const AUDIENCE = 'test-api';

type Resources = Readonly<Record<string, TemplateResource>>;

async function writeAssembly(
  directory: string,
  handlers: Readonly<Record<string, string>>,
  more: Resources,
): Promise<string> {
  await mkdir(directory, { recursive: true });
  const files: Record<string, unknown> = {};
  const resources: Record<string, unknown> = { ...FIXED, ...more };
  for (const [name, source] of Object.entries(handlers)) {
    await mkdir(join(directory, `asset.${name}`), { recursive: true });
    await writeFile(join(directory, `asset.${name}`, 'index.mjs'), `export const handler = ${source};\n`);
    files[name] = { source: { path: `asset.${name}` }, destinations: { here: { objectKey: `${name}.zip` } } };
    resources[name] = functionResource(name);
  }
  if (handlers.promote) resources.Mapping = MAPPING;
  if (handlers.api) Object.assign(resources, API);
  await writeFile(join(directory, 'Test.assets.json'), JSON.stringify({ files }));
  await writeFile(join(directory, 'Test.template.json'), JSON.stringify({ Resources: resources }));
  return directory;
}

function functionResource(name: string): TemplateResource {
  return {
    Type: 'AWS::Lambda::Function',
    Properties: {
      FunctionName: `test-${name}`,
      Code: { S3Bucket: { 'Fn::Sub': `assets-\${AWS::AccountId}-\${AWS::Region}` }, S3Key: `${name}.zip` },
      Handler: 'index.handler',
      Role: { 'Fn::GetAtt': ['Role', 'Arn'] },
      Runtime: 'nodejs24.x',
      Timeout: name.startsWith('slow') ? 1 : 10,
      MemorySize: 128,
      Environment: { Variables: { THINGS_TABLE: { Ref: 'Things' }, DEAD_LETTERS: { Ref: 'Dead' } } },
    },
  };
}

const FIXED: Record<string, TemplateResource> = {
  Role: { Type: 'AWS::IAM::Role' },
  Policy: {
    Type: 'AWS::IAM::Policy',
    Properties: {
      PolicyDocument: {
        Statement: [
          { Effect: 'Allow', Action: 'dynamodb:PutItem', Resource: { 'Fn::GetAtt': ['Things', 'Arn'] } },
          { Effect: 'Allow', Action: ['sqs:SendMessage'], Resource: [{ 'Fn::GetAtt': ['Dead', 'Arn'] }] },
        ],
      },
      Roles: [{ Ref: 'Role' }],
    },
  },
  Things: {
    Type: 'AWS::DynamoDB::Table',
    Properties: {
      TableName: 'things',
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
      AttributeDefinitions: [
        { AttributeName: 'id', AttributeType: 'S' },
        { AttributeName: 'owner', AttributeType: 'S' },
      ],
      GlobalSecondaryIndexes: [
        {
          IndexName: 'by-owner',
          KeySchema: [{ AttributeName: 'owner', KeyType: 'HASH' }],
          Projection: { ProjectionType: 'ALL' },
        },
      ],
    },
  },
  Bus: { Type: 'AWS::Events::EventBus', Properties: { Name: 'test-bus' } },
  Rule: {
    Type: 'AWS::Events::Rule',
    Properties: {
      EventBusName: { Ref: 'Bus' },
      EventPattern: { 'detail-type': ['Happened'], source: [{ 'anything-but': ['self'] }] },
      State: 'ENABLED',
      Targets: [{ Id: 'Target0', Arn: { 'Fn::GetAtt': ['Work', 'Arn'] } }],
    },
  },
  Dead: { Type: 'AWS::SQS::Queue', Properties: { QueueName: 'dead' } },
  Work: {
    Type: 'AWS::SQS::Queue',
    Properties: {
      QueueName: 'work',
      RedrivePolicy: { deadLetterTargetArn: { 'Fn::GetAtt': ['Dead', 'Arn'] }, maxReceiveCount: 3 },
    },
  },
};

const MAPPING: TemplateResource = {
  Type: 'AWS::Lambda::EventSourceMapping',
  Properties: {
    EventSourceArn: { 'Fn::GetAtt': ['Work', 'Arn'] },
    FunctionName: { Ref: 'promote' },
    BatchSize: 10,
    MaximumBatchingWindowInSeconds: 0,
    FunctionResponseTypes: ['ReportBatchItemFailures'],
    ScalingConfig: { MaximumConcurrency: 2 },
  },
};

function route(routeKey: string, scopes: readonly string[]): TemplateResource {
  return {
    Type: 'AWS::ApiGatewayV2::Route',
    Properties: {
      ApiId: { Ref: 'Api' },
      RouteKey: routeKey,
      Target: { 'Fn::Join': ['', ['integrations/', { Ref: 'Integration' }]] },
      AuthorizationType: 'JWT',
      AuthorizerId: { Ref: 'Authorizer' },
      AuthorizationScopes: scopes,
    },
  };
}

const API: Record<string, TemplateResource> = {
  Api: {
    Type: 'AWS::ApiGatewayV2::Api',
    Properties: {
      Name: 'test',
      ProtocolType: 'HTTP',
      CorsConfiguration: {
        AllowOrigins: ['https://app.test'],
        AllowMethods: ['GET', 'POST'],
        AllowHeaders: ['authorization'],
        MaxAge: 60,
      },
    },
  },
  Authorizer: {
    Type: 'AWS::ApiGatewayV2::Authorizer',
    Properties: {
      ApiId: { Ref: 'Api' },
      AuthorizerType: 'JWT',
      IdentitySource: ['$request.header.Authorization'],
      JwtConfiguration: { Issuer: ISSUER, Audience: [AUDIENCE] },
      Name: 'Jwt',
    },
  },
  Integration: {
    Type: 'AWS::ApiGatewayV2::Integration',
    Properties: {
      ApiId: { Ref: 'Api' },
      IntegrationType: 'AWS_PROXY',
      IntegrationUri: { 'Fn::GetAtt': ['api', 'Arn'] },
      PayloadFormatVersion: '2.0',
    },
  },
  ListRoute: route('GET /v1/things', ['things:read']),
  AddRoute: route('POST /v1/things', ['things:write', 'things:admin']),
  OneRoute: route('GET /v1/things/{id}', ['things:read']),
  FixedRoute: route('GET /v1/things/all', ['things:read']),
  OtherRoute: route('DELETE /v1/things', []),
  RestRoute: route('GET /v1/files/{rest+}', []),
  KnownRoute: route('GET /v1/files/known', []),
  OpenRoute: {
    Type: 'AWS::ApiGatewayV2::Route',
    Properties: {
      ApiId: { Ref: 'Api' },
      RouteKey: 'GET /open',
      Target: { 'Fn::Join': ['', ['integrations/', { Ref: 'Integration' }]] },
      AuthorizationType: 'NONE',
    },
  },
};
