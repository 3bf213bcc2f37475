import { appendFileSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openQueues } from '../../../infra/local/queues.ts';
import type { QueueSpec } from '../../../infra/local/template.ts';

let directory = '';
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'queues-'));
});
afterEach(async () => {
  vi.useRealTimers();
  await rm(directory, { recursive: true, force: true });
});

const spec = (name: string, more: Partial<QueueSpec> = {}): QueueSpec => ({
  name,
  arn: `arn:${name}`,
  url: `http://127.0.0.1:1/000000000000/${name}`,
  visibilitySeconds: 30,
  retentionSeconds: 3600,
  ...more,
});
const open = (...specs: readonly QueueSpec[]) => {
  const queues = openQueues(directory, specs.length > 0 ? specs : [spec('q')]);
  const queue = queues.byArn('arn:q');
  if (!queue) throw new Error('no queue');
  return { queues, queue };
};
const bodies = (messages: readonly { readonly body: string }[]) => messages.map(({ body }) => body);

describe('a queue', () => {
  it('hides what was received until its time is up, and gives it again then', () => {
    vi.useFakeTimers();
    const { queue } = open();
    queue.send('a');
    expect(bodies(queue.receive(10))).toEqual(['a']);
    expect(queue.receive(10)).toEqual([]);
    vi.advanceTimersByTime(30_000);
    expect(queue.receive(10)).toMatchObject([{ body: 'a', receiveCount: 2 }]);
  });

  it('deletes by the newest receipt only', () => {
    const { queue } = open();
    queue.send('a');
    const [first] = queue.receive(1, 0);
    const [second] = queue.receive(1, 0);
    queue.delete(first?.receiptHandle ?? '');
    expect(queue.counts()).toMatchObject({ visible: 1 });
    queue.delete(second?.receiptHandle ?? '');
    expect(queue.counts()).toMatchObject({ visible: 0, hidden: 0 });
  });

  it('forgets what is older than its retention', () => {
    vi.useFakeTimers();
    const { queue } = open();
    queue.send('old');
    vi.advanceTimersByTime(3_601_000);
    queue.send('new');
    expect(bodies(queue.receive(10))).toEqual(['new']);
  });

  it('counts tries across restarts, so that a poisonous message ends as a dead letter', () => {
    const specs = [spec('dead'), spec('q', { redrive: { deadLetterArn: 'arn:dead', maxReceiveCount: 2 } })];
    for (let start = 0; start < 2; start += 1) {
      const { queues, queue } = open(...specs);
      if (start === 0) queue.send('poison');
      expect(bodies(queue.receive(1))).toEqual(['poison']);
      queues.close();
    }
    const { queues, queue } = open(...specs);
    expect(queue.receive(1)).toEqual([]);
    expect(queues.byArn('arn:dead')?.receive(1)).toMatchObject([{ body: 'poison', givenUpBy: 'arn:q' }]);
  });

  it('comes back from a crash in the middle of a line', () => {
    const first = open();
    first.queue.send('kept');
    first.queues.close();
    appendFileSync(join(directory, 'q.jsonl'), '{"put":{"id":"half');
    const second = open();
    second.queue.send('later');
    second.queues.close();
    expect(bodies(open().queue.receive(10))).toEqual(['kept', 'later']);
  });

  it('keeps its file as small as what is in it', () => {
    const { queue, queues } = open();
    for (let n = 0; n < 4000; n += 1) {
      queue.send('x');
      for (const message of queue.receive(1)) queue.delete(message.receiptHandle);
    }
    queues.close();
    expect(readFileSync(join(directory, 'q.jsonl'), 'utf8').split('\n').length).toBeLessThan(10_001);
    open().queues.close();
    expect(readFileSync(join(directory, 'q.jsonl'), 'utf8')).toBe('');
  });
});
