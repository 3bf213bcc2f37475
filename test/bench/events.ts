import { randomUUID } from 'node:crypto';
import type { APIGatewayProxyEventV2WithJWTAuthorizer as HttpEvent, SQSEvent } from 'aws-lambda';
import { type OperationId, ROUTES } from '../../lib/routes.ts';

/** What API Gateway makes of a request, as far as a function reads it. */
export function apiEvent(
  operation: OperationId,
  org: string,
  { id, body, query = '' }: { readonly id?: string; readonly body?: unknown; readonly query?: string } = {},
): HttpEvent {
  const { method, path } = ROUTES[operation];
  const routeKey = `${method} ${path}`;
  const event = {
    version: '2.0',
    routeKey,
    rawPath: path.replace('{id}', id ?? ''),
    rawQueryString: query,
    headers: body === undefined ? {} : { 'content-type': 'application/json' },
    requestContext: {
      requestId: randomUUID(),
      routeKey,
      http: { method, path },
      authorizer: {
        jwt: {
          claims: { sub: 'u_1', org_id: org, scope: 'memories:read memories:write memories:review' },
          scopes: [],
        },
      },
    },
    ...(id === undefined ? {} : { pathParameters: { id } }),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    isBase64Encoded: false,
  };
  return event as unknown as HttpEvent;
}

export interface Correction {
  readonly eventId: string;
  readonly merchant: string;
  readonly document: string;
  readonly account: string;
  readonly at?: number;
}

const HOUR = 3_600_000;

/** Corrections as the queue hands them to the function. */
export function queueEvent(org: string, corrections: readonly Correction[]): SQSEvent {
  const Records = corrections.map(({ eventId, merchant, document, account, at = Date.now() - HOUR }) => ({
    messageId: eventId,
    body: JSON.stringify({
      version: '0',
      id: eventId,
      source: 'receipts',
      'detail-type': 'CorrectionRecorded',
      detail: {
        eventId,
        orgId: org,
        type: 'manual_patch',
        occurredAt: new Date(at).toISOString(),
        actor: { userId: 'u_1' },
        subjectType: 'document',
        subjectIds: [document],
        changedFields: ['category'],
        changeSet: { category: { from: '6999', to: account } },
        context: { merchant, documentType: 'invoice' },
      },
    }),
  }));
  return { Records } as unknown as SQSEvent;
}
