import { execFile } from 'node:child_process';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Installs into a folder of its own exactly what is named, from wherever npm takes its packages, and runs none of it. */
export async function install(packages: Readonly<Record<string, string>>, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const flags = ['--ignore-scripts', '--no-save', '--no-audit', '--no-fund', '--legacy-peer-deps'];
  const named = Object.entries(packages).map(([name, version]) => `${name}@${version}`);
  await promisify(execFile)('npm', ['install', '--prefix', folder, ...flags, ...named], {
    cwd: folder,
    timeout: 300_000,
  });
}

/** What is there of a package. */
export async function installedVersion(name: string, folder: string): Promise<string> {
  const manifest = await readFile(join(folder, 'node_modules', name, 'package.json'), 'utf8');
  return (JSON.parse(manifest) as { readonly version: string }).version;
}
