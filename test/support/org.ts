import type { Identity } from '../../lib/domain/identity.ts';
import { OrgId, UserId } from '../../lib/domain/ids.ts';
import type { Notice } from '../../lib/domain/ports.ts';
import type { OrgPorts } from '../../lib/operations/ports-of-org.ts';
import { MOMENT, ORG, USER } from './builders.ts';
import { inMemoryState, inMemoryStores } from './in-memory-stores.ts';

export interface TestOrg {
  readonly ports: OrgPorts;
  readonly identity: Identity;
  readonly notices: Notice[];
  /** The same org as another person. */
  as(userId: string, scopes?: readonly string[]): Identity;
  /** Another org over the same tables. */
  beside(orgId: string): TestOrg;
}

const ALL_SCOPES = ['memories:read', 'memories:write', 'memories:review'];

/** An org over in-memory stores, with a clock that moves a second at every look. */
export function testOrg(orgId: OrgId = ORG, state = inMemoryState()): TestOrg {
  let now = MOMENT;
  const notices: Notice[] = [];
  const stores = inMemoryStores(state, orgId);
  const as = (userId: string, scopes: readonly string[] = ALL_SCOPES): Identity => ({
    orgId,
    userId: UserId.parse(userId),
    scopes: new Set(scopes),
  });
  return {
    ports: {
      ...stores,
      publisher: { publish: async (sent) => void notices.push(...sent) },
      clock: { now: () => (now += 1000) },
    },
    identity: as(USER),
    notices,
    as,
    beside: (other) => testOrg(OrgId.parse(other), state),
  };
}
