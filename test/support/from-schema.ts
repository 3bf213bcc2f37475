import fc from 'fast-check';
import * as z from 'zod/mini';
import { Instant } from '../../lib/domain/correction.ts';
import { SenderDomain } from '../../lib/domain/memory.ts';

/** Values that a schema takes, made from the schema itself; those that only a refinement refuses are left out. */
export function fromSchema(schema: z.ZodMiniType): fc.Arbitrary<unknown> {
  return arbitraryOf(schema).filter((value) => schema.safeParse(value).success);
}

/** What the text policy lets through: other scripts, emoji with joiners, markup, words that mean something elsewhere. */
const PIECES = [
  'Vercel',
  'Café',
  'SQ *',
  '漢字',
  'Привет',
  'مرحبا',
  '👨‍👩‍👧',
  '❤️',
  '__proto__',
  'constructor',
  '</memories>',
  '{{x}}',
  "'; --",
  '%00',
  '\\u0000',
  ' ',
  '#42',
  '1',
  'e\u0301',
  'İ',
  'ﬁ',
];

const visibleText = (max: number) =>
  fc
    .array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ unit: 'grapheme', maxLength: 6 })), {
      minLength: 1,
      maxLength: 8,
    })
    .map((pieces) => [...pieces.join('')].slice(0, max).join(''));

/** What no schema can be asked for: the form is in a refinement, or in more than an automaton reads. */
const BY_HAND = new Map<unknown, fc.Arbitrary<unknown>>([
  [
    Instant,
    fc
      .date({ min: new Date('2024-01-01'), max: new Date('2025-12-01'), noInvalidDate: true })
      .map((date) => date.toISOString()),
  ],
  [SenderDomain, fc.domain()],
]);

interface Check {
  readonly _zod: { readonly def: Readonly<Record<string, unknown>> };
}

interface Definition {
  readonly type: string;
  readonly checks?: readonly Check[];
  readonly [name: string]: unknown;
}

function arbitraryOf(schema: z.ZodMiniType): fc.Arbitrary<unknown> {
  const byHand = BY_HAND.get(schema);
  if (byHand !== undefined) return byHand;
  const def = schema._zod.def as unknown as Definition;
  const bound = (check: string, name: string) =>
    def.checks?.map((one) => one._zod.def).find((one) => one.check === check)?.[name] as number | undefined;
  const inner = (name: string) => arbitraryOf(def[name] as z.ZodMiniType);
  switch (def.type) {
    case 'string': {
      const pattern = def.checks?.find((one) => one._zod.def.pattern instanceof RegExp)?._zod.def.pattern;
      if (pattern !== undefined) return matching(pattern as RegExp);
      return visibleText(
        Number(z.globalRegistry.get(schema)?.maxLength ?? bound('max_length', 'maximum') ?? 40),
      );
    }
    case 'number':
      return fc.integer({
        min: bound('greater_than', 'value') ?? -1000,
        max: bound('less_than', 'value') ?? 1000,
      });
    case 'boolean':
      return fc.boolean();
    case 'literal':
      return fc.constantFrom(...(def.values as unknown[]));
    case 'enum':
      return fc.constantFrom(...Object.values(def.entries as Record<string, unknown>));
    case 'array':
      return fc.array(inner('element'), {
        minLength: bound('min_length', 'minimum') ?? 0,
        maxLength: Math.min(bound('max_length', 'maximum') ?? 4, 6),
      });
    case 'object': {
      const shape = def.shape as Readonly<Record<string, z.ZodMiniType>>;
      const required = Object.keys(shape).filter((name) => !shape[name]?.safeParse(undefined).success);
      const members = Object.fromEntries(
        Object.entries(shape).map(([name, member]) => [name, arbitraryOf(present(member))]),
      );
      return fc.record(members, { requiredKeys: required, noNullPrototype: true });
    }
    case 'optional':
    case 'default':
      return inner('innerType');
    case 'nullable':
      return fc.option(inner('innerType'));
    case 'union':
      return fc.oneof(...(def.options as z.ZodMiniType[]).map(arbitraryOf));
    case 'pipe':
      return /^\^\(\?:0\|/.test(String(firstPattern(def.in as z.ZodMiniType)))
        ? fc.integer({ min: 1, max: 20 }).map(String)
        : inner('in');
    case 'unknown':
      // A member that would be the prototype is refused before any schema is asked.
      return fc.jsonValue({ maxDepth: 2 }).filter((value) => !JSON.stringify(value).includes('"__proto__"'));
    case 'lazy':
      return arbitraryOf((def.getter as () => z.ZodMiniType)());
    default:
      throw new Error(`Nothing is known of the type ${def.type}.`);
  }
}

/** Patterns that look around are met by a plain name; the schema has the last word. */
const matching = (pattern: RegExp) =>
  fc.stringMatching(/\(\?[=!<]|\\p/.test(pattern.source) ? /^[A-Za-z][A-Za-z0-9_.-]{0,20}$/ : pattern);

/** A member that is there: what an optional one holds. */
function present(schema: z.ZodMiniType): z.ZodMiniType {
  const def = schema._zod.def as unknown as Definition;
  return def.type === 'optional' || def.type === 'default' ? present(def.innerType as z.ZodMiniType) : schema;
}

function firstPattern(schema: z.ZodMiniType): unknown {
  const def = schema._zod.def as unknown as Definition;
  return def.checks?.find((one) => one._zod.def.pattern instanceof RegExp)?._zod.def.pattern;
}
