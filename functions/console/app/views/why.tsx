import { useId, useState } from 'preact/hooks';
import type { Memory, MemoryStatus } from '../../../../lib/domain/memory.ts';
import type { Evidence } from '../../../../lib/domain/responses.ts';
import { client, ProblemError } from '../api.ts';
import { EvidenceTables } from '../evidence.tsx';
import { useLoad } from '../load.ts';
import { addMemory } from '../memory-form.tsx';
import { Badges, Failed, Loading, MemoryLink, StatusBadge, Title } from '../parts.tsx';
import { linkTo, route } from '../route.ts';
import { mayWrite } from '../session.ts';

const ASKABLE = { category: 'its account', merchant_name: 'its name', labels: 'its labels' } as const;
type Askable = keyof typeof ASKABLE;

export function Why() {
  const asked = route.value.query;
  const merchant = asked.get('merchant') ?? '';
  const mapping = (asked.get('about') ?? 'category') as Askable;
  return (
    <>
      <Title hint="What is known of a merchant, and why nothing was learned about it yet.">Why not?</Title>
      <Question key={`${merchant} ${mapping}`} merchant={merchant} mapping={mapping} />
      {merchant !== '' && <Answer merchant={merchant} mapping={mapping} />}
    </>
  );
}

function Question(props: { merchant: string; mapping: Askable }) {
  const id = useId();
  const [merchant, setMerchant] = useState(props.merchant);
  const [mapping, setMapping] = useState(props.mapping);
  return (
    <form
      class="toolbar ask"
      onSubmit={(event) => {
        event.preventDefault();
        if (merchant.trim() !== '')
          location.hash = linkTo('why', { merchant: merchant.trim(), about: mapping });
      }}
    >
      <div class="search">
        <label for={`${id}-merchant`}>Merchant, as it is printed</label>
        <input
          id={`${id}-merchant`}
          type="search"
          dir="auto"
          required
          maxLength={200}
          value={merchant}
          onInput={(event) => setMerchant(event.currentTarget.value)}
        />
      </div>
      <label class="inline stacked">
        About{' '}
        <select value={mapping} onChange={(event) => setMapping(event.currentTarget.value as Askable)}>
          {Object.entries(ASKABLE).map(([name, words]) => (
            <option key={name} value={name}>
              {words}
            </option>
          ))}
        </select>
      </label>
      <button type="submit" class="button primary">
        Ask
      </button>
    </form>
  );
}

interface Known {
  readonly evidence?: Evidence;
  readonly nobody: boolean;
  readonly memories: readonly Memory[];
}

async function read(merchant: string, mapping: Askable, signal: AbortSignal): Promise<Known> {
  const statuses: readonly MemoryStatus[] = ['active', 'candidate', 'archived', 'rejected'];
  try {
    const [evidence, ...pages] = await Promise.all([
      client.memories.explain({ merchant, mapping }, { signal }),
      ...statuses.map((status) => client.memories.list({ status, merchant, limit: 100 }, { signal })),
    ]);
    const memories = new Map(pages.flatMap(({ items }) => items).map((memory) => [memory.id, memory]));
    return { evidence, nobody: false, memories: [...memories.values()] };
  } catch (error) {
    if (error instanceof ProblemError && error.code === 'no-merchant') return { nobody: true, memories: [] };
    throw error;
  }
}

function Answer({ merchant, mapping }: { merchant: string; mapping: Askable }) {
  const { loaded, reload } = useLoad(`${mapping} ${merchant}`, (abort) => read(merchant, mapping, abort));
  if (loaded.state === 'loading') return <Loading what="the evidence" />;
  if (loaded.state === 'failed') return <Failed error={loaded.error} retry={reload} />;
  const { evidence, memories, nobody } = loaded.value;
  if (nobody || !evidence) {
    return (
      <p class="callout">
        “<bdi>{merchant}</bdi>” names no merchant: it is only a bank phrase, digits or nothing, so nothing can
        be known of it.
      </p>
    );
  }
  const nearest = evidence.verdict.nearestMerchant;
  return (
    <>
      {nearest !== undefined && (
        <p class="callout">
          Something is known of a similar name:{' '}
          <a href={linkTo('why', { merchant: nearest, about: mapping })}>
            <bdi>{nearest}</bdi>
          </a>
          . If it is the same merchant, join them by adding what “<bdi>{merchant}</bdi>” is called.
        </p>
      )}
      <section class="panel" aria-labelledby="known">
        <h2 id="known">What is known</h2>
        {memories.length === 0 ? (
          <p>
            Nothing is remembered of “<bdi>{merchant}</bdi>”.
          </p>
        ) : (
          <ul class="rows">
            {memories.map((memory) => (
              <li key={memory.id} class="row-item">
                <div>
                  <MemoryLink memory={memory} />
                  <p class="facts">
                    <StatusBadge memory={memory} />
                    <Badges memory={memory} />
                  </p>
                </div>
              </li>
            ))}
          </ul>
        )}
        <button
          type="button"
          class="button small"
          disabled={!mayWrite.value}
          onClick={() => addMemory('category', merchant)}
        >
          Add a memory about it
        </button>
      </section>
      <section class="panel" aria-labelledby="learned">
        <h2 id="learned">
          {evidence.verdict.promoted ? 'What was learned' : 'Why nothing more was learned'}
        </h2>
        {mapping === 'labels' && evidence.votes.length === 0 ? (
          <p>Labels are not learned from corrections. They are saved by a person.</p>
        ) : (
          <EvidenceTables evidence={evidence} />
        )}
      </section>
    </>
  );
}
