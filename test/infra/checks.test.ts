import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { readContext } from '../../infra/local/assembly.ts';
import { readDeployment } from '../../infra/local/template.ts';
import { MemoryStack } from '../../infra/memory-stack.ts';
import { settingsFrom } from '../../infra/stack-settings.ts';
import { FUNCTIONS } from '../../lib/routes.ts';

let directory = '';
let context: Readonly<Record<string, unknown>> = {};
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'checks-'));
  context = await readContext();
});
afterAll(() => rm(directory, { recursive: true, force: true }));

const WITH_EVERYTHING = {
  stage: 'production',
  producers: '111122223333,arn:aws:iam::444455556666:role/receipts',
  hintInvokers: 'arn:aws:iam::444455556666:role/extraction',
  correctionDays: '800',
  orgFence: 'true',
  alarmTopicArn: 'arn:aws:sns:eu-central-1:111122223333:on-call',
  scopePrefix: 'https://api.example.com/',
};
const STAGES = [
  ['as it is', {}],
  ['of staging', { stage: 'staging' }],
  ['of production, with every setting', WITH_EVERYTHING],
] as const;

/** Synthesizes without bundling, which takes seconds and changes nothing that is looked at here. */
function synthesize(settings: Readonly<Record<string, string>>, name: string, nag: boolean): string {
  const outdir = join(directory, name);
  const app = new App({ outdir, analyticsReporting: false, context: { 'aws:cdk:bundling-stacks': [] } });
  const given: Readonly<Record<string, unknown>> = { ...context, ...settings };
  new MemoryStack(
    app,
    'Stack',
    settingsFrom((key) => given[key]),
  );
  if (nag) Validations.of(app).addPlugins(new AwsSolutionsChecks(app), new ServerlessChecks(app));
  app.synth();
  return outdir;
}

describe('the stack', () => {
  it.each(STAGES)('%s has no finding of cdk-nag that is not explained beside it', (_, settings) => {
    const said: string[] = [];
    const printed = vi
      .spyOn(console, 'error')
      .mockImplementation((...line) => void said.push(line.join(' ')));
    try {
      expect(() => synthesize(settings, crypto.randomUUID(), true), said.join('\n')).not.toThrow();
    } finally {
      printed.mockRestore();
    }
  });

  it.each(STAGES)('%s is one that the local host can run, to the last property', async (_, settings) => {
    const outdir = synthesize(settings, crypto.randomUUID(), false);
    const here = {
      accountId: '000000000000',
      region: 'us-east-1',
      stackName: 'local',
      origin: 'http://here',
    };
    const { functions, queues, archives, buses, tables } = await readDeployment(outdir, here);
    expect(functions.length).toBe(Object.keys(FUNCTIONS).length);
    expect([queues.length, archives.length, buses.length, tables.length]).toEqual([2, 1, 1, 3]);
  });

  const hasLinter = spawnSync('cfn-lint', ['--version']).status === 0;
  it.each(STAGES)('%s has nothing that cfn-lint would say', async (_, settings) => {
    if (!hasLinter) {
      console.log('cfn-lint is not installed here, so that the templates were not linted');
      return;
    }
    const outdir = synthesize(settings, crypto.randomUUID(), false);
    const file = (await readdir(outdir)).find((name) => name.endsWith('.template.json')) ?? '';
    // The CDK says of each function that its role comes first, which the reference says already.
    const said = spawnSync('cfn-lint', ['--ignore-checks', 'W3005', '--', join(outdir, file)]);
    expect(said.stdout.toString() + said.stderr.toString()).toBe('');
  });
});
