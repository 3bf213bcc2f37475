import { MemoryError } from '../domain/errors.ts';

const MAX_DEPTH = 32;
/**
 * JSON as RFC 8259 has it, less what hides something: an object that names a key twice, and bodies deeper or wider
 * than anything this service takes.
 *
 * @param maxKeys members of all objects together.
 * @throws MemoryError `invalid-json`, `duplicate-key`, `too-deep`, `too-many-keys`
 */
export function parseStrictJson(source: string, maxKeys: number): unknown {
  checkStructure(source, maxKeys);
  try {
    return JSON.parse(source);
  } catch (cause) {
    throw invalidJson(cause);
  }
}

/**
 * One pass over strings and brackets. It need not know all of the grammar: what it lets through is parsed afterwards.
 */
function checkStructure(source: string, maxKeys: number): void {
  const keysOfObject: (Set<string> | undefined)[] = [];
  let keys = 0;
  for (const { 0: token } of source.matchAll(TOKEN)) {
    if (token === '{' || token === '[') {
      keysOfObject.push(token === '{' ? new Set() : undefined);
      if (keysOfObject.length > MAX_DEPTH)
        throw new MemoryError('too-deep', `The body is nested deeper than ${MAX_DEPTH}.`);
    } else if (token === '}' || token === ']') {
      keysOfObject.pop();
    } else if (token.endsWith(':')) {
      keys += 1;
      if (keys > maxKeys)
        throw new MemoryError('too-many-keys', `The body has more than ${maxKeys} members.`);
      const key = decodeString(token.slice(0, token.lastIndexOf('"') + 1));
      const seen = keysOfObject.at(-1);
      if (seen?.has(key))
        throw new MemoryError('duplicate-key', 'An object of the body names a member twice.');
      seen?.add(key);
    }
  }
}

// A string with the colon that makes it a key, a string, or a bracket. A string that never ends takes in all the rest,
// so that no quote in it is a beginning to try again from.
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*(?:"(?:[ \t\r\n]*:)?|\\?$)|[{}[\]]/gs;

function decodeString(literal: string): string {
  try {
    return String(JSON.parse(literal));
  } catch (cause) {
    throw invalidJson(cause);
  }
}

// The engine's own message quotes the input, so it is kept out of what the caller sees.
function invalidJson(cause: unknown): MemoryError {
  return new MemoryError('invalid-json', 'The body is not valid JSON.', { cause });
}
