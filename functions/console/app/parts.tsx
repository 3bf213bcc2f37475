import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Memory, MemoryContent } from '../../../lib/domain/memory.ts';
import { ConnectionError, isOffline } from './api.ts';
import { messageOf } from './decisions.ts';
import { linkToMemory } from './route.ts';
import { lineOf, STATUSES, sayingOf, topicName } from './words.ts';

/** A memory in words; each part keeps its own direction. */
export function Says({ content, was }: { content: MemoryContent; was?: MemoryContent | undefined }) {
  const { about, says } = sayingOf(content);
  return (
    <span class="says">
      {about !== undefined && (
        <>
          <bdi class="about">{about}</bdi>
          <span class="arrow" aria-hidden="true">
            →
          </span>
          <span class="unseen"> is </span>
        </>
      )}
      {was !== undefined && (
        <>
          <del>
            <bdi>{sayingOf(was).says}</bdi>
          </del>
          <span class="unseen"> becomes </span>
        </>
      )}
      <bdi class={about === undefined ? 'sentence' : 'value'}>{says}</bdi>
    </span>
  );
}

export function MemoryLink({ memory, content }: { memory: Memory; content?: MemoryContent }) {
  return (
    <a class="memory-link" href={linkToMemory(memory.id)}>
      <Says content={content ?? memory.content} />
    </a>
  );
}

export function Badges({ memory, topic = true }: { memory: Memory; topic?: boolean }) {
  return (
    <span class="badges">
      {topic && <span class="badge">{topicName(memory)}</span>}
      {memory.scope === 'user' && <span class="badge">Only you</span>}
      {memory.scope === 'document' && (
        <span class="badge">
          Document <bdi>{memory.documentId}</bdi>
        </span>
      )}
      {memory.unresolvable && <span class="badge warn">Cannot be used</span>}
    </span>
  );
}

export const StatusBadge = ({ memory }: { memory: Memory }) => (
  <span class={`badge status-${memory.status}`}>{STATUSES[memory.status]}</span>
);

/** The heading of a view. It takes the focus when the view opens, so that a reader starts there. */
export function Title(props: {
  readonly children: string;
  readonly hint?: string;
  readonly shown?: ComponentChildren;
}) {
  const { children, hint, shown = children } = props;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${children} · Memory console`;
    if (document.activeElement === document.body || document.activeElement?.closest('nav'))
      heading.current?.focus();
  }, [children]);
  return (
    <div class="title">
      <h1 ref={heading} tabIndex={-1}>
        {shown}
      </h1>
      {hint && <p class="hint">{hint}</p>}
    </div>
  );
}

export function Loading({ what, progress }: { what: string; progress?: string | undefined }) {
  return (
    <div class="state" role="status">
      <span class="spinner" aria-hidden="true" />
      <p>
        Reading {what} …{progress && <span class="quiet"> {progress}</span>}
      </p>
    </div>
  );
}

export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="state empty">
      <p class="state-title">{title}</p>
      {children}
    </div>
  );
}

export function Failed({ error, retry }: { error: unknown; retry: () => void }) {
  const unreachable = error instanceof ConnectionError;
  return (
    <div class="state failed" role="alert">
      <p class="state-title">
        {isOffline.value
          ? 'You are offline.'
          : unreachable
            ? 'The service cannot be reached.'
            : 'That did not work.'}
      </p>
      <p>{unreachable ? 'Nothing was changed. Try again when the connection is back.' : messageOf(error)}</p>
      <button type="button" class="button" onClick={retry}>
        Try again
      </button>
    </div>
  );
}

/** What was read before is still there to be seen, but could not be read anew. */
export const Outdated = ({ retry }: { retry: () => void }) => (
  <p class="callout warn" role="status">
    This could not be read anew, so it may be out of date.{' '}
    <button type="button" class="button small plain" onClick={retry}>
      Try again
    </button>
  </p>
);

/** What may be wider or taller than its place, and is then scrolled with the keyboard too. */
export function Scrolling(props: {
  readonly class: string;
  readonly label: string;
  readonly children: ComponentChildren;
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: only what has the focus can be scrolled with the keyboard
    <section class={props.class} aria-label={props.label} tabIndex={0}>
      {props.children}
    </section>
  );
}

/** What a long-winded act would be called by, in the name of its button. */
export const nameOf = (memory: Memory, content: MemoryContent = memory.content) =>
  lineOf(content).slice(0, 120);
