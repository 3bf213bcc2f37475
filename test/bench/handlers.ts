// What is measured: the functions as they are deployed, with the one client they share, in one bundle.
export { handler as archive } from '../../functions/archive-memory.ts';
export { handler as context } from '../../functions/assistant-context.ts';
export { handler as accounts } from '../../functions/chart-of-accounts.ts';
export { handler as get } from '../../functions/get-memory.ts';
export { handler as list } from '../../functions/list-memories.ts';
export { handler as promote } from '../../functions/promote-corrections.ts';
export { handler as retrieve } from '../../functions/retrieve-hints.ts';
export { handler as save } from '../../functions/save-memory.ts';
export { documentClient } from '../../lib/aws/clients.ts';
