import type * as z from 'zod/mini';
import { Memory } from './domain/memory.ts';
import {
  ChartInForce,
  ChartReplaced,
  Context,
  Decision,
  Evidence,
  ExportPage,
  ImportReport,
  MemoryPage,
  OrgErased,
  PersonErased,
  Resolution,
} from './domain/responses.ts';
import type { OperationId } from './routes.ts';

/**
 * What each operation answers with when it goes well. A table beside `ROUTES`, and not a column of it, so that no
 * function loads schemas that it never parses with.
 */
export const ANSWERS = {
  'memories.save': Decision,
  'memories.list': MemoryPage,
  'memories.get': Memory,
  'memories.archive': Decision,
  'memories.review': Decision,
  'memories.evidence': Evidence,
  'memories.explain': Evidence,
  'memories.context': Context,
  'accounts.replace': ChartReplaced,
  'accounts.list': ChartInForce,
  'accounts.resolve': Resolution,
  'erase.me': PersonErased,
  'erase.person': PersonErased,
  'erase.org': OrgErased,
  'transfer.export': ExportPage,
  'transfer.import': ImportReport,
} as const satisfies Record<OperationId, z.ZodMiniType>;

export type AnswerOf<Id extends OperationId> = z.output<(typeof ANSWERS)[Id]>;
