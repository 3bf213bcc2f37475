import { AssetHashType, DockerImage, Duration, RemovalPolicy } from 'aws-cdk-lib';
import type { EventBus } from 'aws-cdk-lib/aws-events';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  Architecture,
  Code,
  type IFunction,
  Function as LambdaFunction,
  Runtime,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { ENVIRONMENT } from '../lib/aws/tables.ts';
import type { SignIn } from '../lib/domain/sign-in.ts';
import { FUNCTIONS, type FunctionName } from '../lib/routes.ts';
import { buildConsole, bundleFunction, FUNCTIONS_FOLDER } from './bundle-function.ts';
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
      environment: environmentOf(settings, props),
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
