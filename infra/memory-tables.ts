import { RemovalPolicy } from 'aws-cdk-lib';
import {
  AttributeType,
  BillingMode,
  ProjectionType,
  Table,
  TableEncryption,
  type TableProps,
} from 'aws-cdk-lib/aws-dynamodb';
import { type IGrantable, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { TABLES } from '../lib/aws/tables.ts';
import type { MemoryIndex, TableAction } from './function-settings.ts';

export interface MemoryTablesProps {
  /** @default '' */
  readonly namePrefix?: string;
}

/** Everything that the service keeps. All of it outlives the stack. */
export class MemoryTables extends Construct {
  readonly memories: Table;
  readonly events: Table;
  readonly accounts: Table;

  constructor(scope: Construct, id: string, props: MemoryTablesProps = {}) {
    super(scope, id);
    const prefix = props.namePrefix ?? '';
    this.memories = new Table(this, 'Memories', tableProps(TABLES.memories, prefix));
    for (const index of [TABLES.memories.byStatus, TABLES.memories.awaitingReview]) {
      this.memories.addGlobalSecondaryIndex({
        indexName: index.name,
        partitionKey: { name: index.partitionKey, type: AttributeType.STRING },
        sortKey: { name: index.sortKey, type: AttributeType.STRING },
        projectionType: ProjectionType.ALL,
      });
    }
    this.events = new Table(this, 'Events', tableProps(TABLES.events, prefix));
    this.accounts = new Table(this, 'Accounts', tableProps(TABLES.accounts, prefix));
  }

  /** Allows exactly these calls on one table. `Table.grant` would add every index with a wildcard. */
  grantActions(grantee: IGrantable, table: Table, actions: readonly TableAction[]): void {
    allow(grantee, actions, [table.tableArn]);
  }

  /** Allows queries of the named indexes of the memories table. */
  grantIndexQueries(grantee: IGrantable, indexes: readonly MemoryIndex[]): void {
    const arns = indexes.map((index) => `${this.memories.tableArn}/index/${TABLES.memories[index].name}`);
    allow(grantee, ['Query'], arns);
  }
}

function allow(grantee: IGrantable, actions: readonly TableAction[], resources: string[]): void {
  if (actions.length === 0 || resources.length === 0) return;
  grantee.grantPrincipal.addToPrincipalPolicy(
    new PolicyStatement({ actions: actions.map((action) => `dynamodb:${action}`), resources }),
  );
}

function tableProps(
  table: { readonly name: string; readonly partitionKey: string; readonly sortKey: string },
  prefix: string,
): TableProps {
  return {
    tableName: `${prefix}${table.name}`,
    partitionKey: { name: table.partitionKey, type: AttributeType.STRING },
    sortKey: { name: table.sortKey, type: AttributeType.STRING },
    billingMode: BillingMode.PAY_PER_REQUEST,
    encryption: TableEncryption.AWS_MANAGED,
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    deletionProtection: true,
    removalPolicy: RemovalPolicy.RETAIN,
  };
}
