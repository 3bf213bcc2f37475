import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { Account } from '../../../lib/domain/chart-of-accounts.ts';
import type { AccountReference } from '../../../lib/domain/memory.ts';
import { client } from './api.ts';
import { readChart } from './chart.ts';
import { messageOf } from './decisions.ts';
import { fold } from './words.ts';

interface Choice {
  readonly id: string;
  readonly name: string;
  readonly place: string;
}

const MOST_CHOICES = 12;

/**
 * A combobox over the workspace's chart: first what the service's own resolver makes of the words, then whatever else
 * in the chart contains them.
 */
export function AccountPicker(props: {
  readonly chosen: AccountReference | undefined;
  readonly choose: (account: AccountReference | undefined) => void;
  readonly phrase?: string;
  readonly invalid?: boolean;
}) {
  const { chosen, choose } = props;
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState(chosen?.name ?? props.phrase ?? '');
  const [open, setOpen] = useState(false);
  const [at, setAt] = useState(-1);
  const [advice, setAdvice] = useState('');
  const [choices, setChoices] = useState<readonly Choice[]>([]);
  const query = typed.trim();

  useEffect(() => {
    if (query === '' || query === chosen?.name) {
      setChoices([]);
      setAdvice('');
      return;
    }
    const aborting = new AbortController();
    const wait = setTimeout(() => {
      choicesFor(query, aborting.signal).then(
        (found) => {
          setChoices(found.choices);
          setAdvice(found.advice);
          // Only where the resolver is sure does Enter alone choose: a wrong account is worse than a question.
          setAt(found.sure ? 0 : -1);
        },
        (error) => {
          if (aborting.signal.aborted) return;
          setChoices([]);
          setAdvice(messageOf(error));
        },
      );
    }, 180);
    return () => {
      clearTimeout(wait);
      aborting.abort();
    };
  }, [query, chosen?.name]);

  const take = (choice: Choice) => {
    setTyped(choice.name);
    choose({ id: choice.id, name: choice.name });
    setOpen(false);
  };
  const shown = open && choices.length > 0;
  const move = (step: number) => {
    setOpen(true);
    setAt(
      (before) => (Math.max(before, step > 0 ? -1 : 0) + step + choices.length) % Math.max(1, choices.length),
    );
  };

  return (
    <div class="field picker">
      <label for={id}>Account</label>
      <input
        ref={input}
        id={id}
        role="combobox"
        autocomplete="off"
        dir="auto"
        maxLength={200}
        autofocus={props.phrase !== undefined && props.phrase !== ''}
        aria-autocomplete="list"
        aria-expanded={shown}
        aria-controls={`${id}-list`}
        aria-describedby={`${id}-advice`}
        aria-invalid={props.invalid}
        required
        {...(shown && at >= 0 && { 'aria-activedescendant': `${id}-${at}` })}
        value={typed}
        onInput={(event) => {
          setTyped(event.currentTarget.value);
          choose(undefined);
          setOpen(true);
        }}
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onKeyDown={(event) => {
          if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
            event.preventDefault();
            move(event.key === 'ArrowDown' ? 1 : -1);
          } else if (event.key === 'Enter' && shown) {
            event.preventDefault();
            const choice = choices[at];
            if (choice) take(choice);
          } else if (event.key === 'Escape' && shown) {
            event.preventDefault();
            event.stopPropagation();
            setOpen(false);
          }
        }}
      />
      <div id={`${id}-list`} role="listbox" aria-label="Accounts" tabIndex={-1} hidden={!shown}>
        {choices.map((choice, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys, and says which option is meant
          <div
            key={choice.id}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            // The field keeps the focus, so a press must not take it away before the click counts.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => take(choice)}
          >
            <bdi>{choice.name}</bdi> <span class="quiet">{choice.place}</span>
          </div>
        ))}
      </div>
      <p id={`${id}-advice`} class="hint" role="status">
        {chosen
          ? `Chosen: ${chosen.name ?? chosen.id} (${chosen.id})`
          : advice || 'Type what it is, or the account’s name or number.'}
      </p>
    </div>
  );
}

async function choicesFor(
  query: string,
  abort: AbortSignal,
): Promise<{ readonly choices: readonly Choice[]; readonly advice: string; readonly sure: boolean }> {
  const [resolution, accounts] = await Promise.all([
    client.accounts.resolve({ query, limit: 6 }, { signal: abort }),
    readChart(),
  ]);
  const fitting = resolution.matches.map(({ account, path }) =>
    choiceOf(account, path.split(':').slice(0, -1).join(' › ')),
  );
  const taken = new Set(fitting.map(({ id }) => id));
  const containing = accounts
    .filter((account) => account.active !== false && !account.group && !taken.has(account.id))
    .filter((account) => fold(`${account.name} ${account.code ?? ''} ${account.id}`).includes(fold(query)))
    .map((account) => choiceOf(account, account.type.replaceAll('_', ' ')));
  const advice = {
    resolve: 'One account fits.',
    ask: 'It could be one of several accounts: choose one.',
    none: fitting.length > 0 ? 'No account fits well; these are the nearest.' : 'No account fits.',
  }[resolution.decision];
  return {
    choices: [...fitting, ...containing].slice(0, MOST_CHOICES),
    advice,
    sure: resolution.decision === 'resolve',
  };
}

function choiceOf(account: Account, path: string): Choice {
  return {
    id: account.id,
    name: account.name,
    place: [account.code ?? account.id, path].filter((part) => part !== '').join(' · '),
  };
}
