import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { Database } from '../../platform/database/database.ts';
import { InHand } from './in-flight-jobs.ts';
import { eventually } from '../../../test/webhook-receiver.ts';

type Asked = { ids: string[]; attempts: number[] };

/** Runs in hand over a database that says of those in `ending` that they are to end, and notes what it is asked. */
async function opened(everyMs: number, connected = true) {
  const asked: Asked[] = [];
  const ending = new Set<string>();
  let tell: (id: string) => void = () => undefined;
  let reconnected: () => void = () => undefined;
  const tx = {
    all: async (_statement: unknown, { ids, attempts }: Asked) => {
      asked.push({ ids, attempts });
      await turn();
      return ids.flatMap((id, n) => (ending.has(id) ? [{ id, attempt: attempts[n], lost: id.startsWith('lost') }] : []));
    },
  };
  const inHand = new InHand({
    database: { asSystem: (_reason: string, work: any) => work(tx) } as unknown as Database,
    listener: {
      on: async (_channel, heard) => void (tell = heard),
      onReconnect: (callback) => void (reconnected = callback),
      connected: () => connected,
    },
    everyMs,
  });
  await inHand.start();
  const left: string[] = [];
  const hold = (id: string, attempt = 1) => inHand.watch({ team: 't', id, attempt }, (lost) => left.push(`${id} ${attempt} ${lost}`));
  return { asked, ending, left, hold, tell: (id: string) => tell(id), reconnected: () => reconnected(), close: () => inHand.close() };
}
const settled = async () => {
  for (let n = 0; n < 10; n += 1) await turn();
};

test('what a notification names is looked at, and nothing else; what it said before it was in hand counts too', async () => {
  const { asked, ending, left, hold, tell, reconnected, close } = await opened(1e9);
  for (let n = 0; n < 256; n += 1) hold(`run ${n}`);
  const letGo = hold('done');
  letGo();
  await settled();
  assert.equal(asked.length, 0, 'nothing is asked while nothing is said');
  ending.add('run 7').add('lost').add('early').add('done');
  for (const id of ['run 7', 'run 8', 'elsewhere', 'early', 'done']) tell(id);
  await settled();
  assert.deepEqual(asked.flatMap(({ ids }) => ids).toSorted(), ['run 7', 'run 8']);
  assert.deepEqual(left, ['run 7 1 false']);
  // It was told of this one, and then begins it.
  hold('early', 2);
  hold('lost', 3);
  await settled();
  assert.deepEqual(left, ['run 7 1 false', 'early 2 false']);
  const before = asked.splice(0).length;
  assert.ok(before > 0);
  reconnected();
  await settled();
  assert.deepEqual(
    asked.map(({ ids }) => ids.length),
    [256],
    'all are one look',
  );
  assert.deepEqual(left, ['run 7 1 false', 'early 2 false', 'lost 3 true']);
  close();
});

test('all are looked at together now and then, and more often while nothing can be heard', async () => {
  for (const [everyMs, connected] of [
    [20, true],
    [1e9, false],
  ] as const) {
    const { asked, ending, left, hold, close } = await opened(everyMs, connected);
    for (let n = 0; n < 50; n += 1) hold(`run ${n}`);
    ending.add('run 3');
    await eventually('the run is left', () => left.length > 0);
    assert.deepEqual([left, asked[0]?.ids.length], [['run 3 1 false'], 50]);
    close();
  }
});
