import { isPostable } from '../domain/chart-of-accounts.ts';
import { dedupKeyOf } from '../domain/dedup-key.ts';
import { MemoryError } from '../domain/errors.ts';
import type { Identity } from '../domain/identity.ts';
import type { DedupKey, Millis } from '../domain/ids.ts';
import type { ImportRequest } from '../domain/requests.ts';
import {
  type Imported,
  type ImportOutcome,
  importInto,
  type ReadLine,
  type RefusalReason,
  readLine,
} from '../domain/transfer.ts';
import { learnableSubject } from './decide.ts';
import type { OrgPorts } from './ports-of-org.ts';
import { settle } from './settle.ts';

export interface LineResult {
  /** From 1. */
  readonly line: number;
  /** `waiting`: the time was up before it was its turn; the same import again takes it. */
  readonly outcome: ImportOutcome | 'ignored' | 'refused' | 'waiting';
  readonly reason?: RefusalReason;
  /** The field that is wrong. */
  readonly path?: string;
}

export interface ImportReport {
  readonly done: boolean;
  readonly counts: Readonly<Record<LineResult['outcome'], number>>;
  readonly lines: readonly LineResult[];
}

type ImportPorts = Omit<OrgPorts, 'publisher'>;

/**
 * transfer.import: takes an export back. Whatever it says was active comes as a candidate, what was turned down stays
 * turned down, and a line that is refused holds up no other. Works until `until` at the most.
 *
 * @throws MemoryError `unavailable`, `throttled`: what was imported stays, and the same import again takes the rest.
 */
export async function importMemories(
  ports: ImportPorts,
  identity: Identity,
  request: ImportRequest,
  until: Millis,
): Promise<ImportReport> {
  const read = await withAccounts(ports, request.lines.map(readLine));
  const results: LineResult[] = read.map((line, at) => ({
    line: at + 1,
    ...(line.kind === 'memory'
      ? { outcome: 'waiting' as const }
      : line.kind === 'ignored'
        ? { outcome: 'ignored' as const }
        : {
            outcome: 'refused' as const,
            reason: line.reason,
            ...(line.path === undefined ? {} : { path: line.path }),
          }),
  }));
  const bySubject = new Map<DedupKey, { readonly at: number; readonly imported: Imported }[]>();
  read.forEach((line, at) => {
    if (line.kind !== 'memory') return;
    const key = dedupKeyOf({ scope: 'org' }, line.imported.body);
    bySubject.set(key, [...(bySubject.get(key) ?? []), { at, imported: line.imported }]);
  });
  const subjects = [...bySubject];
  for (let from = 0; from < subjects.length && ports.clock.now() < until; from += CONCURRENT) {
    await Promise.all(
      subjects.slice(from, from + CONCURRENT).map(async ([key, lines]) => {
        for (const { at, imported } of lines) {
          const outcome = await importOne(ports, identity, key, imported);
          results[at] = { line: at + 1, outcome };
        }
      }),
    );
  }
  const counts = { imported: 0, unchanged: 0, kept: 0, ignored: 0, refused: 0, waiting: 0 };
  for (const { outcome } of results) counts[outcome] += 1;
  return { done: counts.waiting === 0, counts, lines: results };
}

async function importOne(
  ports: ImportPorts,
  identity: Identity,
  key: DedupKey,
  imported: Imported,
): Promise<ImportOutcome> {
  const { body } = imported;
  const place = { orgId: identity.orgId, dedupKey: key, owner: { scope: 'org' }, kind: body.kind } as const;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const memory = await ports.memories.get(key);
    const act = { by: identity.userId, now: ports.clock.now() };
    const { next, outcome } = importInto(place, memory, imported, act);
    if (next === undefined) return outcome;
    if ((await ports.memories.put(next, memory?.rev ?? 0)) === 'conflict') continue;
    // What the evidence proposes may be among the values that are turned down now.
    const subject = next.derived && learnableSubject(place, body.content);
    if (subject !== undefined) await settle(ports, subject);
    return outcome;
  }
  throw new MemoryError('unavailable', 'The memory is being changed by others; try again.');
}

/** Categories with the name their account has now; one whose account cannot be booked to is refused, as a save is. */
async function withAccounts(
  ports: Pick<OrgPorts, 'accounts'>,
  lines: readonly ReadLine[],
): Promise<readonly ReadLine[]> {
  const ids = lines.flatMap((line) => accountOf(line)?.id ?? []);
  if (ids.length === 0) return lines;
  const accounts = await ports.accounts.find([...new Set(ids)]);
  return lines.map((line) => {
    const named = accountOf(line);
    if (named === undefined || line.kind !== 'memory') return line;
    if (accounts === undefined) return { kind: 'refused', reason: 'chart-of-accounts-missing' };
    const account = accounts.get(named.id);
    if (!isPostable(account)) {
      return { kind: 'refused', reason: 'unknown-account', path: 'content.account.id' };
    }
    const { body } = line.imported;
    if (body.kind !== 'canonical_mapping' || body.content.mapping !== 'category') return line;
    const content = { ...body.content, account: { id: account.id, name: account.name } };
    return { ...line, imported: { ...line.imported, body: { kind: body.kind, content } } };
  });
}

function accountOf(line: ReadLine): { readonly id: string } | undefined {
  if (line.kind !== 'memory') return undefined;
  const { content } = line.imported.body;
  // What was turned down proposes nothing, whether its account is still there or not.
  return 'account' in content && line.imported.inert === undefined ? content.account : undefined;
}

const CONCURRENT = 25;
const MAX_ATTEMPTS = 12;
