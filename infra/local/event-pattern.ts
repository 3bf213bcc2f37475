export type EventMatcher = (event: unknown) => boolean;

/**
 * Compiles an EventBridge pattern. An operator that it does not know is an error at once, not a rule that quietly
 * matches nothing.
 */
export function compilePattern(pattern: unknown, where = 'pattern'): EventMatcher {
  if (!isRecord(pattern)) throw new Error(`${where}: an event pattern must be an object`);
  const fields = Object.entries(pattern).map(([name, expected]): EventMatcher => {
    if (name.startsWith('$')) throw new Error(`${where}: the local host does not know the operator ${name}`);
    const matches = Array.isArray(expected)
      ? anyOf(expected.map((alternative) => compileAlternative(alternative, `${where}.${name}`)))
      : compilePattern(expected, `${where}.${name}`);
    return (event) => {
      const value = isRecord(event) && Object.hasOwn(event, name) ? event[name] : undefined;
      return matches(value);
    };
  });
  return (event) => fields.every((matches) => matches(event));
}

function compileAlternative(alternative: unknown, where: string): EventMatcher {
  if (!isRecord(alternative)) return anyElement((value) => value === alternative);
  const [[operator, argument] = [undefined, undefined], ...rest] = Object.entries(alternative);
  if (rest.length > 0) throw new Error(`${where}: a match expression has one operator`);
  switch (operator) {
    case 'prefix':
      return anyElement(startsWith(argument, where));
    case 'suffix':
      return anyElement((value) => typeof value === 'string' && value.endsWith(String(argument)));
    case 'equals-ignore-case':
      return anyElement(
        (value) => typeof value === 'string' && value.toLowerCase() === String(argument).toLowerCase(),
      );
    case 'exists':
      return (value) => (value !== undefined) === argument;
    case 'anything-but': {
      const isExcluded =
        isRecord(argument) && Object.keys(argument).join() === 'prefix'
          ? startsWith(argument.prefix, where)
          : equalsOneOf(argument, where);
      // The field must be there; AWS never takes an absent field for "anything".
      return anyElement((value) => value !== undefined && !isExcluded(value));
    }
    default:
      throw new Error(`${where}: the local host does not know the operator ${operator}`);
  }
}

function startsWith(prefix: unknown, where: string): EventMatcher {
  if (typeof prefix !== 'string') throw new Error(`${where}: the local host takes text as a prefix`);
  return (value) => typeof value === 'string' && value.startsWith(prefix);
}

function equalsOneOf(argument: unknown, where: string): EventMatcher {
  const values = Array.isArray(argument) ? argument : [argument];
  if (values.some(isRecord)) throw new Error(`${where}: the local host does not know this anything-but`);
  return (value) => values.includes(value);
}

/** A list in an event matches when one of its elements does. */
function anyElement(matches: EventMatcher): EventMatcher {
  return (value) => (Array.isArray(value) ? value.some(matches) : matches(value));
}

function anyOf(matchers: readonly EventMatcher[]): EventMatcher {
  return (value) => matchers.some((matches) => matches(value));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
