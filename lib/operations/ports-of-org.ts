import type { AccountStore, Clock, CorrectionLog, EventPublisher, MemoryStore } from '../domain/ports.ts';

/** What an operation needs, bound to one org. Each operation names the part it uses with `Pick`. */
export interface OrgPorts {
  readonly memories: MemoryStore;
  readonly log: CorrectionLog;
  readonly accounts: AccountStore;
  readonly publisher: EventPublisher;
  readonly clock: Clock;
}
