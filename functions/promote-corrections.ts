import { eventBridgeClient } from '../lib/aws/clients.ts';
import { deadLetters } from '../lib/aws/dead-letters.ts';
import { eventPublisher } from '../lib/aws/event-publisher.ts';
import { orgErasures } from '../lib/aws/org-erasures.ts';
import { orgLog, orgMemories } from '../lib/aws/org-stores.ts';
import { ENVIRONMENT } from '../lib/aws/tables.ts';
import { correctionBatch } from '../lib/lambda/batch.ts';
import { optionalNumber, requiredEnv } from '../lib/lambda/env.ts';
import { ingestCorrection } from '../lib/operations/ingest.ts';

const memories = requiredEnv(ENVIRONMENT.memories);
const events = requiredEnv(ENVIRONMENT.events);
const bus = requiredEnv(ENVIRONMENT.bus);
const keepDays = optionalNumber(ENVIRONMENT.correctionDays);
const clock = { now: Date.now };

/** Corrections from the queue: logged, counted as votes, and settled into candidates and proposals. */
export const handler = correctionBatch({
  park: deadLetters(requiredEnv(ENVIRONMENT.deadLetters)),
  run: (event) =>
    ingestCorrection(
      {
        memories: orgMemories(event.orgId, memories),
        log: orgLog(event.orgId, events, keepDays),
        erasures: orgErasures(event.orgId, { memories, events }),
        publisher: eventPublisher(event.orgId, { client: eventBridgeClient(), busName: bus }),
        clock,
      },
      event,
    ),
});
