import { jsonDocument } from '../lib/lambda/json-document.ts';
import { openApiDocument } from '../lib/openapi.ts';

/** What the API is; it says nothing of any workspace, so it takes no token. */
export const handler = jsonDocument(openApiDocument());
