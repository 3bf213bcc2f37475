import { AssetHashType, DockerImage, Duration, RemovalPolicy } from 'aws-cdk-lib';
import type { EventBus } from 'aws-cdk-lib/aws-events';
import { type IRole, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  Architecture,
  Code,
  type IFunction,
  Function as LambdaFunction,
  Runtime,
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { ENVIRONMENT } from '../lib/aws/tables.ts';
import type { SignIn } from '../lib/domain/sign-in.ts';
import { EVENTS, FUNCTIONS, type FunctionName } from '../lib/routes.ts';
import { SERVICE_VARIABLE, TOKEN_VARIABLES } from '../lib/telemetry.ts';
import { acknowledge } from './acknowledge.ts';
import { buildConsole, bundleFunction, FUNCTIONS_FOLDER } from './bundle-function.ts';
import { principalOf } from './correction-intake.ts';
import { FUNCTION_SETTINGS, type FunctionSettings } from './function-settings.ts';
import type { MemoryTables } from './memory-tables.ts';
import { retentionOf } from './retention.ts';

export interface MemoryFunctionsProps {
  readonly tables: MemoryTables;
  readonly bus: EventBus;
  /** Where promotion puts events that no retry can mend. */
  readonly deadLetterQueue: IQueue;
  /** How people sign in to the console. */
  readonly signIn: SignIn;
  /** Whose tokens, and for whom. */
  readonly jwtIssuer: string;
  readonly jwtAudience: readonly string[];
  /** @default '' */
  readonly namePrefix?: string;
  /**
   * The claims of a token that may name the workspace, the first that is there.
   * @default ['org_id', 'custom:orgId']
   */
  readonly orgClaims?: readonly string[];
  /**
   * What the issuer puts before the scopes.
   * @default ''
   */
  readonly scopePrefix?: string;
  /**
   * Who may invoke retrieval beside those whom their own account's policies allow it: account ids, or ARNs of roles.
   * @default - nobody
   */
  readonly hintInvokers?: readonly string[];
  /**
   * Days after its `occurredAt` at which an entry of the log ends.
   * @default - it never does
   */
  readonly correctionDays?: number;
  /** @default 30 */
  readonly logDays?: number;
  /**
   * Executions kept for a function, which are also the most that it has at once.
   * @default - as many as the account has left
   */
  readonly reservedConcurrency?: Readonly<Partial<Record<FunctionName, number>>>;
}

/** The functions, each with its own role that allows what `function-settings.ts` lists and nothing else. */
export class MemoryFunctions extends Construct {
  readonly byName: Readonly<Record<FunctionName, IFunction>>;
  /** The roles that put the service's own notices on the bus. */
  readonly speakers: readonly IRole[];

  constructor(scope: Construct, id: string, props: MemoryFunctionsProps) {
    super(scope, id);
    const names = Object.keys(FUNCTIONS) as FunctionName[];
    this.byName = Object.fromEntries(names.map((name) => [name, this.make(name, props)])) as Record<
      FunctionName,
      IFunction
    >;
    this.speakers = names.flatMap((name) => {
      const settings: FunctionSettings = FUNCTION_SETTINGS[name];
      const { role } = this.byName[name];
      return settings.publishes && role ? [role] : [];
    });
    for (const [index, invoker] of (props.hintInvokers ?? []).entries()) {
      this.byName.retrieve.addPermission(`Invoker${index}`, {
        principal: principalOf(invoker),
        action: 'lambda:InvokeFunction',
      });
    }
  }

  private make(name: FunctionName, props: MemoryFunctionsProps): IFunction {
    const settings: FunctionSettings = FUNCTION_SETTINGS[name];
    const functionName = `${props.namePrefix ?? ''}ai-memories-${name}`;
    const id = name.charAt(0).toUpperCase() + name.slice(1);
    const logGroup = new LogGroup(this, `${id}Logs`, {
      logGroupName: `/aws/lambda/${functionName}`,
      retention: retentionOf(props.logDays ?? 30),
      removalPolicy: RemovalPolicy.DESTROY,
    });
    // A role of our own: the default one may write to every log group of the account.
    const role = new Role(this, `${id}Role`, { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
    logGroup.grantWrite(role);
    acknowledge(role, {
      'AwsSolutions::AwsSolutions-IAM5[Resource::*]':
        'Traces are of no resource; X-Ray allows putting them on all or none.',
    });
    const made = new LambdaFunction(this, id, {
      functionName,
      role,
      logGroup,
      code: codeOf(name, settings),
      handler: 'index.handler',
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: settings.memoryMegabytes,
      timeout: Duration.seconds(settings.timeoutSeconds),
      tracing: Tracing.ACTIVE,
      ...reservedFor(name, props),
      environment: environmentOf(settings, props),
    });
    acknowledge(made, {
      'Serverless::Serverless-LambdaDLQ':
        'Nobody invokes it asynchronously: callers wait for the answer, and what the queue brings goes back to the queue.',
    });
    const { tables } = props;
    tables.grantActions(role, tables.memories, settings.memories ?? []);
    tables.grantIndexQueries(role, settings.indexes ?? []);
    tables.grantActions(role, tables.events, settings.events ?? []);
    tables.grantActions(role, tables.accounts, settings.accounts ?? []);
    if (settings.publishes) role.addToPrincipalPolicy(speaksAsItself(props.bus));
    if (settings.parks) {
      props.deadLetterQueue.grant(role, 'sqs:SendMessage');
      props.deadLetterQueue.encryptionMasterKey?.grant(role, 'kms:Decrypt', 'kms:GenerateDataKey');
    }
    return made;
  }
}

/** Bundled here, on this machine; the image is what the CDK asks for and never runs. */
function codeOf(name: FunctionName, settings: FunctionSettings): Code {
  return Code.fromAsset(FUNCTIONS_FOLDER, {
    assetHashType: AssetHashType.OUTPUT,
    bundling: {
      image: DockerImage.fromRegistry('none'),
      // Tells the assets apart, which are made from one folder.
      command: [name],
      local: {
        tryBundle: (directory) => {
          bundleFunction(name, directory);
          if (settings.servesConsole) buildConsole(directory);
          return true;
        },
      },
    },
  });
}

function reservedFor(name: FunctionName, { reservedConcurrency }: MemoryFunctionsProps) {
  const reserved = reservedConcurrency?.[name];
  return reserved === undefined ? {} : { reservedConcurrentExecutions: reserved };
}

function speaksAsItself(bus: EventBus): PolicyStatement {
  return new PolicyStatement({
    actions: ['events:PutEvents'],
    resources: [bus.eventBusArn],
    conditions: {
      'ForAllValues:StringEquals': { 'events:source': EVENTS.source },
      // "For all" holds of none, too.
      Null: { 'events:source': 'false' },
    },
  });
}

function environmentOf(settings: FunctionSettings, props: MemoryFunctionsProps): Record<string, string> {
  return {
    [SERVICE_VARIABLE]: `${props.namePrefix ?? ''}ai-memories`,
    ...(props.orgClaims && { [TOKEN_VARIABLES.orgClaims]: props.orgClaims.join(' ') }),
    ...(props.scopePrefix && { [TOKEN_VARIABLES.scopePrefix]: props.scopePrefix }),
    ...(settings.events?.includes('PutItem') &&
      props.correctionDays !== undefined && { [ENVIRONMENT.correctionDays]: String(props.correctionDays) }),
    ...(settings.memories && { [ENVIRONMENT.memories]: props.tables.memories.tableName }),
    ...(settings.events && { [ENVIRONMENT.events]: props.tables.events.tableName }),
    ...(settings.accounts && { [ENVIRONMENT.accounts]: props.tables.accounts.tableName }),
    ...(settings.publishes && { [ENVIRONMENT.bus]: props.bus.eventBusName }),
    ...(settings.servesConsole && { [ENVIRONMENT.signIn]: JSON.stringify(props.signIn) }),
    ...(settings.verifiesTokens && {
      [ENVIRONMENT.jwtIssuer]: props.jwtIssuer,
      [ENVIRONMENT.jwtAudience]: props.jwtAudience.join(','),
    }),
    ...(settings.parks && { [ENVIRONMENT.deadLetters]: props.deadLetterQueue.queueUrl }),
  };
}
