import type { DedupKey } from '../../lib/domain/ids.ts';
import { DocumentId } from '../../lib/domain/ids.ts';
import type { StoredMemory } from '../../lib/domain/stored-memory.ts';
import type { Vote } from '../../lib/domain/votes.ts';
import type { OrgPorts } from '../../lib/operations/ports-of-org.ts';
import type { Sabotage } from './simulation.ts';

/** What a worker that is wrong in one way would do, put into its ports: the code that runs is the real one. */
export const SABOTAGES = {
  'counts events rather than documents': (ports) =>
    withVotes(ports, (votes) =>
      votes.map((vote) => ({ ...vote, documentIds: [DocumentId.parse(vote.eventId)] })),
    ),

  'ignores the order of votes': (ports) => {
    const arrival = new Map<string, number>();
    return withVotes(ports, (votes) =>
      votes.map((vote) => {
        const name = `${vote.at}/${vote.eventId}`;
        const place = arrival.get(name) ?? arrival.set(name, arrival.size).size;
        return { ...vote, at: vote.at - (vote.at % DAY) + place };
      }),
    );
  },

  'writes without the condition on what was read': (ports) => {
    const { memories } = ports;
    return {
      ...ports,
      memories: {
        ...memories,
        put: async (next) => {
          const rev = (await memories.get(next.dedupKey))?.rev ?? 0;
          return memories.put({ ...next, rev: rev + 1 }, rev);
        },
      },
    };
  },

  'forgets a rejection when it replays': (ports) =>
    withMemory(ports, (memory) => ({ ...memory, turnedDown: [], decidedAt: 0 })),

  'does not look again after a write': (ports) => {
    const { memories, log } = ports;
    // After its own write it finds what it wrote and the votes it knew, so it has nothing more to do.
    const written = new Map<DedupKey, StoredMemory>();
    const known = new Map<DedupKey, readonly Vote[]>();
    return {
      ...ports,
      memories: {
        ...memories,
        get: async (key) => written.get(key) ?? (await memories.get(key)),
        put: async (next, expectedRev) => {
          const result = await memories.put(next, expectedRev);
          if (result === 'stored') written.set(next.dedupKey, next);
          return result;
        },
      },
      log: {
        ...log,
        newestVotes: async (range, limit) => {
          const again = written.size > 0 ? known.get(range) : undefined;
          const votes = again ?? (await log.newestVotes(range, limit));
          if (again) written.clear();
          known.set(range, votes);
          return votes;
        },
      },
    };
  },

  'takes a redelivered event for done': (ports) => ({
    ...ports,
    log: {
      ...ports.log,
      record: async (event, receivedAt) => {
        const { event: stored, known } = await ports.log.record(event, receivedAt);
        const { actor: _, ...nobodys } = stored;
        return { event: known ? nobodys : stored, known };
      },
    },
  }),

  'believes what it received over what was stored': (ports) => ({
    ...ports,
    log: {
      ...ports.log,
      record: async (event, receivedAt) => ({ ...(await ports.log.record(event, receivedAt)), event }),
    },
  }),

  'forgets that an abstention takes a vote back': (ports) =>
    withVotes(ports, (votes) => votes.filter(({ says }) => says !== 'abstain')),

  'counts confirmations of its own effect': (ports) =>
    withVotes(ports, (votes) => votes.map((vote) => ({ ...vote, causedBy: [] }))),

  'makes what it learned active by itself': (ports) => ({
    ...ports,
    memories: {
      ...ports.memories,
      put: ({ derived, ...next }, expectedRev) =>
        ports.memories.put(
          derived ? { ...next, decided: { ...derived, status: 'active' } } : next,
          expectedRev,
        ),
    },
  }),
} as const satisfies Readonly<Record<string, Sabotage>>;

const DAY = 24 * 3_600_000;

function withVotes(ports: OrgPorts, change: (votes: readonly Vote[]) => readonly Vote[]): OrgPorts {
  const { log } = ports;
  return {
    ...ports,
    log: { ...log, newestVotes: async (range, limit) => change(await log.newestVotes(range, limit)) },
  };
}

function withMemory(ports: OrgPorts, change: (memory: StoredMemory) => StoredMemory): OrgPorts {
  const { memories } = ports;
  return {
    ...ports,
    memories: {
      ...memories,
      get: async (key) => {
        const memory = await memories.get(key);
        return memory && change(memory);
      },
    },
  };
}
