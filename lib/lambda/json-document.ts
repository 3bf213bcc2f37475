import type { APIGatewayProxyStructuredResultV2 as HttpResult } from 'aws-lambda';

/** A handler for one document that is the same for everybody, made once. */
export function jsonDocument(document: unknown): () => Promise<HttpResult> {
  const body = JSON.stringify(document);
  return async () => ({
    statusCode: 200,
    headers: {
      'content-type': 'application/json',
      'cache-control': 'public, max-age=300',
      'x-content-type-options': 'nosniff',
    },
    body,
  });
}
