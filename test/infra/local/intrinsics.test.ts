import { describe, expect, it } from 'vitest';
import { intrinsicsOf } from '../../../infra/local/intrinsics.ts';

const resolve = intrinsicsOf(
  {
    Table: {
      Type: 'AWS::DynamoDB::Table',
      Properties: { TableName: { 'Fn::Join': ['-', ['my', 'table']] } },
    },
    Queue: { Type: 'AWS::SQS::Queue' },
    Odd: { Type: 'AWS::Odd::Thing' },
  },
  { accountId: '000000000000', region: 'us-east-1', stackName: 'test', origin: 'http://127.0.0.1:1' },
);

describe('intrinsics', () => {
  it.each([
    [{ Ref: 'Table' }, 'my-table'],
    [{ Ref: 'Queue' }, 'http://127.0.0.1:1/000000000000/Queue'],
    [{ Ref: 'AWS::Region' }, 'us-east-1'],
    [{ 'Fn::GetAtt': ['Queue', 'Arn'] }, 'arn:aws:sqs:us-east-1:000000000000:Queue'],
    [{ 'Fn::GetAtt': 'Table.Arn' }, 'arn:aws:dynamodb:us-east-1:000000000000:table/my-table'],
    [{ 'Fn::Join': ['', ['<', { Ref: 'Table' }, '>']] }, '<my-table>'],
    [{ 'Fn::Sub': `\${Table}/\${Queue.QueueName}/\${!kept}` }, `my-table/Queue/\${kept}`],
    [{ 'Fn::Sub': [`\${own}`, { own: { Ref: 'Table' } }] }, 'my-table'],
    [{ 'Fn::Select': [1, { 'Fn::Split': ['-', { Ref: 'Table' }] }] }, 'table'],
    [
      { kept: 1, gone: { Ref: 'AWS::NoValue' }, list: [{ Ref: 'AWS::NoValue' }, 2] },
      { kept: 1, list: [2] },
    ],
  ])('works out %j', (value, expected) => {
    expect(resolve(value, 'here')).toEqual(expected);
  });

  it.each([
    [{ 'Fn::ImportValue': 'x' }, /here.*does not know the intrinsic Fn::ImportValue/],
    [{ Condition: 'x' }, /does not know the intrinsic Condition/],
    [{ Ref: 'Missing' }, /there is no resource Missing/],
    [{ Ref: 'Odd' }, /cannot refer to a AWS::Odd::Thing/],
    [{ 'Fn::GetAtt': ['Table', 'StreamArn'] }, /does not know the attribute StreamArn/],
  ])('refuses %j and says why', (value, reason) => {
    expect(() => resolve(value, 'here')).toThrow(reason);
  });
});
