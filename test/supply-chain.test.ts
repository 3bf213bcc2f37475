import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';

/**
 * What holds of every commit. Advisories are not here: they come without one, and from a part of the registry that not
 * every registry serves (`npm audit` then ends with 405). With each update of a package run `npm audit`, or give what
 * `npm run sbom` writes to a scanner.
 */
const Versions = z.optional(z.record(z.string(), z.string()));
const Manifest = z.looseObject({
  scripts: z.record(z.string(), z.string()),
  dependencies: Versions,
  devDependencies: Versions,
  optionalDependencies: Versions,
  peerDependencies: Versions,
  overrides: z.optional(z.unknown()),
});
const Locked = z.looseObject({
  version: z.optional(z.string()),
  resolved: z.optional(z.string()),
  integrity: z.optional(z.string()),
  inBundle: z.optional(z.boolean()),
  link: z.optional(z.boolean()),
  hasInstallScript: z.optional(z.boolean()),
});
const Lock = z.looseObject({ lockfileVersion: z.number(), packages: z.record(z.string(), Locked) });

const read = (name: string) => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8');
const manifest = Manifest.parse(JSON.parse(read('package.json')));
const lock = Lock.parse(JSON.parse(read('package-lock.json')));
const packages = Object.entries(lock.packages).filter(([path]) => path !== '');

describe('what is installed', () => {
  it('is named to the last digit, never by a range, a tag or an address', () => {
    const named = Object.entries({
      ...manifest.dependencies,
      ...manifest.devDependencies,
      ...manifest.optionalDependencies,
    });
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter(([, version]) => !/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version))).toEqual([]);
  });

  it('is what the lockfile says, package for package', () => {
    const ours = lock.packages[''];
    for (const kind of ['dependencies', 'devDependencies', 'optionalDependencies'] as const) {
      expect(ours?.[kind], kind).toEqual(manifest[kind]);
    }
  });

  it('comes from the registry alone, never from git or a file, and is checked against a digest', () => {
    // `<registry>/<name>/-/<file>.tgz`; the lockfile names none, so that any registry serves.
    const REGISTRY_TARBALL = /^https:\/\/[^/]+\/(?:@[^/]+\/)?[^/]+\/-\/[^/]+\.tgz$/;
    expect(lock.lockfileVersion).toBe(3);
    expect(packages.length).toBeGreaterThan(100);
    const strange = packages.filter(
      ([path, { version = '', resolved, integrity, inBundle, link }]) =>
        !/(?:^|\/)node_modules\/(?:@[^/]+\/)?[^/]+$/.test(path) ||
        link === true ||
        !/^\d+\.\d+\.\d+/.test(version) ||
        (resolved !== undefined && !REGISTRY_TARBALL.test(resolved)) ||
        // What comes inside another package is covered by that one's digest.
        (inBundle !== true && !/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity ?? '')),
    );
    expect(strange.map(([path]) => path)).toEqual([]);
  });

  it('runs nothing while it is being installed', () => {
    expect(read('.npmrc')).toMatch(/^ignore-scripts=true$/m);
    const hooks = [
      'preinstall',
      'install',
      'postinstall',
      'prepare',
      'prepublish',
      'preprepare',
      'postprepare',
    ];
    expect(hooks.filter((name) => name in manifest.scripts)).toEqual([]);
    // These two would, and work without: their binaries are packages of their own.
    expect(packages.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => path)).toEqual([
      'node_modules/classic-level',
      'node_modules/esbuild',
    ]);
  });

  it('puts into the deployed functions only what is a dependency, and none of what only tests need', () => {
    const shipped = packages.filter(([, { dev, optional }]) => dev !== true && optional !== true);
    const names = shipped.map(([path]) => path.replace(/^.*node_modules\//, ''));
    expect(names).toEqual(expect.arrayContaining(Object.keys(manifest.dependencies ?? {})));
    for (const name of Object.keys(manifest.devDependencies ?? {})) expect(names).not.toContain(name);
  });
});
