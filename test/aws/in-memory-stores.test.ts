import { expect, it } from 'vitest';
import { MemoryError } from '../../lib/domain/errors.ts';
import { ORG, storedMemory } from '../support/builders.ts';
import { inMemoryState, inMemoryStores, interleaving } from '../support/in-memory-stores.ts';
import { storesContract } from './stores.contract.ts';

storesContract('memory', async () => {
  const state = inMemoryState();
  return {
    stores: (orgId) => inMemoryStores(state, orgId, interleaving(Math.random)),
    close: async () => undefined,
  };
});

it('an injected fault before an operation leaves nothing, one after it leaves the write', async () => {
  const state = inMemoryState();
  const fail = async () => {
    throw new MemoryError('unavailable', 'injected');
  };
  const memory = storedMemory();
  const { memories } = inMemoryStores(state, ORG);
  await expect(inMemoryStores(state, ORG, { before: fail }).memories.put(memory, 0)).rejects.toThrow(
    'injected',
  );
  expect(await memories.get(memory.dedupKey)).toBeUndefined();
  await expect(inMemoryStores(state, ORG, { after: fail }).memories.put(memory, 0)).rejects.toThrow(
    'injected',
  );
  expect(await memories.get(memory.dedupKey)).toEqual(memory);
});

it('what comes out of the in-memory stores cannot be changed, and what went in is a copy', async () => {
  const { memories } = inMemoryStores(inMemoryState(), ORG);
  const turnedDown = ['a'];
  const memory = storedMemory({ turnedDown });
  await memories.put(memory, 0);
  turnedDown.push('b');
  const stored = await memories.get(memory.dedupKey);
  expect(stored?.turnedDown).toEqual(['a']);
  expect(Object.isFrozen(stored) && Object.isFrozen(stored?.turnedDown)).toBe(true);
});
