import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { assembleStack, PROJECT_ROOT } from '../../../infra/local/assembly.ts';

let directory = '';
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'commands-'));
  await assembleStack();
}, 120_000);
afterAll(() => rm(directory, { recursive: true, force: true }));

const environment = (more: Record<string, string> = {}) => ({ ...process.env, DATA_DIR: directory, ...more });
const start = (port: number): ChildProcess =>
  spawn(process.execPath, ['--import', 'tsx', 'infra/local/main.ts'], {
    cwd: PROJECT_ROOT,
    env: environment({ PORT: String(port) }),
  });
const printed = async (child: ChildProcess, wanted: RegExp): Promise<RegExpExecArray> => {
  let text = '';
  for await (const chunk of child.stdout ?? []) {
    text += String(chunk);
    const found = wanted.exec(text);
    if (found) return found;
  }
  throw new Error(`The host ended and said: ${text}`);
};
const token = async (...args: readonly string[]) => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--import', 'tsx', 'infra/local/token.ts', ...args],
    { cwd: PROJECT_ROOT, env: environment() },
  );
  return stdout;
};
const claimsIn = (jwt: string) => JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString());

describe('npm start', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)(
    'serves what it says, and ends within a second of %s',
    async (signal) => {
      const child = start(0);
      const [, url = ''] = await printed(child, /runs on (http:\S+)[\s\S]*scope/);
      const jwt = (await token('--org', 'o_1', '--user', 'u_1')).trim();
      const response = await fetch(`${url}/v1/memories`, { headers: { authorization: `Bearer ${jwt}` } });
      expect(response.status).toBe(200);
      const began = Date.now();
      child.kill(signal);
      const [code] = await once(child, 'exit');
      expect(code).toBe(0);
      expect(Date.now() - began).toBeLessThan(1000);
    },
  );

  it('says that its port is in use, and which command to try', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const child = start(port);
    let said = '';
    child.stderr?.on('data', (chunk) => {
      said += String(chunk);
    });
    const [code] = await once(child, 'close');
    other.close();
    expect(code).toBe(1);
    expect(said).toBe(
      `Port ${port} is already in use. Stop what uses it, or choose another one: PORT=${port + 1} npm start\n`,
    );
  });
});

describe('npm run token', () => {
  it('prints a token and nothing else', async () => {
    const out = await token('--org', 'o_1', '--user', 'u_1', '--scope', 'memories:read');
    expect(out).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+\n$/);
    expect(claimsIn(out)).toMatchObject({ org_id: 'o_1', sub: 'u_1', scope: 'memories:read' });
  });

  it('gives all three scopes when none is named', async () => {
    const { scope } = claimsIn(await token('--org', 'o_1', '--user', 'u_1'));
    expect(scope).toBe('memories:read memories:write memories:review');
  });

  it('says how it is used when something is missing', async () => {
    await expect(token('--org', 'o_1')).rejects.toThrow(/--user[\s\S]*Usage/);
  });
});
