import { mem0 } from './mem0.ts';
import { memoryServer } from './memory-server.ts';
import type { Peer } from './peer.ts';
import { postgresStore } from './postgres-store.ts';

export const PEERS: readonly Peer[] = [postgresStore, mem0, memoryServer];
