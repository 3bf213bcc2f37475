import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** What each export may load of other packages. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  client: ['zod'],
  tools: ['zod'],
  emitter: ['zod', '@aws-sdk/client-eventbridge'],
  ecr: ['zod', '@aws-sdk/client-lambda'],
  langgraph: ['zod', '@langchain/langgraph-checkpoint'],
};
const ROOMS = Object.keys(PACKAGES);

let consumer: string;
let installed: string;

beforeAll(async () => {
  consumer = await mkdtemp(join(tmpdir(), 'consumer-'));
  installed = join(consumer, 'node_modules', 'ai-memories');
  await run('npm', ['run', '--silent', 'pack', '--', '--silent', '--pack-destination', consumer], {
    cwd: ROOT,
  });
  const [tarball = ''] = (await readdir(consumer)).filter((name) => name.endsWith('.tgz'));
  await mkdir(installed, { recursive: true });
  await run('tar', ['xzf', join(consumer, tarball), '--strip-components=1', '-C', installed]);
  for (const name of ['zod', '@aws-sdk', '@langchain', '@smithy']) {
    await symlink(join(ROOT, 'node_modules', name), join(consumer, 'node_modules', name));
  }
  await writeFile(join(consumer, 'package.json'), '{"type":"module"}');
}, 120_000);
afterAll(() => rm(consumer, { recursive: true, force: true }));

describe('the package as it is packed', () => {
  it('holds the built exports and none of the service', async () => {
    const { exports } = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'));
    expect(Object.keys(exports)).toEqual(
      ['client', 'emitter', 'ecr', 'tools', 'langgraph'].map((name) => `./${name}`),
    );
    const built = await readdir(join(installed, 'dist'));
    expect(built).not.toContain('aws');
    expect(built).not.toContain('operations');
    expect(await readdir(installed)).not.toContain('functions');
  });

  it('can be imported and used by plain Node', async () => {
    await writeFile(
      join(consumer, 'use.js'),
      `import { createClient, ProblemError } from 'ai-memories/client';
       import { correctionFrom, emitCorrections } from 'ai-memories/emitter';
       import { applyHints, retrieveHints } from 'ai-memories/ecr';
       import { callTool, toolDefinitions } from 'ai-memories/tools';
       import { LangGraphMemoryStore } from 'ai-memories/langgraph';
       const client = createClient({ baseUrl: 'https://x.test', token: 't' });
       console.log([
         typeof client.memories.save, ProblemError.name, typeof correctionFrom, typeof emitCorrections,
         typeof applyHints, typeof retrieveHints, typeof callTool, toolDefinitions('openai').length,
         typeof LangGraphMemoryStore,
       ].join());`,
    );
    const { stdout } = await run(process.execPath, ['use.js'], { cwd: consumer });
    expect(stdout.trim()).toBe(
      'function,ProblemError,function,function,function,function,function,7,function',
    );
  });

  it('has types that a strict consumer infers from', async () => {
    await writeFile(
      join(consumer, 'use.ts'),
      `import { createClient } from 'ai-memories/client';
       import { correctionFrom, emitCorrections, type Emitted } from 'ai-memories/emitter';
       import { type Hints, retrieveHints } from 'ai-memories/ecr';
       import { callTool, toolDefinitions } from 'ai-memories/tools';
       import { LangGraphMemoryStore } from 'ai-memories/langgraph';
       const client = createClient({ baseUrl: 'https://x.test', token: 't' });
       export const status: 'active' | 'candidate' | 'rejected' | 'archived' =
         (await client.memories.get({ id: 'a' })).status;
       for await (const memory of client.each('memories.list', { limit: 5 })) console.log(memory.content);
       // @ts-expect-error an operation that there is not
       client.memories.forget({ id: 'a' });
       // @ts-expect-error content of another kind
       client.memories.save({ kind: 'preference', content: { mapping: 'labels' } });
       export const emitted: Emitted = await emitCorrections([], { source: 'a' });
       export const hints: Hints = await retrieveHints({ orgId: 'a' });
       export const event = correctionFrom({}, {}, { eventId: 'a', orgId: 'a', userId: 'a', documentIds: 'd', occurredAt: '' });
       export const result = await callTool('memories_list', {}, client);
       export const names: string[] = toolDefinitions('anthropic').map(({ name }) => name);
       export const store = new LangGraphMemoryStore({ client, orgId: 'a', userId: 'b' });`,
    );
    const flags =
      '--noEmit --strict --exactOptionalPropertyTypes --skipLibCheck --module nodenext --target es2023';
    const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
    const types = ['--types', 'node', '--typeRoots', join(ROOT, 'node_modules', '@types')];
    const checked = await run(process.execPath, [tsc, ...flags.split(' '), ...types, 'use.ts'], {
      cwd: consumer,
    }).catch((error: { stdout: string }) => error);
    expect(checked.stdout).toBe('');
  });

  it.each(ROOMS)('loads for %s only what that needs, and no other export', async (room) => {
    const { exports } = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'));
    const { files, packages } = await reachedFrom(join(installed, exports[`./${room}`].default));
    const others = ROOMS.filter((other) => other !== room);
    expect(files.filter((file) => others.some((other) => file.includes(`/dist/${other}/`)))).toEqual([]);
    expect([...packages].sort()).toEqual([...(PACKAGES[room] ?? [])].sort());
  });
});

/** Every file that is loaded with one, and the packages that those name. */
async function reachedFrom(entry: string): Promise<{ files: string[]; packages: Set<string> }> {
  const files = new Set<string>();
  const packages = new Set<string>();
  const open = [entry];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (files.has(file)) continue;
    files.add(file);
    const source = await readFile(file, 'utf8');
    for (const [, name = ''] of source.matchAll(/(?:from|import) '([^']+)'/g)) {
      if (name.startsWith('.')) open.push(join(dirname(file), name));
      else if (!name.startsWith('node:')) packages.add(/^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? name);
    }
  }
  return { files: [...files], packages };
}
