/** What a request is known by in the `Condition` of a statement: lower-case key → values. */
export type Facts = Readonly<Record<string, readonly string[]>>;

export interface ConditionSpec {
  readonly operator: string;
  readonly key: string;
  readonly values: readonly string[];
}

/** Whether all conditions of a statement hold, with IAM's own rules for keys that a request does not have. */
export function conditionsHold(conditions: readonly ConditionSpec[], facts: Facts): boolean {
  return conditions.every(({ operator, key, values }) => {
    const holds = OPERATORS[operator];
    if (!holds) throw new Error(`The local host does not know the condition operator ${operator}`);
    return holds(facts[key.toLowerCase()] ?? [], values);
  });
}

export const isKnownCondition = ({ operator, key }: ConditionSpec): boolean =>
  Object.hasOwn(OPERATORS, operator) && KNOWN_KEYS.has(key.toLowerCase());

const KNOWN_KEYS = new Set(['aws:principalarn', 'events:source', 'events:detail-type']);

const OPERATORS: Readonly<Record<string, (given: readonly string[], wanted: readonly string[]) => boolean>> =
  {
    StringEquals: (given, wanted) => given.some((value) => wanted.includes(value)),
    'ForAnyValue:StringEquals': (given, wanted) => given.some((value) => wanted.includes(value)),
    'ForAllValues:StringEquals': (given, wanted) => given.every((value) => wanted.includes(value)),
    ArnNotLike: (given, wanted) => !given.some((value) => wanted.some((pattern) => arnLike(pattern, value))),
    Null: (given, wanted) => wanted.includes(String(given.length === 0)),
  };

/** Each part of the ARN by itself, so that a star does not reach over a colon. */
function arnLike(pattern: string, arn: string): boolean {
  const parts = splitArn(arn);
  return splitArn(pattern).every((part, at) => wildcard(part).test(parts[at] ?? ''));
}

const splitArn = (arn: string): readonly string[] => {
  const parts = arn.split(':');
  return [...parts.slice(0, 5), parts.slice(5).join(':')];
};

/** The stars and question marks of a policy as a regular expression. */
export function wildcard(pattern: string): RegExp {
  const source = pattern
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  return new RegExp(`^${source}$`, 's');
}
