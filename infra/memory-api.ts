import { Duration } from 'aws-cdk-lib';
import { CorsHttpMethod, HttpApi, HttpMethod } from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpJwtAuthorizer } from 'aws-cdk-lib/aws-apigatewayv2-authorizers';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { type FunctionName, OPEN_ROUTES, PAGES, ROUTES } from '../lib/routes.ts';

export interface MemoryApiProps {
  readonly functions: Readonly<Record<FunctionName, IFunction>>;
  readonly jwtIssuer: string;
  readonly jwtAudience: readonly string[];
  /** @default '' */
  readonly namePrefix?: string;
  /** @default ['*'] */
  readonly allowedOrigins?: readonly string[];
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

    for (const route of Object.values(ROUTES)) {
      this.api.addRoutes({
        path: route.path,
        methods: [HttpMethod[route.method]],
        integration: integrationOf(route.function),
        authorizer,
        authorizationScopes: [route.scope],
      });
    }
    for (const [path, answeredBy] of Object.entries(PAGES)) {
      this.api.addRoutes({ path, methods: [HttpMethod.GET], integration: integrationOf(answeredBy) });
    }
    for (const route of OPEN_ROUTES) {
      this.api.addRoutes({
        path: route.path,
        methods: [HttpMethod[route.method]],
        integration: integrationOf(route.function),
      });
    }
    for (const { path, methods, answeredBy } of otherMethods()) {
      this.api.addRoutes({ path, methods, integration: integrationOf(answeredBy), authorizer });
    }
  }
}

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
