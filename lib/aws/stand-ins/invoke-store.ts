/** In place of a store for functions that run several invocations in one process; ours run one, and the SDK then asks the environment. */
export const InvokeStore = { getInstanceAsync: async () => undefined };
