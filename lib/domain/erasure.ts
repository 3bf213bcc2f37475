import { Buffer } from 'node:buffer';
import { createHmac } from 'node:crypto';
import type { CorrectionEvent } from './correction.ts';
import { dedupKeyOfId, ownerPrefix } from './dedup-key.ts';
import { canonicalJson } from './digest.ts';
import { recogniseFeedback } from './feedback.ts';
import { type OrgId, UserId } from './ids.ts';
import type { StoredMemory } from './stored-memory.ts';

/** A person who is erased, and who they are in the records from then on. */
export interface Erased {
  readonly userId: UserId;
  readonly alias: UserId;
}

/** The pseudonym of a person in one org: always the same one there, and nobody without the org's secret can make it. */
export function aliasOf(secret: string, userId: UserId): UserId {
  const digest = createHmac('sha256', secret).update(userId).digest('base64url');
  return UserId.parse(`erased-${digest.slice(0, 22)}`);
}

/** Who may be meant by an id of somebody: the person themselves under their pseudonym. */
export function personOf(secret: string, userId: UserId): Erased {
  return { userId, alias: aliasOf(secret, userId) };
}

/**
 * A memory of the org without the person: who created, changed and decided, and what reasons say of them. What the
 * memory says, and how it stands, is the org's and stays. `undefined` where the person is not in it.
 */
export function memoryWithout(memory: StoredMemory, person: Erased): StoredMemory | undefined {
  const who = (by: string) => (by === person.userId ? person.alias : by);
  const history = memory.history.map(({ by, reason, ...entry }) => ({
    ...entry,
    by: who(by),
    ...(reason === undefined ? {} : { reason: textWithout(reason, person) }),
  }));
  const next = { ...memory, createdBy: who(memory.createdBy), updatedBy: who(memory.updatedBy), history };
  return canonicalJson(next) === canonicalJson(memory) ? undefined : { ...next, rev: memory.rev + 1 };
}

/**
 * An event without the person: its actor, the ids of their own memories, and what its text says of them where nothing
 * is learned from it. It casts the votes it cast before, as the pseudonym's. `undefined` where the person is not in it.
 */
export function eventWithout(event: CorrectionEvent, person: Erased): CorrectionEvent | undefined {
  const { actor, changeSet, context, causedBy } = event;
  const next: CorrectionEvent = {
    ...event,
    ...(actor && { actor: actor.userId === person.userId ? { userId: person.alias } : actor }),
    ...(changeSet && { changeSet: changesWithout(changeSet, person) }),
    ...(context?.feedback !== undefined && {
      context: { ...context, feedback: feedbackWithout(context.feedback, person) },
    }),
    ...(causedBy && { causedBy: [...causesWithout(event.orgId, causedBy, person)] }),
  };
  return JSON.stringify(next) === JSON.stringify(event) ? undefined : next;
}

/** The causes of an event or a vote, less the memories that were the person's own: an id tells whose a memory is. */
export function causesWithout(orgId: OrgId, causes: readonly string[], person: Erased): readonly string[] {
  const own = ownerPrefix({ scope: 'user', userId: person.userId });
  return causes.filter((id) => !dedupKeyOfId(orgId, id)?.startsWith(own));
}

/** What is in every id of a memory of the person's own, so that a store can look for it. */
export function ownIdMark({ userId }: Erased): string {
  const prefix = Buffer.from(ownerPrefix({ scope: 'user', userId }));
  // Four characters for every three bytes; a rest of one or two is mixed with what follows.
  return prefix.subarray(0, prefix.length - (prefix.length % 3)).toString('base64url');
}

type Changes = NonNullable<CorrectionEvent['changeSet']>;

function changesWithout({ merchant, category, ...others }: Changes, person: Erased): Changes {
  return {
    ...(merchant && { merchant }),
    ...(category && { category }),
    ...Object.fromEntries(
      Object.entries(others).map(([field, change]) => [field, valueWithout(change, person)]),
    ),
  } as Changes;
}

function valueWithout(value: unknown, person: Erased): unknown {
  if (typeof value === 'string') return textWithout(value, person);
  if (Array.isArray(value)) return value.map((member) => valueWithout(member, person));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, valueWithout(member, person)]),
  );
}

/** Feedback votes by what it means, so its words only change where the meaning does not. */
function feedbackWithout(feedback: string, person: Erased): string {
  const text = [...textWithout(feedback, person)].slice(0, MAX_FEEDBACK).join('');
  return recogniseFeedback(text) === recogniseFeedback(feedback) ? text : feedback;
}

const MAX_FEEDBACK = 2000;

/** Free text without the person's id, where it stands as a word of its own. */
function textWithout(text: string, { userId, alias }: Erased): string {
  const id = userId.replace(/[.\\^$*+?()[\]{}|]/g, '\\$&');
  // A dot, a hyphen or an at sign before or after is punctuation, unless an id goes on there.
  const named = new RegExp(`(?<![A-Za-z0-9_.@-])${id}(?![A-Za-z0-9_]|[.@-][A-Za-z0-9_])`, 'g');
  return text.replace(named, alias);
}
