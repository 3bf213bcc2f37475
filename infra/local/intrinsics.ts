/** A resource as the template has it. */
export interface TemplateResource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
}

export interface Surroundings {
  readonly accountId: string;
  readonly region: string;
  readonly stackName: string;
  /** Where the local host listens: `http://127.0.0.1:4600`. */
  readonly origin: string;
}

export type Resolve = (value: unknown, where: string) => unknown;

/**
 * Works out `Ref`, `Fn::GetAtt` and the like as CloudFormation would, with the local host's own names and addresses.
 * What it does not know is an error that says where it stands: a guess would run something else than is deployed.
 */
export function intrinsicsOf(
  resources: Readonly<Record<string, TemplateResource>>,
  surroundings: Surroundings,
): Resolve {
  const pseudo: Readonly<Record<string, string>> = {
    'AWS::AccountId': surroundings.accountId,
    'AWS::Region': surroundings.region,
    'AWS::Partition': 'aws',
    'AWS::URLSuffix': 'amazonaws.com',
    'AWS::StackName': surroundings.stackName,
    'AWS::StackId': `arn:aws:cloudformation:${surroundings.region}:${surroundings.accountId}:stack/${surroundings.stackName}/local`,
  };

  const ref = (id: string, where: string): string => {
    const known = pseudo[id];
    if (known !== undefined) return known;
    const [resource, identity] = identityOf(id, where);
    return identity.ref(nameOf(id, resource, identity, where), surroundings);
  };
  const attribute = (id: string, name: string, where: string): string => {
    const [resource, identity] = identityOf(id, where);
    const known = identity.attributes[name];
    if (!known)
      throw new Error(`${where}: the local host does not know the attribute ${name} of ${resource.Type}`);
    return known(nameOf(id, resource, identity, where), surroundings);
  };
  const identityOf = (id: string, where: string): readonly [TemplateResource, Identity] => {
    const resource = resources[id];
    if (!resource) throw new Error(`${where}: there is no resource ${id}`);
    const identity = IDENTITIES[resource.Type];
    if (!identity) throw new Error(`${where}: the local host cannot refer to a ${resource.Type}`);
    return [resource, identity];
  };
  const nameOf = (id: string, resource: TemplateResource, identity: Identity, where: string): string => {
    const given = identity.name === undefined ? undefined : resource.Properties?.[identity.name];
    return given === undefined ? id : asText(resolve(given, `${where} → ${id}`), where);
  };

  const functions: Readonly<Record<string, (argument: unknown, where: string) => unknown>> = {
    Ref: (argument, where) => ref(asText(argument, where), where),
    'Fn::GetAtt': (argument, where) => {
      const parts = typeof argument === 'string' ? argument.split('.') : asList(argument, where);
      const [id, ...rest] = parts.map((part) => asText(part, where));
      return attribute(id ?? '', rest.join('.'), where);
    },
    'Fn::Join': (argument, where) => {
      const [separator, items] = asList(argument, where);
      return asList(resolve(items, where), where)
        .map((item) => asText(item, where))
        .join(asText(separator, where));
    },
    'Fn::Sub': (argument, where) => {
      const [template, own] = typeof argument === 'string' ? [argument, {}] : asList(argument, where);
      const variables = (resolve(own, where) ?? {}) as Record<string, unknown>;
      return asText(template, where).replace(/\$\{(!?)([^}]+)\}/g, (_, literal: string, name: string) => {
        if (literal) return `\${${name}}`;
        if (Object.hasOwn(variables, name)) return asText(variables[name], where);
        const dot = name.indexOf('.');
        return dot < 0 ? ref(name, where) : attribute(name.slice(0, dot), name.slice(dot + 1), where);
      });
    },
    'Fn::Select': (argument, where) => {
      const [index, items] = asList(argument, where);
      return asList(resolve(items, where), where)[Number(resolve(index, where))];
    },
    'Fn::Split': (argument, where) => {
      const [separator, text] = asList(argument, where);
      return asText(resolve(text, where), where).split(asText(separator, where));
    },
  };

  const resolve: Resolve = (value, where) => {
    if (Array.isArray(value)) {
      return value
        .map((item, index) => resolve(item, `${where}[${index}]`))
        .filter((item) => item !== NO_VALUE);
    }
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value);
    const [first] = entries;
    if (first && entries.length === 1 && isIntrinsic(first[0])) {
      const [name, argument] = first;
      if (name === 'Ref' && argument === 'AWS::NoValue') return NO_VALUE;
      const evaluate = functions[name];
      if (!evaluate) throw new Error(`${where}: the local host does not know the intrinsic ${name}`);
      return evaluate(argument, `${where} ${name}`);
    }
    return Object.fromEntries(
      entries
        .map(([key, item]) => [key, resolve(item, `${where}.${key}`)])
        .filter(([, item]) => item !== NO_VALUE),
    );
  };
  return resolve;
}

const NO_VALUE = Symbol('AWS::NoValue');

const isIntrinsic = (key: string): boolean => key === 'Ref' || key === 'Condition' || key.startsWith('Fn::');

interface Identity {
  /** The property that holds the physical name; without one the logical id serves. */
  readonly name?: string;
  readonly ref: (name: string, here: Surroundings) => string;
  readonly attributes: Readonly<Record<string, (name: string, here: Surroundings) => string>>;
}

const byName = (name: string): string => name;
const arn =
  (service: string, before = '') =>
  (name: string, here: Surroundings): string =>
    `arn:aws:${service}:${here.region}:${here.accountId}:${before}${name}`;

const IDENTITIES: Readonly<Record<string, Identity>> = {
  'AWS::DynamoDB::Table': { name: 'TableName', ref: byName, attributes: { Arn: arn('dynamodb', 'table/') } },
  'AWS::Lambda::Function': {
    name: 'FunctionName',
    ref: byName,
    attributes: { Arn: arn('lambda', 'function:') },
  },
  'AWS::Events::EventBus': {
    name: 'Name',
    ref: byName,
    attributes: { Arn: arn('events', 'event-bus/'), Name: byName },
  },
  'AWS::Events::Archive': {
    name: 'ArchiveName',
    ref: byName,
    attributes: { Arn: arn('events', 'archive/'), ArchiveName: byName },
  },
  'AWS::KMS::Key': { ref: byName, attributes: { Arn: arn('kms', 'key/'), KeyId: byName } },
  'AWS::Events::Rule': { name: 'Name', ref: byName, attributes: { Arn: arn('events', 'rule/') } },
  'AWS::SQS::Queue': {
    name: 'QueueName',
    ref: (name, here) => `${here.origin}/${here.accountId}/${name}`,
    attributes: {
      Arn: arn('sqs'),
      QueueName: byName,
      QueueUrl: (name, here) => `${here.origin}/${here.accountId}/${name}`,
    },
  },
  'AWS::ApiGatewayV2::Api': {
    ref: byName,
    attributes: { ApiEndpoint: (_, here) => here.origin, ApiId: byName },
  },
  'AWS::ApiGatewayV2::Integration': { ref: byName, attributes: {} },
  'AWS::ApiGatewayV2::Authorizer': { ref: byName, attributes: {} },
  'AWS::IAM::Role': {
    name: 'RoleName',
    ref: byName,
    attributes: { Arn: (name, here) => `arn:aws:iam::${here.accountId}:role/${name}` },
  },
  'AWS::Logs::LogGroup': {
    name: 'LogGroupName',
    ref: byName,
    attributes: { Arn: arn('logs', 'log-group:') },
  },
};

function asText(value: unknown, where: string): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw new Error(`${where}: expected text, found ${JSON.stringify(value)}`);
}

function asList(value: unknown, where: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw new Error(`${where}: expected a list, found ${JSON.stringify(value)}`);
}
