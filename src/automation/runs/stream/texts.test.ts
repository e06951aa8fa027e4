import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import { cpuTimeOf } from '../../../../test/cpu-time.ts';
import { agents, startAgentRuns } from '../../../../test/agent-runs.ts';
import { followStream } from '../../../../test/event-stream.ts';
import { eventually } from '../../../../test/webhook-receiver.ts';
import { shownSoFar } from './texts.ts';

type Part = { step: number; at: number; text: string };

/** Follows a run. `seen` returns the text of its model after each part, as a client assembles it. */
async function follow(url: string, token: string, run: string) {
  const stream = await followStream(`${url}${agents}/runs/${run}/events`, token);
  const of = (type: string) => stream.events.filter(({ event }) => event === type);
  return {
    ...stream,
    seen: () => {
      let text = '';
      return of('step.text').map(({ data }) => (text = text.slice(0, (data as Part).at) + (data as Part).text));
    },
    finished: () => of('step.finished').map(({ data }) => (data as Part).text),
    numbers: () => of('step.text').flatMap(({ id }) => id ?? []),
  };
}

test('early and late followers see the text of a model while it grows, and no follower sees a credential in it', async () => {
  const runs = await startAgentRuns();
  try {
    const { chancery, owner } = runs;
    const go = Array.from({ length: 3 }, () => Promise.withResolvers<void>());
    let part = 0;
    // The first part of the protocol is empty; then come two halves and the end of the response.
    const waits = () => go[Math.max(0, Math.min((part += 1) - 2, 2))]?.promise ?? Promise.resolve();
    const text = `${'The notice period ends in May. '.repeat(80)}Key: sk-abcdefghijklmnopqrstuvwx1234 ends here, ${'and so on '.repeat(250)}`;
    const half = text.slice(0, Math.ceil(text.length / 2));
    const run = await runs.begun([{ text, waits }]);
    const early = await follow(chancery.url, owner.token, run);
    go[0]?.resolve();
    await eventually('the first half is visible', async () => early.seen().at(-1) === shownSoFar(half));
    const late = await follow(chancery.url, owner.token, run);
    await eventually('the late follower sees the same', async () => late.seen().at(-1) === shownSoFar(half));
    go[1]?.resolve();
    await eventually(
      'all but its last word',
      async () => early.seen().at(-1) === shownSoFar(text) && late.seen().at(-1) === shownSoFar(text),
    );
    go[2]?.resolve();
    await Promise.all([early.reading, late.reading]);
    assert.deepEqual([early.finished(), late.finished(), early.numbers()], [[text.replace(/sk-\w+/, '[masked]')], early.finished(), []]);
    for (const seen of [...early.seen(), ...late.seen()]) assert.ok(!seen.includes('sk-a'), seen.slice(-60));
    // Without followers no text is published.
    const notifications: string[] = [];
    const listening = await chancery.pool.connect();
    listening.on('notification', ({ payload }) => notifications.push(payload ?? ''));
    await listening.query('LISTEN agent_run_text');
    const quiet = Promise.withResolvers<void>();
    let parts = 0;
    const alone = await runs.begun([{ text: 'Text without a follower.', waits: async () => (parts += 1) > 2 && quiet.promise }]);
    await eventually('it has said half', async () => parts > 2);
    await pause(600);
    quiet.resolve();
    assert.equal((await runs.ended(owner, alone)).status, 'ok');
    assert.deepEqual(notifications, []);
    listening.release(true);
  } finally {
    await runs.stop();
  }
});

test('the shown part of a growing text never contains a credential or its start', async () => {
  const credential = fc.constantFrom(
    'sk-abcdefghijklmnopqrstuvwx1234',
    'Bearer abcdefghijklmnop0123',
    'eyJhbGciOiJIUzI1.eyJzdWIiOiIxMjM0.c2lnbmF0dXJlLWhlcmU',
    'https://ada:correct-horse@example.com',
    '-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkq\nhkiG9w0BAQEFAASC\n-----END PRIVATE KEY-----',
  );
  const secretOf = (one: string) => /sk-a|abcdefghij|eyJ|correct|MIIE|hkiG/.exec(one)?.[0] ?? '';
  fc.assert(
    fc.property(fc.string(), credential, fc.string(), fc.nat(), (before, one, after, cut) => {
      const text = `${before} ${one} ${after}`;
      const shown = shownSoFar(text.slice(0, cut % (text.length + 1)));
      assert.ok(before.includes(secretOf(one)) || after.includes(secretOf(one)) || !shown.includes(secretOf(one)), shown);
    }),
    { numRuns: 2_000 },
  );
  // A long word that is followed by text is scanned once.
  const long = `${'a'.repeat(60_000)}\n`;
  const used = await cpuTimeOf(() => assert.equal(shownSoFar(long), long));
  assert.ok(used < 5_000, `${used} ms`);
});
