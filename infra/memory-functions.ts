import { fileURLToPath } from 'node:url';
import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import type { EventBus } from 'aws-cdk-lib/aws-events';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Architecture, type IFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import {
  type BundlingOptions,
  type ICommandHooks,
  LogLevel,
  NodejsFunction,
  OutputFormat,
} from 'aws-cdk-lib/aws-lambda-nodejs';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { ENVIRONMENT } from '../lib/aws/tables.ts';
import type { SignIn } from '../lib/domain/sign-in.ts';
import { FUNCTIONS, type FunctionName } from '../lib/routes.ts';
import { FUNCTION_SETTINGS, type FunctionSettings } from './function-settings.ts';
import type { MemoryTables } from './memory-tables.ts';

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
}

/** The functions, each with its own role that allows what `function-settings.ts` lists and nothing else. */
export class MemoryFunctions extends Construct {
  readonly byName: Readonly<Record<FunctionName, IFunction>>;

  constructor(scope: Construct, id: string, props: MemoryFunctionsProps) {
    super(scope, id);
    const names = Object.keys(FUNCTIONS) as FunctionName[];
    this.byName = Object.fromEntries(names.map((name) => [name, this.make(name, props)])) as Record<
      FunctionName,
      IFunction
    >;
  }

  private make(name: FunctionName, props: MemoryFunctionsProps): IFunction {
    const settings: FunctionSettings = FUNCTION_SETTINGS[name];
    const functionName = `${props.namePrefix ?? ''}ai-memories-${name}`;
    const id = name.charAt(0).toUpperCase() + name.slice(1);
    const logGroup = new LogGroup(this, `${id}Logs`, {
      logGroupName: `/aws/lambda/${functionName}`,
      retention: RetentionDays.ONE_MONTH,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    // A role of our own: the default one may write to every log group of the account.
    const role = new Role(this, `${id}Role`, { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
    logGroup.grantWrite(role);
    const made = new NodejsFunction(this, id, {
      functionName,
      role,
      logGroup,
      entry: `${ROOT}/functions/${FUNCTIONS[name]}.ts`,
      projectRoot: ROOT,
      depsLockFilePath: `${ROOT}/package-lock.json`,
      handler: 'handler',
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: settings.memoryMegabytes,
      timeout: Duration.seconds(settings.timeoutSeconds),
      environment: environmentOf(settings, props),
      bundling: settings.servesConsole ? { ...BUNDLING, commandHooks: WITH_CONSOLE } : BUNDLING,
    });
    const { tables } = props;
    tables.grantActions(role, tables.memories, settings.memories ?? []);
    tables.grantIndexQueries(role, settings.indexes ?? []);
    tables.grantActions(role, tables.events, settings.events ?? []);
    tables.grantActions(role, tables.accounts, settings.accounts ?? []);
    if (settings.publishes) props.bus.grantPutEventsTo(role);
    if (settings.parks) props.deadLetterQueue.grant(role, 'sqs:SendMessage');
    return made;
  }
}

const ROOT = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '');

/** The SDK goes into the bundle: the runtime's own copy is another version, and is slower to load. */
const BUNDLING: BundlingOptions = {
  format: OutputFormat.ESM,
  target: 'node24',
  mainFields: ['module', 'main'],
  minify: true,
  sourceMap: false,
  bundleAwsSDK: true,
  logLevel: LogLevel.WARNING,
  esbuildArgs: { '--legal-comments': 'none' },
};

/** Builds the console's page into the folder that becomes the function's code. */
const WITH_CONSOLE: ICommandHooks = {
  beforeBundling: () => [],
  beforeInstall: () => [],
  afterBundling: (_, output) => [
    [
      process.execPath,
      `${ROOT}/node_modules/vite/bin/vite.js`,
      'build',
      '--config',
      `${ROOT}/functions/console/vite.config.ts`,
      '--outDir',
      `${output}/site`,
    ]
      .map((part) => JSON.stringify(part))
      .join(' '),
  ],
};

function environmentOf(settings: FunctionSettings, props: MemoryFunctionsProps): Record<string, string> {
  return {
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
