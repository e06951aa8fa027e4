import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { type DatabaseProxy, type CutPosition, startDatabaseProxy } from '../database-proxy.ts';
import { type Chancery, startChancery, type User } from '../harness.ts';

/** The line to the database is cut at every place of an act's conversation with it, and each answer is held against what is there. */

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
/** More than an act has of either kind. */
const most = 200;

/** A task like another. */
async function another(like: string): Promise<string> {
  const id = randomUUID();
  await chancery.pool.query(
    "INSERT INTO task SELECT made.* FROM task t, jsonb_populate_record(t, jsonb_build_object('id', $2::text)) made WHERE t.id = $1",
    [like, id],
  );
  return id;
}

/** Ends one task after the other, the line cut one place further each time, until the act is over before that place three times. */
async function cutEverywhere(from: CutPosition['from'], what: CutPosition['what']): Promise<{ done: number; refused: number }> {
  const wrong: string[] = [];
  const many = { done: 0, refused: 0 };
  let uncut = 0;
  const { body: first } = await chancery.call('POST', tasks, { token: owner.token, body: { title: 'One of many', assignedTo: owner.id } });
  for (let at = 0; ; at += 1) {
    assert.ok(at < most, 'the act was never over before the place');
    const id = await another(first.id);
    const cut = database.cutAt({ from, what, at });
    const answer = await chancery.call('POST', `${tasks}${id}/complete`, { token: owner.token });
    const { rows } = await chancery.pool.query('SELECT status FROM task WHERE id = $1', [id]);
    const state = `${answer.status} ${answer.body.code ?? answer.body.status}, is ${rows[0].status}`;
    if (state === '200 completed, is completed') many.done += 1;
    else if (state === '503 unavailable, is open') many.refused += 1;
    else wrong.push(`${state} (${from}, ${what} ${at})`);
    if (cut.done) continue;
    // The service has transactions of its own between the acts: one of them may have been the next, and was over before the place.
    uncut += 1;
    if (uncut === 3) break;
    at -= 1;
  }
  assert.deepEqual(wrong, []);
  return many;
}

test('wherever the line to the database is cut on the way there, an act is done and said to be, or neither', async () => {
  const { done, refused } = await cutEverywhere('service', 'exchange');
  assert.ok(refused >= 8 && done >= 1, `${done} done, ${refused} refused`);
});

test('wherever it is cut on the way back, the database is asked what became of the act, and the answer is true', async () => {
  const { done, refused } = await cutEverywhere('database', 'message');
  assert.ok(refused >= 20 && done >= 2, `${done} done, ${refused} refused`);
});
