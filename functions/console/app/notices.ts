import { signal } from '@preact/signals';

export interface Notice {
  readonly id: number;
  readonly text: string;
  readonly tone: 'done' | 'problem';
  readonly action?: { readonly label: string; readonly run: () => void };
}

export const notices = signal<readonly Notice[]>([]);
let last = 0;

/** Tells what happened. One with a way back stays for longer, and a problem until it is put away. */
export function notify(text: string, tone: Notice['tone'] = 'done', action?: Notice['action']): void {
  last += 1;
  const id = last;
  notices.value = [...notices.value.slice(-2), { id, text, tone, ...(action && { action }) }];
  if (tone === 'done') setTimeout(() => dismiss(id), action ? 20_000 : 6000);
}

export function dismiss(id: number): void {
  notices.value = notices.value.filter((notice) => notice.id !== id);
}
