import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { isOffline } from './api.ts';
import { awaiting } from './decisions.ts';
import { readList } from './lists.ts';
import { MemoryFormDialog } from './memory-form.tsx';
import { ConflictDialog, NoticeBar } from './notice-bar.tsx';
import { linkTo, route, type View } from './route.ts';
import { type Presence, presence, session, signIn, signOut } from './session.ts';
import { chooseTheme, type Theme, theme } from './theme.ts';
import { Active } from './views/active.tsx';
import { Archive } from './views/archive.tsx';
import { Detail } from './views/detail.tsx';
import { Overview } from './views/overview.tsx';
import { Suggested } from './views/suggested.tsx';
import { Why } from './views/why.tsx';

const PLACES: readonly (readonly [View, string])[] = [
  ['suggested', 'Suggested'],
  ['active', 'Active'],
  ['archive', 'Archived'],
  ['why', 'Why not?'],
  ['overview', 'Overview'],
];

export function App() {
  const now = presence.value;
  if (now.state === 'signed-in') return <SignedIn />;
  return (
    <div class="door">
      <main>
        <h1 class="brand" tabIndex={-1}>
          <BrandMark />
        </h1>
        {now.state === 'starting' ? <p role="status">Signing in …</p> : <SignedOut now={now} />}
      </main>
    </div>
  );
}

function SignedOut({ now }: { now: Extract<Presence, { state: 'signed-out' }> }) {
  const words = {
    left: 'You have signed out.',
    ended: 'Your session has ended. Sign in again to go on where you were.',
    failed: 'Signing in did not work.',
  };
  return (
    <>
      <p role={now.why === 'failed' ? 'alert' : 'status'}>{words[now.why]}</p>
      {now.detail && <p class="quiet">{now.detail}</p>}
      <button type="button" class="button primary" onClick={() => void signIn()}>
        Sign in
      </button>
    </>
  );
}

function SignedIn() {
  const { view, id } = route.value;
  const waiting = awaiting.value;
  useEffect(() => {
    // A page that lay in the background shows what awaits review as it is now.
    const look = () => document.visibilityState === 'visible' && void readList('candidate');
    look();
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, []);
  return (
    <div class="shell">
      <button type="button" class="skip" onClick={() => document.querySelector<HTMLElement>('h1')?.focus()}>
        Skip to the content
      </button>
      <header class="top">
        <Brand />
        <nav aria-label="Views">
          <ul>
            {PLACES.map(([place, name]) => (
              <li key={place}>
                <a href={linkTo(place)} aria-current={view === place ? 'page' : undefined}>
                  {name}
                  {place === 'suggested' && waiting > 0 && (
                    <span class="count">
                      {waiting}
                      <span class="unseen"> waiting</span>
                    </span>
                  )}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <div class="who">
          <p class="quiet">
            <bdi>{session.value?.workspace ?? 'workspace'}</bdi>
            <span class="unseen">, signed in as </span>
            <bdi class="user">{session.value?.user}</bdi>
          </p>
          <div class="row">
            <ThemeChoice />
            <button type="button" class="button small plain" onClick={() => void signOut()}>
              Sign out
            </button>
          </div>
        </div>
      </header>
      <main id="content">
        {isOffline.value && (
          <p class="callout warn" role="status">
            You are offline. What is shown may be out of date, and deciding waits until the connection is
            back.
          </p>
        )}
        {/* A key of its own for each place: a view that opens anew starts anew. */}
        <Place key={`${view} ${id ?? ''}`}>{viewOf(view, id)}</Place>
      </main>
      <NoticeBar />
      <MemoryFormDialog />
      <ConflictDialog />
    </div>
  );
}

const Place = ({ children }: { children: ComponentChildren }) => <>{children}</>;

function viewOf(view: View, id: string | undefined) {
  switch (view) {
    case 'suggested':
      return <Suggested />;
    case 'active':
      return <Active />;
    case 'archive':
      return <Archive />;
    case 'why':
      return <Why />;
    case 'overview':
      return <Overview />;
    case 'memory':
      return <Detail id={id ?? ''} />;
  }
}

const Brand = () => (
  <p class="brand">
    <BrandMark />
  </p>
);

function BrandMark() {
  return (
    <>
      <svg viewBox="0 0 32 32" aria-hidden="true">
        <rect width="32" height="32" rx="8" />
        <path d="M9 10h14M9 16h9" />
        <path class="tick" d="m17.5 21.5 2.6 2.6 4.6-5" />
      </svg>
      <span>Memory console</span>
    </>
  );
}

function ThemeChoice() {
  return (
    <label class="theme">
      <span class="unseen">Theme</span>
      <select value={theme.value} onChange={(event) => chooseTheme(event.currentTarget.value as Theme)}>
        <option value="auto">Theme: auto</option>
        <option value="light">Theme: light</option>
        <option value="dark">Theme: dark</option>
      </select>
    </label>
  );
}
