import { InvokeCommand, type InvokeCommandOutput, LambdaClient } from '@aws-sdk/client-lambda';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, describe, expect, it } from 'vitest';
import { applyHints, retrieveHints } from '../../lib/ecr/retrieve-hints.ts';

const lambda = mockClient(LambdaClient);
const client = new LambdaClient({ region: 'us-east-1' });
const QUESTION = { orgId: 'org_demo', merchants: ['Vercel'] };
const HINTS = {
  orgId: 'org_demo',
  snapshot: 's',
  truncated: false,
  promptHints: [],
  routingHints: [],
  entityHints: [{ type: 'merchant', merchantKey: 'vercel', canonicalName: 'Vercel', memoryId: 'm1' }],
  normalizationHints: [],
};

const answers = (payload: string, FunctionError?: string) =>
  lambda.on(InvokeCommand).resolves({
    Payload: new TextEncoder().encode(payload) as InvokeCommandOutput['Payload'] & object,
    ...(FunctionError !== undefined && { FunctionError }),
  });

beforeEach(() => lambda.reset());

describe('retrieving hints', () => {
  it('gives the hints, ready to be applied', async () => {
    answers(JSON.stringify(HINTS));
    const hints = await retrieveHints(QUESTION, { client, functionName: 'staging-retrieve' });
    expect(lambda.commandCalls(InvokeCommand)[0]?.args[0].input).toMatchObject({
      FunctionName: 'staging-retrieve',
      Payload: JSON.stringify(QUESTION),
    });
    expect(applyHints({ merchant: 'VERCEL INC.', total: 20 }, hints).normalized).toEqual({
      merchant: 'Vercel',
      total: 20,
    });
  });

  it('asks about the merchants that are there: a document may name nobody', async () => {
    answers(JSON.stringify(HINTS));
    const merchants = ['', 'Vercel', undefined, null, '\u200b'];
    await retrieveHints({ orgId: 'org_demo', merchants }, { client });
    expect(lambda.commandCalls(InvokeCommand)[0]?.args[0].input.Payload).toBe(JSON.stringify(QUESTION));
  });

  it('asks nothing that the service would refuse', async () => {
    await expect(retrieveHints({ orgId: 'a b' }, { client })).rejects.toMatchObject({
      code: 'invalid-request',
      message: expect.stringContaining('orgId'),
    });
    expect(lambda.calls()).toEqual([]);
  });

  it.each([
    ['of another workspace', JSON.stringify({ ...HINTS, orgId: 'org_other' })],
    ['with a hint of no known form', JSON.stringify({ ...HINTS, entityHints: [{ type: 'person' }] })],
    ['that is empty', ''],
    ['that is not JSON', '<html>'],
    ['of null', 'null'],
  ])('takes no answer %s', async (_, payload) => {
    answers(payload);
    await expect(retrieveHints(QUESTION, { client })).rejects.toMatchObject({ code: 'invalid-answer' });
  });

  it.each([
    ['unavailable', 'unavailable'],
    ['invalid-request', 'invalid-request'],
    ['Sandbox.Timedout', 'internal-error'],
    ['Error', 'internal-error'],
  ])('tells a refusal by its code: %s', async (errorType, code) => {
    answers(JSON.stringify({ errorType, errorMessage: 'why' }), 'Unhandled');
    await expect(retrieveHints(QUESTION, { client })).rejects.toMatchObject({ code, message: 'why' });
  });

  it('says so where the function cannot be reached, with the cause', async () => {
    const cause = new Error('socket hang up');
    lambda.on(InvokeCommand).rejects(cause);
    await expect(retrieveHints(QUESTION, { client })).rejects.toMatchObject({ code: 'unreachable', cause });
  });
});
