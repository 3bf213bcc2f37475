import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

/** The page is served under `/console`, by a policy that allows no inline script, style or image. */
export default defineConfig({
  root: fileURLToPath(new URL('./app', import.meta.url)),
  base: '/console/',
  logLevel: 'warn',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    target: 'es2023',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    emptyOutDir: true,
    reportCompressedSize: false,
  },
});
