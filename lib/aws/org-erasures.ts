import type { OrgId } from '../domain/ids.ts';
import type { Erasures } from '../domain/ports.ts';
import { documentClient } from './clients.ts';
import { erasureStore } from './erasure-store.ts';

// Apart from the other stores: what erases is more to load than most functions need.
export function orgErasures(
  orgId: OrgId,
  tables: { readonly memories: string; readonly events: string; readonly accounts?: string },
): Erasures {
  return erasureStore(orgId, { client: documentClient(), ...tables });
}
