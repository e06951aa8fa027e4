import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { startJsonServer } from '../../../test/json-server.ts';
import { Breaker } from './breaker.ts';
import { askProvider, createProviderClient } from './providers/index.ts';
import { createSuggest, type Suggest } from './suggest.ts';

type Answer = 'found' | 'fails' | 'silent';
let how: Answer = 'found';
const server = await startJsonServer(({ body }, response) => {
  if (how === 'silent') return undefined;
  if (how === 'fails') response.statusCode = 503;
  const { query, count } = JSON.parse(body);
  return { suggestions: Array.from({ length: count + 3 }, (_, n) => ({ value: `${query} ${n}`, data: {} })) };
});
const client = createProviderClient({ authorization: undefined, version: '0' });
after(async () => {
  await client.close();
  await server.close();
});

let clock = 0;
function suggesting(options: { timeoutMs?: number; keptMs?: number } = {}): { suggest: Suggest; registry: Registry } {
  how = 'found';
  server.requests.splice(0);
  const registry = new Registry();
  const suggest = createSuggest({
    ask: askProvider(client, { kind: 'dadata', url: server.url }),
    provider: { name: 'dadata', timeoutMs: 2_000, keptMs: 60_000, ...options },
    log: pino({ level: 'silent' }),
    metrics: registry,
    now: () => clock,
  });
  return { suggest, registry };
}
const free = { spend: async () => undefined };
const question = (text: string, count = 2) => ({ text, count, locale: 'en' });
const counted = async (registry: Registry, outcome: string) =>
  Number(new RegExp(`outcome="${outcome}"\\} (\\d+)`).exec(await registry.metrics())?.[1] ?? 0);

test('responses are cached by text, count and language', async () => {
  const { suggest, registry } = suggesting();
  const found = await suggest(question('Berlin'), free);
  assert.deepEqual(
    found.map(({ value }) => value),
    ['Berlin 0', 'Berlin 1'],
    'not more than requested',
  );
  assert.equal(await suggest(question('berlin'), free), found);
  assert.equal(server.requests.length, 1);
  await suggest(question('Berlin', 3), free);
  await suggest({ ...question('Berlin'), locale: 'de' }, free);
  await suggest(question('Berlin W'), free);
  assert.equal(server.requests.length, 4);
  assert.deepEqual([await counted(registry, 'kept'), await counted(registry, 'answered')], [1, 4]);
});

test('fifty concurrent requests with the same text result in one provider request', async () => {
  const { suggest } = suggesting({ keptMs: 0 });
  const answers = await Promise.all(Array.from({ length: 50 }, () => suggest(question('Hamburg'), free)));
  assert.equal(server.requests.length, 1);
  assert.ok(answers.every((one) => one.length === 2));
  await suggest(question('Hamburg'), free);
  assert.equal(server.requests.length, 2, 'caching can be disabled');
});

test('a timeout returns no suggestions, and failures are not cached', async () => {
  const { suggest, registry } = suggesting({ timeoutMs: 100 });
  how = 'silent';
  assert.deepEqual(await suggest(question('Köln'), free), []);
  how = 'found';
  assert.equal((await suggest(question('Köln'), free)).length, 2);
  assert.equal(await counted(registry, 'failed'), 1);
});

test('after five failures in a row the provider is paused, then gets one trial request, and recovers on success', async () => {
  const { suggest, registry } = suggesting();
  how = 'fails';
  for (let n = 0; n < 8; n += 1) assert.deepEqual(await suggest(question(`a ${n}`), free), []);
  assert.equal(server.requests.length, 5);
  assert.equal(await counted(registry, 'left_alone'), 3);
  clock += 10_001;
  await Promise.all(Array.from({ length: 20 }, (_, n) => suggest(question(`b ${n}`), free)));
  assert.equal(server.requests.length, 6, 'only one request is a trial');
  clock += 10_001;
  await suggest(question('c'), free);
  assert.equal(server.requests.length, 6, 'requests were not sent during the longer pause');
  clock += 10_000;
  how = 'found';
  assert.equal((await suggest(question('d'), free)).length, 2);
  await Promise.all(Array.from({ length: 20 }, (_, n) => suggest(question(`e ${n}`), free)));
  assert.equal(server.requests.length, 27);
});

test('concurrent requests are limited, and a team over its limit causes no provider requests', async () => {
  const { suggest } = suggesting();
  const answers = await Promise.all(Array.from({ length: 100 }, (_, n) => suggest(question(`f ${n}`), free)));
  assert.equal(server.requests.length, 32);
  assert.equal(answers.filter((one) => one.length === 0).length, 68);
  const refused = { spend: () => Promise.reject(new Error('too much')) };
  await assert.rejects(suggest(question('g'), refused), /too much/);
  assert.equal(server.requests.length, 32);
  assert.equal((await suggest(question('f 0'), refused)).length, 2, 'cached responses do not count');
});

test('property: the breaker always allows a request after the longest pause', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('ask', 'answered', 'failed', 'wait'), { maxLength: 60 }), (acts) => {
      let now = 0;
      const breaker = new Breaker(() => now);
      let inFlight = 0;
      for (const act of acts) {
        if (act === 'wait') now += 20_000;
        else if (act === 'ask') inFlight += breaker.mayAsk() ? 1 : 0;
        else if (inFlight > 0) {
          inFlight -= 1;
          if (act === 'answered') breaker.answered();
          else breaker.failed();
        }
      }
      // All requests in flight end by their time limit.
      for (; inFlight > 0; inFlight -= 1) breaker.failed();
      now += 300_001;
      assert.ok(breaker.mayAsk());
    }),
  );
});
