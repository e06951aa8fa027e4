import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/* A model server on this machine that supports the model protocols of agents and plays scripts of the tests. */

/** One response: text and tool calls, or a failure. */
export type ModelResponse =
  | {
      text?: string;
      calls?: { name: string; input: unknown }[];
      usage?: { input: number; output: number } | null;
      finish?: string;
      waits?: () => Promise<unknown>;
    }
  | { status: number; headers?: Record<string, string>; body?: string }
  | 'hang'
  | 'garbage'
  | 'cut'
  | 'endless';
export type ModelRequest = { key: string; body: any; headers: IncomingMessage['headers'] };
/** Responses in sequence, of which the last one repeats; or a function of the request. */
export type Script = ModelResponse[] | ((asked: ModelRequest, n: number) => ModelResponse | Promise<ModelResponse>);

export type ModelServer = {
  url: string;
  /** Uses a script for the conversation whose first message contains `key`. */
  play(key: string, script: Script): void;
  /** Returns the requests in the conversation of a key. */
  requests(key: string): ModelRequest[];
  close(): Promise<void>;
};

const messageOf = (body: any): string => {
  const first = body.messages.find(({ role }: any) => role === 'user');
  return typeof first.content === 'string' ? first.content : first.content.map(({ text }: any) => text).join('');
};

export async function startModelServer(): Promise<ModelServer> {
  const scripts = new Map<string, Script>();
  const requests: ModelRequest[] = [];
  const server = createServer(async (request, response) => {
    const body = await json(request).catch(() => undefined);
    if (body === undefined) {
      response.destroy();
      return;
    }
    const message = messageOf(body);
    const key = [...scripts.keys()].find((one) => message.includes(one)) ?? '';
    const one = { key, body, headers: request.headers };
    const n = requests.filter((other) => other.key === key).length;
    requests.push(one);
    const script = scripts.get(key) ?? [{ text: 'Nothing was written for this.' }];
    const answer = typeof script === 'function' ? await script(one, n) : (script[Math.min(n, script.length - 1)] ?? 'hang');
    if (request.url === '/v1/chat/completions') speak(response, answer, asOpenAi);
    else if (request.url === '/v1/messages') speak(response, answer, asAnthropic);
    else response.writeHead(404).end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    play: (key, script) => void scripts.set(key, script),
    requests: (key) => requests.filter((one) => one.key === key),
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

type ModelMessage = Extract<ModelResponse, { text?: string }>;
type Events = (said: ModelMessage) => { event?: string; data: unknown }[];

function speak(response: ServerResponse, answer: ModelResponse, events: Events): void {
  if (answer === 'hang') return;
  if (typeof answer === 'object' && 'status' in answer) {
    response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers });
    response.end(answer.body ?? JSON.stringify({ error: { message: 'refused by the provider', type: 'error' } }));
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  if (answer === 'garbage') return void response.end('data: {"choices": [{"delta": {"content": 7\n\ndata: ?\n\n');
  if (answer === 'endless') {
    const event = events({ text: 'a'.repeat(60_000) }).find(({ data }) => JSON.stringify(data).includes('aaa'));
    const more = () => {
      while (!response.destroyed && write(response, event));
      if (!response.destroyed) response.once('drain', more);
    };
    return more();
  }
  const all = events(answer === 'cut' ? { text: 'Half of an answer' } : answer);
  if (answer !== 'cut' && answer.waits) return void speakSlowly(response, all, answer.waits);
  for (const event of answer === 'cut' ? all.slice(0, 2) : all) write(response, event);
  if (answer === 'cut') setTimeout(() => response.destroy(), 20);
  else response.end();
}

/** Waits before each part of the response. */
async function speakSlowly(response: ServerResponse, all: ReturnType<Events>, waits: () => Promise<unknown>): Promise<void> {
  for (const event of all) {
    await waits();
    write(response, event);
  }
  response.end();
}

function write(response: ServerResponse, event: { event?: string; data: unknown } | undefined): boolean {
  const { event: name, data } = event ?? { data: {} };
  return response.write(
    `${name === undefined ? '' : `event: ${name}\n`}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`,
  );
}

const halves = (text: string) =>
  [text.slice(0, Math.ceil(text.length / 2)), text.slice(Math.ceil(text.length / 2))].filter((one) => one !== '');
const inputOf = (input: unknown) => (typeof input === 'string' ? input : JSON.stringify(input));

/** Encodes a response as chat completion chunks: text in parts, tool calls with arguments in parts, and the usage at the end. */
const asOpenAi: Events = ({ text = '', calls = [], usage = { input: 100, output: 20 }, finish }) => {
  const chunk = (choice: object | undefined, more: object = {}) => ({
    data: {
      id: 'c',
      object: 'chat.completion.chunk',
      created: 1,
      model: 'm',
      choices: choice === undefined ? [] : [{ index: 0, ...choice }],
      ...more,
    },
  });
  return [
    chunk({ delta: { role: 'assistant', content: '' } }),
    ...halves(text).map((content) => chunk({ delta: { content } })),
    ...calls.flatMap(({ name, input }, index) => [
      chunk({ delta: { tool_calls: [{ index, id: `call_${index}`, type: 'function', function: { name, arguments: '' } }] } }),
      ...halves(inputOf(input)).map((part) => chunk({ delta: { tool_calls: [{ index, function: { arguments: part } }] } })),
    ]),
    chunk({ delta: {}, finish_reason: finish ?? (calls.length > 0 ? 'tool_calls' : 'stop') }),
    ...(usage === null
      ? []
      : [
          chunk(undefined, {
            usage: { prompt_tokens: usage.input, completion_tokens: usage.output, total_tokens: usage.input + usage.output },
          }),
        ]),
    { data: '[DONE]' },
  ];
};

/** Encodes a response as events of the Anthropic messages protocol: a text block, then a block for each call. */
const asAnthropic: Events = ({ text = '', calls = [], usage, finish }) => {
  const { input, output } = usage ?? { input: 100, output: 20 };
  const event = (type: string, data: object) => ({ event: type, data: { type, ...data } });
  const block = (index: number, start: object, deltas: object[]) => [
    event('content_block_start', { index, content_block: start }),
    ...deltas.map((delta) => event('content_block_delta', { index, delta })),
    event('content_block_stop', { index }),
  ];
  const first = text === '' ? 0 : 1;
  return [
    event('message_start', {
      message: {
        id: 'm',
        type: 'message',
        role: 'assistant',
        model: 'm',
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { input_tokens: input, output_tokens: 1 },
      },
    }),
    ...(text === ''
      ? []
      : block(
          0,
          { type: 'text', text: '' },
          halves(text).map((part) => ({ type: 'text_delta', text: part })),
        )),
    ...calls.flatMap(({ name, input: given }, index) =>
      block(
        index + first,
        { type: 'tool_use', id: `toolu_${index}`, name, input: {} },
        halves(inputOf(given)).map((part) => ({ type: 'input_json_delta', partial_json: part })),
      ),
    ),
    event('message_delta', {
      delta: { stop_reason: finish ?? (calls.length > 0 ? 'tool_use' : 'end_turn'), stop_sequence: null },
      usage: { output_tokens: output },
    }),
    event('message_stop', {}),
  ];
};
