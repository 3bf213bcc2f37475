/** What is measured, by the names that dashboards and alarms know, and the variables that say whose it is. */
export const METRICS = {
  namespace: 'AiMemories',
  saved: 'MemoriesSaved',
  archived: 'MemoriesArchived',
  approved: 'ProposalsApproved',
  rejected: 'ProposalsRejected',
  proposed: 'CandidatesProposed',
  injected: 'MemoriesInjected',
  unresolvable: 'MemoriesUnresolvable',
  refused: 'EventsRefused',
  conflicts: 'ConflictsRetried',
  /** From a correction's `occurredAt` until promotion is done with it. Milliseconds. */
  lag: 'PromotionLag',
} as const;
export type Metric = Exclude<keyof typeof METRICS, 'namespace'>;

/** The variable that names the service, as Powertools has it; a stage's is another. */
export const SERVICE_VARIABLE = 'POWERTOOLS_SERVICE_NAME';

/** The variables that say how the issuer's tokens are read. */
export const TOKEN_VARIABLES = { orgClaims: 'ORG_CLAIMS', scopePrefix: 'SCOPE_PREFIX' } as const;
