import { useEffect, useState } from 'preact/hooks';
import { momentOf } from './dates.ts';
import {
  conflict,
  holdClock,
  messageOf,
  pending,
  sendPending,
  startClock,
  summaryOf,
  UNDO_SECONDS,
  undoHeld,
  undoPending,
} from './decisions.ts';
import { Dialog } from './dialog.tsx';
import { dismiss, notices, notify } from './notices.ts';
import { Says } from './parts.tsx';
import { STATUSES } from './words.ts';

/** What happened and what is about to, with the way back. */
export function NoticeBar() {
  return (
    <div class="notices">
      {/* Always there, since what comes with its own region is not read out. */}
      <p class="unseen" role="status">
        {pending.value?.phase === 'waiting' &&
          `${pending.value.decision === 'approve' ? 'Approving' : 'Rejecting'} ${summaryOf(pending.value.memories)}. It is sent in ${UNDO_SECONDS} seconds; undo is possible until then.`}
      </p>
      <PendingNotice />
      <div role="status" aria-live="polite">
        {notices.value.map(({ id, text, tone, action }) => (
          <div key={id} class={`notice ${tone}`}>
            <p dir="auto">{text}</p>
            {action && (
              <button
                type="button"
                class="button small"
                onClick={() => {
                  dismiss(id);
                  action.run();
                }}
              >
                {action.label}
              </button>
            )}
            <button type="button" class="icon-button" aria-label="Dismiss" onClick={() => dismiss(id)}>
              <span aria-hidden="true">×</span>
            </button>
          </div>
        ))}
      </div>
    </div>
  );
}

function PendingNotice() {
  const what = pending.value;
  const [left, setLeft] = useState(UNDO_SECONDS);
  const held = undoHeld.value;
  const waits = what?.phase === 'waiting' && !held;
  useEffect(() => {
    setLeft(UNDO_SECONDS);
    if (!waits) return;
    const tick = setInterval(() => setLeft((before) => Math.max(0, before - 1)), 1000);
    return () => clearInterval(tick);
  }, [waits, what?.memories]);
  if (!what) return null;
  const sending = what.phase === 'sending';
  return (
    <section
      class="notice pending"
      aria-label="Decision to be sent"
      onMouseEnter={holdClock}
      onMouseLeave={startClock}
      onFocusCapture={holdClock}
      onBlurCapture={startClock}
    >
      <p>
        <strong>{what.decision === 'approve' ? 'Approving' : 'Rejecting'}</strong>:{' '}
        <bdi>{summaryOf(what.memories)}</bdi>
        {sending && what.memories.length > 1 && ` (${what.sent} of ${what.memories.length} sent)`}
      </p>
      {!sending && (
        <>
          <span class="quiet clock" aria-hidden="true">
            {held ? 'held' : `${left} s`}
          </span>
          <button type="button" class="button small" onClick={undoPending}>
            Undo
          </button>
          <button type="button" class="button small plain" onClick={() => void sendPending()}>
            Send now
          </button>
        </>
      )}
    </section>
  );
}

/** Somebody, or the evidence, was quicker: what was shown, what is there now, and the question again. */
export function ConflictDialog() {
  const found = conflict.value;
  if (!found) return null;
  const { shown, now, again, retry } = found;
  const close = () => {
    conflict.value = undefined;
  };
  const last = now.history.at(-1);
  return (
    <Dialog title="This has changed since you looked" close={close}>
      <p>Nothing was done yet. Somebody or something changed it in the meantime:</p>
      <dl class="before-after">
        <dt>You saw</dt>
        <dd>
          <Says content={shown.content} /> <span class="badge">{STATUSES[shown.status]}</span>
        </dd>
        <dt>Now it is</dt>
        <dd>
          <Says content={now.content} /> <span class="badge">{STATUSES[now.status]}</span>
        </dd>
      </dl>
      {last && (
        <p class="quiet">
          {last.action} by <bdi>{last.by}</bdi>, {momentOf(last.at)}
        </p>
      )}
      <footer>
        <button type="button" class="button" onClick={close}>
          Leave it as it is now
        </button>
        <button
          type="button"
          class="button primary"
          onClick={() => {
            close();
            retry(now).catch((error) => notify(messageOf(error), 'problem'));
          }}
        >
          {again}
        </button>
      </footer>
    </Dialog>
  );
}
