/** A merchant, and the account that its documents go to. */
export interface Mapping {
  readonly merchant: string;
  readonly account: string;
}

/** A peer at work, or ours. */
export interface Store {
  save(mapping: Mapping): Promise<unknown>;
  accountOf(merchant: string): Promise<string | undefined>;
  /** How many memories are on the first page. */
  firstPage(size: number): Promise<number>;
  close(): Promise<unknown>;
}

/** What a peer finds when it is opened. */
export interface Surroundings {
  /** Where its packages are installed; it may keep its files there. */
  readonly folder: string;
  /** CommonJS's own, from that folder. */
  readonly load: (name: string) => unknown;
  readonly memories: readonly Mapping[];
  readonly postgresUrl?: string;
}

export interface Peer {
  readonly name: string;
  /** To the last digit; the first is the peer itself. */
  readonly packages: Readonly<Record<string, string>>;
  readonly needsPostgres?: true;
  readonly keeps: string;
  /** The calls by which it does the work. */
  readonly calls: { readonly save: string; readonly lookUp: string; readonly firstPage: string };
  /** What ours does and it does not, or what it does beside. */
  readonly remarks: string;
  open(surroundings: Surroundings): Promise<Store>;
}

/** What is measured beside the peers. */
export const OURS = 'ours';
export const BARE = 'one bare call of the SDK';

/** What the measuring process is to do. */
export interface PeersTask {
  /** The bundle of the functions. */
  readonly handlers: string;
  /** Where the report goes. */
  readonly result: string;
  readonly rounds: number;
  readonly warm: number;
  readonly memories: number;
  readonly pageSize: number;
  /** Of the peers that are installed, by name. */
  readonly folders: Readonly<Record<string, string>>;
  readonly postgresUrl?: string;
}

export interface Ratio {
  readonly median: number;
  readonly p99: number;
}

/** The peer's times ÷ ours. */
export interface Ratios {
  readonly save: Ratio;
  /** Beside ours by the id, which follows from the merchant. */
  readonly lookUp: Ratio;
  /** Beside our hints for the merchant, which bring along what holds for every document. */
  readonly lookUpToHints: Ratio;
  readonly firstPage: Ratio;
}

export interface PeersReport {
  /** By the name of what ran, ours included. */
  readonly ratios: Readonly<Record<string, Ratios>>;
  /** Why, by the name of the peer. */
  readonly notRun: Readonly<Record<string, string>>;
}

/** An error in one line; of a command that failed, what it said itself. */
export function reasonOf(error: unknown): string {
  const { message, code, stderr = '' } = error as { message?: string; code?: string; stderr?: string };
  const lines = (stderr.trim() || message || String(code ?? error)).split('\n');
  return (lines.find((line) => /error/i.test(line)) ?? lines[0] ?? '').slice(0, 200);
}
