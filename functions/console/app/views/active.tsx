import { useEffect, useId, useState } from 'preact/hooks';
import type { Memory } from '../../../../lib/domain/memory.ts';
import { isOffline } from '../api.ts';
import { dateOf } from '../dates.ts';
import { archiveNow } from '../decisions.ts';
import { lists, readList } from '../lists.ts';
import { addMemory, editMemory } from '../memory-form.tsx';
import { Badges, Empty, Failed, Loading, MemoryLink, nameOf, Outdated, Title } from '../parts.tsx';
import { linkTo, replaceQuery, route } from '../route.ts';
import { mayWrite } from '../session.ts';
import {
  count,
  fold,
  haystackOf,
  lineOf,
  merchantGroupOf,
  SOURCES,
  TOPIC_NAMES,
  TOPICS,
  type Topic,
  topicOf,
} from '../words.ts';

const SHOWN_AT_FIRST = 100;
type Grouping = 'kind' | 'merchant';

export function Active() {
  useEffect(() => void readList('active'), []);
  const list = lists.active.value;
  const asked = route.value.query;
  const [find, setFind] = useState(asked.get('find') ?? '');
  const [topic, setTopic] = useState<Topic | ''>(
    TOPIC_NAMES.find((name) => name === asked.get('kind')) ?? '',
  );
  const [grouping, setGrouping] = useState<Grouping>(asked.get('by') === 'merchant' ? 'merchant' : 'kind');
  const [limit, setLimit] = useState(SHOWN_AT_FIRST);
  const id = useId();
  useEffect(
    () => replaceQuery({ find, kind: topic, by: grouping === 'merchant' ? 'merchant' : '' }),
    [find, topic, grouping],
  );

  const all = list.whole?.items ?? [];
  const words = fold(find)
    .split(/\s+/)
    .filter((word) => word !== '');
  const broken = all.filter(({ unresolvable }) => unresolvable);
  const usable = all.filter(({ unresolvable }) => !unresolvable);
  const matching = usable
    .filter((memory) => topic === '' || topicOf(memory) === topic)
    .filter((memory) => {
      const haystack = haystackOf(memory);
      return words.every((word) => haystack.includes(word));
    });
  const groups = groupsOf(matching, grouping, limit);

  return (
    <>
      <div class="title-row">
        <Title hint="What assistants and document reading use now.">Active</Title>
        <button
          type="button"
          class="button primary"
          disabled={!mayWrite.value || isOffline.value}
          onClick={() => addMemory()}
        >
          Add a memory
        </button>
      </div>
      {list.error !== undefined && !list.whole && (
        <Failed error={list.error} retry={() => void readList('active')} />
      )}
      {list.error !== undefined && list.whole && <Outdated retry={() => void readList('active')} />}
      {!list.whole && list.reading && (
        <Loading
          what="what is active"
          progress={list.readSoFar > 0 ? `${list.readSoFar} so far` : undefined}
        />
      )}
      {list.whole && all.length === 0 && (
        <Empty title="Nothing is active yet.">
          <p>
            Add a memory by hand, or approve <a href={linkTo('suggested')}>what was suggested</a>.
          </p>
        </Empty>
      )}
      {broken.length > 0 && (
        <section class="callout warn" aria-labelledby={`${id}-broken`}>
          <h2 id={`${id}-broken`}>{count(broken.length, 'memory', 'memories')} cannot be used</h2>
          <p>
            The account is no longer in the chart of accounts, or is closed. Choose another one, or archive
            the memory.
          </p>
          <ul class="rows">
            {broken.map((memory) => (
              <Row key={memory.id} memory={memory} />
            ))}
          </ul>
        </section>
      )}
      {all.length > 0 && (
        <>
          <div class="toolbar">
            <div class="search">
              <label class="unseen" for={`${id}-find`}>
                Search
              </label>
              <input
                id={`${id}-find`}
                type="search"
                dir="auto"
                placeholder="Search merchants, accounts, words"
                value={find}
                onInput={(event) => setFind(event.currentTarget.value)}
              />
            </div>
            <label class="inline">
              Kind{' '}
              <select value={topic} onChange={(event) => setTopic(event.currentTarget.value as Topic | '')}>
                <option value="">All kinds</option>
                {TOPIC_NAMES.map((name) => (
                  <option key={name} value={name}>
                    {TOPICS[name]}
                  </option>
                ))}
              </select>
            </label>
            <label class="inline">
              Group by{' '}
              <select
                value={grouping}
                onChange={(event) => setGrouping(event.currentTarget.value as Grouping)}
              >
                <option value="kind">kind</option>
                <option value="merchant">merchant</option>
              </select>
            </label>
            <span class="quiet" role="status">
              {count(matching.length, 'memory', 'memories')}
              {matching.length !== usable.length && ` of ${usable.length}`}
            </span>
          </div>
          {matching.length === 0 && (
            <Empty title="Nothing matches.">
              <p>Try fewer letters, or another kind.</p>
            </Empty>
          )}
          {groups.map(({ key, title, items }) => (
            <section key={key} aria-labelledby={`${id}-${key}`}>
              <h2 id={`${id}-${key}`} class="group">
                <bdi>{title}</bdi> <span class="quiet">{items.length}</span>
              </h2>
              <ul class="rows">
                {items.map((memory) => (
                  <Row key={memory.id} memory={memory} topic={grouping !== 'kind'} />
                ))}
              </ul>
            </section>
          ))}
          {matching.length > limit && (
            <button type="button" class="button" onClick={() => setLimit(limit + 200)}>
              Show more ({matching.length - limit} left)
            </button>
          )}
          {list.whole?.cut && <p class="quiet">Only the two thousand that changed last were read.</p>}
        </>
      )}
    </>
  );
}

interface Group {
  readonly key: string;
  readonly title: string;
  readonly items: readonly Memory[];
}

function groupsOf(memories: readonly Memory[], grouping: Grouping, limit: number): readonly Group[] {
  const sorted = [...memories].sort((a, b) => lineOf(a.content).localeCompare(lineOf(b.content)));
  const groups = new Map<string, { title: string; items: Memory[] }>();
  const placeIn = (key: string, title: string, memory: Memory) => {
    const group = groups.get(key) ?? { title, items: [] };
    group.items.push(memory);
    groups.set(key, group);
  };
  for (const memory of sorted) {
    const merchant = grouping === 'merchant' ? merchantGroupOf(memory) : undefined;
    if (merchant) placeIn(`m-${merchant.key}`, merchant.merchant, memory);
    else if (grouping === 'merchant') placeIn('z', 'About no merchant', memory);
    else placeIn(topicOf(memory), TOPICS[topicOf(memory)], memory);
  }
  const ordered = [...groups].map(([key, group]) => ({ key, ...group }));
  ordered.sort((a, b) =>
    grouping === 'kind'
      ? TOPIC_NAMES.indexOf(a.key as Topic) - TOPIC_NAMES.indexOf(b.key as Topic)
      : (a.key === 'z' ? 1 : 0) - (b.key === 'z' ? 1 : 0) || a.title.localeCompare(b.title),
  );
  let left = limit;
  return ordered.flatMap((group) => {
    const items = group.items.slice(0, left);
    left -= items.length;
    return items.length === 0 ? [] : [{ ...group, items }];
  });
}

function Row({ memory, topic = true }: { memory: Memory; topic?: boolean }) {
  const last = memory.history.at(-1);
  const enabled = mayWrite.value && !isOffline.value;
  const name = nameOf(memory);
  return (
    <li class="row-item">
      <div>
        <MemoryLink memory={memory} />
        <p class="facts">
          <Badges memory={memory} topic={topic} />
          <span>{SOURCES[memory.source]}</span>
          {memory.evidenceCount > 0 && <span>{count(memory.evidenceCount, 'document')}</span>}
          <span>
            {last?.action ?? 'changed'} {dateOf(last?.at ?? memory.updatedAt)} by{' '}
            <bdi>{last?.by ?? memory.updatedBy}</bdi>
          </span>
          {memory.proposal && <a href={linkTo('suggested')}>A change is suggested</a>}
        </p>
      </div>
      <div class="actions">
        <button
          type="button"
          class="button small"
          disabled={!enabled}
          onClick={() => editMemory(memory)}
          aria-label={`${memory.unresolvable ? 'Repair' : 'Edit'} ${name}`}
        >
          {memory.unresolvable ? 'Repair' : 'Edit'}
        </button>
        <button
          type="button"
          class="button small plain"
          disabled={!enabled}
          onClick={() => void archiveNow(memory)}
          aria-label={`Archive ${name}`}
        >
          Archive
        </button>
      </div>
    </li>
  );
}
