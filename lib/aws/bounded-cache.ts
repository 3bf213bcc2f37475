export interface BoundedCache<V> {
  get(key: string): V | undefined;
  /** Answers with the value. */
  set(key: string, value: V): V;
}

/** Keeps the `limit` values used last. */
export function boundedCache<V>(limit: number): BoundedCache<V> {
  const values = new Map<string, V>();
  const keep = (key: string, value: V) => {
    values.delete(key);
    values.set(key, value);
    return value;
  };
  return {
    get(key) {
      const value = values.get(key);
      return value === undefined ? undefined : keep(key, value);
    },
    set(key, value) {
      keep(key, value);
      const [oldest] = values.keys();
      if (values.size > limit && oldest !== undefined) values.delete(oldest);
      return value;
    },
  };
}
