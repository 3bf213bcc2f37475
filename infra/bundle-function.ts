import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { buildSync, type Metafile } from 'esbuild';
import { FUNCTIONS, type FunctionName } from '../lib/routes.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '');

/** Where the functions are made from. */
export const FUNCTIONS_FOLDER = `${ROOT}/functions`;

/**
 * Parts of the SDK that nothing here needs, and what the bundles have in their place. Left in, they are half of each
 * bundle and of its cold start. A name that the SDK comes to import beside those given fails the build.
 */
const STAND_INS = {
  '@aws-sdk/credential-provider-node': 'credential-chain.ts',
  '@aws/lambda-invoke-store': 'invoke-store.ts',
  '@aws-sdk/middleware-endpoint-discovery': 'endpoint-discovery.ts',
  '@smithy/core/checksum': 'checksum.ts',
  '@smithy/core/config': 'config.ts',
  'node:process': 'process.ts',
  'node:fs': 'file-system.ts',
  'node:http': 'http.ts',
} as const;

/**
 * Makes what is deployed of one function: `index.mjs`, and beside it the parts that it loads only when they are needed.
 * The SDK goes in: the runtime's own copy is another version, and is slower to load.
 */
export function bundleFunction(name: FunctionName, directory: string): BundleSize {
  return bundle(`${FUNCTIONS_FOLDER}/${FUNCTIONS[name]}.ts`, directory);
}

/** Any file in the same way. */
export function bundle(entry: string, directory: string): BundleSize {
  const { metafile } = buildSync({
    absWorkingDir: ROOT,
    entryPoints: { index: entry },
    outdir: directory,
    outExtension: { '.js': '.mjs' },
    chunkNames: '[name]-[hash]',
    bundle: true,
    metafile: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    mainFields: ['module', 'main'],
    minify: true,
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'warning',
    // The SDK would load these for a browser, and for event streams; there is neither.
    external: ['bowser', '@smithy/core/event-streams'],
    // Test runners set it otherwise, and some packages are another build then.
    define: { 'process.env.NODE_ENV': '"production"' },
    alias: Object.fromEntries(
      Object.entries(STAND_INS).map(([part, file]) => [part, `${ROOT}/lib/aws/stand-ins/${file}`]),
    ),
  });
  return sizeOf(metafile);
}

export interface BundleSize {
  /** All files. */
  readonly bytes: number;
  /** Those that a cold start loads; the others come when they are first needed. */
  readonly startBytes: number;
}

function sizeOf({ outputs }: Metafile): BundleSize {
  const files = Object.entries(outputs);
  const start = new Set(files.filter(([, { entryPoint }]) => entryPoint !== undefined).map(([path]) => path));
  // The parts that a dynamic import begins with are entry points too.
  const lazy = files.flatMap(([, { imports }]) => imports.filter(({ kind }) => kind === 'dynamic-import'));
  for (const { path } of lazy) start.delete(path);
  for (const path of start) {
    const named = outputs[path]?.imports.filter(({ kind }) => kind === 'import-statement') ?? [];
    for (const { path: next } of named) if (outputs[next] !== undefined) start.add(next);
  }
  const sum = (paths: Iterable<string>) =>
    [...paths].reduce((all, path) => all + (outputs[path]?.bytes ?? 0), 0);
  return { bytes: sum(Object.keys(outputs)), startBytes: sum(start) };
}

/** Builds the console's page into the folder that becomes the function's code. */
export function buildConsole(directory: string): void {
  const config = `${FUNCTIONS_FOLDER}/console/vite.config.ts`;
  const vite = [`${ROOT}/node_modules/vite/bin/vite.js`, 'build', '--config', config];
  const { status, stdout, stderr } = spawnSync(process.execPath, [...vite, '--outDir', `${directory}/site`], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`The console could not be built:\n${stdout}${stderr}`);
}
