import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { Database } from '../../platform/database/database.ts';
import { InFlightRuns } from './in-flight-jobs.ts';
import { eventually } from '../../../test/webhook-receiver.ts';

type CheckParams = { ids: string[]; attempts: number[] };

/** Opens the watch of in-flight runs over a database that reports those in `ending` as runs to end, and records the queries. */
async function opened(everyMs: number, connected = true) {
  const checks: CheckParams[] = [];
  const ending = new Set<string>();
  let notify: (id: string) => void = () => undefined;
  let reconnected: () => void = () => undefined;
  const tx = {
    all: async (_statement: unknown, { ids, attempts }: CheckParams) => {
      checks.push({ ids, attempts });
      await turn();
      return ids.flatMap((id, n) => (ending.has(id) ? [{ id, attempt: attempts[n], lost: id.startsWith('lost') }] : []));
    },
  };
  const inFlight = new InFlightRuns({
    database: { asSystem: (_reason: string, work: any) => work(tx) } as unknown as Database,
    listener: {
      on: async (_channel, onNotification) => void (notify = onNotification),
      onReconnect: (callback) => void (reconnected = callback),
      connected: () => connected,
    },
    everyMs,
  });
  await inFlight.start();
  const left: string[] = [];
  const hold = (id: string, attempt = 1) => inFlight.watch({ team: 't', id, attempt }, (lost) => left.push(`${id} ${attempt} ${lost}`));
  return {
    checks,
    ending,
    left,
    hold,
    notify: (id: string) => notify(id),
    reconnected: () => reconnected(),
    close: () => inFlight.close(),
  };
}
const settled = async () => {
  for (let n = 0; n < 10; n += 1) await turn();
};

test('a notification causes a check of its run only, also for a notification just before the start of the run', async () => {
  const { checks, ending, left, hold, notify, reconnected, close } = await opened(1e9);
  for (let n = 0; n < 256; n += 1) hold(`run ${n}`);
  const letGo = hold('done');
  letGo();
  await settled();
  assert.equal(checks.length, 0, 'there is no query without a notification');
  ending.add('run 7').add('lost').add('early').add('done');
  for (const id of ['run 7', 'run 8', 'elsewhere', 'early', 'done']) notify(id);
  await settled();
  assert.deepEqual(checks.flatMap(({ ids }) => ids).toSorted(), ['run 7', 'run 8']);
  assert.deepEqual(left, ['run 7 1 false']);
  // The notification came before the start of this run.
  hold('early', 2);
  hold('lost', 3);
  await settled();
  assert.deepEqual(left, ['run 7 1 false', 'early 2 false']);
  const before = checks.splice(0).length;
  assert.ok(before > 0);
  reconnected();
  await settled();
  assert.deepEqual(
    checks.map(({ ids }) => ids.length),
    [256],
    'one query checks all runs',
  );
  assert.deepEqual(left, ['run 7 1 false', 'early 2 false', 'lost 3 true']);
  close();
});

test('all runs are checked together at intervals, and more often while the listener is disconnected', async () => {
  for (const [everyMs, connected] of [
    [20, true],
    [1e9, false],
  ] as const) {
    const { checks, ending, left, hold, close } = await opened(everyMs, connected);
    for (let n = 0; n < 50; n += 1) hold(`run ${n}`);
    ending.add('run 3');
    await eventually('the run is stopped', () => left.length > 0);
    assert.deepEqual([left, checks[0]?.ids.length], [['run 3 1 false'], 50]);
    close();
  }
});
