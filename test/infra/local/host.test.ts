import { DynamoDBClient, GetItemCommand, PutItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import {
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
  StartMessageMoveTaskCommand,
} from '@aws-sdk/client-sqs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type LocalHost, PortInUse } from '../../../infra/local/host.ts';
import { workplace } from './fixture-assembly.ts';

let place: Awaited<ReturnType<typeof workplace>>;
beforeEach(async () => {
  place = await workplace();
});
afterEach(() => place.clear());

const at = (host: LocalHost) => ({
  endpoint: host.url,
  region: 'us-east-1',
  maxAttempts: 1,
  credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
});
const putEvents = (host: LocalHost, ...details: readonly object[]) =>
  new EventBridgeClient(at(host)).send(
    new PutEventsCommand({
      Entries: details.map((detail) => ({
        EventBusName: 'test-bus',
        Source: 'test',
        DetailType: 'Happened',
        Detail: JSON.stringify(detail),
      })),
    }),
  );
const invoke = async (host: LocalHost, name: string, payload: unknown = {}) => {
  const answer = await new LambdaClient(at(host)).send(
    new InvokeCommand({ FunctionName: name, Payload: JSON.stringify(payload) }),
  );
  return { error: answer.FunctionError, result: JSON.parse(answer.Payload?.transformToString() ?? '') };
};
const receive = async (host: LocalHost, queue: string) => {
  const sqs = new SQSClient(at(host));
  const QueueUrl = `${host.url}/000000000000/${queue}`;
  const { Messages = [] } = await sqs.send(
    new ReceiveMessageCommand({
      QueueUrl,
      MaxNumberOfMessages: 10,
      VisibilityTimeout: 0,
      MessageAttributeNames: ['All'],
    }),
  );
  return Messages;
};

/** Keeps each batch that it is given; fails the events that ask for it. */
const KEEPER = `(() => {
  const batches = [];
  return async (event) => {
    if (!event.Records) return batches;
    batches.push(event.Records.map((record) => JSON.parse(record.body).detail));
    const failed = event.Records.filter((record) => JSON.parse(record.body).detail.fail);
    return { batchItemFailures: failed.map((record) => ({ itemIdentifier: record.messageId })) };
  };
})()`;

describe('events on the bus', () => {
  it('reach the function through the queue, in one batch', async () => {
    const host = await place.start({ promote: KEEPER });
    const answer = await putEvents(host, { n: 1 }, { n: 2 });
    expect(answer).toMatchObject({ FailedEntryCount: 0, Entries: [{ EventId: expect.any(String) }, {}] });
    await host.settled();
    const { result } = await invoke(host, 'test-promote');
    expect(result.flat()).toEqual([{ n: 1 }, { n: 2 }]);
  });

  it('have the envelope of EventBridge', async () => {
    const host = await place.start({});
    await putEvents(host, { n: 1 });
    const [message] = await receive(host, 'work');
    expect(JSON.parse(message?.Body ?? '')).toEqual({
      version: '0',
      id: expect.any(String),
      'detail-type': 'Happened',
      source: 'test',
      account: '000000000000',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      region: 'us-east-1',
      resources: [],
      detail: { n: 1 },
    });
  });

  it('go nowhere when no rule matches, and that is no error', async () => {
    const host = await place.start({});
    const entry = { EventBusName: 'test-bus', DetailType: 'Happened', Detail: '{}' };
    const answer = await new EventBridgeClient(at(host)).send(
      new PutEventsCommand({
        Entries: [
          { ...entry, Source: 'self' },
          { ...entry, Source: 'test', DetailType: 'Other' },
        ],
      }),
    );
    expect(answer.FailedEntryCount).toBe(0);
    expect(await receive(host, 'work')).toEqual([]);
  });

  it('are refused one by one', async () => {
    const host = await place.start({});
    const good = { EventBusName: 'test-bus', Source: 'test', DetailType: 'Happened', Detail: '{}' };
    const answer = await new EventBridgeClient(at(host)).send(
      new PutEventsCommand({
        Entries: [
          { ...good, EventBusName: 'nowhere' },
          { ...good, Detail: 'text' },
          { ...good, Detail: '[1]' },
          { ...good, Source: undefined },
          good,
        ],
      }),
    );
    expect(answer.FailedEntryCount).toBe(4);
    expect(answer.Entries?.map((entry) => entry.ErrorCode)).toEqual([
      'ResourceNotFoundException',
      'MalformedDetail',
      'MalformedDetail',
      'InvalidArgument',
      undefined,
    ]);
    expect(await receive(host, 'work')).toHaveLength(1);
  });

  it('are refused together when there are more than ten', async () => {
    const host = await place.start({});
    await expect(putEvents(host, ...Array.from({ length: 11 }, () => ({})))).rejects.toThrow(
      expect.objectContaining({ name: 'ValidationException' }),
    );
  });
});

describe('a failing event', () => {
  it('comes three times, then lies on the dead-letter queue; its neighbours are done once', async () => {
    const host = await place.start({ promote: KEEPER }, { visibilitySeconds: 0.05 });
    await putEvents(host, { n: 1 }, { n: 2, fail: true }, { n: 3 });
    await host.settled();
    const { result } = await invoke(host, 'test-promote');
    const seen = (n: number) => result.flat().filter((detail: { n: number }) => detail.n === n).length;
    expect([seen(1), seen(2), seen(3)]).toEqual([1, 3, 1]);
    const [dead, ...more] = await receive(host, 'dead');
    expect(JSON.parse(dead?.Body ?? '').detail).toEqual({ n: 2, fail: true });
    expect(dead?.Attributes?.DeadLetterQueueSourceArn).toMatch(/:work$/);
    expect(more).toEqual([]);
  });

  it.each([
    ['throws', `async () => { throw new Error('down'); }`],
    [
      'names a message that was not in the batch',
      `async () => ({ batchItemFailures: [{ itemIdentifier: 'other' }] })`,
    ],
    ['names no message', `async () => ({ batchItemFailures: [{}] })`],
  ])('takes its whole batch along when the function %s', async (_, handler) => {
    const host = await place.start({ promote: handler }, { visibilitySeconds: 0.02 });
    await putEvents(host, { n: 1 }, { n: 2 });
    await host.settled();
    expect(await receive(host, 'dead')).toHaveLength(2);
  });

  it('is handed back to its queue by a redrive, and what was sent there by hand stays', async () => {
    const host = await place.start({}, {});
    const sqs = new SQSClient(at(host));
    await putEvents(host, { n: 1 });
    for (let tries = 0; tries < 4; tries += 1) await receive(host, 'work');
    await sqs.send(
      new SendMessageCommand({
        QueueUrl: `${host.url}/000000000000/dead`,
        MessageBody: 'by hand',
        MessageAttributes: { reason: { DataType: 'String', StringValue: 'not-json' } },
      }),
    );
    await sqs.send(new StartMessageMoveTaskCommand({ SourceArn: 'arn:aws:sqs:us-east-1:000000000000:dead' }));
    expect(await receive(host, 'work')).toHaveLength(1);
    expect(await receive(host, 'dead')).toEqual([
      expect.objectContaining({
        Body: 'by hand',
        MessageAttributes: { reason: { DataType: 'String', StringValue: 'not-json' } },
      }),
    ]);
  });
});

describe('an invocation', () => {
  it('runs the bundle with its own environment and nothing of the host’s', async () => {
    process.env.OF_THE_HOST = 'secret';
    const host = await place.start({ env: 'async () => process.env' });
    const { result } = await invoke(host, 'arn:aws:lambda:us-east-1:000000000000:function:test-env');
    delete process.env.OF_THE_HOST;
    expect(result).toMatchObject({
      THINGS_TABLE: 'things',
      AWS_LAMBDA_FUNCTION_NAME: 'test-env',
      AWS_ACCESS_KEY_ID: 'test-env',
      AWS_ENDPOINT_URL_DYNAMODB: host.url,
      DEAD_LETTERS: `${host.url}/000000000000/dead`,
    });
    expect(Object.keys(result)).not.toContain('OF_THE_HOST');
    expect(Object.keys(result)).not.toContain('PATH');
  });

  it('gives the context that Lambda gives', async () => {
    const host = await place.start({
      about: 'async (_, context) => ({ ...context, left: context.getRemainingTimeInMillis() })',
    });
    const { result } = await invoke(host, 'test-about');
    expect(result).toMatchObject({
      functionName: 'test-about',
      memoryLimitInMB: '128',
      awsRequestId: expect.any(String),
    });
    expect(result.left).toBeGreaterThan(5000);
  });

  it('that throws is answered as Lambda does', async () => {
    const host = await place.start({ bad: `async () => { throw new RangeError('too far'); }` });
    const { error, result } = await invoke(host, 'test-bad');
    expect(error).toBe('Unhandled');
    expect(result).toMatchObject({
      errorType: 'RangeError',
      errorMessage: 'too far',
      trace: expect.any(Array),
    });
  });

  it('that overruns its time is ended, and the next one starts anew', async () => {
    const host = await place.start({
      slow: `(() => { let count = 0; return async (event) => { count += 1; if (event.hang) for (;;); return count; }; })()`,
    });
    const { error, result } = await invoke(host, 'test-slow', { hang: true });
    expect([error, result.errorMessage]).toEqual([
      'Unhandled',
      expect.stringMatching(/Task timed out after 1\.00 seconds/),
    ]);
    expect((await invoke(host, 'test-slow')).result).toBe(1);
  });

  it('that ends its process fails alone', async () => {
    const host = await place.start({
      leaver: `async (event) => { if (event.leave) process.exit(3); return 'here'; }`,
    });
    expect((await invoke(host, 'test-leaver', { leave: true })).result.errorType).toBe('Runtime.ExitError');
    expect((await invoke(host, 'test-leaver')).result).toBe('here');
  });

  it('runs beside others in the same worker', async () => {
    const host = await place.start({
      pair: `(() => { let wake; const both = new Promise((resolve) => { wake = resolve; }); let here = 0;
        return async () => { here += 1; if (here === 2) wake(); await both; return 'met'; }; })()`,
    });
    const met = await Promise.all([invoke(host, 'test-pair'), invoke(host, 'test-pair')]);
    expect(met.map(({ result }) => result)).toEqual(['met', 'met']);
  });

  it('of a function that is not there is a 404', async () => {
    const host = await place.start({});
    await expect(invoke(host, 'test-none')).rejects.toThrow(
      expect.objectContaining({ name: 'ResourceNotFoundException' }),
    );
  });
});

describe('a restart', () => {
  it('keeps items, their indexes, waiting messages and the signing key', async () => {
    const first = await place.start({ api: 'async () => ({})' });
    const token = await first.token({ scope: 'things:read' });
    await new DynamoDBClient(at(first)).send(
      new PutItemCommand({ TableName: 'things', Item: { id: { S: 'a' }, owner: { S: 'me' } } }),
    );
    await putEvents(first, { n: 1 }, { n: 2 });
    await first.stop();

    const second = await place.start({ api: 'async () => ({})', promote: KEEPER });
    const store = new DynamoDBClient(at(second));
    const { Item } = await store.send(new GetItemCommand({ TableName: 'things', Key: { id: { S: 'a' } } }));
    expect(Item).toEqual({ id: { S: 'a' }, owner: { S: 'me' } });
    const { Items } = await store.send(
      new QueryCommand({
        TableName: 'things',
        IndexName: 'by-owner',
        KeyConditionExpression: '#owner = :me',
        ExpressionAttributeNames: { '#owner': 'owner' },
        ExpressionAttributeValues: { ':me': { S: 'me' } },
      }),
    );
    expect(Items).toHaveLength(1);
    await second.settled();
    expect((await invoke(second, 'test-promote')).result.flat()).toEqual([{ n: 1 }, { n: 2 }]);
    const headers = { authorization: `Bearer ${token}` };
    expect((await fetch(`${second.url}/v1/things`, { headers })).status).toBe(200);
  });

  it('gives a message that was taken and not done with again', async () => {
    const first = await place.start({ promote: 'async () => new Promise(() => {})' });
    await putEvents(first, { n: 1 });
    const queue = { QueueUrl: `${first.url}/000000000000/work`, AttributeNames: ['All' as const] };
    const sqs = new SQSClient(at(first));
    const { Attributes } = await sqs.send(new GetQueueAttributesCommand(queue));
    expect(Attributes?.ApproximateNumberOfMessagesNotVisible).toBe('1');
    await first.stop();

    const second = await place.start({ promote: KEEPER });
    await second.settled();
    expect((await invoke(second, 'test-promote')).result.flat()).toEqual([{ n: 1 }]);
  });
});

describe('a start', () => {
  it('fails by name when the port is in use', async () => {
    const host = await place.start({});
    const port = Number(new URL(host.url).port);
    await expect(place.start({}, { port })).rejects.toThrow(PortInUse);
    // And the first one goes on.
    expect((await fetch(host.url)).status).toBe(404);
  });

  it('fails plainly when another host has the data open', async () => {
    await place.start({});
    await expect(place.start({})).rejects.toThrow(/another local host runs on it/);
  });

  it.each([
    [
      'an unknown resource type',
      { Odd: { Type: 'AWS::StepFunctions::StateMachine' } },
      /AWS::StepFunctions::StateMachine \(Odd\)/,
    ],
    [
      'a property without effect here',
      { Odd: { Type: 'AWS::SQS::Queue', Properties: { FifoQueue: true } } },
      /cannot run Odd \(AWS::SQS::Queue\)[\s\S]*FifoQueue/,
    ],
    [
      'a target that is no queue of the stack',
      {
        Odd: {
          Type: 'AWS::Events::Rule',
          Properties: {
            EventBusName: 'test-bus',
            EventPattern: { source: ['x'] },
            Targets: [{ Id: 'T', Arn: 'arn:aws:sns:us-east-1:000000000000:topic' }],
          },
        },
      },
      /not to arn:aws:sns/,
    ],
    [
      'a pattern that it cannot match',
      {
        Odd: {
          Type: 'AWS::Events::Rule',
          Properties: { EventBusName: 'b', EventPattern: { source: [{ wildcard: 'a*' }] }, Targets: [] },
        },
      },
      /operator wildcard/,
    ],
  ])('fails loudly on %s', async (_, resources, reason) => {
    await expect(place.start({}, {}, resources)).rejects.toThrow(reason);
    // Nothing is left open by the start that failed.
    await place.start({});
  });

  it('says what it leaves out', async () => {
    const lines: string[] = [];
    const logs = { Logs: { Type: 'AWS::Logs::LogGroup' } };
    await place.start({}, { quiet: false, log: (line) => lines.push(line) }, logs);
    expect(lines.join('\n')).toContain('AWS::Logs::LogGroup');
  });

  it('fails when the kept tables have another shape than the template', async () => {
    const host = await place.start({});
    await host.stop();
    const things = {
      Things: {
        Type: 'AWS::DynamoDB::Table',
        Properties: {
          TableName: 'things',
          BillingMode: 'PAY_PER_REQUEST',
          KeySchema: [{ AttributeName: 'other', KeyType: 'HASH' }],
          AttributeDefinitions: [{ AttributeName: 'other', AttributeType: 'S' }],
        },
      },
    };
    await expect(place.start({}, {}, things)).rejects.toThrow(/things.*other keys or indexes/);
  });
});

describe('a function', () => {
  // As the SDK would, without its signature: only the access key in it is looked at.
  const CALLER = `async ({ service, target, input }) => {
    const key = process.env.AWS_ACCESS_KEY_ID;
    const response = await fetch(process.env.AWS_ENDPOINT_URL_DYNAMODB, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-amz-json-1.0', 'x-amz-target': target, 'x-amz-date': '20260101T000000Z',
        authorization: 'AWS4-HMAC-SHA256 Credential=' + key + '/20260101/us-east-1/' + service + '/aws4_request, SignedHeaders=host, Signature=0',
      },
      body: JSON.stringify(input),
    });
    const { __type } = await response.json();
    return __type ?? 'done';
  }`;
  const things = { TableName: 'things', Item: { id: { S: 'a' } } };
  const key = { id: { S: 'a' } };

  it.each([
    ['dynamodb', 'DynamoDB_20120810.PutItem', things, 'done'],
    ['dynamodb', 'DynamoDB_20120810.GetItem', { TableName: 'things', Key: key }, 'AccessDeniedException'],
    ['dynamodb', 'DynamoDB_20120810.Scan', { TableName: 'things' }, 'AccessDeniedException'],
    ['dynamodb', 'DynamoDB_20120810.PutItem', { ...things, TableName: 'other' }, 'AccessDeniedException'],
    [
      'dynamodb',
      'DynamoDB_20120810.BatchGetItem',
      { RequestItems: { things: { Keys: [key] } } },
      'AccessDeniedException',
    ],
    ['sqs', 'AmazonSQS.SendMessage', { QueueUrl: '/000000000000/dead', MessageBody: 'x' }, 'done'],
    [
      'sqs',
      'AmazonSQS.SendMessage',
      { QueueUrl: '/000000000000/work', MessageBody: 'x' },
      'AccessDeniedException',
    ],
    [
      'events',
      'AWSEvents.PutEvents',
      { Entries: [{ EventBusName: 'test-bus', Source: 's', DetailType: 'd', Detail: '{}' }] },
      'AccessDeniedException',
    ],
  ])('may call %s %s with %j only as its role allows: %s', async (service, target, input, expected) => {
    const host = await place.start({ caller: CALLER });
    expect((await invoke(host, 'test-caller', { service, target, input })).result).toBe(expected);
  });

  it('is not deployed here with a permission whose condition would not be looked at', async () => {
    const statement = { Effect: 'Allow', Action: 'sqs:*', Resource: '*', Condition: { Bool: { a: 'true' } } };
    const policy = { Properties: { PolicyDocument: { Statement: [statement] }, Roles: [{ Ref: 'Role' }] } };
    await expect(
      place.start({ caller: CALLER }, {}, { Odd: { Type: 'AWS::IAM::Policy', ...policy } }),
    ).rejects.toThrow(/condition Bool of a/);
  });
});

describe('an unsigned request', () => {
  it('is never taken for one of the AWS APIs', async () => {
    const host = await place.start({ env: 'async () => process.env' });
    const answers = await Promise.all([
      fetch(`${host.url}/2015-03-31/functions/test-env/invocations`, { method: 'POST', body: '{}' }),
      fetch(host.url, { method: 'POST', headers: { 'x-amz-target': 'AWSEvents.PutEvents' }, body: '{}' }),
    ]);
    expect(answers.map((answer) => answer.status)).toEqual([404, 404]);
  });
});

it('answers no AWS call of a web page, since signatures are not checked', async () => {
  const host = await place.start({ env: 'async () => process.env' });
  const response = await fetch(`${host.url}/2015-03-31/functions/test-env/invocations`, {
    method: 'POST',
    headers: { authorization: 'AWS4-HMAC-SHA256 Credential=x/y', origin: 'https://elsewhere.test' },
    body: '{}',
  });
  expect(response.status).toBe(403);
});
