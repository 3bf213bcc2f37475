import { useEffect, useState } from 'preact/hooks';
import type { HistoryEntry, Memory } from '../../../../lib/domain/memory.ts';
import { client, isOffline, isRefusal } from '../api.ts';
import { dateOf, momentOf } from '../dates.ts';
import { archiveNow, decide, pendingIds, restoreNow } from '../decisions.ts';
import { EvidenceTables } from '../evidence.tsx';
import { answered, place } from '../lists.ts';
import { useLoad } from '../load.ts';
import { editBeforeApproving, editMemory } from '../memory-form.tsx';
import { Badges, Empty, Failed, Loading, nameOf, Says, StatusBadge, Title } from '../parts.tsx';
import { RejectDialog } from '../reject-dialog.tsx';
import { linkTo } from '../route.ts';
import { mayReview, mayWrite } from '../session.ts';
import { count, effectOf, lineOf, placesOf, proposedOf, SOURCES, sureness } from '../words.ts';

export function Detail({ id }: { id: string }) {
  const { loaded, reload } = useLoad(id, async (signal) => {
    const memory = await client.memories.get({ id }, { signal });
    place(memory);
    return { memory, evidence: await client.memories.evidence({ id }, { signal }) };
  });
  // Own acts show at once.
  const acted = answered.value.get(id);
  const read = loaded.state === 'ready' ? loaded.value.memory : undefined;
  const isNewer = acted !== undefined && read !== undefined && acted.version > read.version;
  useEffect(() => {
    if (isNewer) reload();
  }, [isNewer]);
  if (loaded.state === 'loading') return <Loading what="the memory" />;
  if (loaded.state === 'failed') {
    const gone = isRefusal(loaded.error, 404);
    return gone ? (
      <Empty title="There is no such memory.">
        <p>
          It may have been withdrawn when its evidence changed. Back to{' '}
          <a href={linkTo('suggested')}>what is suggested</a>.
        </p>
      </Empty>
    ) : (
      <Failed error={loaded.error} retry={reload} />
    );
  }
  const { memory, evidence } = loaded.value;
  const listed =
    memory.status === 'candidate' ? 'suggested' : memory.status === 'active' ? 'active' : 'archive';
  return (
    <article>
      <p class="back">
        <a href={linkTo(listed)}>
          <span aria-hidden="true">←</span> {LISTS[listed]}
        </a>
      </p>
      <Title shown={<Says content={memory.content} />}>{lineOf(memory.content)}</Title>
      <p class="facts">
        <StatusBadge memory={memory} />
        <Badges memory={memory} />
        <span>{SOURCES[memory.source]}</span>
        <span>{sureness(memory.confidence)} sure</span>
      </p>
      <Acts memory={memory} />
      {memory.proposal && (
        <div class="callout">
          <p>
            The newer documents say: <Says content={memory.proposal.content} was={memory.content} /> (
            {count(memory.proposal.evidenceCount, 'document')}, {sureness(memory.proposal.confidence)} sure)
          </p>
        </div>
      )}
      {memory.unresolvable && (
        <p class="callout warn">
          The account it names is no longer in the chart of accounts, or is closed. It is not used until
          another one is chosen.
        </p>
      )}
      <section class="panel" aria-labelledby="does">
        <h2 id="does">{memory.status === 'active' ? 'What it does' : 'What it would do'}</h2>
        {effectOf(memory).map((line) => (
          <p key={line} dir="auto">
            {line}
          </p>
        ))}
        <h3>Where it is used</h3>
        {memory.status === 'active' && !memory.unresolvable ? (
          <ul class="plain-list">
            {placesOf(memory).map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        ) : (
          <p>Nowhere: {memory.unresolvable ? 'its account is missing' : 'only active memories are used'}.</p>
        )}
      </section>
      <section class="panel" aria-labelledby="evidence">
        <h2 id="evidence">Evidence</h2>
        {evidence.votes.length === 0 && memory.source === 'user_declared' ? (
          <p>A person said so. No correction has spoken for it or against it.</p>
        ) : (
          <EvidenceTables evidence={evidence} memory={memory} />
        )}
      </section>
      <section class="panel" aria-labelledby="history">
        <h2 id="history">History</h2>
        {memory.history.length === 0 && <p>Nobody has decided on it yet.</p>}
        <ol class="history" reversed>
          {memory.history.toReversed().map((entry) => (
            <Entry key={`${entry.at} ${entry.action}`} entry={entry} />
          ))}
        </ol>
        <p class="quiet">
          First seen {dateOf(memory.createdAt)}, version {memory.version}.
        </p>
      </section>
    </article>
  );
}

const LISTS = { suggested: 'Suggested', active: 'Active', archive: 'Archived and rejected' } as const;

function Entry({ entry }: { entry: HistoryEntry }) {
  return (
    <li>
      <strong>{entry.action}</strong> by <bdi>{entry.by}</bdi>,{' '}
      <time dateTime={entry.at}>{momentOf(entry.at)}</time>
      {entry.content && (
        <>
          : <Says content={entry.content} />
        </>
      )}
      {entry.reason && (
        <>
          {' '}
          <q dir="auto">{entry.reason}</q>
        </>
      )}
    </li>
  );
}

function Acts({ memory }: { memory: Memory }) {
  const reviews = mayReview.value && !isOffline.value;
  const writes = mayWrite.value && !isOffline.value;
  const isPending = pendingIds.value.has(memory.id);
  const awaits = memory.status === 'candidate' || memory.proposal !== undefined;
  const [rejecting, setRejecting] = useState(false);
  const name = nameOf(memory, proposedOf(memory));
  return (
    <div class="row">
      {awaits && (
        <>
          <button
            type="button"
            class="button primary"
            disabled={!reviews || isPending}
            onClick={() => decide([memory], 'approve')}
            aria-label={`${memory.proposal ? 'Change it:' : 'Approve'} ${name}`}
          >
            {memory.proposal ? 'Change it' : 'Approve'}
          </button>
          <button
            type="button"
            class="button"
            disabled={!reviews || isPending}
            onClick={() => setRejecting(true)}
            aria-label={`${memory.proposal ? 'Keep as it is:' : 'Reject'} ${name}`}
          >
            {memory.proposal ? 'Keep as it is' : 'Reject'}
          </button>
        </>
      )}
      {(memory.status === 'active' || awaits) && (
        <button
          type="button"
          class="button"
          disabled={!writes || isPending}
          onClick={() =>
            awaits && memory.status !== 'active' ? editBeforeApproving(memory) : editMemory(memory)
          }
        >
          {memory.unresolvable ? 'Repair' : 'Edit'}
        </button>
      )}
      {memory.status === 'active' && (
        <button type="button" class="button" disabled={!writes} onClick={() => void archiveNow(memory)}>
          Archive
        </button>
      )}
      {(memory.status === 'archived' || memory.status === 'rejected') && (
        <button type="button" class="button" disabled={!reviews} onClick={() => void restoreNow(memory)}>
          Restore
        </button>
      )}
      {rejecting && (
        <RejectDialog
          memory={memory}
          close={() => setRejecting(false)}
          reject={(reason) => {
            setRejecting(false);
            decide([memory], 'reject', reason);
          }}
        />
      )}
    </div>
  );
}
