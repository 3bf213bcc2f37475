import type { Mapping, Peer } from './peer.ts';

/** What is used here of the class. */
interface Memory {
  add(
    text: string,
    options: { userId: string; infer: boolean; metadata: Mapping },
  ): Promise<{ results: readonly unknown[] }>;
  getAll(options: {
    filters: { user_id: string; merchant?: string };
    topK: number;
  }): Promise<{ results: readonly { metadata: Mapping }[] }>;
}
interface Mem0 {
  readonly Memory: new (config: object) => Memory;
}

/** As many as its default model gives. */
const DIMENSIONS = 1536;
const USER = 'org_bench';

export const mem0: Peer = {
  name: 'mem0, open source',
  packages: {
    mem0ai: '3.3.1',
    // Its SQLite is compiled by an install script; this one has the same calls and comes compiled.
    'better-sqlite3': 'npm:libsql@0.5.29',
    compromise: '14.17.0',
  },
  keeps: 'memory, in the measuring process itself',
  calls: {
    save: 'add, infer: false',
    lookUp: 'getAll, filter by merchant: reads all',
    firstPage: 'getAll, topK: reads all, there is no second page',
  },
  remarks:
    'no server, no wire, nothing that outlives the process (by default a file); embeds each text that it saves, here by arithmetic in place of a call to a model; a merchant that is saved twice is there twice; SQLite is libsql, since better-sqlite3 has to be compiled',
  async open({ folder, load, memories }) {
    // Read when it is loaded; it would report its use, and keep an id in the home folder.
    process.env.MEM0_TELEMETRY = 'false';
    process.env.MEM0_DIR = folder;
    const { Memory } = load('mem0ai/oss') as Mem0;
    const memory = new Memory({
      embedder: {
        provider: 'langchain',
        config: {
          model: {
            embedQuery: async (text: string) => vectorOf(text),
            embedDocuments: async (texts: readonly string[]) => texts.map(vectorOf),
          },
        },
      },
      llm: {
        provider: 'langchain',
        config: { model: { invoke: () => Promise.reject(new Error('There is no model here.')) } },
      },
      vectorStore: { provider: 'memory', config: { dbPath: ':memory:', dimension: DIMENSIONS } },
      disableHistory: true,
    });
    const save = async ({ merchant, account }: Mapping) => {
      const text = `Documents of ${merchant} go to account ${account}.`;
      const metadata = { merchant, account };
      const { results } = await memory.add(text, { userId: USER, infer: false, metadata });
      if (results.length !== 1) throw new Error('add added nothing.');
    };
    for (const mapping of memories) await save(mapping);
    return {
      save,
      accountOf: async (merchant) =>
        (await memory.getAll({ filters: { user_id: USER, merchant }, topK: 1 })).results[0]?.metadata.account,
      firstPage: async (size) =>
        (await memory.getAll({ filters: { user_id: USER }, topK: size })).results.length,
      close: async () => undefined,
    };
  },
};

/** The same for the same text, and unlike for another. */
function vectorOf(text: string): number[] {
  let state = 2166136261;
  return Array.from({ length: DIMENSIONS }, (_, at) => {
    state = Math.imul(state ^ text.charCodeAt(at % text.length), 16777619) >>> 0;
    return state / 2 ** 32 - 0.5;
  });
}
