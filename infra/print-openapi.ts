import { openApiDocument } from '../lib/openapi.ts';

// Whoever reads it may stop before the end.
process.stdout.on('error', () => {});
process.stdout.write(`${JSON.stringify(openApiDocument(), null, 2)}\n`);
