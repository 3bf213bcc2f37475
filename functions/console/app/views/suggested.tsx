import { useEffect, useRef, useState } from 'preact/hooks';
import type { Memory } from '../../../../lib/domain/memory.ts';
import type { Evidence } from '../../../../lib/domain/responses.ts';
import { isOffline, knownEvidence } from '../api.ts';
import { changed, decide, pendingIds, undoPending } from '../decisions.ts';
import { Dialog } from '../dialog.tsx';
import { EvidenceLine } from '../evidence.tsx';
import { lists, readList } from '../lists.ts';
import { editBeforeApproving } from '../memory-form.tsx';
import { Badges, Empty, Failed, Loading, nameOf, Outdated, Says, Scrolling, Title } from '../parts.tsx';
import { ReasonField, RejectDialog } from '../reject-dialog.tsx';
import { linkTo, linkToMemory } from '../route.ts';
import { mayReview } from '../session.ts';
import { byStrength, count, lineOf, proposedOf, strengthOf, sureness } from '../words.ts';

type Asking =
  | { readonly what: 'reason'; readonly memory: Memory }
  | {
      readonly what: 'summary';
      readonly decision: 'approve' | 'reject';
      readonly memories: readonly Memory[];
    };

export function Suggested() {
  useEffect(() => void readList('candidate'), []);
  const list = lists.candidate.value;
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [asking, setAsking] = useState<Asking>();
  const items = [...(list.whole?.items ?? [])].filter(({ id }) => !pendingIds.value.has(id)).sort(byStrength);
  const chosen = items.filter(({ id }) => selected.has(id));
  const enabled = mayReview.value && !isOffline.value;
  const box = useRef<HTMLUListElement>(null);

  const toggle = (id: string) => {
    const next = new Set(selected);
    if (!next.delete(id)) next.add(id);
    setSelected(next);
  };
  const carryOut = (memories: readonly Memory[], decision: 'approve' | 'reject', reason?: string) => {
    const cards = [...(box.current?.querySelectorAll<HTMLElement>('[data-memory]') ?? [])];
    const ids = new Set<string>(memories.map(({ id }) => id));
    const at = cards.findIndex((card) => ids.has(card.dataset.memory ?? ''));
    const next =
      cards.slice(at + 1).find((card) => !ids.has(card.dataset.memory ?? '')) ??
      cards.slice(0, Math.max(at, 0)).findLast((card) => !ids.has(card.dataset.memory ?? ''));
    setAsking(undefined);
    setSelected(new Set());
    decide(memories, decision, reason);
    // What was decided on leaves the list; the reader goes on with its neighbour.
    requestAnimationFrame(() => {
      (next?.querySelector<HTMLElement>('a') ?? document.querySelector<HTMLElement>('h1'))?.focus();
    });
  };

  return (
    <>
      <Title hint="What repeated corrections say. Nothing here is used until you approve it.">
        Suggested
      </Title>
      {!mayReview.value && (
        <p class="callout">You may look at suggestions, but deciding on them needs the review permission.</p>
      )}
      {list.error !== undefined && !list.whole && (
        <Failed error={list.error} retry={() => void readList('candidate')} />
      )}
      {list.error !== undefined && list.whole && <Outdated retry={() => void readList('candidate')} />}
      {!list.whole && list.reading && (
        <Loading what="what awaits review" progress={progressOf(list.readSoFar)} />
      )}
      {list.whole && items.length === 0 && (
        <Empty title="Nothing awaits review.">
          <p>
            A suggestion appears when at least three documents were corrected in the same way. You can{' '}
            <a href={linkTo('why')}>ask why nothing was learned</a> about a merchant.
          </p>
        </Empty>
      )}
      {items.length > 0 && (
        <>
          <div class="toolbar">
            <label class="choice">
              <input
                type="checkbox"
                checked={chosen.length === items.length}
                ref={(input) => {
                  if (input) input.indeterminate = chosen.length > 0 && chosen.length < items.length;
                }}
                onChange={(event) =>
                  setSelected(new Set(event.currentTarget.checked ? items.map(({ id }) => id) : []))
                }
              />
              {chosen.length === 0
                ? `Select all ${items.length}`
                : `${chosen.length} of ${items.length} selected`}
            </label>
            {chosen.length > 0 && (
              <span class="row">
                <button
                  type="button"
                  class="button primary small"
                  disabled={!enabled}
                  onClick={() => setAsking({ what: 'summary', decision: 'approve', memories: chosen })}
                >
                  Approve {chosen.length} …
                </button>
                <button
                  type="button"
                  class="button small"
                  disabled={!enabled}
                  onClick={() => setAsking({ what: 'summary', decision: 'reject', memories: chosen })}
                >
                  Reject {chosen.length} …
                </button>
              </span>
            )}
            <span class="keys quiet">
              In the list: <kbd>↑</kbd>
              <kbd>↓</kbd> move, <kbd>A</kbd> approve, <kbd>R</kbd> reject, <kbd>E</kbd> edit, <kbd>X</kbd>{' '}
              select, <kbd>U</kbd> undo
            </span>
          </div>
          <ul class="cards" ref={box}>
            {items.map((memory) => (
              <SuggestionCard
                key={memory.id}
                memory={memory}
                selected={selected.has(memory.id)}
                toggle={() => toggle(memory.id)}
                approve={() => enabled && carryOut([memory], 'approve')}
                reject={() => enabled && setAsking({ what: 'reason', memory })}
                edit={() => enabled && editBeforeApproving(memory)}
                enabled={enabled}
              />
            ))}
          </ul>
          {list.whole?.cut && <p class="quiet">Only the first two thousand are shown.</p>}
        </>
      )}
      {asking?.what === 'reason' && (
        <RejectDialog
          memory={asking.memory}
          close={() => setAsking(undefined)}
          reject={(reason) => carryOut([asking.memory], 'reject', reason)}
        />
      )}
      {asking?.what === 'summary' && (
        <SummaryDialog
          {...asking}
          close={() => setAsking(undefined)}
          go={(reason) => carryOut(asking.memories, asking.decision, reason)}
        />
      )}
    </>
  );
}

const progressOf = (n: number) => (n === 0 ? undefined : `${n} so far`);

function SuggestionCard(props: {
  readonly memory: Memory;
  readonly selected: boolean;
  readonly enabled: boolean;
  readonly toggle: () => void;
  readonly approve: () => void;
  readonly reject: () => void;
  readonly edit: () => void;
}) {
  const { memory, enabled } = props;
  const [evidence, setEvidence] = useState<Evidence>();
  const card = useRef<HTMLLIElement>(null);
  // Evidence is read when a card comes into sight: a hundred suggestions are not a hundred calls.
  useEffect(() => {
    const place = card.current;
    if (!place) return;
    const seen = new IntersectionObserver(([entry]) => {
      if (!entry?.isIntersecting) return;
      seen.disconnect();
      knownEvidence(memory).then(setEvidence, () => {});
    });
    seen.observe(place);
    return () => seen.disconnect();
  }, [memory]);

  const content = proposedOf(memory);
  const name = nameOf(memory, content);
  const was = memory.proposal && memory.status === 'active' ? memory.content : undefined;
  const shownBefore = changed.value.get(memory.id);
  const { confidence } = strengthOf(memory);
  return (
    <li
      ref={card}
      class={`card${props.selected ? ' selected' : ''}${shownBefore ? ' changed' : ''}`}
      data-memory={memory.id}
      onKeyDown={(event) => shortcut(event, props)}
    >
      <input type="checkbox" aria-label={`Select ${name}`} checked={props.selected} onChange={props.toggle} />
      <div class="card-body">
        {shownBefore && (
          <p class="callout warn">
            This changed while you decided, and nothing was done. You saw{' '}
            <q>
              <bdi>{lineOf(proposedOf(shownBefore))}</bdi>
            </q>
            ; now it is{' '}
            <q>
              <bdi>{lineOf(content)}</bdi>
            </q>
            . Please decide again.
          </p>
        )}
        <h2>
          <a class="memory-link" href={linkToMemory(memory.id)}>
            <Says content={content} was={was} />
          </a>
        </h2>
        {memory.proposal && (
          <p class="proposal">
            {memory.status === 'active' ? (
              <>
                In use now: <bdi>{lineOf(memory.content)}</bdi>. The newer documents say otherwise: change it?
              </>
            ) : (
              <>
                <bdi>{lineOf(memory.content)}</bdi> was {memory.status}. The documents since then say this
                instead: use it?
              </>
            )}
          </p>
        )}
        <p class="facts">
          <Badges memory={memory} />
          <span>
            <EvidenceLine memory={memory} evidence={evidence} />
          </span>
          <span class="strength" title="How sure the evidence makes it">
            <span class="meter" aria-hidden="true">
              <span style={{ inlineSize: `${Math.round(confidence * 100)}%` }} />
            </span>
            {sureness(confidence)} sure
          </span>
        </p>
      </div>
      <div class="actions">
        <button
          type="button"
          class="button primary small"
          disabled={!enabled}
          onClick={props.approve}
          aria-label={`${was ? 'Change it:' : 'Approve'} ${name}`}
        >
          {was ? 'Change it' : 'Approve'}
        </button>
        <button
          type="button"
          class="button small"
          disabled={!enabled}
          onClick={props.reject}
          aria-label={`${was ? 'Keep as it is:' : 'Reject'} ${name}`}
        >
          {was ? 'Keep as it is' : 'Reject'}
        </button>
        <button
          type="button"
          class="button small plain"
          disabled={!enabled}
          onClick={props.edit}
          aria-label={`Edit ${name}`}
        >
          Edit
        </button>
      </div>
    </li>
  );
}

function shortcut(
  event: KeyboardEvent & { currentTarget: HTMLElement },
  acts: { approve: () => void; reject: () => void; edit: () => void; toggle: () => void },
): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const card = event.currentTarget;
  const run: Record<string, () => void> = {
    ArrowDown: () => focusCard(card.nextElementSibling),
    ArrowUp: () => focusCard(card.previousElementSibling),
    j: () => focusCard(card.nextElementSibling),
    k: () => focusCard(card.previousElementSibling),
    a: acts.approve,
    r: acts.reject,
    e: acts.edit,
    x: acts.toggle,
    u: undoPending,
  };
  const found = run[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  if (!found) return;
  event.preventDefault();
  found();
}

function focusCard(card: Element | null): void {
  card?.querySelector<HTMLElement>('a')?.focus();
}

function SummaryDialog(props: {
  readonly decision: 'approve' | 'reject';
  readonly memories: readonly Memory[];
  readonly close: () => void;
  readonly go: (reason: string) => void;
}) {
  const [reason, setReason] = useState('');
  const { decision, memories } = props;
  const verb = decision === 'approve' ? 'Approve' : 'Reject';
  const replaced = memories.filter(({ status, proposal }) => proposal && status === 'active').length;
  return (
    <Dialog title={`${verb} ${count(memories.length, 'suggestion')}?`} close={props.close}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          props.go(reason.trim());
        }}
      >
        {decision === 'approve' && replaced > 0 && (
          <p class="callout warn">
            {count(replaced, 'of them replaces', 'of them replace')} what is in use now.
          </p>
        )}
        <Scrolling class="summary" label="What is decided on">
          <ul>
            {memories.map((memory) => (
              <li key={memory.id}>
                <Says
                  content={proposedOf(memory)}
                  was={memory.proposal && memory.status === 'active' ? memory.content : undefined}
                />
              </li>
            ))}
          </ul>
        </Scrolling>
        {decision === 'reject' && <ReasonField reason={reason} set={setReason} />}
        <footer>
          <button type="button" class="button" onClick={props.close}>
            Cancel
          </button>
          <button type="submit" class="button primary">
            {verb} {memories.length}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}
