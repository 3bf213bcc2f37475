import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { assembleStack, PROJECT_ROOT } from '../../../infra/local/assembly.ts';

let root = '';
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'assembly-'));
  await symlink(join(PROJECT_ROOT, 'node_modules'), join(root, 'node_modules'));
  for (const folder of ['infra/local', 'lib', 'functions'])
    await mkdir(join(root, folder), { recursive: true });
  await write('lib/word.ts', `export const word = 'first';`);
  await write('infra/local/host.ts', '');
  await write('package.json', '{"type":"module"}');
  await write('package-lock.json', '{}');
  await write('cdk.json', '{"context":{"given":"by context"}}');
  await write('infra/app.ts', APP);
});
afterEach(() => rm(root, { recursive: true, force: true }));

const write = (file: string, text: string) => writeFile(join(root, file), text);
const assemble = () => assembleStack({ root });
const madeIn = async (directory: string) => JSON.parse(await readFile(join(directory, 'made.json'), 'utf8'));
const runs = async () => (await readFile(join(root, 'runs'), 'utf8')).length;

/** Stands in for the stack: says what it saw, and leaves a mark for each time it ran. */
const APP = `
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { word } from '../lib/word.ts';
appendFileSync('runs', 'x');
const context = JSON.parse(process.env.CDK_CONTEXT_JSON ?? '{}');
mkdirSync(process.env.CDK_OUTDIR ?? '', { recursive: true });
writeFileSync(process.env.CDK_OUTDIR + '/made.json', JSON.stringify({ word, given: context.given }));
`;

describe('the assembly', () => {
  it('is made with the context of cdk.json, and found again while nothing changes', async () => {
    const directory = await assemble();
    expect(await madeIn(directory)).toEqual({ word: 'first', given: 'by context' });
    expect(await assemble()).toBe(directory);
    expect(await runs()).toBe(1);
  });

  it('is made anew when a source changes, and the old one is found when it changes back', async () => {
    const before = await assemble();
    await write('lib/word.ts', `export const word = 'second';`);
    expect(await madeIn(await assemble())).toMatchObject({ word: 'second' });
    await write('lib/word.ts', `export const word = 'first';`);
    expect(await assemble()).toBe(before);
    expect(await runs()).toBe(2);
  });

  it('does not depend on the local host, which only reads it', async () => {
    const before = await assemble();
    await write('infra/local/host.ts', '// changed');
    expect(await assemble()).toBe(before);
  });

  it('is made once for all who ask at the same time', async () => {
    const asked = await Promise.all([assemble(), assemble(), assemble()]);
    expect(new Set(asked).size).toBe(1);
    expect(await runs()).toBe(1);
    expect(await readdir(join(root, '.local/cdk.out'))).toHaveLength(1);
  });

  it('is made again when a source changes while it is made', async () => {
    await write(
      'infra/app.ts',
      `${APP}
      if (readFileSync('runs').length === 1) writeFileSync('lib/word.ts', "export const word = 'late';");`,
    );
    expect(await madeIn(await assemble())).toMatchObject({ word: 'late' });
  });

  it('fails with what the synthesis said, and is tried again', async () => {
    await write('lib/word.ts', `export const word = 'none';\nthrow new Error('not now');`);
    await expect(assemble()).rejects.toThrow(/could not be synthesized[\s\S]*not now/);
    await write('lib/word.ts', `export const word = 'first';`);
    expect(await madeIn(await assemble())).toMatchObject({ word: 'first' });
  });

  it('is not waited for behind a synthesis that was killed', async () => {
    await mkdir(join(root, '.local/cdk.out'), { recursive: true });
    await write('.local/cdk.out/lock', '999999999');
    expect(await madeIn(await assemble())).toMatchObject({ word: 'first' });
  });
});
