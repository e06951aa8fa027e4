import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type ModelResponse, type ModelServer, startModelServer } from '../../../../test/model-server.ts';
import type { ModelConfig } from '../config.ts';
import type { ModelQuestion } from './ask.ts';
import { ModelFailure } from './failure.ts';
import { openModel } from './open.ts';
import { requestWithRetry } from './retry-policy.ts';
import { exhaustiveTest } from '../../../../test/tier.ts';

let server: ModelServer;
before(async () => {
  server = await startModelServer();
});
after(() => server.close());

const settings = (members: Partial<ModelConfig> = {}): ModelConfig => ({
  protocol: 'openai',
  url: server.url,
  origin: new URL(server.url).origin,
  key: 'key-of-the-operator',
  models: ['m'],
  region: undefined,
  timeoutMs: 20_000,
  prices: new Map(),
  priceTable: 'none',
  ...members,
});
const question = (key: string, members: Partial<ModelQuestion> = {}): ModelQuestion => ({
  model: 'm',
  prompt: [
    { role: 'system', content: 'Be short.' },
    { role: 'user', content: [{ type: 'text', text: key }] },
    { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'c1', toolName: 'look', input: { id: 1 } }] },
    {
      role: 'tool',
      content: [{ type: 'tool-result', toolCallId: 'c1', toolName: 'look', output: { type: 'text', value: 'It is there.' } }],
    },
  ],
  tools: [
    { type: 'function', name: 'look', description: 'Looks', inputSchema: { type: 'object', properties: { id: { type: 'integer' } } } },
  ],
  maxOutputTokens: 500,
  signal: new AbortController().signal,
  ...members,
});
const asking = async (key: string, answers: ModelResponse[], members: Partial<ModelConfig> = {}, more: Partial<ModelQuestion> = {}) => {
  server.play(key, answers);
  const { ask, close } = openModel(settings(members));
  try {
    return await ask(question(key, more));
  } finally {
    await close();
  }
};
const code = async (given: Promise<unknown>): Promise<string> =>
  given.then(
    () => 'answered',
    (error: unknown) => (error instanceof ModelFailure ? error.code : String(error)),
  );

test('a model that needs `max_completion_tokens` gets it from its first rejection on', async () => {
  const refusal = { error: { message: "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.", param: 'max_tokens' } };
  server.play('renamed', ({ body }) => ('max_tokens' in body ? { status: 400, body: JSON.stringify(refusal) } : { text: 'Here.' }));
  const { ask, close } = openModel(settings());
  for (let n = 0; n < 2; n += 1) assert.equal((await ask(question('renamed'))).text, 'Here.');
  await close();
  assert.deepEqual(
    server.requests('renamed').map(({ body }) => [body.max_tokens, body.max_completion_tokens]),
    [
      [500, undefined],
      [undefined, 500],
      [undefined, 500],
    ],
  );
  const stubborn = { status: 400, body: 'max_completion_tokens is no parameter' };
  assert.equal(await code(asking('stubborn', [stubborn])), 'model_bad_response');
  assert.equal(server.requests('stubborn').length, 2);
});

test('text, tool calls and usage are read from both protocols', async () => {
  const said: ModelResponse = {
    text: 'I look.',
    calls: [
      { name: 'look', input: { id: 7 } },
      { name: 'look', input: { id: 8 } },
    ],
    usage: { input: 321, output: 45 },
  };
  for (const protocol of ['openai', 'anthropic'] as const) {
    const parts: string[] = [];
    const answer = await asking(`read ${protocol}`, [said], { protocol }, { onText: (part) => parts.push(part) });
    assert.deepEqual(answer, {
      text: 'I look.',
      calls: [
        { tool: 'look', input: '{"id":7}' },
        { tool: 'look', input: '{"id":8}' },
      ],
      usage: { input: 321, output: 45 },
      finish: 'tool-calls',
    });
    assert.deepEqual(parts, ['I lo', 'I look.']);
    const [one] = server.requests(`read ${protocol}`);
    assert.ok(one);
    const { body, headers } = one;
    assert.match(JSON.stringify(body), /It is there\./);
    assert.deepEqual([body.model, body.stream], ['m', true]);
    assert.equal(
      protocol === 'openai' ? headers['authorization'] : headers['x-api-key'],
      protocol === 'openai' ? 'Bearer key-of-the-operator' : 'key-of-the-operator',
    );
  }
});

test('failures have a code, and contain no text of the provider', async () => {
  const refused = (status: number, body?: string): ModelResponse => ({ status, ...(body === undefined ? {} : { body }) });
  const cases: [string, ModelResponse][] = [
    ['model_auth_failed', refused(401)],
    ['model_auth_failed', refused(403)],
    ['model_rate_limited', { status: 429, headers: { 'retry-after': '7' } }],
    ['model_unavailable', refused(503)],
    ['model_unavailable', refused(404)],
    ['context_too_long', refused(400, '{"error":{"message":"This model’s maximum context length is 8192 tokens"}}')],
    ['model_bad_response', refused(400)],
    ['model_bad_response', refused(302)],
    ['model_bad_response', 'garbage'],
    ['model_unavailable', 'cut'],
    ['model_bad_response', 'endless'],
    ['model_timeout', 'hang'],
  ];
  for (const protocol of ['openai', 'anthropic'] as const) {
    const met = await Promise.all(
      cases.map(([expected, answer], n) =>
        code(asking(`${protocol} ${n} ${expected}!`, [answer], { protocol, timeoutMs: expected === 'model_timeout' ? 300 : 20_000 })),
      ),
    );
    // The reader of the messages protocol reports an unreadable stream as broken off.
    const wanted = cases.map(([expected, answer]) => (answer === 'garbage' && protocol === 'anthropic' ? 'model_unavailable' : expected));
    assert.deepEqual(met, wanted, protocol);
  }
  assert.equal(await code(asking('filtered', [{ text: 'No', finish: 'content_filter' }])), 'model_refused');
});

test('an aborted request ends immediately', async () => {
  const controller = new AbortController();
  const response = asking('given up', ['hang'], {}, { signal: controller.signal });
  while (server.requests('given up').length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  controller.abort(new Error('cancelled'));
  await assert.rejects(response, /cancelled/);
});

/** For requests that are rejected before any usage. */
const uncounted = { again: () => assert.fail('nothing was taken') };

test('a busy model is retried after the time that it requests, and then a fallback model is asked', async () => {
  server.play('again', [{ status: 429, headers: { 'retry-after': '1' } }, { status: 503 }, { text: 'At last' }]);
  server.play('stand in', ({ body }) => (body.model === 'first' ? { status: 404 } : { text: `By ${body.model}` }));
  server.play('no use', [{ status: 401 }]);
  const { ask, close } = openModel(settings());
  const started = Date.now();
  const { model: _, ...rest } = question('again');
  assert.equal((await requestWithRetry(ask, ['m'], rest, uncounted)).text, 'At last');
  assert.ok(Date.now() - started >= 1_000);
  const { model: __, ...other } = question('stand in');
  const answer = await requestWithRetry(ask, ['first', 'second'], other, uncounted);
  assert.deepEqual([answer.text, answer.model], ['By second', 'second']);
  const { model: ___, ...none } = question('no use');
  assert.equal(await code(requestWithRetry(ask, ['m', 'second'], none, uncounted)), 'model_auth_failed');
  assert.equal(server.requests('no use').length, 1);
  await close();
});

exhaustiveTest('a try after one with possible usage is counted separately, within the remaining budget', async () => {
  const { ask, close } = openModel(settings());
  const taken: number[] = [];
  const counting = { again: async () => ({ maxOutputTokens: taken[taken.push(taken.length) - 1] === 0 ? 300 : 200 }) };
  server.play('broken', [{ status: 503 }, 'cut', { status: 429 }, { status: 504 }, 'cut']);
  server.play('given up', [{ status: 503 }]);
  const { model: _, ...broken } = question('broken');
  const met = (failure: Promise<unknown>) => failure.catch((error) => [error.code, error.tookNothing]);
  assert.deepEqual(await met(requestWithRetry(ask, ['m'], broken, counting)), ['model_unavailable', false]);
  assert.deepEqual(
    server.requests('broken').map(({ body }) => body.max_tokens),
    [500, 500, 300, 300],
  );
  assert.equal(taken.length, 1);
  for (const status of [408, 502, 504, 520, 524]) {
    server.play(`between ${status}`, [{ status }]);
    assert.deepEqual(
      await met(ask(question(`between ${status}`))),
      ['model_unavailable', false],
      `${status} is said by what stands between`,
    );
  }
  const { model: __, ...rest } = question('given up');
  assert.deepEqual(await met(requestWithRetry(ask, ['m', 'second'], rest, uncounted)), ['model_unavailable', true]);
  await close();
  const unreachable = openModel(settings({ url: 'http://127.0.0.1:1/v1' }));
  assert.deepEqual(await met(unreachable.ask(question('nobody'))), ['model_unavailable', true], 'no server listens there');
  await unreachable.close();
});

test('blocked addresses are not reached, even if the operator configures them', async () => {
  assert.equal(await code(asking('metadata', [], { url: 'http://169.254.169.254/v1' })), 'model_unavailable');
});
