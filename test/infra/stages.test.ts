import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { readContext } from '../../infra/local/assembly.ts';
import { MemoryStack } from '../../infra/memory-stack.ts';
import { settingsFrom } from '../../infra/stack-settings.ts';

/** A stage's template. Its functions are not bundled: that takes seconds, and names do not depend on it. */
async function templateOf(settings: Record<string, unknown>) {
  const app = new App({ context: { 'aws:cdk:bundling-stacks': [] } });
  const context: Record<string, unknown> = { ...(await readContext()), ...settings };
  const stack = new MemoryStack(
    app,
    'Stage',
    settingsFrom((key) => context[key]),
  );
  return Template.fromStack(stack).toJSON() as {
    Resources: Record<string, { Type: string; Properties?: Record<string, unknown> }>;
    Outputs: Record<string, unknown>;
  };
}

const NAMES = [
  'TableName',
  'FunctionName',
  'QueueName',
  'ArchiveName',
  'LogGroupName',
  'AlarmName',
  'DashboardName',
  'RoleName',
  'Name',
];

/** The physical names that must differ between two stages of one account. */
function physicalNames({ Resources }: Awaited<ReturnType<typeof templateOf>>): string[] {
  return Object.values(Resources)
    .filter(({ Type }) => Type !== 'AWS::ApiGatewayV2::Authorizer')
    .flatMap(({ Properties }) => NAMES.map((name) => Properties?.[name]))
    .filter((name) => typeof name === 'string');
}

describe('a stage', () => {
  it('shares no physical name with another stage of the account', async () => {
    const plain = physicalNames(await templateOf({}));
    const staging = physicalNames(await templateOf({ namePrefix: 'staging-' }));
    expect(staging).toHaveLength(plain.length);
    expect(plain.length).toBeGreaterThan(20);
    for (const name of staging) expect(name).toMatch(/^(\/aws\/(lambda|vendedlogs)\/)?staging-/);
  });

  it('differs in what its settings say', async () => {
    const settings = {
      busName: 'other',
      archiveDays: '7',
      promotionConcurrency: '3',
      allowedOrigins: 'https://app.test',
    };
    const resources = Object.values((await templateOf(settings)).Resources);
    const of = (type: string) => resources.find(({ Type }) => Type === type)?.Properties;
    expect(of('AWS::Events::EventBus')).toMatchObject({ Name: 'other' });
    expect(of('AWS::Events::Archive')).toMatchObject({ RetentionDays: 7 });
    expect(of('AWS::Lambda::EventSourceMapping')).toMatchObject({ ScalingConfig: { MaximumConcurrency: 3 } });
    expect(of('AWS::ApiGatewayV2::Api')).toMatchObject({
      CorsConfiguration: { AllowOrigins: ['https://app.test'] },
    });
  });

  it('keeps events in the archive for thirty days at most', async () => {
    await expect(templateOf({ archiveDays: '31' })).rejects.toThrow(/1 to 30/);
  });

  it('tells where it can be reached', async () => {
    const { Outputs } = await templateOf({});
    expect(Object.keys(Outputs)).toEqual(
      expect.arrayContaining(['ApiAddress', 'BusName', 'RetrievalFunctionName', 'DeadLetterQueueUrl']),
    );
  });
});
