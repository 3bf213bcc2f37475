const DAY = 24 * 3_600_000;

const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
const weekDay = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const dayAndYear = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });
const moment = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
const month = new Intl.DateTimeFormat('en-GB', { month: 'long' });
const monthAndYear = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric' });

export const dateOf = (at: string | number) => dayAndYear.format(new Date(at));
/** A day as `weekOf` counts it. */
export const weekName = (start: number) => weekDay.format(start);
export const momentOf = (at: string | number) => moment.format(new Date(at));

/** "since March", "since 3 Nov", "since March 2024", "since today": as little as tells it. */
export function sinceOf(at: string, now = Date.now()): string {
  const then = new Date(at);
  const today = new Date(now);
  if (then.toDateString() === today.toDateString()) return 'since today';
  if (now - then.getTime() < 45 * DAY) return `since ${day.format(then)}`;
  const format = then.getFullYear() === today.getFullYear() ? month : monthAndYear;
  return `since ${format.format(then)}`;
}

export const daysSince = (at: string | number, now = Date.now()) =>
  Math.floor((now - new Date(at).getTime()) / DAY);

/** The Monday that a moment's week begins with, in UTC. */
export function weekOf(at: string | number): number {
  const midnight = Math.floor(new Date(at).getTime() / DAY) * DAY;
  return midnight - ((new Date(midnight).getUTCDay() + 6) % 7) * DAY;
}

export const WEEK = 7 * DAY;
