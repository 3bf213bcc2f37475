import { signal } from '@preact/signals';

export const VIEWS = ['suggested', 'active', 'archive', 'why', 'overview', 'memory'] as const;
export type View = (typeof VIEWS)[number];

export interface Route {
  readonly view: View;
  /** The memory of a detail. */
  readonly id?: string;
  readonly query: URLSearchParams;
}

/** `#/active?find=uber`, `#/memory/ID`: all places are in the fragment, which no server sees. */
function routeOf(hash: string): Route {
  const [path = '', search = ''] = hash.replace(/^#\/?/, '').split('?');
  const [name, id] = path.split('/');
  const view = VIEWS.find((known) => known === name) ?? 'suggested';
  return { view, ...(id && { id: decodeURIComponent(id) }), query: new URLSearchParams(search) };
}

export const route = signal(routeOf(location.hash));
addEventListener('hashchange', () => {
  route.value = routeOf(location.hash);
});

export const linkTo = (view: View, query: Readonly<Record<string, string>> = {}) => {
  const search = new URLSearchParams(query).toString();
  return `#/${view}${search && `?${search}`}`;
};
export const linkToMemory = (id: string) => `#/memory/${encodeURIComponent(id)}`;

/** Keeps what was typed in the address, without a step in the history. */
export function replaceQuery(query: Readonly<Record<string, string>>): void {
  const given = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ''));
  history.replaceState(null, '', linkTo(route.value.view, given));
}
