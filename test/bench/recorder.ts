import {
  BatchGetCommand,
  BatchWriteCommand,
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
} from '@aws-sdk/lib-dynamodb';

type Input = Readonly<Record<string, unknown>>;

/** One call of the document client, with what the engine says it cost. */
export interface RecordedCall {
  readonly input: Input;
  readonly units: number;
  readonly startedAt: number;
  readonly endedAt: number;
}

/** Everything that the client is asked for while `run` runs, with the engine's own `ConsumedCapacity`. */
export async function recordCalls(
  client: DynamoDBDocumentClient,
  run: () => Promise<unknown>,
): Promise<readonly RecordedCall[]> {
  const calls: RecordedCall[] = [];
  const send = client.send;
  client.send = async (command: { input: object }, ...rest: unknown[]) => {
    const input = { ...command.input };
    Object.assign(command.input, { ReturnConsumedCapacity: 'TOTAL' });
    const startedAt = performance.now();
    const reply = await Reflect.apply(send, client, [command, ...rest]);
    calls.push({ input, units: unitsIn(reply), startedAt, endedAt: performance.now() });
    return reply;
  };
  try {
    await run();
  } finally {
    client.send = send;
  }
  return calls.sort((a, b) => a.startedAt - b.startedAt);
}

function unitsIn({ ConsumedCapacity }: { readonly ConsumedCapacity?: unknown }): number {
  const parts = [ConsumedCapacity ?? []].flat() as { readonly CapacityUnits?: number }[];
  return parts.reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);
}

export const unitsOf = (calls: readonly RecordedCall[]) => calls.reduce((sum, { units }) => sum + units, 0);

/** Calls that ran side by side are one round; each begins when the one before has ended. */
export function roundsOf(calls: readonly RecordedCall[]): readonly (readonly Input[])[] {
  const rounds: Input[][] = [];
  let until = Number.NEGATIVE_INFINITY;
  for (const { input, startedAt, endedAt } of calls) {
    if (startedAt >= until) {
      rounds.push([input]);
      until = endedAt;
    } else {
      rounds.at(-1)?.push(input);
      until = Math.min(until, endedAt);
    }
  }
  return rounds;
}

/** The same calls again, and nothing else: same inputs, same parallelism. */
export async function replay(
  client: DynamoDBDocumentClient,
  rounds: readonly (readonly Input[])[],
): Promise<void> {
  for (const inputs of rounds) await Promise.all(inputs.map((input) => sent(client, input)));
}

/** A command is told by what only its input has. */
// biome-ignore lint/suspicious/noExplicitAny: an input is what the same command had when it was recorded.
function sent(client: DynamoDBDocumentClient, input: any): Promise<unknown> {
  if ('KeyConditionExpression' in input) return client.send(new QueryCommand(input));
  if ('Item' in input) return client.send(new PutCommand(input));
  if ('Key' in input) return client.send(new GetCommand(input));
  const [requests] = Object.values(input.RequestItems ?? {});
  return Array.isArray(requests)
    ? client.send(new BatchWriteCommand(input))
    : client.send(new BatchGetCommand(input));
}
