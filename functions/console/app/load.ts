import { useEffect, useState } from 'preact/hooks';

export type Loaded<Value> =
  | { readonly state: 'loading'; readonly progress?: string }
  | { readonly state: 'failed'; readonly error: unknown }
  | { readonly state: 'ready'; readonly value: Value };

/** Reads something whenever its key changes; an answer that comes too late is dropped. */
export function useLoad<Value>(
  key: string,
  load: (abort: AbortSignal, report: (progress: string) => void) => Promise<Value>,
): { readonly loaded: Loaded<Value>; readonly reload: () => void } {
  const [round, setRound] = useState(0);
  const [loaded, setLoaded] = useState<Loaded<Value>>({ state: 'loading' });
  // The key stands for all that `load` reads.
  useEffect(() => {
    const aborting = new AbortController();
    setLoaded({ state: 'loading' });
    load(aborting.signal, (progress) => {
      if (!aborting.signal.aborted) setLoaded({ state: 'loading', progress });
    }).then(
      (value) => aborting.signal.aborted || setLoaded({ state: 'ready', value }),
      (error) => aborting.signal.aborted || setLoaded({ state: 'failed', error }),
    );
    return () => aborting.abort();
  }, [key, round]);
  return { loaded, reload: () => setRound((before) => before + 1) };
}

/** A few at a time, so that a long list neither blocks the page nor floods the service. */
export async function eachOf<Item, Result>(
  items: readonly Item[],
  run: (item: Item) => Promise<Result>,
  atOnce = 4,
): Promise<Result[]> {
  const results: Result[] = [];
  let next = 0;
  const worker = async () => {
    while (next < items.length) {
      const at = next;
      next += 1;
      const item = items[at];
      if (item !== undefined) results[at] = await run(item);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return results;
}
