import { createRequire } from 'node:module';

const http: typeof import('node:http') = createRequire(import.meta.url)('node:http');

/**
 * In place of an import of Node's own, which reads every member of it, and so loads all of `fetch` from Node 22 on. Only
 * asked for where the store's address is not encrypted, as that of a local one.
 */
export const { Agent, request } = http;
