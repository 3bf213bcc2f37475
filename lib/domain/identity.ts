import type { OrgId, UserId } from './ids.ts';

/** Who calls, from a verified token and from nothing else. */
export interface Identity {
  readonly orgId: OrgId;
  readonly userId: UserId;
  readonly scopes: ReadonlySet<string>;
}
