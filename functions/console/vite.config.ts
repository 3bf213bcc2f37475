import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';
import { ROUTES } from '../../lib/routes.ts';

/** The page is served under `/console`, by a policy that allows no inline script, style or image. */
export default defineConfig({
  root: fileURLToPath(new URL('./app', import.meta.url)),
  base: '/console/',
  logLevel: 'warn',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  plugins: [tableWithoutSchemas()],
  build: {
    target: 'es2023',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    emptyOutDir: true,
    reportCompressedSize: false,
  },
});

/**
 * Gives the client in the page the table of operations without its schemas, which are more than a third of the script
 * that a page may have: the client asks only whether there is a body, and the service judges what is in it.
 */
function tableWithoutSchemas(): Plugin {
  const table = fileURLToPath(new URL('../../lib/routes.ts', import.meta.url));
  const rows = Object.entries(ROUTES).map(([id, route]) => {
    const { method, path, scope } = route;
    return [id, { method, path, scope, ...('body' in route && { body: true }) }];
  });
  return {
    name: 'table-without-schemas',
    enforce: 'pre',
    load: (id) =>
      id === table ? `export const ROUTES = ${JSON.stringify(Object.fromEntries(rows))};` : undefined,
  };
}
