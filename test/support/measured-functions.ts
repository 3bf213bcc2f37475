import type { FunctionName } from '../../lib/routes.ts';

/** The functions whose bytes and cold starts are measured and held to a budget. */
export const MEASURED_FUNCTIONS = [
  'save',
  'list',
  'get',
  'archive',
  'review',
  'evidence',
  'context',
  'retrieve',
  'promote',
  'accounts',
] as const satisfies readonly FunctionName[];
