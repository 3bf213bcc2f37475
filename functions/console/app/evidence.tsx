import { useEffect } from 'preact/hooks';
import type { Memory, MemoryContent } from '../../../lib/domain/memory.ts';
import type { Evidence } from '../../../lib/domain/responses.ts';
import { readChart } from './chart.ts';
import { dateOf, momentOf } from './dates.ts';
import { Says, Scrolling } from './parts.tsx';
import { count, evidenceLine, sameContent, sayingOf, sureness, verdictLine } from './words.ts';

export function EvidenceLine({ memory, evidence }: { memory: Memory; evidence: Evidence | undefined }) {
  return <>{evidenceLine(memory, evidence)}</>;
}

/** What the documents say, value by value, and what has come of it. */
export function EvidenceTables({ evidence, memory }: { evidence: Evidence; memory?: Memory }) {
  useEffect(() => void readChart().catch(() => {}), []);
  const { tally, votes, verdict } = evidence;
  return (
    <>
      <p>
        {verdictLine(evidence)}{' '}
        {verdict.n > 0 && verdict.reason !== 'needs-more' && (
          <span class="quiet">That makes it {sureness(verdict.confidence)} sure.</span>
        )}
      </p>
      {tally.length > 0 && (
        <Scrolling class="table-box" label="What the documents say">
          <table>
            <thead>
              <tr>
                <th scope="col">What was said</th>
                <th scope="col" class="number">
                  Documents
                </th>
                <th scope="col" class="number">
                  Corrections
                </th>
                <th scope="col" class="number">
                  People
                </th>
                <th scope="col">First</th>
                <th scope="col">Last</th>
              </tr>
            </thead>
            <tbody>
              {tally.map((line) => (
                <tr key={JSON.stringify(line.content)}>
                  <th scope="row">
                    <bdi>{sayingOf(line.content).says}</bdi>
                  </th>
                  <td class="number">{line.documents}</td>
                  <td class="number">{line.corrections}</td>
                  <td class="number">{line.people}</td>
                  <td>{dateOf(line.firstAt)}</td>
                  <td>{dateOf(line.lastAt)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scrolling>
      )}
      {votes.length > 0 && (
        <VoteTimeline
          evidence={evidence}
          subject={memory?.proposal?.content ?? memory?.content ?? tally[0]?.content}
        />
      )}
    </>
  );
}

/** Votes for and against over time; the list below says the same in words. */
function VoteTimeline({ evidence, subject }: { evidence: Evidence; subject: MemoryContent | undefined }) {
  const votes = [...evidence.votes].sort((a, b) => (a.at < b.at ? -1 : 1));
  const first = Date.parse(votes[0]?.at ?? '');
  const last = Date.parse(votes.at(-1)?.at ?? '');
  const stands = votes.map((vote) => ({
    vote,
    stand:
      vote.content === null
        ? ('neither' as const)
        : subject && sameContent(vote.content, subject)
          ? ('for' as const)
          : ('against' as const),
    at: last === first ? 50 : ((Date.parse(vote.at) - first) / (last - first)) * 100,
  }));
  const sum = (stand: string) => stands.filter((one) => one.stand === stand).length;
  const words = { for: 'for it', against: 'against it', neither: 'taken back' };
  return (
    <figure class="timeline">
      <figcaption>
        {count(votes.length, 'edit')}
        {evidence.votes.length === 50 && ' (the newest 50)'}: {sum('for')} for{' '}
        {subject && (
          <>
            “<bdi>{sayingOf(subject).says}</bdi>”
          </>
        )}
        , {sum('against')} against
        {sum('neither') > 0 && `, ${sum('neither')} taken back`}
      </figcaption>
      <div class="tracks" aria-hidden="true">
        {(['for', 'against'] as const).map((track) => (
          <div class="track" key={track}>
            <span class="track-name">{track === 'for' ? 'For' : 'Against'}</span>
            <span class="track-line">
              {stands
                .filter(({ stand }) => stand === track)
                .map(({ vote, at }) => (
                  <span key={vote.eventId} class={`dot ${track}`} style={{ left: `${at}%` }} />
                ))}
            </span>
          </div>
        ))}
        <div class="track-dates">
          <span>{dateOf(first)}</span>
          {first !== last && <span>{dateOf(last)}</span>}
        </div>
      </div>
      <details>
        <summary>Each edit, in words</summary>
        <ol class="votes" reversed>
          {stands.toReversed().map(({ vote, stand }) => (
            <li key={`${vote.eventId} ${JSON.stringify(vote.content)}`}>
              <span class={`stand ${stand}`}>{words[stand]}</span>{' '}
              {vote.act === 'confirmation' && 'confirmed '}
              <time dateTime={vote.at}>{momentOf(vote.at)}</time>, <bdi>{vote.userId}</bdi>
              {vote.content && (
                <>
                  : <Says content={vote.content} />
                </>
              )}{' '}
              <span class="quiet">
                on {vote.documentIds.length > 3 ? count(vote.documentIds.length, 'document') : null}
                {vote.documentIds.length <= 3 && <bdi>{vote.documentIds.join(', ')}</bdi>}
              </span>
            </li>
          ))}
        </ol>
      </details>
    </figure>
  );
}
