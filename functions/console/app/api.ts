import { signal } from '@preact/signals';
import type { Account } from '../../../lib/domain/chart-of-accounts.ts';
import type { Memory, MemoryKind, MemoryStatus } from '../../../lib/domain/memory.ts';
import type { Evidence, Resolution } from '../../../lib/domain/responses.ts';
import { endSession, session } from './session.ts';

export interface Saved {
  readonly memory: Memory;
  readonly outcome: string;
}
export interface SaveBody {
  readonly kind: MemoryKind;
  readonly scope?: 'user' | 'org' | 'document';
  readonly documentId?: string;
  readonly content: unknown;
  readonly expectedVersion?: number;
}
export type Decision = 'approve' | 'reject' | 'restore';

/** The service said no: its problem document, in its own words. */
export class Refused extends Error {
  readonly status: number;
  readonly code: string;
  readonly problem: Readonly<Record<string, unknown>>;
  constructor(status: number, problem: Readonly<Record<string, unknown>>) {
    super(String(problem.detail ?? problem.message ?? `The service answered ${status}.`));
    this.status = status;
    this.code = String(problem.code ?? '');
    this.problem = problem;
  }
}

/** No answer came: nothing is known about what happened. */
export class Unreachable extends Error {
  constructor() {
    super('The service cannot be reached.');
  }
}

export const isOffline = signal(!navigator.onLine);
addEventListener('online', () => {
  isOffline.value = false;
});
addEventListener('offline', () => {
  isOffline.value = true;
});

interface CallOptions {
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: unknown;
  /** Lets the call outlive the page. */
  readonly keepalive?: boolean;
  readonly signal?: AbortSignal | undefined;
}

async function call<Answer>(method: string, path: string, options: CallOptions = {}): Promise<Answer> {
  const { query = {}, body, keepalive, signal: abort } = options;
  const url = new URL(`/v1${path}`, location.origin);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  let response: Response;
  try {
    response = await fetch(url, {
      method,
      headers: {
        authorization: `Bearer ${session.value?.token ?? ''}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(keepalive && { keepalive }),
      ...(abort && { signal: abort }),
      cache: 'no-store',
      credentials: 'omit',
    });
  } catch (error) {
    if (abort?.aborted) throw error;
    throw new Unreachable();
  }
  const answer = await response.json().catch(() => ({}));
  if (response.status === 401) endSession();
  if (!response.ok) throw new Refused(response.status, answer);
  return answer;
}

export interface ListQuery {
  readonly status: MemoryStatus;
  readonly kind?: MemoryKind;
  readonly merchant?: string;
}
export interface MemoryPage {
  readonly items: readonly Memory[];
  readonly nextCursor?: string;
}

const idPath = (id: string, rest = '') => `/memories/${encodeURIComponent(id)}${rest}`;

export const listPage = (query: ListQuery & { cursor?: string | undefined }, abort?: AbortSignal) =>
  call<MemoryPage>('GET', '/memories', { query: { limit: 100, ...query }, signal: abort });
export const getMemory = (id: string, abort?: AbortSignal) =>
  call<Memory>('GET', idPath(id), { signal: abort });
export const evidenceOf = (id: string, abort?: AbortSignal) =>
  call<Evidence>('GET', idPath(id, '/evidence'), { signal: abort });
export const explain = (query: { merchant: string; mapping: string }, abort?: AbortSignal) =>
  call<Evidence>('GET', '/evidence', { query, signal: abort });
export const review = (memory: Memory, decision: Decision, reason?: string, keepalive = false) =>
  call<Saved>('POST', idPath(memory.id, '/review'), {
    body: { decision, expectedVersion: memory.version, ...(reason && { reason }) },
    keepalive,
  });
export const archive = (memory: Memory) =>
  call<Saved>('POST', idPath(memory.id, '/archive'), { body: { expectedVersion: memory.version } });
export const save = (body: SaveBody) => call<Saved>('POST', '/memories', { body });
export const resolveAccount = (query: string, abort?: AbortSignal) =>
  call<Resolution>('GET', '/chart-of-accounts/resolve', { query: { query, limit: 6 }, signal: abort });
export const listAccounts = (abort?: AbortSignal) =>
  call<{ version: number; accounts: readonly Account[] }>('GET', '/chart-of-accounts', { signal: abort });

export interface Whole {
  readonly items: readonly Memory[];
  /** There is more than was read. */
  readonly cut: boolean;
}
const MOST_PAGES = 20;

/** Page after page, up to two thousand; tells how many there are so far. */
export async function listAll(
  query: ListQuery,
  abort?: AbortSignal,
  report: (count: number) => void = () => {},
): Promise<Whole> {
  const items: Memory[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const answer = await listPage({ ...query, cursor }, abort);
    items.push(...answer.items);
    report(items.length);
    cursor = answer.nextCursor;
    if (cursor === undefined) return { items, cut: false };
  }
  return { items, cut: true };
}

const known = new Map<string, Promise<Evidence>>();

/** Evidence of the version shown, read once. */
export function knownEvidence(memory: Memory): Promise<Evidence> {
  const key = `${memory.id} ${memory.version} ${memory.evidenceCount} ${memory.proposal?.evidenceCount ?? ''}`;
  const found = known.get(key);
  if (found) return found;
  const reading = evidenceOf(memory.id);
  known.set(key, reading);
  reading.catch(() => known.delete(key));
  return reading;
}
