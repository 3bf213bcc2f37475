import { useState } from 'preact/hooks';
import type { Memory } from '../../../lib/domain/memory.ts';
import { Dialog } from './dialog.tsx';
import { Says } from './parts.tsx';
import { proposedOf } from './words.ts';

export function RejectDialog(props: {
  readonly memory: Memory;
  readonly close: () => void;
  readonly reject: (reason: string) => void;
}) {
  const [reason, setReason] = useState('');
  const { memory } = props;
  const keeps = memory.proposal && memory.status === 'active';
  return (
    <Dialog title={keeps ? 'Keep it as it is?' : 'Reject this suggestion?'} close={props.close}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          props.reject(reason.trim());
        }}
      >
        <p>
          <Says content={proposedOf(memory)} />
        </p>
        <p class="quiet">
          {keeps && (
            <>
              In use stays: <Says content={memory.content} />.{' '}
            </>
          )}
          What is turned down is not suggested again; another value may be, if new documents say so.
        </p>
        <ReasonField reason={reason} set={setReason} />
        <footer>
          <button type="button" class="button" onClick={props.close}>
            Cancel
          </button>
          <button type="submit" class="button primary">
            {keeps ? 'Keep as it is' : 'Reject'}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}

export function ReasonField({ reason, set }: { reason: string; set: (reason: string) => void }) {
  return (
    <div class="field">
      <label for="reason">Reason (optional)</label>
      <textarea
        id="reason"
        rows={2}
        dir="auto"
        maxLength={500}
        value={reason}
        onInput={(event) => set(event.currentTarget.value)}
      />
    </div>
  );
}
