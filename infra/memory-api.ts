import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import {
  type CfnStage,
  CorsHttpMethod,
  HttpApi,
  HttpMethod,
  type HttpRoute,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpJwtAuthorizer } from 'aws-cdk-lib/aws-apigatewayv2-authorizers';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { type FunctionName, OPEN_ROUTES, PAGES, ROUTES } from '../lib/routes.ts';
import { acknowledge } from './acknowledge.ts';
import { ROUTE_RATES } from './function-settings.ts';
import { retentionOf } from './retention.ts';

export interface MemoryApiProps {
  readonly functions: Readonly<Record<FunctionName, IFunction>>;
  readonly jwtIssuer: string;
  readonly jwtAudience: readonly string[];
  /** @default '' */
  readonly namePrefix?: string;
  /** @default ['*'] */
  readonly allowedOrigins?: readonly string[];
  /**
   * What the issuer puts before the scopes.
   * @default ''
   */
  readonly scopePrefix?: string;
  /**
   * Requests a second that all routes take together; costly ones have bounds of their own beside.
   * @default 200
   */
  readonly requestRate?: number;
  /**
   * Requests that may come at once before the rate is held.
   * @default - twice the rate
   */
  readonly requestBurst?: number;
  /** @default 30 */
  readonly logDays?: number;
}

/** The HTTP API, made from the table of operations. Only the console's page is open. */
export class MemoryApi extends Construct {
  readonly api: HttpApi;

  constructor(scope: Construct, id: string, props: MemoryApiProps) {
    super(scope, id);
    this.api = new HttpApi(this, 'Api', {
      apiName: `${props.namePrefix ?? ''}ai-memories`,
      corsPreflight: {
        allowOrigins: [...(props.allowedOrigins ?? ['*'])],
        allowMethods: [CorsHttpMethod.GET, CorsHttpMethod.POST, CorsHttpMethod.PUT, CorsHttpMethod.DELETE],
        allowHeaders: ['authorization', 'content-type', 'traceparent', ...MCP_HEADERS],
        exposeHeaders: ['etag', 'retry-after', 'www-authenticate'],
        maxAge: Duration.hours(1),
      },
    });
    const authorizer = new HttpJwtAuthorizer('Jwt', props.jwtIssuer, { jwtAudience: [...props.jwtAudience] });
    const integrations = new Map<FunctionName, HttpLambdaIntegration>();
    const integrationOf = (name: FunctionName): HttpLambdaIntegration => {
      const known = integrations.get(name);
      if (known) return known;
      // One permission a function: one a route would outgrow the function's policy.
      const made = new HttpLambdaIntegration(name, props.functions[name], { scopePermissionToRoute: false });
      integrations.set(name, made);
      return made;
    };

    const bounded: HttpRoute[] = [];
    for (const route of Object.values(ROUTES)) {
      const made = this.api.addRoutes({
        path: route.path,
        methods: [HttpMethod[route.method]],
        integration: integrationOf(route.function),
        authorizer,
        authorizationScopes: [`${props.scopePrefix ?? ''}${route.scope}`],
      });
      if (Object.hasOwn(ROUTE_RATES, keyOf(route))) bounded.push(...made);
    }
    for (const [path, answeredBy] of Object.entries(PAGES)) {
      const made = this.api.addRoutes({
        path,
        methods: [HttpMethod.GET],
        integration: integrationOf(answeredBy),
      });
      leaveOpen(made, 'The page holds no memory; it signs people in and then calls the operations.');
    }
    for (const route of OPEN_ROUTES) {
      const made = this.api.addRoutes({
        path: route.path,
        methods: [HttpMethod[route.method]],
        integration: integrationOf(route.function),
      });
      leaveOpen(made, 'It says nothing of any workspace, or its function checks the token itself.');
    }
    for (const { path, methods, answeredBy } of otherMethods()) {
      this.api.addRoutes({ path, methods, integration: integrationOf(answeredBy), authorizer });
    }
    this.#bound(props, bounded);
  }

  #bound(props: MemoryApiProps, bounded: readonly HttpRoute[]): void {
    const stage = this.api.defaultStage?.node.defaultChild as CfnStage;
    const requestRate = props.requestRate ?? 200;
    stage.defaultRouteSettings = {
      throttlingRateLimit: requestRate,
      throttlingBurstLimit: props.requestBurst ?? 2 * requestRate,
    };
    stage.routeSettings = Object.fromEntries(
      Object.entries(ROUTE_RATES).map(([key, { rate, burst }]) => [
        key,
        { ThrottlingRateLimit: rate, ThrottlingBurstLimit: burst },
      ]),
    );
    // A stage knows a route by its key, and only one that is there.
    for (const route of bounded) stage.node.addDependency(route);
    const logGroup = new LogGroup(this, 'AccessLogs', {
      // Under this name the permission to write is the service's own, and does not outgrow the account's policy.
      logGroupName: `/aws/vendedlogs/${props.namePrefix ?? ''}ai-memories-api`,
      retention: retentionOf(props.logDays ?? 30),
      removalPolicy: RemovalPolicy.DESTROY,
    });
    stage.accessLogSettings = { destinationArn: logGroup.logGroupArn, format: JSON.stringify(ACCESS_LOG) };
  }
}

function leaveOpen(routes: readonly HttpRoute[], reason: string): void {
  for (const route of routes) acknowledge(route, { 'AwsSolutions::AwsSolutions-APIG4': reason });
}

const keyOf = ({ method, path }: { readonly method: string; readonly path: string }) => `${method} ${path}`;

/** Route keys and never paths or query strings, which name memories and merchants. */
const ACCESS_LOG = {
  timestamp: '$context.requestTime',
  api_request_id: '$context.requestId',
  route: '$context.routeKey',
  status: '$context.status',
  latency: '$context.responseLatency',
  integration_status: '$context.integrationStatus',
  integration_error: '$context.integrationErrorMessage',
  authorizer_error: '$context.authorizer.error',
  source_ip: '$context.identity.sourceIp',
} as const;

/**
 * The methods that a path does not have go to one of its functions all the same, which answers 405 with `Allow`.
 * They are named one by one: `ANY` would take `OPTIONS` away from the API's own CORS answer and ask it for a token.
 */
function otherMethods(): readonly { path: string; methods: HttpMethod[]; answeredBy: FunctionName }[] {
  const routes = Object.values(ROUTES);
  const paths = [...new Set(routes.map((route) => route.path))];
  return paths.flatMap((path) => {
    const [first, ...rest] = routes.filter((route) => route.path === path);
    if (!first) return [];
    const taken: readonly string[] = [first, ...rest].map((route) => route.method);
    return [
      { path, methods: METHODS.filter((method) => !taken.includes(method)), answeredBy: first.function },
    ];
  });
}

/** What an MCP client in a browser sends beside the usual. */
const MCP_HEADERS = ['mcp-protocol-version', 'mcp-method', 'mcp-name'];

const METHODS = [
  HttpMethod.GET,
  HttpMethod.HEAD,
  HttpMethod.POST,
  HttpMethod.PUT,
  HttpMethod.PATCH,
  HttpMethod.DELETE,
] as const;
