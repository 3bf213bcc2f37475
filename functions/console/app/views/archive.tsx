import { useEffect } from 'preact/hooks';
import type { Memory } from '../../../../lib/domain/memory.ts';
import { isOffline } from '../api.ts';
import { momentOf } from '../dates.ts';
import { restoreNow } from '../decisions.ts';
import { lists, readList } from '../lists.ts';
import { Badges, Empty, Failed, Loading, MemoryLink, nameOf, Outdated, Title } from '../parts.tsx';
import { mayReview } from '../session.ts';

export function Archive() {
  return (
    <>
      <Title hint="What is not used any more, and what was turned down. Neither comes back by itself; restoring makes it active.">
        Archived and rejected
      </Title>
      <Ended status="archived" title="Archived" none="Nothing was archived." />
      <Ended status="rejected" title="Rejected" none="Nothing was rejected." />
    </>
  );
}

function Ended({ status, title, none }: { status: 'archived' | 'rejected'; title: string; none: string }) {
  useEffect(() => void readList(status), [status]);
  const list = lists[status].value;
  return (
    <section aria-labelledby={`list-${status}`}>
      <h2 id={`list-${status}`} class="group">
        {title} {list.whole && <span class="quiet">{list.whole.items.length}</span>}
      </h2>
      {list.error !== undefined && !list.whole && (
        <Failed error={list.error} retry={() => void readList(status)} />
      )}
      {list.error !== undefined && list.whole && <Outdated retry={() => void readList(status)} />}
      {!list.whole && list.reading && <Loading what={`what was ${status}`} />}
      {list.whole?.items.length === 0 && <Empty title={none} />}
      <ul class="rows">
        {list.whole?.items.map((memory) => (
          <EndedRow key={memory.id} memory={memory} />
        ))}
      </ul>
    </section>
  );
}

function EndedRow({ memory }: { memory: Memory }) {
  const last = memory.history.findLast(({ action }) => action === 'archived' || action === 'rejected');
  return (
    <li class="row-item">
      <div>
        <MemoryLink memory={memory} />
        <p class="facts">
          <Badges memory={memory} />
          {last && (
            <span>
              {last.action} {momentOf(last.at)} by <bdi>{last.by}</bdi>
            </span>
          )}
          {last?.reason && (
            <span>
              <q dir="auto">{last.reason}</q>
            </span>
          )}
        </p>
      </div>
      <div class="actions">
        <button
          type="button"
          class="button small"
          disabled={!mayReview.value || isOffline.value}
          onClick={() => void restoreNow(memory)}
          aria-label={`Restore ${nameOf(memory)}`}
        >
          Restore
        </button>
      </div>
    </li>
  );
}
