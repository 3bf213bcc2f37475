import { useEffect } from 'preact/hooks';
import type { Memory } from '../../../../lib/domain/memory.ts';
import type { Evidence } from '../../../../lib/domain/responses.ts';
import { knownEvidence, listAll } from '../api.ts';
import { daysSince, weekName } from '../dates.ts';
import { readList } from '../lists.ts';
import { eachOf, useLoad } from '../load.ts';
import { Badges, Empty, Failed, Loading, MemoryLink, Scrolling, Title } from '../parts.tsx';
import { linkTo } from '../route.ts';
import { isLearnable, isOld, overdueOf, staleOf } from '../stale.ts';
import { type Week, weeksOf } from '../weeks.ts';
import { count, TOPIC_NAMES, TOPICS, type Topic } from '../words.ts';

const WEEKS = 12;
const MOST_READ = 200;

interface Picture {
  readonly active: readonly Memory[];
  readonly awaiting: readonly Memory[];
  readonly read: readonly { readonly memory: Memory; readonly evidence: Evidence }[];
  readonly unread: number;
}

async function look(signal: AbortSignal, report: (progress: string) => void): Promise<Picture> {
  const [active, candidates, rejected] = await Promise.all([
    listAll('active', { signal }),
    listAll('candidate', { signal }),
    listAll('rejected', { signal }),
  ]);
  const all = new Map(
    [...active.items, ...candidates.items, ...rejected.items].map((memory) => [memory.id, memory]),
  );
  const learnable = [...all.values()]
    .filter(isLearnable)
    .sort((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1));
  let done = 0;
  // What may be stale is what changed least lately.
  const older = learnable.slice(MOST_READ).filter((memory) => memory.status === 'active' && isOld(memory));
  const some = [...learnable.slice(0, MOST_READ), ...older.slice(-MOST_READ)];
  const read = await eachOf(some, async (memory) => {
    const evidence = await knownEvidence(memory);
    done += 1;
    report(`${done} of ${some.length}`);
    return { memory, evidence };
  });
  return {
    active: active.items,
    awaiting: candidates.items,
    read,
    unread: learnable.length - some.length,
  };
}

export function Overview() {
  useEffect(() => void readList('candidate'), []);
  const { loaded, reload } = useLoad('overview', look);
  return (
    <>
      <Title hint="How much people correct, and how much of it is remembered.">Overview</Title>
      {loaded.state === 'loading' && (
        <Loading what="the evidence of each memory" progress={loaded.progress} />
      )}
      {loaded.state === 'failed' && <Failed error={loaded.error} retry={reload} />}
      {loaded.state === 'ready' && <Drawn picture={loaded.value} />}
    </>
  );
}

function Drawn({ picture }: { picture: Picture }) {
  const { active, awaiting, read, unread } = picture;
  const broken = active.filter(({ unresolvable }) => unresolvable);
  const stale = staleOf(active, new Map(read.map(({ memory, evidence }) => [memory.id, evidence])));
  const waiting = overdueOf(awaiting);
  const weeks = weeksOf(read, WEEKS);
  return (
    <>
      <ul class="figures">
        <Figure n={awaiting.length} text="await review" href={linkTo('suggested')} />
        <Figure n={active.length} text="active" href={linkTo('active')} />
        <Figure n={broken.length} text="cannot be used" href={linkTo('active')} warn={broken.length > 0} />
        <Figure n={stale.length} text="stale" href="#stale" local />
      </ul>
      <section class="panel" aria-labelledby="weeks">
        <h2 id="weeks">Corrections a week</h2>
        {weeks.some(({ total, confirmations }) => total + confirmations > 0) ? (
          <WeekPlot weeks={weeks} />
        ) : (
          <Empty title="No correction in the last twelve weeks." />
        )}
        <p class="quiet">
          Counted where there is a memory or a suggestion: the newest fifty edits of each.
          {unread > 0 && ` ${count(unread, 'older memory was', 'older memories were')} left out.`}
        </p>
      </section>
      <section class="panel" aria-labelledby="stale">
        <h2 id="stale" tabIndex={-1}>
          What is stale
        </h2>
        <p class="quiet">Active, and neither changed nor spoken for by a document for half a year.</p>
        {stale.length === 0 ? <p>Nothing.</p> : <Few memories={stale} />}
        {waiting.length > 0 && (
          <>
            <h3>Waiting for more than two weeks</h3>
            <Few memories={waiting} />
          </>
        )}
      </section>
    </>
  );
}

function Figure(props: { n: number; text: string; href: string; warn?: boolean; local?: boolean }) {
  return (
    <li class={props.warn ? 'warn' : undefined}>
      <a
        href={props.href}
        onClick={(event) => {
          if (!props.local) return;
          event.preventDefault();
          document.getElementById('stale')?.focus();
        }}
      >
        <strong>{props.n.toLocaleString('en')}</strong> {props.text}
      </a>
    </li>
  );
}

function Few({ memories }: { memories: readonly Memory[] }) {
  return (
    <ul class="rows">
      {memories.slice(0, 20).map((memory) => (
        <li key={memory.id} class="row-item">
          <div>
            <MemoryLink memory={memory} />
            <p class="facts">
              <Badges memory={memory} />
              <span>last changed {count(daysSince(memory.updatedAt), 'day')} ago</span>
            </p>
          </div>
        </li>
      ))}
    </ul>
  );
}

function WeekPlot({ weeks }: { weeks: readonly Week[] }) {
  const most = Math.max(1, ...weeks.flatMap(({ total, confirmations }) => [total, confirmations]));
  const topics = TOPIC_NAMES.filter((topic) => weeks.some(({ byTopic }) => byTopic[topic]));
  const sum = weeks.reduce((all, { total }) => all + total, 0);
  const confirmed = weeks.reduce((all, { confirmations }) => all + confirmations, 0);
  const answered = weeks.reduce((all, week) => all + week.answered, 0);
  const height = (n: number) => ({ blockSize: `${(n / most) * 100}%` });
  return (
    <figure class="weeks">
      <figcaption>
        {count(sum, 'correction')} in twelve weeks; {answered} of them say what an active memory says now.
        {confirmed > 0 && ` ${count(confirmed, 'time', 'times')} a person confirmed what was there.`}
      </figcaption>
      <ul class="legend" aria-hidden="true">
        {topics.map((topic) => (
          <li key={topic}>
            <span class={`swatch topic-${topic}`} /> {TOPICS[topic]}
          </li>
        ))}
        <li>
          <span class="swatch answered" /> Answered by a memory
        </li>
        {confirmed > 0 && (
          <li>
            <span class="swatch confirmed" /> Confirmed
          </li>
        )}
      </ul>
      <div class="plot" aria-hidden="true">
        <span class="scale">{most}</span>
        {weeks.map(({ start, byTopic, answered: known, confirmations }) => (
          <div class="week" key={start}>
            <div class="bars">
              <div class="stack">
                {topics.map(
                  (topic) =>
                    byTopic[topic] && (
                      <span key={topic} class={`topic-${topic}`} style={height(byTopic[topic])} />
                    ),
                )}
              </div>
              <div class="stack">
                <span class="answered" style={height(known)} />
              </div>
              {confirmed > 0 && (
                <div class="stack">
                  <span class="confirmed" style={height(confirmations)} />
                </div>
              )}
            </div>
            <span class="week-name">{weekName(start)}</span>
          </div>
        ))}
      </div>
      <details>
        <summary>The same as a table</summary>
        <Scrolling class="table-box" label="Corrections a week, as a table">
          <WeekTable weeks={weeks} topics={topics} />
        </Scrolling>
      </details>
    </figure>
  );
}

function WeekTable({ weeks, topics }: { weeks: readonly Week[]; topics: readonly Topic[] }) {
  return (
    <table>
      <caption class="unseen">Corrections a week by what they are about</caption>
      <thead>
        <tr>
          <th scope="col">Week of</th>
          {topics.map((topic) => (
            <th key={topic} scope="col" class="number">
              {TOPICS[topic]}
            </th>
          ))}
          <th scope="col" class="number">
            All corrections
          </th>
          <th scope="col" class="number">
            Answered by a memory
          </th>
          <th scope="col" class="number">
            Confirmed
          </th>
        </tr>
      </thead>
      <tbody>
        {weeks.toReversed().map((week) => (
          <tr key={week.start}>
            <th scope="row">{weekName(week.start)}</th>
            {topics.map((topic) => (
              <td key={topic} class="number">
                {week.byTopic[topic] ?? 0}
              </td>
            ))}
            <td class="number">{week.total}</td>
            <td class="number">{week.answered}</td>
            <td class="number">{week.confirmations}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
