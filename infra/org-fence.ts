import { Duration, Stack } from 'aws-cdk-lib';
import {
  ArnPrincipal,
  CompositePrincipal,
  type IRole,
  PolicyStatement,
  Role,
  SessionTagsPrincipal,
} from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { TABLES } from '../lib/aws/tables.ts';
import type { TableAction } from './function-settings.ts';
import type { MemoryTables } from './memory-tables.ts';

export interface OrgFenceProps {
  readonly tables: MemoryTables;
  /** The roles that may ask for an org's credentials. */
  readonly assumedBy: readonly IRole[];
  /** @default '' */
  readonly namePrefix?: string;
}

/**
 * A role whose sessions reach the items of one org and no others: the org is the session's tag, and every call must
 * name it as its partition key. Who assumes it pays one call of STS for each org and execution environment.
 */
export class OrgFence extends Construct {
  readonly role: Role;

  constructor(scope: Construct, id: string, props: OrgFenceProps) {
    super(scope, id);
    this.role = new Role(this, 'Role', {
      roleName: `${props.namePrefix ?? ''}ai-memories-org-${Stack.of(this).region}`,
      description: `Items of the one org that the session tag ${ORG_TAG} names`,
      assumedBy: new CompositePrincipal(
        ...props.assumedBy.map(
          ({ roleArn }) =>
            new SessionTagsPrincipal(
              new ArnPrincipal(roleArn).withConditions({ Null: { [`aws:RequestTag/${ORG_TAG}`]: 'false' } }),
            ),
        ),
      ),
      maxSessionDuration: Duration.hours(1),
    });
    const { memories, events, accounts } = props.tables;
    const indexes = [TABLES.memories.byStatus, TABLES.memories.awaitingReview];
    this.role.addToPolicy(
      new PolicyStatement({
        actions: ACTIONS.map((action) => `dynamodb:${action}`),
        resources: [
          memories.tableArn,
          events.tableArn,
          accounts.tableArn,
          ...indexes.map(({ name }) => `${memories.tableArn}/index/${name}`),
        ],
        conditions: {
          'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': [`\${aws:PrincipalTag/${ORG_TAG}}`] },
          // "For all" holds of none, too.
          Null: { 'dynamodb:LeadingKeys': 'false' },
        },
      }),
    );
  }
}

/** The session tag that names the org. */
export const ORG_TAG = 'orgId';

const ACTIONS: readonly TableAction[] = ['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'BatchWriteItem'];
