// Runs one function's deployed bundle inside a worker thread. Plain JavaScript, so that no loader comes between the
// bundle and Node: what runs here is what runs in Lambda.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';

const { directory, handler: handlerName } = workerData;

const loading = loadHandler();
loading.catch((error) => parentPort.postMessage({ type: 'failed-to-load', error: describe(error) }));

parentPort.on('message', async ({ id, payload, context }) => {
  const handler = await loading.catch(() => undefined);
  if (!handler) return;
  try {
    const { deadline, ...known } = context;
    const result = await handler(JSON.parse(payload), {
      ...known,
      callbackWaitsForEmptyEventLoop: true,
      getRemainingTimeInMillis: () => Math.max(0, deadline - Date.now()),
    });
    parentPort.postMessage({ type: 'done', id, payload: JSON.stringify(result) ?? 'null' });
  } catch (error) {
    parentPort.postMessage({ type: 'threw', id, error: describe(error) });
  }
});

async function loadHandler() {
  const dot = handlerName.lastIndexOf('.');
  const file = ['.mjs', '.js', '.cjs']
    .map((extension) => join(directory, handlerName.slice(0, dot) + extension))
    .find((candidate) => existsSync(candidate));
  if (!file) throw new Error(`Cannot find the module of ${handlerName}`);
  const module = await import(pathToFileURL(file).href);
  const handler = module[handlerName.slice(dot + 1)];
  if (typeof handler !== 'function') throw new Error(`${handlerName} is undefined or not exported`);
  return handler;
}

function describe(error) {
  return error instanceof Error
    ? { errorType: error.name, errorMessage: error.message, trace: (error.stack ?? '').split('\n') }
    : { errorType: typeof error, errorMessage: String(error), trace: [] };
}
