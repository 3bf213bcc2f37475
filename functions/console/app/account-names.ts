import { signal } from '@preact/signals';

/** The names in the chart in force, by account id: votes name accounts by id alone. */
export const accountNames = signal<ReadonlyMap<string, string>>(new Map());
