import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');

/** What an invocation is known by, and what is measured of it, for the rooms that speak to the outside. */
const OBSERVING = /^lib\/(invocation|telemetry)\.ts$/;

/** The table of operations, and what is said of each beside it. */
const TABLE = [/^lib\/(routes|answers|operation-input|operation-docs|openapi-examples)\.ts$/];

/** Who may import whom: room → the rooms and packages its files may name. */
const MAY_IMPORT: Readonly<Record<string, readonly RegExp[]>> = {
  'lib/domain': [/^lib\/domain\//, /^zod\/mini$/, /^node:(crypto|buffer)$/],
  'lib/operations': [/^lib\/(operations|domain)\//, /^node:buffer$/, /^fastest-levenshtein$/],
  'lib/aws': [/^lib\/(aws|domain)\//, OBSERVING, /^@(aws-sdk|smithy)\//, /^zod\/mini$/, /^node:/],
  'lib/lambda': [
    /^lib\/(lambda|domain)\//,
    OBSERVING,
    /^lib\/routes\.ts$/,
    /^aws-lambda$/,
    /^zod\/mini$/,
    /^node:/,
  ],
  // The ways in, each an export of the package that pulls in none of the others.
  'lib/client': [/^lib\/client\//, ...TABLE, /^lib\/domain\//],
  'lib/emitter': [/^lib\/(emitter|domain)\//, /^@aws-sdk\/client-eventbridge$/],
  'lib/ecr': [/^lib\/(ecr|domain)\//, /^@aws-sdk\/client-lambda$/, /^zod\/mini$/],
  'lib/tools': [/^lib\/tools\//, ...TABLE, /^lib\/domain\//, /^zod\/mini$/],
  'lib/langgraph': [/^lib\/(langgraph|client|domain)\//, /^@langchain\/langgraph-checkpoint$/],
  'lib/mcp': [
    /^lib\/(mcp|tools|lambda|operations|domain)\//,
    ...TABLE,
    /^jose$/,
    /^zod\/mini$/,
    /^@modelcontextprotocol\/server$/,
    /^aws-lambda$/,
    /^node:/,
  ],
  lib: [/^node:async_hooks$/, ...TABLE, /^lib\/domain\//, /^lib\/lambda\/problem\.ts$/, /^zod\/mini$/],
  'functions/console': [
    /^functions\/console\//,
    /^preact(\/hooks)?$/,
    /^@preact\/signals$/,
    /^vite$/,
    /^node:url$/,
    /^lib\/client\/client\.ts$/,
    /^lib\/routes\.ts$/,
    /^lib\/domain\//,
  ],
  functions: [/^lib\/(operations|aws|lambda|domain|mcp)\//, /^lib\/openapi\.ts$/],
  // What an operator runs against a stack: a composition root like a function, and so it may name what a function may.
  'infra/commands': [/^lib\/(operations|aws|domain)\//, /^node:/],
  infra: [
    /^infra\//,
    OBSERVING,
    /^lib\/(routes|openapi)\.ts$/,
    /^lib\/aws\/tables\.ts$/,
    /^lib\/domain\//,
    // The story is told by the package's own clients.
    /^lib\/(client|emitter|ecr)\//,
    /^(?!lib\/|functions\/|test\/)/,
  ],
};

const CODE_OF_LIB = /^(?:im|ex)port (?!type )[^;]*from '[^']*\/lib\/[^']*'/gm;
const MAX_FUNCTION_LINES = 40;

describe('the house', () => {
  it('has only the folders and files the plan names', () => {
    const entries = readdirSync(ROOT).filter((name) => !name.startsWith('.') && !IGNORED.has(name));
    expect(entries.sort()).toEqual(
      [
        'README.md',
        'cdk.json',
        'functions',
        'infra',
        'lib',
        'package-lock.json',
        'package.json',
        'test',
        'tsconfig.json',
      ].sort(),
    );
  });

  it.each(sources())('lets %s import only what its room may', (file) => {
    const room = roomOf(file);
    const allowed = MAY_IMPORT[room] ?? [];
    const forbidden = importsOf(file).filter((name) => !allowed.some((pattern) => pattern.test(name)));
    expect(forbidden).toEqual([]);
  });

  it('lets the console’s page take shapes from lib, and no code but the client', () => {
    const values = sources()
      .filter((file) => file.startsWith('functions/console/app/'))
      .flatMap((file) => readFileSync(join(ROOT, file), 'utf8').match(CODE_OF_LIB) ?? []);
    expect(values.filter((statement) => !statement.endsWith("/lib/client/client.ts'"))).toEqual([]);
  });

  it.each(sources().filter((file) => /^functions\/[^/]+$/.test(file)))(
    'keeps %s within forty lines',
    (file) => {
      expect(readFileSync(join(ROOT, file), 'utf8').split('\n').length).toBeLessThanOrEqual(
        MAX_FUNCTION_LINES,
      );
    },
  );

  it('lets only lib/aws, and the two ways in that are AWS clients, import the AWS SDK', () => {
    const importers = sources().filter(
      (file) => !file.startsWith('infra/') && importsOf(file).some((name) => name.startsWith('@aws-sdk/')),
    );
    expect(importers.filter((file) => !/^lib\/(aws|emitter|ecr)\//.test(file))).toEqual([]);
  });

  it('has no clock, environment or randomness in the domain', () => {
    const impure = sources()
      .filter((file) => file.startsWith('lib/domain/'))
      .filter((file) =>
        /Date\.now|new Date\(\)|process\.|Math\.random|randomUUID/.test(
          readFileSync(join(ROOT, file), 'utf8'),
        ),
      );
    expect(impure).toEqual([]);
  });
});

const IGNORED = new Set(['node_modules', 'cdk.out', 'dist', 'coverage', 'reports']);

function sources(): string[] {
  return ['functions', 'infra', 'lib'].flatMap((folder) => filesBelow(folder));
}

function filesBelow(folder: string): string[] {
  return readdirSync(join(ROOT, folder)).flatMap((name) => {
    const path = `${folder}/${name}`;
    if (statSync(join(ROOT, path)).isDirectory()) return filesBelow(path);
    return /\.tsx?$/.test(path) ? [path] : [];
  });
}

function roomOf(file: string): string {
  const rooms = Object.keys(MAY_IMPORT).sort((a, b) => b.length - a.length);
  return rooms.find((room) => file.startsWith(`${room}/`)) ?? 'none';
}

function importsOf(file: string): string[] {
  const source = readFileSync(join(ROOT, file), 'utf8');
  const statements =
    /^(?:import|export) (?:type )?(?:\{[^}]*\}|\*(?: as \w+)?|\w+) from '([^']+)'|\bimport\('([^']+)'\)|^import '([^']+)'/gm;
  const names = [...source.matchAll(statements)].map(
    ([, named, dynamic, bare]) => named ?? dynamic ?? bare ?? '',
  );
  return names.map((name) =>
    name.startsWith('.') ? relative(ROOT, normalize(join(ROOT, dirname(file), name))) : name,
  );
}
