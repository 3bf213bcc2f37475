import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { Mapping, Peer } from './peer.ts';

const PACKAGE = '@modelcontextprotocol/server-memory';

interface Graph {
  readonly entities: readonly { readonly name: string; readonly observations: readonly string[] }[];
}

export const memoryServer: Peer = {
  name: 'MCP reference memory server',
  packages: { [PACKAGE]: '2026.8.31' },
  keeps: 'a file, by a process of its own over stdio',
  calls: { save: 'create_entities', lookUp: 'open_nodes', firstPage: 'read_graph: all, there are no pages' },
  remarks:
    'reads its whole file at each call and writes it anew at each save; has no workspaces; leaves an entity as it is whose name is there already',
  async open({ folder, memories }) {
    const client = new Client({ name: 'bench', version: '1' });
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [join(folder, 'node_modules', PACKAGE, 'dist', 'index.js')],
        env: { MEMORY_FILE_PATH: join(folder, 'memory.jsonl') },
        stderr: 'ignore',
      }),
    );
    const call = async (name: string, args: Record<string, unknown>) => {
      const { isError, structuredContent } = await client.callTool({ name, arguments: args });
      if (isError || structuredContent === undefined) throw new Error(`${name} failed.`);
      return structuredContent as unknown as Graph;
    };
    const create = async (mappings: readonly Mapping[]) => {
      const { entities } = await call('create_entities', {
        entities: mappings.map(({ merchant, account }) => ({
          name: merchant,
          entityType: 'merchant',
          observations: [account],
        })),
      });
      if (entities.length !== mappings.length) throw new Error('create_entities left some out.');
    };
    await create(memories);
    return {
      save: (mapping) => create([mapping]),
      accountOf: async (merchant) =>
        (await call('open_nodes', { names: [merchant] })).entities[0]?.observations[0],
      firstPage: async (size) => (await call('read_graph', {})).entities.slice(0, size).length,
      close: () => client.close(),
    };
  },
};
