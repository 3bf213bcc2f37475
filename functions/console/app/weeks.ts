import type { Memory } from '../../../lib/domain/memory.ts';
import type { Evidence } from '../../../lib/domain/responses.ts';
import { WEEK, weekOf } from './dates.ts';
import { sameContent, type Topic, topicOf } from './words.ts';

export interface Week {
  readonly start: number;
  /** Corrections, by what they were about. */
  readonly byTopic: Readonly<Partial<Record<Topic, number>>>;
  readonly total: number;
  /** What people looked at and left as it was. */
  readonly confirmations: number;
  /** Of the corrections, how many say what an active memory says now. */
  readonly answered: number;
}

/** What people did a week; an edit of many documents is one. Oldest week first. */
export function weeksOf(
  read: readonly { readonly memory: Memory; readonly evidence: Evidence }[],
  weeks: number,
  now = Date.now(),
): readonly Week[] {
  const last = weekOf(now);
  const starts = Array.from({ length: weeks }, (_, at) => last - (weeks - 1 - at) * WEEK);
  const counted = new Map(starts.map((start) => [start, new Map<Topic, number>()]));
  const confirmations = new Map<number, number>();
  const answered = new Map<number, number>();
  const seen = new Set<string>();
  for (const { memory, evidence } of read) {
    const topic = topicOf(memory);
    for (const { eventId, at, act, content } of evidence.votes) {
      const start = weekOf(at);
      const week = counted.get(start);
      const key = `${memory.id} ${eventId}`;
      if (!week || content === null || seen.has(key)) continue;
      seen.add(key);
      if (act === 'confirmation') {
        confirmations.set(start, (confirmations.get(start) ?? 0) + 1);
        continue;
      }
      week.set(topic, (week.get(topic) ?? 0) + 1);
      if (memory.status === 'active' && !memory.unresolvable && sameContent(content, memory.content)) {
        answered.set(start, (answered.get(start) ?? 0) + 1);
      }
    }
  }
  return starts.map((start) => {
    const topics = counted.get(start) ?? new Map<Topic, number>();
    return {
      start,
      byTopic: Object.fromEntries(topics),
      total: [...topics.values()].reduce((sum, n) => sum + n, 0),
      confirmations: confirmations.get(start) ?? 0,
      answered: answered.get(start) ?? 0,
    };
  });
}
