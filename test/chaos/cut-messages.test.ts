import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { type DatabaseProxy, type CutPosition, startDatabaseProxy } from '../database-proxy.ts';
import { type Chancery, startChancery, type User } from '../harness.ts';

/** Cuts the database connection after each message of an operation, and compares each response with the database. */

let chancery: Chancery;
let database: DatabaseProxy;
let owner: User;

before(async () => {
  chancery = await startChancery({ role: 'api', through: async (url) => (database = await startDatabaseProxy(url)).url });
  ({ owner } = await chancery.team());
});
after(async () => {
  await chancery.stop();
  await database.close();
});

const tasks = '/api/v1/tasks/';
/** More messages or exchanges than one operation has. */
const most = 200;

/** Creates a copy of a task. */
async function another(like: string): Promise<string> {
  const id = randomUUID();
  await chancery.pool.query(
    "INSERT INTO task SELECT made.* FROM task t, jsonb_populate_record(t, jsonb_build_object('id', $2::text)) made WHERE t.id = $1",
    [like, id],
  );
  return id;
}

/**
 * Completes one task after the other and cuts the connection one position later each time. Ends after three operations that finished before the cut.
 */
async function cutEverywhere(from: CutPosition['from'], what: CutPosition['what']): Promise<{ done: number; refused: number }> {
  const wrong: string[] = [];
  const many = { done: 0, refused: 0 };
  let uncut = 0;
  const { body: first } = await chancery.call('POST', tasks, { token: owner.token, body: { title: 'One of many', assignedTo: owner.id } });
  for (let at = 0; ; at += 1) {
    assert.ok(at < most, 'the operation never finished before the cut');
    const id = await another(first.id);
    const cut = database.cutAt({ from, what, at });
    const answer = await chancery.call('POST', `${tasks}${id}/complete`, { token: owner.token });
    const { rows } = await chancery.pool.query('SELECT status FROM task WHERE id = $1', [id]);
    const state = `${answer.status} ${answer.body.code ?? answer.body.status}, is ${rows[0].status}`;
    if (state === '200 completed, is completed') many.done += 1;
    else if (state === '503 unavailable, is open') many.refused += 1;
    else wrong.push(`${state} (${from}, ${what} ${at})`);
    if (cut.done) continue;
    // The cut applies to the next transaction. That can be another one of the service, which ends before the position of the cut.
    uncut += 1;
    if (uncut === 3) break;
    at -= 1;
  }
  assert.deepEqual(wrong, []);
  return many;
}

test('if the connection is cut on the way to the database, the response reports whether the operation took effect', async () => {
  const { done, refused } = await cutEverywhere('service', 'exchange');
  assert.ok(refused >= 8 && done >= 1, `${done} done, ${refused} refused`);
});

test('if the connection is cut on the way back, the service checks the commit in the database, and the response is correct', async () => {
  const { done, refused } = await cutEverywhere('database', 'message');
  assert.ok(refused >= 20 && done >= 2, `${done} done, ${refused} refused`);
});
