import { randomBytes } from 'node:crypto';
import type { Peer } from './peer.ts';

/** What is used here of the class, and of the driver beneath it. */
interface PostgresStore {
  setup(): Promise<void>;
  batch(operations: readonly { namespace: string[]; key: string; value: object }[]): Promise<unknown>;
  put(namespace: string[], key: string, value: object): Promise<void>;
  get(namespace: string[], key: string): Promise<{ value: { account?: string } } | null>;
  search(namespace: string[], options: { limit: number }): Promise<readonly unknown[]>;
  stop(): Promise<void>;
  readonly core?: { readonly pool: { on(event: 'error', listener: () => void): unknown } };
}
interface StoreModule {
  readonly PostgresStore: {
    fromConnString(url: string, options: { schema: string }): PostgresStore;
  };
}
interface Driver {
  readonly Client: new (options: {
    connectionString: string;
  }) => { connect(): Promise<unknown>; query(sql: string): Promise<unknown>; end(): Promise<unknown> };
}

/** With no underscores, which it refuses. */
const NAMESPACE = ['org-bench', 'mapping'];

export const postgresStore: Peer = {
  name: 'LangGraph PostgresStore',
  packages: {
    '@langchain/langgraph-checkpoint-postgres': '1.0.5',
    '@langchain/langgraph-checkpoint': '1.2.2',
    '@langchain/core': '1.4.0',
  },
  needsPostgres: true,
  keeps: 'PostgreSQL over the wire, on its disk',
  calls: { save: 'put', lookUp: 'get by key', firstPage: 'search, limit (and offset)' },
  remarks:
    'takes any value, and the last writer wins; no review, evidence or notices; a search of a workspace finds those whose names begin with its name, too',
  async open({ load, memories, postgresUrl = '' }) {
    const { PostgresStore } = load('@langchain/langgraph-checkpoint-postgres/store') as StoreModule;
    const { Client } = load('pg') as Driver;
    // The server may be somebody's.
    const schema = `peers_${randomBytes(6).toString('hex')}`;
    const store = PostgresStore.fromConnString(postgresUrl, { schema });
    // Else an idle connection that breaks ends the process.
    store.core?.pool.on('error', () => undefined);
    const close = async () => {
      await store.stop();
      const client = new Client({ connectionString: postgresUrl });
      await client.connect();
      await client.query(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`);
      await client.end();
    };
    try {
      await store.setup();
      await store.batch(
        memories.map(({ merchant, account }) => ({
          namespace: NAMESPACE,
          key: merchant,
          value: { merchant, account },
        })),
      );
    } catch (error) {
      await close().catch(() => undefined);
      throw error;
    }
    return {
      save: ({ merchant, account }) => store.put(NAMESPACE, merchant, { merchant, account }),
      accountOf: async (merchant) => (await store.get(NAMESPACE, merchant))?.value.account,
      firstPage: async (size) => (await store.search(NAMESPACE, { limit: size })).length,
      close,
    };
  },
};
