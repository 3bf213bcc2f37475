import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { CorrectionIntake } from './correction-intake.ts';
import { MemoryApi } from './memory-api.ts';
import { MemoryFunctions } from './memory-functions.ts';
import { MemoryTables } from './memory-tables.ts';
import { type StackSettings, signInOf } from './stack-settings.ts';

export interface MemoryStackProps extends StackProps, StackSettings {}

/** The whole service in one stack; each part is a construct that can stand alone. */
export class MemoryStack extends Stack {
  constructor(scope: Construct, id: string, props: MemoryStackProps) {
    super(scope, id, props);
    const names = { ...(props.namePrefix !== undefined && { namePrefix: props.namePrefix }) };
    const tables = new MemoryTables(this, 'Tables', names);
    const intake = new CorrectionIntake(this, 'Intake', {
      ...names,
      ...(props.busName !== undefined && { busName: props.busName }),
      ...(props.archiveDays !== undefined && { archiveDays: props.archiveDays }),
    });
    const functions = new MemoryFunctions(this, 'Functions', {
      ...names,
      tables,
      bus: intake.bus,
      deadLetterQueue: intake.deadLetterQueue,
      jwtIssuer: props.jwtIssuer,
      jwtAudience: props.jwtAudience,
      signIn: signInOf(props),
    });
    intake.deliverTo(functions.byName.promote, props.promotionConcurrency ?? 10);
    const { api } = new MemoryApi(this, 'Http', {
      ...names,
      functions: functions.byName,
      jwtIssuer: props.jwtIssuer,
      jwtAudience: props.jwtAudience,
      ...(props.allowedOrigins !== undefined && { allowedOrigins: props.allowedOrigins }),
    });

    new CfnOutput(this, 'ApiAddress', { value: api.apiEndpoint });
    new CfnOutput(this, 'ConsoleAddress', { value: `${api.apiEndpoint}/console` });
    new CfnOutput(this, 'BusName', { value: intake.bus.eventBusName });
    new CfnOutput(this, 'RetrievalFunctionName', { value: functions.byName.retrieve.functionName });
    new CfnOutput(this, 'DeadLetterQueueUrl', { value: intake.deadLetterQueue.queueUrl });
  }
}
