import { signal } from '@preact/signals';
import { useId, useState } from 'preact/hooks';
import type { AccountReference, Memory, MemoryContent } from '../../../lib/domain/memory.ts';
import { AccountPicker } from './account-picker.tsx';
import { client, ProblemError } from './api.ts';
import { messageOf, type SaveInput, saveOver } from './decisions.ts';
import { Dialog } from './dialog.tsx';
import { place } from './lists.ts';
import { notify } from './notices.ts';
import { mayReview } from './session.ts';
import { lineOf, type Topic } from './words.ts';

/** What the form is open for: nothing yet, a memory to change, or a new one. */
export type Editing =
  | { readonly memory: Memory; readonly from: MemoryContent; readonly title: string }
  | { readonly memory?: undefined; readonly topic: Topic; readonly merchant?: string };
export const editing = signal<Editing | undefined>(undefined);

export const editMemory = (memory: Memory) => {
  editing.value = {
    memory,
    from: memory.content,
    title: memory.unresolvable ? 'Choose another account' : 'Edit',
  };
};
export const editBeforeApproving = (memory: Memory) => {
  editing.value = {
    memory,
    from: memory.proposal?.content ?? memory.content,
    title: 'Edit before approving',
  };
};
export const addMemory = (topic: Topic = 'category', merchant = '') => {
  editing.value = { topic, merchant };
};

export function MemoryFormDialog() {
  const what = editing.value;
  if (!what) return null;
  const close = () => {
    editing.value = undefined;
  };
  return (
    <Dialog title={what.memory ? what.title : 'Add a memory'} close={close}>
      {what.memory ? (
        <EditForm key={what.memory.id} memory={what.memory} from={what.from} close={close} />
      ) : (
        <AddForm topic={what.topic} merchant={what.merchant ?? ''} close={close} />
      )}
    </Dialog>
  );
}

function EditForm(props: { memory: Memory; from: MemoryContent; close: () => void }) {
  const { memory, from, close } = props;
  const { kind, scope, documentId } = memory;
  const own = { kind, scope, ...(documentId !== undefined && { documentId }) };
  const submit = (content: unknown) => saveOver(memory, inputOf({ ...own, content }), close);
  const label = memory.status === 'candidate' || memory.proposal ? 'Save and approve' : 'Save';
  return (
    <ContentForm
      from={from}
      repair={memory.unresolvable === true}
      submit={submit}
      label={label}
      close={close}
    />
  );
}

const NEW_TOPICS = {
  category: 'A merchant’s account',
  name: 'A merchant’s name',
  labels: 'A merchant’s labels',
  preference: 'A preference',
} as const;
type NewTopic = keyof typeof NEW_TOPICS;

function AddForm(props: { topic: Topic; merchant: string; close: () => void }) {
  const id = useId();
  const [topic, setTopic] = useState<NewTopic>(
    props.topic in NEW_TOPICS ? (props.topic as NewTopic) : 'category',
  );
  const [scope, setScope] = useState<'user' | 'org'>('user');
  const [start, setStart] = useState(() => blankOf(topic, props.merchant));
  const submit = async (content: unknown) => {
    const kind = topic === 'preference' ? 'preference' : 'canonical_mapping';
    const { memory, outcome } = await client.memories.save(
      inputOf({ kind, content, ...(topic === 'preference' && { scope }) }),
    );
    place(memory);
    notify(
      outcome === 'unchanged'
        ? `That is known already: ${lineOf(memory.content)}`
        : `Saved: ${lineOf(memory.content)}`,
    );
    props.close();
  };
  const change = (next: NewTopic, content = blankOf(next, props.merchant)) => {
    setTopic(next);
    setStart(content);
  };
  return (
    <>
      <div class="field">
        <label for={id}>What should be remembered?</label>
        <select id={id} value={topic} onChange={(event) => change(event.currentTarget.value as NewTopic)}>
          {Object.entries(NEW_TOPICS).map(([name, text]) => (
            <option key={name} value={name}>
              {text}
            </option>
          ))}
        </select>
      </div>
      {topic === 'preference' && (
        <fieldset>
          <legend>For whom?</legend>
          <label class="choice">
            <input
              type="radio"
              name={`${id}-scope`}
              checked={scope === 'user'}
              onChange={() => setScope('user')}
            />
            Only for me
          </label>
          <label class="choice">
            <input
              type="radio"
              name={`${id}-scope`}
              checked={scope === 'org'}
              disabled={!mayReview.value}
              onChange={() => setScope('org')}
            />
            For everybody in the workspace
          </label>
        </fieldset>
      )}
      <ContentForm
        key={JSON.stringify(start)}
        from={start}
        isNew
        submit={submit}
        label="Save"
        close={props.close}
        instead={(content) => change(content.mapping === 'merchant_name' ? 'name' : content.mapping, content)}
      />
    </>
  );
}

function blankOf(topic: NewTopic, merchant: string): MemoryContent {
  if (topic === 'category') return { mapping: 'category', merchant, account: { id: '' } };
  if (topic === 'name') return { mapping: 'merchant_name', merchant, canonicalName: '' };
  if (topic === 'labels') return { mapping: 'labels', merchant, labels: [] };
  return { text: '' };
}

type Mapping = Extract<MemoryContent, { mapping: string }>;
type Draft = Record<string, unknown>;

/** The fields of one memory. What it is about stays as it is: another merchant is another memory. */
function ContentForm(props: {
  readonly from: MemoryContent;
  readonly isNew?: boolean;
  readonly repair?: boolean;
  readonly submit: (content: unknown) => Promise<void>;
  readonly label: string;
  readonly close: () => void;
  readonly instead?: (content: Mapping) => void;
}) {
  const { from, isNew = false, repair = false } = props;
  const id = useId();
  const [draft, setDraft] = useState<Draft>({ ...from });
  const [account, setAccount] = useState<AccountReference | undefined>(
    'account' in from && from.account.id !== '' && !repair ? from.account : undefined,
  );
  const [labels, setLabels] = useState('labels' in from ? from.labels.join(', ') : '');
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<unknown>(undefined);
  const set = (name: string) => (value: string) => setDraft({ ...draft, [name]: value });
  const refusals =
    problem instanceof ProblemError && problem.code !== 'use-canonical-mapping' ? problem.errors : [];
  const lacksAccount = problem === 'no-account';

  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (busy) return;
    if ('account' in from && !account) {
      setProblem('no-account');
      return;
    }
    setBusy(true);
    setProblem(undefined);
    try {
      await props.submit(contentOf(draft, account, labels));
    } catch (error) {
      setProblem(error);
    } finally {
      setBusy(false);
    }
  };

  return (
    <form onSubmit={submit} noValidate={false}>
      {'mapping' in from &&
        (isNew ? (
          <Field
            label="Merchant"
            value={text(draft.merchant)}
            set={set('merchant')}
            hint="As it is printed on the document."
          />
        ) : (
          <div class="field">
            <span class="label">Merchant</span>
            <p class="fixed">
              <bdi>{from.merchant}</bdi>
            </p>
          </div>
        ))}
      {'account' in from && (
        <>
          {repair && (
            <p class="callout warn">
              The account <bdi>{from.account.name ?? from.account.id}</bdi> ({from.account.id}) is not in the
              chart of accounts any more, or is closed. Until another one is chosen, this memory is not used.
            </p>
          )}
          <AccountPicker
            chosen={account}
            choose={(next) => {
              setAccount(next);
              if (lacksAccount) setProblem(undefined);
            }}
            phrase={repair ? (from.account.name ?? '') : ''}
            invalid={lacksAccount}
          />
        </>
      )}
      {'canonicalName' in from && (
        <Field
          label="Is called"
          value={text(draft.canonicalName)}
          set={set('canonicalName')}
          hint="The name to show in its place."
        />
      )}
      {'labels' in from && (
        <Field
          label="Labels"
          value={labels}
          set={setLabels}
          max={440}
          hint="One to ten, with commas between them."
        />
      )}
      {'text' in from && !('hint' in from) && (
        <div class="field">
          <label for={`${id}-text`}>What should be remembered</label>
          <textarea
            id={`${id}-text`}
            dir="auto"
            rows={4}
            maxLength={500}
            required
            value={text(draft.text)}
            onInput={(event) => set('text')(event.currentTarget.value)}
          />
        </div>
      )}
      {'hint' in from && (
        <>
          <p class="fixed">{lineOf(from)}</p>
          {from.hint === 'custom' && (
            <Field label="What to do" value={text(draft.text)} set={set('text')} max={500} />
          )}
        </>
      )}
      {'integration' in from && (
        <>
          <Field label="Where it goes" value={text(draft.integration)} set={set('integration')} max={100} />
          <Field label="Target (optional)" value={text(draft.target)} set={set('target')} optional />
        </>
      )}
      {problem !== undefined && (
        <div class="callout bad" role="alert">
          <p>{lacksAccount ? 'Choose an account from the list.' : messageOf(problem)}</p>
          {refusals.length > 0 && (
            <ul>
              {refusals.map(({ path, message }) => (
                <li key={path}>
                  {path.replace(/^content\./, '')} {message}
                </li>
              ))}
            </ul>
          )}
          <Instead problem={problem} take={props.instead} />
        </div>
      )}
      <footer>
        <button type="button" class="button" onClick={props.close}>
          Cancel
        </button>
        <button type="submit" class="button primary" disabled={busy}>
          {busy ? 'Saving …' : props.label}
        </button>
      </footer>
    </form>
  );
}

/** A sentence that is really a mapping is refused together with the mapping to save in its place. */
function Instead({ problem, take }: { problem: unknown; take: ((content: Mapping) => void) | undefined }) {
  if (!(problem instanceof ProblemError) || problem.code !== 'use-canonical-mapping' || !take) return null;
  const { content } = (problem.details.instead ?? {}) as { content?: Draft };
  if (!content) return null;
  const accounts = Array.isArray(problem.details.accounts)
    ? (problem.details.accounts as AccountReference[])
    : [];
  const mapping = {
    ...content,
    ...(content.mapping === 'category' && { account: content.account ?? { id: '' } }),
  };
  return (
    <div class="row">
      {content.mapping === 'category' && accounts.length > 1 ? (
        accounts.map(({ id, name }) => (
          <button
            key={id}
            type="button"
            class="button small"
            onClick={() => take({ ...mapping, account: { id, ...(name && { name }) } } as unknown as Mapping)}
          >
            <bdi>
              {text(content.merchant)} → {name ?? id}
            </bdi>
          </button>
        ))
      ) : (
        <button type="button" class="button small" onClick={() => take(mapping as unknown as Mapping)}>
          Save it about the merchant
        </button>
      )}
    </div>
  );
}

function Field(props: {
  readonly label: string;
  readonly value: string;
  readonly set: (value: string) => void;
  readonly hint?: string;
  readonly max?: number;
  readonly optional?: boolean;
}) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{props.label}</label>
      <input
        id={id}
        dir="auto"
        autocomplete="off"
        maxLength={props.max ?? 200}
        required={!props.optional}
        value={props.value}
        onInput={(event) => props.set(event.currentTarget.value)}
        {...(props.hint && { 'aria-describedby': `${id}-hint` })}
      />
      {props.hint && (
        <p id={`${id}-hint`} class="hint">
          {props.hint}
        </p>
      )}
    </div>
  );
}

function contentOf(draft: Draft, account: AccountReference | undefined, labels: string): Draft {
  const { target, ...rest } = draft;
  return {
    ...rest,
    ...(text(target).trim() !== '' && { target }),
    ...('account' in draft && account && { account: { id: account.id } }),
    ...('labels' in draft && {
      labels: labels
        .split(',')
        .map((label) => label.trim())
        .filter((label) => label !== ''),
    }),
  };
}

/** What was typed in is the service's to judge. */
const inputOf = (body: { readonly kind: string; readonly content: unknown }) => body as SaveInput;

const text = (value: unknown) => (typeof value === 'string' ? value : '');
