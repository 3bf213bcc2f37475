import { describe, expect, it } from 'vitest';
import { ProblemError } from '../../lib/client/client.ts';
import { MemoryError } from '../../lib/domain/errors.ts';
import { callTool, type OperationCaller, toolDefinitions } from '../../lib/tools/tools.ts';

const ALL = { scopes: ['memories:read', 'memories:write', 'memories:review'] };
type Node = Record<string, unknown>;

function nodesOf(schema: unknown): readonly Node[] {
  if (typeof schema !== 'object' || schema === null) return [];
  if (Array.isArray(schema)) return schema.flatMap(nodesOf);
  return [schema as Node, ...Object.values(schema).flatMap(nodesOf)];
}

describe('tool definitions', () => {
  it('are those a token can use: no review without its scope', () => {
    const names = (scopes?: string[]) =>
      toolDefinitions('json', scopes ? { scopes } : {}).map(({ name }) => name);
    expect(names(ALL.scopes)).toEqual([
      'memories_save',
      'memories_list',
      'memories_get',
      'memories_archive',
      'memories_context',
      'memories_evidence',
      'accounts_resolve',
      'memories_review',
    ]);
    expect(names()).not.toContain('memories_review');
    expect(names(['memories:read'])).not.toContain('memories_save');
  });

  it('have an object at the root, whatever the operation takes or answers', () => {
    for (const { name, inputSchema, outputSchema } of toolDefinitions('json', ALL)) {
      for (const schema of [inputSchema, outputSchema]) {
        expect(schema.type, name).toBe('object');
        for (const keyword of ['oneOf', 'anyOf', 'allOf']) expect(schema, name).not.toHaveProperty(keyword);
      }
      for (const member of inputSchema.required ?? []) expect(inputSchema.properties).toHaveProperty(member);
    }
  });

  it('take what the API takes, the reserved kinds left out, and say which content goes with which kind', () => {
    const [save] = toolDefinitions('json');
    expect(save?.inputSchema.required).toEqual(['kind', 'content']);
    expect(save?.inputSchema.properties.kind?.enum).toEqual([
      'preference',
      'canonical_mapping',
      'workflow_hint',
      'integration_preference',
    ]);
    const forms = save?.inputSchema.properties.content?.anyOf as readonly Node[];
    expect(forms.map(({ description }) => description)).toEqual([
      'With kind preference.',
      'With kind canonical_mapping.',
      'With kind canonical_mapping.',
      'With kind canonical_mapping.',
      'With kind workflow_hint.',
      'With kind integration_preference.',
    ]);
    const review = toolDefinitions('json', ALL).at(-1);
    expect(review?.inputSchema.required).toEqual(['id', 'decision', 'expectedVersion']);
    const list = toolDefinitions('json')[1];
    expect(list?.inputSchema.properties.limit).toMatchObject({ type: 'integer', maximum: 100 });
    expect(list?.inputSchema).not.toHaveProperty('required');
  });

  it('say what each tool does to the record', () => {
    const hints = Object.fromEntries(
      toolDefinitions('json', ALL).map((tool) => [tool.name, tool.annotations]),
    );
    expect(hints.memories_context).toMatchObject({ readOnlyHint: true, destructiveHint: false });
    expect(hints.memories_save).toMatchObject({ readOnlyHint: false, idempotentHint: true });
    expect(hints.memories_archive).toMatchObject({ readOnlyHint: false, destructiveHint: true });
  });

  it('come in the forms that the APIs of models take', () => {
    const [openai] = toolDefinitions('openai');
    expect(openai).toMatchObject({ type: 'function', function: { name: 'memories_save' } });
    expect(openai?.function).not.toHaveProperty('strict');
    const [anthropic] = toolDefinitions('anthropic', { strict: true });
    expect(anthropic).toMatchObject({
      name: 'memories_save',
      strict: true,
      input_schema: { type: 'object' },
    });
  });

  it('are strict as OpenAI has it: every member required, nothing that it does not take', () => {
    for (const { function: tool } of toolDefinitions('openai', { ...ALL, strict: true })) {
      for (const node of nodesOf(tool.parameters)) {
        if (node.type === 'object') {
          expect(node.additionalProperties).toBe(false);
          expect(node.required, tool.name).toEqual(Object.keys(node.properties as Node));
        }
        for (const keyword of ['oneOf', 'const', 'default', 'minLength', 'maxLength', '$ref']) {
          if (typeof node.type === 'string') expect(node, tool.name).not.toHaveProperty(keyword);
        }
        if (typeof node.pattern === 'string') expect(node.pattern).not.toMatch(/\(\?[=!<]|\\p/);
      }
    }
  });

  it('are strict as Anthropic has it: closed, what is optional left so, no bounds', () => {
    for (const tool of toolDefinitions('anthropic', { ...ALL, strict: true })) {
      for (const node of nodesOf(tool.input_schema)) {
        if (node.type === 'object') expect(node.additionalProperties).toBe(false);
        if (typeof node.type !== 'string') continue;
        for (const keyword of ['minimum', 'maximum', 'minLength', 'maxLength', 'maxItems', 'oneOf'])
          expect(node, tool.name).not.toHaveProperty(keyword);
      }
    }
  });
});

describe('calling a tool', () => {
  const recorder = (answer: () => unknown) => {
    const calls: unknown[] = [];
    const caller = {
      call: async (id: string, input: unknown) => {
        calls.push([id, input]);
        return answer();
      },
    } as unknown as OperationCaller;
    return { calls, caller };
  };

  it('calls the operation, and gives the answer as data and as text', async () => {
    const { calls, caller } = recorder(() => ({ items: [] }));
    expect(await callTool('memories_list', { status: 'candidate' }, caller)).toEqual({
      ok: true,
      value: { items: [] },
      text: '{"items":[]}',
    });
    expect(calls).toEqual([['memories.list', { status: 'candidate' }]]);
  });

  it('takes null for what is left out, as strict modes give it', async () => {
    const { calls, caller } = recorder(() => ({}));
    const args = JSON.parse(
      '{"kind":"x","scope":null,"content":{"a":null,"list":[{"b":null}],"__proto__":1}}',
    );
    await callTool('memories_save', args, caller);
    expect(JSON.stringify(calls)).toBe(
      '[["memories.save",{"kind":"x","content":{"list":[{}],"__proto__":1}}]]',
    );
  });

  it('explains a memory by its id, and a subject without one', async () => {
    const { calls, caller } = recorder(() => ({}));
    await callTool('memories_evidence', { id: 'm1' }, caller);
    await callTool('memories_evidence', { id: null, merchant: 'Uber' }, caller);
    await callTool('memories_evidence', {}, caller);
    expect(calls).toEqual([
      ['memories.evidence', { id: 'm1' }],
      ['memories.explain', { merchant: 'Uber' }],
      ['memories.explain', {}],
    ]);
  });

  const refusal = {
    errors: [{ path: 'content.text', message: 'is a mapping of a merchant' }],
    extra: { instead: { kind: 'canonical_mapping' }, accounts: [{ id: '6120' }] },
  };
  it.each([
    ['the service', new MemoryError('use-canonical-mapping', 'Save it as one.', refusal)],
    [
      'the client',
      new ProblemError('Save it as one.', {
        status: 422,
        code: 'use-canonical-mapping',
        errors: refusal.errors,
        details: refusal.extra,
      }),
    ],
  ])('gives a refusal of %s as something to act on', async (_, error) => {
    const { caller } = recorder(() => {
      throw error;
    });
    const result = await callTool('memories_save', {}, caller);
    expect(result).toMatchObject({
      ok: false,
      problem: {
        code: 'use-canonical-mapping',
        message: 'Save it as one.',
        errors: refusal.errors,
        ...refusal.extra,
        advice: expect.stringContaining('instead'),
      },
    });
    expect(JSON.parse(result.text)).toEqual(result.ok || result.problem);
  });

  it.each([
    ['no arguments at all', undefined, 'id'],
    ['an id that is none', { id: 7 }, 'id'],
    ['a list', [], undefined],
    ['text', 'id', undefined],
  ])('refuses %s itself', async (_, args, path) => {
    const { calls, caller } = recorder(() => ({}));
    const result = await callTool('memories_get', args, caller);
    expect(result).toMatchObject({ ok: false, problem: { code: 'invalid-request' } });
    if (path) expect(result).toMatchObject({ problem: { errors: [{ path, message: 'is required' }] } });
    expect(calls).toEqual([]);
  });

  it('throws for a tool that is none, and where the service cannot be reached', async () => {
    const { caller } = recorder(() => {
      throw new TypeError('fetch failed');
    });
    await expect(callTool('toString', {}, caller)).rejects.toThrow(RangeError);
    await expect(callTool('memories_list', {}, caller)).rejects.toThrow('fetch failed');
  });
});
