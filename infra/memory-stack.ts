import { CfnOutput, RemovalPolicy, Stack, type StackProps } from 'aws-cdk-lib';
import { Key } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import { CorrectionIntake } from './correction-intake.ts';
import { FUNCTION_SETTINGS, type FunctionSettings } from './function-settings.ts';
import { MemoryApi } from './memory-api.ts';
import { MemoryFunctions } from './memory-functions.ts';
import { MemoryMonitoring } from './memory-monitoring.ts';
import { MemoryTables } from './memory-tables.ts';
import { OrgFence } from './org-fence.ts';
import { type StackSettings, signInOf } from './stack-settings.ts';

export interface MemoryStackProps extends StackProps, StackSettings {}

/** The whole service in one stack; each part is a construct that can stand alone. */
export class MemoryStack extends Stack {
  constructor(scope: Construct, id: string, props: MemoryStackProps) {
    super(scope, id, props);
    const names = given(props, ['namePrefix']);
    const key = props.customerManagedKey ? { encryptionKey: this.#key() } : {};
    const tables = new MemoryTables(this, 'Tables', {
      ...names,
      ...key,
      ...given(props, ['maxReadUnits', 'maxWriteUnits']),
      correctionsExpire: props.correctionDays !== undefined,
    });
    const intake = new CorrectionIntake(this, 'Intake', {
      ...names,
      ...key,
      ...given(props, ['busName', 'archiveDays', 'producers']),
    });
    const functions = new MemoryFunctions(this, 'Functions', {
      ...names,
      tables,
      bus: intake.bus,
      deadLetterQueue: intake.deadLetterQueue,
      jwtIssuer: props.jwtIssuer,
      jwtAudience: props.jwtAudience,
      signIn: signInOf(props),
      ...given(props, [
        'orgClaims',
        'scopePrefix',
        'hintInvokers',
        'correctionDays',
        'logDays',
        'reservedConcurrency',
      ]),
    });
    intake.reserveOwnSource(functions.speakers);
    const promotions = props.promotionConcurrency ?? 10;
    const reserved = props.reservedConcurrency?.promote ?? promotions;
    if (reserved < promotions) throw new Error('promotionConcurrency is over what is reserved for promote');
    intake.deliverTo(functions.byName.promote, promotions);
    const { api } = new MemoryApi(this, 'Http', {
      ...names,
      functions: functions.byName,
      jwtIssuer: props.jwtIssuer,
      jwtAudience: props.jwtAudience,
      ...given(props, ['allowedOrigins', 'scopePrefix', 'requestRate', 'requestBurst', 'logDays']),
    });
    new MemoryMonitoring(this, 'Monitoring', {
      ...names,
      api,
      functions: functions.byName,
      queue: intake.queue,
      deadLetterQueue: intake.deadLetterQueue,
      ...given(props, ['alarmTopicArn', 'runbookUrl']),
    });
    if (props.orgFence) {
      const stores = Object.entries(functions.byName).filter(([name]) => reachesStores(name));
      new OrgFence(this, 'OrgFence', {
        ...names,
        tables,
        assumedBy: stores.flatMap(([, { role }]) => (role ? [role] : [])),
      });
    }

    new CfnOutput(this, 'ApiAddress', { value: api.apiEndpoint });
    new CfnOutput(this, 'ConsoleAddress', { value: `${api.apiEndpoint}/console` });
    new CfnOutput(this, 'BusName', { value: intake.bus.eventBusName });
    new CfnOutput(this, 'RetrievalFunctionName', { value: functions.byName.retrieve.functionName });
    new CfnOutput(this, 'DeadLetterQueueUrl', { value: intake.deadLetterQueue.queueUrl });
  }

  #key(): Key {
    return new Key(this, 'Key', {
      description: 'Memories, corrections and charts of accounts at rest',
      enableKeyRotation: true,
      removalPolicy: RemovalPolicy.RETAIN,
    });
  }
}

function reachesStores(name: string): boolean {
  const settings: FunctionSettings | undefined = Object.entries(FUNCTION_SETTINGS).find(
    ([known]) => known === name,
  )?.[1];
  return settings?.memories !== undefined || settings?.accounts !== undefined;
}

/** Those of the named settings that are set, so that the constructs' defaults stand for the others. */
function given<Props extends object, Name extends keyof Props>(
  props: Props,
  names: readonly Name[],
): { [Key in Name]?: Exclude<Props[Key], undefined> } {
  return Object.fromEntries(
    names.flatMap((name) => (props[name] === undefined ? [] : [[name, props[name]]])),
  ) as { [Key in Name]?: Exclude<Props[Key], undefined> };
}
