import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { canonicalJson, digest } from '../../lib/domain/digest.ts';

describe('a digest', () => {
  it('is the SHA-256 of the text in UTF-8, as far as it is asked for', () => {
    const whole = createHash('sha256').update(new TextEncoder().encode('Café')).digest('base64url');
    expect(digest('Café')).toBe(whole);
    expect(digest('Café', 12)).toBe(whole.slice(0, 12));
  });
});

describe('canonical JSON', () => {
  it('has the members of every object in one order, and lists as they are', () => {
    const value = { b: [{ d: 1, c: null }, 'x', [2, 1]], a: { z: true, y: undefined }, B: 0 };
    expect(canonicalJson(value)).toBe('{"B":0,"a":{"z":true},"b":[{"c":null,"d":1},"x",[2,1]]}');
    expect(canonicalJson(null)).toBe('null');
  });

  it('takes no name for a prototype', () => {
    expect(canonicalJson(JSON.parse('{"b":1,"__proto__":{"a":2}}'))).toBe('{"__proto__":{"a":2},"b":1}');
  });
});
