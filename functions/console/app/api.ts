import { signal } from '@preact/signals';
import {
  type CallOptions,
  type ClientOptions,
  createClient,
  ProblemError,
} from '../../../lib/client/client.ts';
import type { Memory, MemoryStatus } from '../../../lib/domain/memory.ts';
import type { Evidence } from '../../../lib/domain/responses.ts';
import { endSession, session } from './session.ts';

export { ConnectionError, ProblemError } from '../../../lib/client/client.ts';

export const isOffline = signal(!navigator.onLine);
addEventListener('online', () => {
  isOffline.value = false;
});
addEventListener('offline', () => {
  isOffline.value = true;
});

const clientWith = (more: RequestInit, retry: ClientOptions['retry'] = {}) =>
  createClient({
    baseUrl: location.origin,
    token: () => session.peek()?.token ?? '',
    retry,
    fetch: async (url, init) => {
      const response = await fetch(url, { ...init, ...more, cache: 'no-store', credentials: 'omit' });
      if (response.status === 401) endSession();
      return response;
    },
  });

export const client = clientWith({});

/** For what must arrive although the page closes; nobody is there then to try again. */
export const lastingClient = clientWith({ keepalive: true, signal: null }, { attempts: 1 });

export const isRefusal = (error: unknown, ...statuses: readonly number[]): error is ProblemError =>
  error instanceof ProblemError && statuses.includes(error.status);

export interface Whole {
  readonly items: readonly Memory[];
  /** There is more than was read. */
  readonly cut: boolean;
}
const MOST_ITEMS = 2000;

/** Page after page, up to two thousand; tells how many there are so far. */
export async function listAll(
  status: MemoryStatus,
  options: CallOptions = {},
  report: (count: number) => void = () => {},
): Promise<Whole> {
  const items: Memory[] = [];
  for await (const memory of client.each('memories.list', { status, limit: 100 }, options)) {
    if (items.length === MOST_ITEMS) return { items, cut: true };
    items.push(memory);
    if (items.length % 50 === 0) report(items.length);
  }
  return { items, cut: false };
}

const known = new Map<string, Promise<Evidence>>();

/** Evidence of the version shown, read once. */
export function knownEvidence(memory: Memory): Promise<Evidence> {
  const key = `${memory.id} ${memory.version} ${memory.evidenceCount} ${memory.proposal?.evidenceCount ?? ''}`;
  const found = known.get(key);
  if (found) return found;
  const reading = client.memories.evidence({ id: memory.id });
  known.set(key, reading);
  reading.catch(() => known.delete(key));
  return reading;
}
