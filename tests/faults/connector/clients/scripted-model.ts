import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A call that the model makes next. */
export interface ScriptedCall {
  tool: string;
  args: Record<string, unknown>;
}

/** Stands in for the model behind a client, so that the client itself can be tried without an account. */
export interface ScriptedModel extends AsyncDisposable {
  /** Address without a path. */
  url: string;
  /** Tools of the connector that the client offered last, by their own names. */
  offered: readonly string[];
  /** Results that the client returned for each call, in order, as the text that a model would read. */
  results: readonly string[];
}

type Json = Record<string, unknown>;

/** Format of one company's requests to its model, and of the model's answers as server-sent events. */
interface Dialect {
  path: RegExp;
  /** Names of the tools that the request offers. */
  tools(body: Json): string[];
  /** Texts of the results of tools that the conversation has. */
  results(body: Json): string[];
  call(name: string, args: Json, n: number): object[];
  say(text: string): object[];
}

const DONE = 'All done.';

/** Makes the calls one after the other, each once, and then ends its turn. */
export async function startScriptedModel(calls: readonly ScriptedCall[]): Promise<ScriptedModel> {
  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  let offered: string[] = [];
  let results: string[] = [];
  const turn = (dialect: Dialect, body: Json): object[] => {
    const names = dialect.tools(body);
    const given = dialect.results(body);
    const next = calls[given.length];
    const name = next && names.find((each) => each.endsWith(next.tool));
    if (given.length > results.length) results = given;
    // Clients ask for titles of conversations, too, and offer no tools then.
    if (next === undefined || name === undefined) return dialect.say(DONE);
    offered = names;
    return dialect.call(name, next.args, given.length);
  };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const dialect = DIALECTS.find(({ path }) => path.test(request.url ?? ''));
    const text = await textOf(request);
    if (dialect === undefined) {
      response.writeHead(404).end('{}');
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const event of turn(dialect, JSON.parse(text) as Json)) response.write(serverSentEvent(event));
    response.end(dialect === chatCompletions ? 'data: [DONE]\n\n' : undefined);
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get offered() {
      return offered;
    },
    get results() {
      return results;
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

const serverSentEvent = (event: { type?: string }): string =>
  `${event.type === undefined ? '' : `event: ${event.type}\n`}data: ${JSON.stringify(event)}\n\n`;

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

const list = (value: unknown): Json[] => (Array.isArray(value) ? (value as Json[]) : []);

/** A content is a text, or parts with texts. */
const textIn = (content: unknown): string =>
  typeof content === 'string'
    ? content
    : list(content)
        .map(({ text }) => String(text ?? ''))
        .join('\n');

const USAGE = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };

/** OpenCode, by its provider for compatible servers. */
const chatCompletions: Dialect = {
  path: /\/chat\/completions$/,
  tools: ({ tools }) => list(tools).map((tool) => String((tool['function'] as Json)['name'])),
  results: ({ messages }) =>
    list(messages)
      .filter(({ role }) => role === 'tool')
      .map(({ content }) => textIn(content)),
  call: (name, args, n) => [
    chunk({
      role: 'assistant',
      tool_calls: [
        { index: 0, id: `call_${n}`, type: 'function', function: { name, arguments: JSON.stringify(args) } },
      ],
    }),
    chunk({}, 'tool_calls'),
  ],
  say: (text) => [chunk({ role: 'assistant', content: text }), chunk({}, 'stop')],
};

const chunk = (delta: Json, reason: string | null = null): object => ({
  id: 'chat',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'scripted',
  choices: [{ index: 0, delta, finish_reason: reason }],
});

/** The dialect of Claude Code. */
const anthropicMessages: Dialect = {
  path: /\/v1\/messages(?:\?|$)/,
  tools: ({ tools }) => list(tools).map(({ name }) => String(name)),
  results: ({ messages }) =>
    list(messages)
      .flatMap(({ content }) => list(content))
      .filter(({ type }) => type === 'tool_result')
      .map(({ content }) => textIn(content)),
  call: (name, args, n) =>
    message(
      'tool_use',
      { type: 'tool_use', id: `toolu_${n}`, name, input: {} },
      {
        type: 'input_json_delta',
        partial_json: JSON.stringify(args),
      },
    ),
  say: (text) => message('end_turn', { type: 'text', text: '' }, { type: 'text_delta', text }),
};

const message = (reason: string, block: Json, delta: Json): object[] => [
  {
    type: 'message_start',
    message: {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'scripted',
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { input_tokens: 1, output_tokens: 1 },
    },
  },
  { type: 'content_block_start', index: 0, content_block: block },
  { type: 'content_block_delta', index: 0, delta },
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason: reason, stop_sequence: null }, usage: { output_tokens: 1 } },
  { type: 'message_stop' },
];

/** Codex. */
const responses: Dialect = {
  path: /\/responses$/,
  // Those of a server are in a namespace.
  tools: ({ tools }) =>
    list(tools).flatMap((tool) => {
      const inside = list(tool['tools']);
      return inside.length === 0 ? [String(tool['name'] ?? '')] : inside.map(({ name }) => `${tool['name']}.${name}`);
    }),
  results: ({ input }) =>
    list(input)
      .filter(({ type }) => type === 'function_call_output')
      .map(({ output }) => textIn(output)),
  call: (written, args, n) => {
    const [name, namespace] = written.split('.').reverse();
    const call = { type: 'function_call', id: `fc_${n}`, call_id: `call_${n}`, name, arguments: JSON.stringify(args) };
    return response(namespace === undefined ? call : { ...call, namespace });
  },
  say: (text) => response({ type: 'message', id: 'item', role: 'assistant', content: [{ type: 'output_text', text }] }),
};

const response = (item: Json): object[] => [
  { type: 'response.created', response: { id: 'resp' } },
  { type: 'response.output_item.done', output_index: 0, item },
  { type: 'response.completed', response: { id: 'resp', output: [item], usage: USAGE } },
];

/** Gemini CLI. */
const gemini: Dialect = {
  path: /:streamGenerateContent/,
  tools: ({ tools }) =>
    list(tools).flatMap((tool) => list(tool['functionDeclarations']).map(({ name }) => String(name))),
  results: ({ contents }) =>
    list(contents)
      .flatMap(({ parts }) => list(parts))
      .flatMap(({ functionResponse }) => (functionResponse === undefined ? [] : [JSON.stringify(functionResponse)])),
  call: (name, args) => [candidate({ functionCall: { name, args } })],
  say: (text) => [candidate({ text })],
};

const candidate = (part: Json): object => ({
  candidates: [{ index: 0, content: { role: 'model', parts: [part] }, finishReason: 'STOP' }],
  usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
});

const DIALECTS: readonly Dialect[] = [chatCompletions, anthropicMessages, responses, gemini];
