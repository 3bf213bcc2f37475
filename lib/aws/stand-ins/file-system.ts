import { createRequire } from 'node:module';

const fs: typeof import('node:fs') = createRequire(import.meta.url)('node:fs');

/** In place of an import of Node's own, which reads every member of it, and so loads what there is of promises and streams. */
export const { ReadStream, fstatSync, lstatSync, readdirSync, readFileSync } = fs;
