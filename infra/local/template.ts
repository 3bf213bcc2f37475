import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { type ConditionSpec, isKnownCondition } from './conditions.ts';
import { intrinsicsOf, type Surroundings, type TemplateResource } from './intrinsics.ts';

/** What the template deploys, with every reference worked out. */
export interface Deployment {
  readonly tables: readonly TableSpec[];
  readonly functions: readonly FunctionSpec[];
  readonly queues: readonly QueueSpec[];
  readonly buses: readonly BusSpec[];
  readonly archives: readonly ArchiveSpec[];
  readonly rules: readonly RuleSpec[];
  readonly mappings: readonly MappingSpec[];
  readonly api: ApiSpec;
  /** The resource types that are in the template and that the local host leaves alone. */
  readonly ignored: readonly string[];
}

export interface TableSpec {
  readonly name: string;
  readonly keySchema: readonly KeySchemaElement[];
  readonly attributes: readonly { readonly AttributeName: string; readonly AttributeType: 'S' | 'N' | 'B' }[];
  readonly indexes: readonly IndexSpec[];
}
export interface KeySchemaElement {
  readonly AttributeName: string;
  readonly KeyType: 'HASH' | 'RANGE';
}
export interface IndexSpec {
  readonly IndexName: string;
  readonly KeySchema: readonly KeySchemaElement[];
  readonly Projection: { readonly ProjectionType: 'ALL' };
}
export interface FunctionSpec {
  readonly name: string;
  readonly arn: string;
  /** Directory of the bundle. */
  readonly directory: string;
  readonly handler: string;
  readonly timeoutSeconds: number;
  readonly memoryMegabytes: number;
  readonly environment: Readonly<Record<string, string>>;
  readonly roleArn: string;
  /** What the policies of its role say. */
  readonly statements: readonly StatementSpec[];
}
export interface StatementSpec {
  readonly effect: 'Allow' | 'Deny';
  readonly actions: readonly string[];
  readonly resources: readonly string[];
  readonly conditions: readonly ConditionSpec[];
}
export interface QueueSpec {
  readonly name: string;
  readonly arn: string;
  readonly url: string;
  readonly visibilitySeconds: number;
  readonly retentionSeconds: number;
  readonly redrive?: { readonly deadLetterArn: string; readonly maxReceiveCount: number };
}
export interface BusSpec {
  readonly name: string;
  readonly arn: string;
  /** What the bus's own policy says. */
  readonly policy: readonly StatementSpec[];
}
export interface ArchiveSpec {
  readonly name: string;
  readonly arn: string;
  readonly busArn: string;
  readonly pattern: Readonly<Record<string, unknown>>;
  /** 0 is for ever. */
  readonly retentionDays: number;
}
export interface RuleSpec {
  readonly name: string;
  readonly arn: string;
  readonly bus: string;
  readonly pattern: Readonly<Record<string, unknown>>;
  readonly targetArns: readonly string[];
}
export interface MappingSpec {
  readonly queueArn: string;
  /** Name or ARN. */
  readonly function: string;
  readonly batchSize: number;
  readonly windowSeconds: number;
  readonly partialFailures: boolean;
  readonly maxConcurrency: number;
}
export interface ApiSpec {
  readonly cors?: CorsSpec;
  readonly routes: readonly RouteSpec[];
}
export interface CorsSpec {
  readonly AllowOrigins: readonly string[];
  readonly AllowMethods: readonly string[];
  readonly AllowHeaders: readonly string[];
  readonly ExposeHeaders: readonly string[];
  readonly MaxAge: number;
}
export interface RouteSpec {
  readonly routeKey: string;
  readonly functionArn: string;
  readonly authorizer?: AuthorizerSpec;
  readonly scopes: readonly string[];
}
export interface AuthorizerSpec {
  readonly issuer: string;
  readonly audience: readonly string[];
}

/** Reads a cloud assembly with one stack in it. */
export async function readDeployment(directory: string, here: Surroundings): Promise<Deployment> {
  const files = await readdir(directory);
  const templates = files.filter((file) => file.endsWith('.template.json'));
  const [templateFile] = templates;
  if (!templateFile || templates.length > 1) {
    throw new Error(`Expected one template in ${directory}, found ${templates.length}`);
  }
  const template = Template.parse(await json(join(directory, templateFile)));
  const assets = Assets.parse(await json(join(directory, templateFile.replace('.template.', '.assets.'))));
  const directories = new Map(
    Object.values(assets.files).flatMap((file) =>
      Object.values(file.destinations).map((destination) => [
        destination.objectKey,
        join(directory, file.source.path),
      ]),
    ),
  );
  return deploymentOf(template.Resources, directories, here);
}

/** Resource types that the local host has nothing to do for; anything else that is unknown is an error. */
export const IGNORED_TYPES: readonly string[] = [
  'AWS::CDK::Metadata',
  'AWS::CloudWatch::Alarm',
  'AWS::CloudWatch::Dashboard',
  'AWS::KMS::Key',
  'AWS::Lambda::Permission',
  'AWS::Logs::LogGroup',
  'AWS::SQS::QueuePolicy',
];

export function deploymentOf(
  resources: Readonly<Record<string, TemplateResource>>,
  assetDirectories: ReadonlyMap<string, string>,
  here: Surroundings,
): Deployment {
  for (const [id, { Type }] of Object.entries(resources)) {
    if (!IGNORED_TYPES.includes(Type) && !Object.hasOwn(PROPERTIES, Type)) {
      throw new Error(`The local host does not know the resource type ${Type} (${id})`);
    }
  }
  const resolve = intrinsicsOf(resources, here);
  const ref = (id: string): string => String(resolve({ Ref: id }, id));
  const attribute = (id: string, name: string): string => String(resolve({ 'Fn::GetAtt': [id, name] }, id));
  const each = <Type extends KnownType>(
    type: Type,
  ): readonly [string, z.infer<(typeof PROPERTIES)[Type]>][] =>
    Object.entries(resources)
      .filter(([, resource]) => resource.Type === type)
      .map(([id, resource]) => {
        const parsed = PROPERTIES[type].safeParse(resolve(resource.Properties ?? {}, id));
        if (!parsed.success) {
          throw new Error(`The local host cannot run ${id} (${type}):\n${z.prettifyError(parsed.error)}`);
        }
        return [id, parsed.data as z.infer<(typeof PROPERTIES)[Type]>];
      });

  each('AWS::IAM::Role');
  const policies = each('AWS::IAM::Policy').map(([, policy]) => policy);
  const statementsOf = (roleArn: string): readonly StatementSpec[] =>
    policies
      .filter((policy) => policy.Roles.some((role) => roleArn.endsWith(`:role/${role}`)))
      .flatMap((policy) => policy.PolicyDocument.Statement)
      .map((statement) => evaluable(statementOf(statement)));
  const busPolicies = each('AWS::Events::EventBusPolicy').map(([, { EventBusName, Statement }]) => ({
    bus: EventBusName,
    statement: evaluable(statementOf(Statement)),
  }));

  return {
    tables: each('AWS::DynamoDB::Table').map(([id, table]) => ({
      name: ref(id),
      keySchema: table.KeySchema,
      attributes: table.AttributeDefinitions,
      indexes: table.GlobalSecondaryIndexes,
    })),
    functions: each('AWS::Lambda::Function').map(([id, made]) => {
      const directory = assetDirectories.get(made.Code.S3Key);
      if (directory === undefined) throw new Error(`${id}: the assembly has no asset ${made.Code.S3Key}`);
      return {
        name: ref(id),
        arn: attribute(id, 'Arn'),
        directory,
        handler: made.Handler,
        timeoutSeconds: made.Timeout,
        memoryMegabytes: made.MemorySize,
        environment: made.Environment.Variables,
        roleArn: made.Role,
        statements: statementsOf(made.Role),
      };
    }),
    queues: each('AWS::SQS::Queue').map(([id, queue]) => ({
      name: attribute(id, 'QueueName'),
      arn: attribute(id, 'Arn'),
      url: ref(id),
      visibilitySeconds: queue.VisibilityTimeout,
      retentionSeconds: queue.MessageRetentionPeriod,
      ...(queue.RedrivePolicy && {
        redrive: {
          deadLetterArn: queue.RedrivePolicy.deadLetterTargetArn,
          maxReceiveCount: queue.RedrivePolicy.maxReceiveCount,
        },
      }),
    })),
    buses: each('AWS::Events::EventBus').map(([id]) => ({
      name: ref(id),
      arn: attribute(id, 'Arn'),
      policy: busPolicies.filter(({ bus }) => bus === ref(id)).map(({ statement }) => statement),
    })),
    archives: each('AWS::Events::Archive').map(([id, archive]) => ({
      name: ref(id),
      arn: attribute(id, 'Arn'),
      busArn: archive.SourceArn,
      pattern: archive.EventPattern,
      retentionDays: archive.RetentionDays,
    })),
    rules: each('AWS::Events::Rule')
      .filter(([, rule]) => rule.State === 'ENABLED')
      .map(([id, rule]) => ({
        name: ref(id),
        arn: attribute(id, 'Arn'),
        bus: rule.EventBusName,
        pattern: rule.EventPattern,
        targetArns: rule.Targets.map((target) => target.Arn),
      })),
    mappings: each('AWS::Lambda::EventSourceMapping').map(([, mapping]) => ({
      queueArn: mapping.EventSourceArn,
      function: mapping.FunctionName,
      batchSize: mapping.BatchSize,
      windowSeconds: mapping.MaximumBatchingWindowInSeconds,
      partialFailures: mapping.FunctionResponseTypes.includes('ReportBatchItemFailures'),
      maxConcurrency: mapping.ScalingConfig.MaximumConcurrency,
    })),
    api: apiOf(each, ref),
    ignored: [...new Set(Object.values(resources).map((resource) => resource.Type))]
      .filter((type) => IGNORED_TYPES.includes(type))
      .sort(),
  };
}

function statementOf(given: z.infer<typeof Statement>): StatementSpec {
  return {
    effect: given.Effect,
    actions: [given.Action].flat(),
    resources: [given.Resource].flat(),
    conditions: Object.entries(given.Condition).flatMap(([operator, keys]) =>
      Object.entries(keys).map(([key, values]) => ({ operator, key, values: [values].flat() })),
    ),
  };
}

/** A condition that cannot be looked at here must not be about a call that is made here. */
function evaluable(statement: StatementSpec): StatementSpec {
  const unknown = statement.conditions.find((condition) => !isKnownCondition(condition));
  if (unknown && statement.actions.some((action) => /^(dynamodb|events|sqs|lambda|\*)/.test(action))) {
    throw new Error(`The local host does not know the condition ${unknown.operator} of ${unknown.key}`);
  }
  return statement;
}

type Each = <Type extends KnownType>(type: Type) => readonly [string, z.infer<(typeof PROPERTIES)[Type]>][];

function apiOf(each: Each, ref: (id: string) => string): ApiSpec {
  const apis = each('AWS::ApiGatewayV2::Api');
  const [api] = apis;
  if (apis.length > 1) throw new Error('The local host serves one HTTP API');
  each('AWS::ApiGatewayV2::Stage');
  const integrations = new Map(
    each('AWS::ApiGatewayV2::Integration').map(([id, integration]) => [
      `integrations/${ref(id)}`,
      integration.IntegrationUri,
    ]),
  );
  const authorizers = new Map(
    each('AWS::ApiGatewayV2::Authorizer').map(([id, authorizer]) => [
      ref(id),
      { issuer: authorizer.JwtConfiguration.Issuer, audience: authorizer.JwtConfiguration.Audience },
    ]),
  );
  const routes = each('AWS::ApiGatewayV2::Route').map(([id, route]): RouteSpec => {
    const functionArn = integrations.get(route.Target);
    if (functionArn === undefined) throw new Error(`${id}: there is no integration ${route.Target}`);
    const authorizer = route.AuthorizerId === undefined ? undefined : authorizers.get(route.AuthorizerId);
    if (route.AuthorizationType === 'JWT' && !authorizer) throw new Error(`${id}: its authorizer is missing`);
    return {
      routeKey: route.RouteKey,
      functionArn,
      scopes: route.AuthorizationScopes,
      ...(authorizer && { authorizer }),
    };
  });
  const cors = api?.[1].CorsConfiguration;
  return { routes, ...(cors && { cors }) };
}

const text = z.string();
/** A property that changes nothing on one's own machine. */
const noMatter = z.unknown().optional();
const oneOrMore = z.union([text, z.array(text)]);
const Statement = z.strictObject({
  Sid: noMatter,
  Effect: z.enum(['Allow', 'Deny']),
  Action: oneOrMore,
  Resource: oneOrMore,
  Principal: noMatter,
  Condition: z.record(text, z.record(text, oneOrMore)).default({}),
});
const KeySchema = z.array(z.strictObject({ AttributeName: text, KeyType: z.enum(['HASH', 'RANGE']) }));

/**
 * The properties that the local host acts on, and those it can leave aside. A property that is in neither group is an
 * error: what changes the run in AWS must not be without effect here unnoticed.
 */
const PROPERTIES = {
  'AWS::DynamoDB::Table': z.strictObject({
    TableName: noMatter,
    KeySchema,
    AttributeDefinitions: z.array(
      z.strictObject({ AttributeName: text, AttributeType: z.enum(['S', 'N', 'B']) }),
    ),
    GlobalSecondaryIndexes: z
      .array(
        z.strictObject({
          IndexName: text,
          KeySchema,
          Projection: z.strictObject({ ProjectionType: z.literal('ALL') }),
          OnDemandThroughput: noMatter,
        }),
      )
      .default([]),
    BillingMode: z.literal('PAY_PER_REQUEST'),
    DeletionProtectionEnabled: noMatter,
    PointInTimeRecoverySpecification: noMatter,
    SSESpecification: noMatter,
    OnDemandThroughput: noMatter,
    // DynamoDB may take days over it, so that nothing counts on it.
    TimeToLiveSpecification: noMatter,
    Tags: noMatter,
  }),
  'AWS::Lambda::Function': z.strictObject({
    FunctionName: noMatter,
    Architectures: noMatter,
    Code: z.strictObject({ S3Bucket: text, S3Key: text }),
    Handler: text,
    Runtime: z.string().startsWith('nodejs'),
    Timeout: z.number().default(3),
    MemorySize: z.number().default(128),
    Environment: z.strictObject({ Variables: z.record(text, text) }).default({ Variables: {} }),
    Role: text,
    LoggingConfig: noMatter,
    TracingConfig: noMatter,
    ReservedConcurrentExecutions: noMatter,
    Description: noMatter,
    Tags: noMatter,
  }),
  'AWS::IAM::Role': z.strictObject({
    RoleName: noMatter,
    MaxSessionDuration: noMatter,
    Description: noMatter,
    AssumeRolePolicyDocument: noMatter,
    Tags: noMatter,
  }),
  'AWS::IAM::Policy': z.strictObject({
    PolicyName: noMatter,
    PolicyDocument: z.strictObject({
      Version: noMatter,
      Statement: z.array(Statement),
    }),
    Roles: z.array(text),
  }),
  'AWS::SQS::Queue': z.strictObject({
    QueueName: noMatter,
    VisibilityTimeout: z.number().default(30),
    MessageRetentionPeriod: z.number().default(345_600),
    RedrivePolicy: z.strictObject({ deadLetterTargetArn: text, maxReceiveCount: z.number() }).optional(),
    RedriveAllowPolicy: noMatter,
    SqsManagedSseEnabled: noMatter,
    KmsMasterKeyId: noMatter,
    KmsDataKeyReusePeriodSeconds: noMatter,
    Tags: noMatter,
  }),
  'AWS::Events::EventBus': z.strictObject({
    Name: text,
    Description: noMatter,
    KmsKeyIdentifier: noMatter,
    Tags: noMatter,
  }),
  'AWS::Events::EventBusPolicy': z.strictObject({ StatementId: text, EventBusName: text, Statement }),
  'AWS::Events::Archive': z.strictObject({
    ArchiveName: noMatter,
    Description: noMatter,
    SourceArn: text,
    EventPattern: z.record(text, z.unknown()),
    RetentionDays: z.number().default(0),
    KmsKeyIdentifier: noMatter,
  }),
  'AWS::Events::Rule': z.strictObject({
    Name: noMatter,
    Description: noMatter,
    EventBusName: text,
    EventPattern: z.record(text, z.unknown()),
    State: z.enum(['ENABLED', 'DISABLED']).default('ENABLED'),
    Targets: z.array(
      // Delivery to a queue on the same machine does not fail, so there is no retry and no dead letter of the rule's.
      z.strictObject({ Id: text, Arn: text, DeadLetterConfig: noMatter, RetryPolicy: noMatter }),
    ),
  }),
  'AWS::Lambda::EventSourceMapping': z.strictObject({
    EventSourceArn: text,
    FunctionName: text,
    BatchSize: z.number().default(10),
    MaximumBatchingWindowInSeconds: z.number().default(0),
    FunctionResponseTypes: z.array(z.literal('ReportBatchItemFailures')).default([]),
    ScalingConfig: z.strictObject({ MaximumConcurrency: z.number() }).default({ MaximumConcurrency: 1000 }),
    Enabled: z.literal(true).optional(),
    Tags: noMatter,
  }),
  'AWS::ApiGatewayV2::Api': z.strictObject({
    Name: noMatter,
    Description: noMatter,
    ProtocolType: z.literal('HTTP'),
    CorsConfiguration: z
      .strictObject({
        AllowOrigins: z.array(text).default([]),
        AllowMethods: z.array(text).default([]),
        AllowHeaders: z.array(text).default([]),
        ExposeHeaders: z.array(text).default([]),
        MaxAge: z.number().default(0),
      })
      .optional(),
    DisableExecuteApiEndpoint: noMatter,
    Tags: noMatter,
  }),
  'AWS::ApiGatewayV2::Stage': z.strictObject({
    ApiId: text,
    StageName: z.literal('$default'),
    AutoDeploy: z.literal(true),
    AccessLogSettings: noMatter,
    DefaultRouteSettings: noMatter,
    RouteSettings: noMatter,
    Tags: noMatter,
  }),
  'AWS::ApiGatewayV2::Integration': z.strictObject({
    ApiId: text,
    IntegrationType: z.literal('AWS_PROXY'),
    IntegrationUri: text,
    PayloadFormatVersion: z.literal('2.0'),
    TimeoutInMillis: noMatter,
    Description: noMatter,
  }),
  'AWS::ApiGatewayV2::Authorizer': z.strictObject({
    ApiId: text,
    Name: noMatter,
    AuthorizerType: z.literal('JWT'),
    IdentitySource: z.tuple([z.literal('$request.header.Authorization')]),
    JwtConfiguration: z.strictObject({ Issuer: text, Audience: z.array(text) }),
  }),
  'AWS::ApiGatewayV2::Route': z.strictObject({
    ApiId: text,
    RouteKey: text,
    Target: text,
    AuthorizationType: z.enum(['JWT', 'NONE']).default('NONE'),
    AuthorizerId: text.optional(),
    AuthorizationScopes: z.array(text).default([]),
  }),
} as const;
type KnownType = keyof typeof PROPERTIES;

const Template = z.strictObject({
  Description: noMatter,
  Metadata: noMatter,
  Resources: z.record(
    text,
    z.looseObject({ Type: text, Properties: z.record(text, z.unknown()).default({}) }),
  ),
  Outputs: noMatter,
  // The bootstrap version that a deployment asks for; no resource refers to it.
  Parameters: noMatter,
  Rules: noMatter,
});

const Assets = z.looseObject({
  files: z.record(
    text,
    z.looseObject({
      source: z.looseObject({ path: text }),
      destinations: z.record(text, z.looseObject({ objectKey: text })),
    }),
  ),
});

async function json(file: string): Promise<unknown> {
  return JSON.parse(await readFile(file, 'utf8'));
}
