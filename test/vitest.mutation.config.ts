import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** The tests that hold the domain to its word, and take no engine to start: what a mutant of it must not get past. */
export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    include: [
      'test/domain/**/*.test.ts',
      'test/openapi.test.ts',
      'test/operations/memories.test.ts',
      'test/operations/retrieve.test.ts',
      'test/operations/cursor.test.ts',
      'test/operations/erase.test.ts',
      'test/operations/transfer.test.ts',
    ],
    // Loaded within a test, as the operations do, their tables would count as that one test's to hold.
    setupFiles: ['lib/domain/categorisation.ts', 'lib/domain/resolve-account.ts'],
    testTimeout: 30_000,
    maxWorkers: 1,
  },
});
