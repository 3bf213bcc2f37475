import { signal } from '@preact/signals';

export type Theme = 'auto' | 'light' | 'dark';
const KEPT = 'memory-console.theme';
const kept = sessionStorage.getItem(KEPT);

export const theme = signal<Theme>(kept === 'light' || kept === 'dark' ? kept : 'auto');

export function chooseTheme(next: Theme): void {
  theme.value = next;
  sessionStorage.setItem(KEPT, next);
}

theme.subscribe((chosen) => {
  document.documentElement.dataset.theme = chosen;
});
