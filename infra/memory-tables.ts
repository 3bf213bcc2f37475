import { RemovalPolicy, Stack } from 'aws-cdk-lib';
import {
  AttributeType,
  BillingMode,
  ProjectionType,
  Table,
  TableEncryption,
  type TableProps,
} from 'aws-cdk-lib/aws-dynamodb';
import { type IGrantable, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';
import { TABLES } from '../lib/aws/tables.ts';
import type { MemoryIndex, TableAction } from './function-settings.ts';

export interface MemoryTablesProps {
  /** @default '' */
  readonly namePrefix?: string;
  /**
   * A key of the account's own for everything at rest.
   * @default - the account's AWS managed key for DynamoDB
   */
  readonly encryptionKey?: IKey;
  /**
   * The most read request units a second that one table or index serves, so that a runaway caller has a bounded bill.
   * @default - the account's limits
   */
  readonly maxReadUnits?: number;
  /**
   * The most write request units a second that one table or index takes.
   * @default - the account's limits
   */
  readonly maxWriteUnits?: number;
  /**
   * Whether entries of the log that name an end are removed after it.
   * @default false
   */
  readonly correctionsExpire?: boolean;
}

/** Everything that the service keeps. All of it outlives the stack. */
export class MemoryTables extends Construct {
  readonly memories: Table;
  readonly events: Table;
  readonly accounts: Table;
  readonly #key: IKey | undefined;

  constructor(scope: Construct, id: string, props: MemoryTablesProps = {}) {
    super(scope, id);
    this.#key = props.encryptionKey;
    const limits = unitLimits(props);
    this.memories = new Table(this, 'Memories', tableProps(TABLES.memories, props));
    for (const index of [TABLES.memories.byStatus, TABLES.memories.awaitingReview]) {
      this.memories.addGlobalSecondaryIndex({
        indexName: index.name,
        partitionKey: { name: index.partitionKey, type: AttributeType.STRING },
        sortKey: { name: index.sortKey, type: AttributeType.STRING },
        projectionType: ProjectionType.ALL,
        ...limits,
      });
    }
    this.events = new Table(this, 'Events', {
      ...tableProps(TABLES.events, props),
      ...(props.correctionsExpire && { timeToLiveAttribute: TABLES.events.expiresAt }),
    });
    this.accounts = new Table(this, 'Accounts', tableProps(TABLES.accounts, props));
  }

  /** Allows exactly these calls on one table. `Table.grant` would add every index with a wildcard. */
  grantActions(grantee: IGrantable, table: Table, actions: readonly TableAction[]): void {
    this.#allow(grantee, actions, [table.tableArn]);
  }

  /** Allows queries of the named indexes of the memories table. */
  grantIndexQueries(grantee: IGrantable, indexes: readonly MemoryIndex[]): void {
    const arns = indexes.map((index) => `${this.memories.tableArn}/index/${TABLES.memories[index].name}`);
    this.#allow(grantee, ['Query'], arns);
  }

  #allow(grantee: IGrantable, actions: readonly TableAction[], resources: string[]): void {
    if (actions.length === 0 || resources.length === 0) return;
    grantee.grantPrincipal.addToPrincipalPolicy(
      new PolicyStatement({ actions: actions.map((action) => `dynamodb:${action}`), resources }),
    );
    if (this.#key === undefined) return;
    const writes = actions.some((action) => !READS.has(action));
    grantee.grantPrincipal.addToPrincipalPolicy(
      new PolicyStatement({
        actions: [...KEY_READS, ...(writes ? KEY_WRITES : [])],
        resources: [this.#key.keyArn],
        // The key opens what the table serves, and nothing that was got another way.
        conditions: { StringEquals: { 'kms:ViaService': `dynamodb.${Stack.of(this).region}.amazonaws.com` } },
      }),
    );
  }
}

const READS: ReadonlySet<TableAction> = new Set(['GetItem', 'BatchGetItem', 'Query']);
const KEY_READS = ['kms:Decrypt', 'kms:DescribeKey'];
const KEY_WRITES = ['kms:Encrypt', 'kms:GenerateDataKey', 'kms:ReEncryptFrom', 'kms:ReEncryptTo'];

function tableProps(
  table: { readonly name: string; readonly partitionKey: string; readonly sortKey: string },
  props: MemoryTablesProps,
): TableProps {
  return {
    tableName: `${props.namePrefix ?? ''}${table.name}`,
    partitionKey: { name: table.partitionKey, type: AttributeType.STRING },
    sortKey: { name: table.sortKey, type: AttributeType.STRING },
    billingMode: BillingMode.PAY_PER_REQUEST,
    ...unitLimits(props),
    ...(props.encryptionKey
      ? { encryption: TableEncryption.CUSTOMER_MANAGED, encryptionKey: props.encryptionKey }
      : { encryption: TableEncryption.AWS_MANAGED }),
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    deletionProtection: true,
    removalPolicy: RemovalPolicy.RETAIN,
  };
}

function unitLimits({ maxReadUnits, maxWriteUnits }: MemoryTablesProps) {
  return {
    ...(maxReadUnits !== undefined && { maxReadRequestUnits: maxReadUnits }),
    ...(maxWriteUnits !== undefined && { maxWriteRequestUnits: maxWriteUnits }),
  };
}
