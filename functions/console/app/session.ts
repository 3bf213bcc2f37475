import { computed, signal } from '@preact/signals';
import type { SignIn } from '../../../lib/domain/sign-in.ts';

export interface Session {
  readonly token: string;
  /** Milliseconds; absent where the issuer does not say. */
  readonly expiresAt?: number;
  /** Read from the token for the eye only: the service checks it anew at every call. */
  readonly user?: string;
  readonly workspace?: string;
  readonly scopes?: readonly string[];
}

export type Presence =
  | { readonly state: 'starting' }
  | { readonly state: 'signed-in'; readonly session: Session }
  | { readonly state: 'signed-out'; readonly why: 'left' | 'ended' | 'failed'; readonly detail?: string };

export const presence = signal<Presence>({ state: 'starting' });
export const session = computed(() =>
  presence.value.state === 'signed-in' ? presence.value.session : undefined,
);
const may = (scope: string) =>
  computed(
    () =>
      session.value?.scopes === undefined ||
      // Some issuers put a prefix of their own before it.
      session.value.scopes.some((held) => held.endsWith(scope)),
  );
export const mayReview = may('memories:review');
export const mayWrite = may('memories:write');

const SCOPES = ['memories:read', 'memories:write', 'memories:review'];
const SESSION = 'memory-console.session';
const ATTEMPT = 'memory-console.attempt';
const LEFT = 'memory-console.left';

interface Attempt {
  readonly verifier: string;
  readonly state: string;
  readonly hash: string;
}

/** Takes up the session there is, ends a sign-in that comes back from the issuer, or starts one. */
export async function arrive(): Promise<void> {
  const asked = new URLSearchParams(location.search);
  try {
    if (asked.has('state') && (asked.has('code') || asked.has('error'))) {
      presence.value = { state: 'signed-in', session: await finish(asked) };
      return;
    }
  } catch (error) {
    history.replaceState(null, '', location.pathname + location.hash);
    presence.value = { state: 'signed-out', why: 'failed', detail: messageOf(error) };
    return;
  }
  const kept = keptSession();
  if (kept) presence.value = { state: 'signed-in', session: kept };
  else if (sessionStorage.getItem(LEFT)) presence.value = { state: 'signed-out', why: 'left' };
  else await signIn();
}

/** Leaves for the issuer, and remembers where to come back to. */
export async function signIn(): Promise<void> {
  try {
    const { authorizeEndpoint, clientId, audience, scopePrefix = '' } = await signInSettings();
    const attempt = { verifier: randomText(), state: randomText(), hash: location.hash };
    sessionStorage.setItem(ATTEMPT, JSON.stringify(attempt));
    sessionStorage.removeItem(LEFT);
    const target = new URL(authorizeEndpoint, location.origin);
    const asked = {
      response_type: 'code',
      client_id: clientId,
      redirect_uri: redirectUri(),
      scope: ['openid', ...SCOPES.map((scope) => scopePrefix + scope)].join(' '),
      state: attempt.state,
      code_challenge: await challengeOf(attempt.verifier),
      code_challenge_method: 'S256',
      ...(audience !== undefined && { audience }),
    };
    for (const [name, value] of Object.entries(asked)) target.searchParams.set(name, value);
    location.assign(target);
  } catch (error) {
    presence.value = { state: 'signed-out', why: 'failed', detail: messageOf(error) };
  }
}

export async function signOut(): Promise<void> {
  sessionStorage.removeItem(SESSION);
  sessionStorage.setItem(LEFT, 'yes');
  presence.value = { state: 'signed-out', why: 'left' };
  const { endSessionEndpoint, clientId } = await signInSettings().catch(() => ({}) as Partial<SignIn>);
  if (endSessionEndpoint === undefined) return;
  const target = new URL(endSessionEndpoint, location.origin);
  target.searchParams.set('client_id', clientId ?? '');
  target.searchParams.set('post_logout_redirect_uri', redirectUri());
  location.assign(target);
}

/** The service no longer takes the token. What was on the screen stays behind the notice. */
export function endSession(): void {
  sessionStorage.removeItem(SESSION);
  presence.value = { state: 'signed-out', why: 'ended' };
}

async function finish(asked: URLSearchParams): Promise<Session> {
  const kept = sessionStorage.getItem(ATTEMPT);
  sessionStorage.removeItem(ATTEMPT);
  const attempt = kept === null ? undefined : (JSON.parse(kept) as Attempt);
  if (attempt === undefined || attempt.state !== asked.get('state')) {
    throw new Error('The answer does not belong to a sign-in that was started here.');
  }
  history.replaceState(null, '', location.pathname + attempt.hash);
  dispatchEvent(new HashChangeEvent('hashchange'));
  const refusal = asked.get('error');
  if (refusal !== null) throw new Error(asked.get('error_description') ?? refusal);
  const { tokenEndpoint, clientId } = await signInSettings();
  const response = await fetch(new URL(tokenEndpoint, location.origin), {
    method: 'POST',
    headers: { accept: 'application/json' },
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: clientId,
      code: asked.get('code') ?? '',
      redirect_uri: redirectUri(),
      code_verifier: attempt.verifier,
    }),
  });
  const answer = (await response.json().catch(() => ({}))) as {
    readonly access_token?: unknown;
    readonly expires_in?: unknown;
    readonly error_description?: unknown;
  };
  if (!response.ok || typeof answer.access_token !== 'string') {
    throw new Error(
      typeof answer.error_description === 'string'
        ? answer.error_description
        : `The issuer answered ${response.status}.`,
    );
  }
  const seconds = Number(answer.expires_in);
  const made = sessionOf(
    answer.access_token,
    Number.isFinite(seconds) && seconds > 0 ? Date.now() + seconds * 1000 : undefined,
  );
  sessionStorage.setItem(SESSION, JSON.stringify(made));
  return made;
}

function keptSession(): Session | undefined {
  try {
    const kept = JSON.parse(sessionStorage.getItem(SESSION) ?? 'null') as Session | null;
    if (kept === null || typeof kept.token !== 'string') return undefined;
    return (kept.expiresAt ?? Number.POSITIVE_INFINITY) > Date.now() ? kept : undefined;
  } catch {
    return undefined;
  }
}

function sessionOf(token: string, expiresAt: number | undefined): Session {
  const claims = claimsOf(token);
  const user = claims.sub;
  const workspace = claims.org_id ?? claims['custom:orgId'];
  const scope = claims.scope ?? claims.scp;
  return {
    token,
    ...(expiresAt !== undefined && { expiresAt }),
    ...(typeof user === 'string' && { user }),
    ...(typeof workspace === 'string' && { workspace }),
    ...(typeof scope === 'string' && { scopes: scope.split(' ') }),
    ...(Array.isArray(scope) && { scopes: scope.map(String) }),
  };
}

/** An issuer may give tokens that are no JWT; then nothing is known of them here. */
function claimsOf(token: string): Readonly<Record<string, unknown>> {
  try {
    const [, payload = ''] = token.split('.');
    const bytes = Uint8Array.from(atob(payload.replaceAll('-', '+').replaceAll('_', '/')), (character) =>
      character.charCodeAt(0),
    );
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return {};
  }
}

async function signInSettings(): Promise<SignIn> {
  const response = await fetch('/console/sign-in.json');
  if (!response.ok) throw new Error('How to sign in could not be loaded.');
  return response.json();
}

/** The issuer knows the page by one address, with no slash at its end. */
const redirectUri = () => location.origin + location.pathname.replace(/\/$/, '');
const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
const randomText = () => base64Url(crypto.getRandomValues(new Uint8Array(32)));

async function challengeOf(verifier: string): Promise<string> {
  return base64Url(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))));
}

function base64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}
