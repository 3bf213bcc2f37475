import { createHash, randomUUID } from 'node:crypto';
import { closeSync, mkdirSync, openSync, renameSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { readJsonLines } from './json-lines.ts';
import type { QueueSpec } from './template.ts';

export interface MessageAttribute {
  readonly DataType: string;
  readonly StringValue?: string;
  readonly BinaryValue?: string;
}

export interface QueuedMessage {
  readonly id: string;
  readonly body: string;
  readonly attributes: Readonly<Record<string, MessageAttribute>>;
  readonly sentAt: number;
  readonly receiveCount: number;
  readonly firstReceivedAt?: number;
  /** The queue that gave it up, for one that came to a dead-letter queue that way. */
  readonly givenUpBy?: string;
}

export interface ReceivedMessage extends QueuedMessage {
  readonly receiptHandle: string;
}

/**
 * The queues of the template, each kept in a journal of its own, so that a restart loses no message. A message that
 * was received and not deleted before a restart is simply there again.
 */
export function openQueues(directory: string, specs: readonly QueueSpec[]): LocalQueues {
  mkdirSync(directory, { recursive: true });
  const queues = new Map<string, LocalQueue>();
  for (const spec of specs) {
    queues.set(
      spec.arn,
      new LocalQueue(spec, join(directory, `${spec.name}.jsonl`), (arn) => {
        const target = queues.get(arn);
        if (!target) throw new Error(`${spec.name}: there is no dead-letter queue ${arn}`);
        return target;
      }),
    );
  }
  return {
    all: [...queues.values()],
    byArn: (arn) => queues.get(arn),
    byUrl: (url) => [...queues.values()].find((queue) => pathOf(queue.spec.url) === pathOf(url)),
    close: () => {
      for (const queue of queues.values()) queue.close();
    },
  };
}

export interface LocalQueues {
  readonly all: readonly LocalQueue[];
  byArn(arn: string): LocalQueue | undefined;
  byUrl(url: string): LocalQueue | undefined;
  close(): void;
}

export class LocalQueue {
  readonly spec: QueueSpec;
  readonly #messages = new Map<string, Held>();
  readonly #journal: Journal;
  readonly #queueAt: (arn: string) => LocalQueue;
  readonly #listeners = new Set<() => void>();

  constructor(spec: QueueSpec, file: string, queueAt: (arn: string) => LocalQueue) {
    this.spec = spec;
    this.#queueAt = queueAt;
    this.#journal = openJournal(file);
    for (const message of this.#journal.messages) this.#messages.set(message.id, { message, visibleAt: 0 });
  }

  send(
    body: string,
    more: Partial<Pick<QueuedMessage, 'attributes' | 'givenUpBy' | 'id'>> & { delaySeconds?: number } = {},
  ): QueuedMessage {
    const now = Date.now();
    const message: QueuedMessage = {
      id: more.id ?? randomUUID(),
      body,
      attributes: more.attributes ?? {},
      sentAt: now,
      receiveCount: 0,
      ...(more.givenUpBy !== undefined && { givenUpBy: more.givenUpBy }),
    };
    this.#journal.put(message);
    this.#messages.set(message.id, { message, visibleAt: now + (more.delaySeconds ?? 0) * 1000 });
    this.#changed();
    return message;
  }

  /** Takes up to `max` visible messages, oldest first. One received too often goes to the dead-letter queue instead. */
  receive(max: number, visibilitySeconds = this.spec.visibilitySeconds): readonly ReceivedMessage[] {
    const now = Date.now();
    this.#forgetExpired(now);
    const received: ReceivedMessage[] = [];
    for (const held of this.#messages.values()) {
      if (received.length >= max) break;
      if (held.visibleAt > now) continue;
      const { redrive } = this.spec;
      if (redrive && held.message.receiveCount >= redrive.maxReceiveCount) {
        this.#giveUp(held.message, this.#queueAt(redrive.deadLetterArn));
        continue;
      }
      const receiptHandle = `${held.message.id}.${randomUUID()}`;
      held.message = {
        ...held.message,
        receiveCount: held.message.receiveCount + 1,
        firstReceivedAt: held.message.firstReceivedAt ?? now,
      };
      held.receiptHandle = receiptHandle;
      held.visibleAt = now + visibilitySeconds * 1000;
      this.#journal.put(held.message);
      received.push({ ...held.message, receiptHandle });
    }
    return received;
  }

  /** A handle that a later receive has replaced deletes nothing. */
  delete(receiptHandle: string): void {
    const id = receiptHandle.slice(0, receiptHandle.lastIndexOf('.'));
    if (this.#messages.get(id)?.receiptHandle === receiptHandle) this.#remove(id);
  }

  changeVisibility(receiptHandle: string, seconds: number): void {
    const id = receiptHandle.slice(0, receiptHandle.lastIndexOf('.'));
    const held = this.#messages.get(id);
    if (held?.receiptHandle !== receiptHandle) return;
    held.visibleAt = Date.now() + seconds * 1000;
    this.#changed();
  }

  /** Hands messages that came here as dead letters back to a queue, or to the one that gave each of them up. */
  moveBack(destination?: LocalQueue): number {
    let moved = 0;
    for (const { message } of [...this.#messages.values()]) {
      const target =
        destination ?? (message.givenUpBy === undefined ? undefined : this.#queueAt(message.givenUpBy));
      if (!target) continue;
      target.send(message.body, { attributes: message.attributes });
      this.#remove(message.id);
      moved += 1;
    }
    return moved;
  }

  purge(): void {
    for (const id of [...this.#messages.keys()]) this.#remove(id);
  }

  counts(now = Date.now()): {
    readonly visible: number;
    readonly hidden: number;
    readonly nextVisibleAt?: number;
  } {
    let visible = 0;
    let nextVisibleAt: number | undefined;
    for (const held of this.#messages.values()) {
      if (held.visibleAt <= now) visible += 1;
      else nextVisibleAt = Math.min(nextVisibleAt ?? held.visibleAt, held.visibleAt);
    }
    return {
      visible,
      hidden: this.#messages.size - visible,
      ...(nextVisibleAt !== undefined && { nextVisibleAt }),
    };
  }

  /** Calls back whenever there may be something new to receive, or one message less. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  close(): void {
    this.#journal.close();
  }

  #giveUp(message: QueuedMessage, deadLetters: LocalQueue): void {
    deadLetters.send(message.body, {
      id: message.id,
      attributes: message.attributes,
      givenUpBy: this.spec.arn,
    });
    this.#remove(message.id);
  }

  #remove(id: string): void {
    this.#messages.delete(id);
    this.#journal.remove(id, this.#messages);
    this.#changed();
  }

  #forgetExpired(now: number): void {
    const oldest = now - this.spec.retentionSeconds * 1000;
    for (const { message } of this.#messages.values()) {
      if (message.sentAt >= oldest) return;
      this.#remove(message.id);
    }
  }

  #changed(): void {
    for (const listener of this.#listeners) listener();
  }
}

export const md5 = (text: string): string => createHash('md5').update(text).digest('hex');

interface Held {
  message: QueuedMessage;
  visibleAt: number;
  receiptHandle?: string;
}

interface Journal {
  readonly messages: readonly QueuedMessage[];
  put(message: QueuedMessage): void;
  remove(id: string, left: ReadonlyMap<string, Held>): void;
  close(): void;
}

/** Appends one line a change; is rewritten when it is opened, and when most of its lines are of the past. */
function openJournal(file: string): Journal {
  const messages = readJournal(file);
  let lines = rewrite(file, messages);
  let handle: number | undefined = openSync(file, 'a');
  const append = (line: JournalLine): void => {
    if (handle === undefined) return;
    writeSync(handle, `${JSON.stringify(line)}\n`);
    lines += 1;
  };
  return {
    messages,
    put: (message) => append({ put: message }),
    remove: (id, left) => {
      append({ remove: id });
      if (handle === undefined || lines < 10_000 || lines < 4 * left.size) return;
      closeSync(handle);
      lines = rewrite(
        file,
        [...left.values()].map((held) => held.message),
      );
      handle = openSync(file, 'a');
    },
    close: () => {
      if (handle !== undefined) closeSync(handle);
      handle = undefined;
    },
  };
}

type JournalLine = { readonly put: QueuedMessage } | { readonly remove: string };

function readJournal(file: string): readonly QueuedMessage[] {
  const messages = new Map<string, QueuedMessage>();
  for (const line of readJsonLines<JournalLine>(file)) {
    if ('put' in line) messages.set(line.put.id, line.put);
    else messages.delete(line.remove);
  }
  return [...messages.values()];
}

function rewrite(file: string, messages: readonly QueuedMessage[]): number {
  const draft = `${file}.draft`;
  writeFileSync(draft, messages.map((message) => `${JSON.stringify({ put: message })}\n`).join(''));
  renameSync(draft, file);
  return messages.length;
}

function pathOf(url: string): string {
  return URL.canParse(url) ? new URL(url).pathname : url;
}
