import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type CallOptions, type Chancery, startChancery } from '../harness.ts';
import { eventually } from '../webhook-receiver.ts';
import type { Operation } from '../openapi.ts';
import { firstStaff } from '../staff.ts';
import { sample } from '../tier.ts';
import { acts } from './acts.ts';
import { assertAnswered } from './answered.ts';
import { answersOf } from './answers.ts';
import { type ActWorld, openActWorld } from './acts/kit.ts';
import { named } from './walk.ts';

let chancery: Chancery;
let world: ActWorld;
/** The last request, so that the test reads the changed resource as the same caller. */
let last: { path: string; options: CallOptions };
/** Wrong responses that the walk found. */
const answeredWrong: string[] = [];

before(async () => {
  // A sequencer runs, so that a checkpoint exists. The long retry delay keeps queued deliveries out of the journal.
  const started = await startChancery({ withoutReading: true, settings: { ALTCHA: 'off', WEBHOOK_RETRY_SCHEDULE: '1h', ...firstStaff } });
  const call: Chancery['call'] = (method, path, options = {}) => {
    last = { path, options };
    return started.call(method, path, options);
  };
  chancery = { ...started, call };
  const { owner } = await chancery.team();
  world = await openActWorld(chancery, owner);
  await eventually('a checkpoint', async () => (await chancery.call('GET', '/tlog/checkpoint')).status === 200);
});
after(() => chancery.stop());

/** Returns the journal entries of requests. Agent runs and the jobs that prepare signature requests add entries separately. */
async function entries(): Promise<Map<string, string>> {
  const { rows } = await chancery.pool.query(
    `SELECT id, type FROM audit_entry WHERE type NOT IN ('agent.tool.called', 'agent.run.finished')
       AND NOT (actor_type = 'system' AND type LIKE 'signature.%')`,
  );
  return new Map(rows.map(({ id, type }) => [id, type]));
}

/** Operations that change nothing, although their requests have a body. */
const readsWithBody = ['/api/v1/approval-policies/{name}/try', '/api/v1/interfaces/{id}/check', '/api/v1/names'];
const changing = () => chancery.description.operations.filter(({ method, path }) => method !== 'GET' && !readsWithBody.includes(path));

test('acts.ts contains exactly the operations that change something', () => {
  const described = new Set(chancery.description.operations.map(named));
  assert.deepEqual(
    changing()
      .map(named)
      .filter((name) => !acts[name]),
    [],
    'add them to test/suites/acts.ts with the entries they write',
  );
  assert.deepEqual(
    Object.keys(acts).filter((name) => !described.has(name)),
    [],
  );
  assert.ok(changing().length > 40);
});

test('each operation of acts.ts writes exactly its journal entries', async () => {
  const wrong: string[] = [];
  const answers = answersOf(chancery.description.operations);
  for (const [name, { entries: expected, prepare }] of sample(Object.entries(acts), 0.2, ([one]) => one)) {
    const act = await prepare(world);
    const known = await entries();
    const answer = await act();
    assert.ok(answer.status < 400, `${name} returned ${answer.status}: ${answer.text}`);
    const written = [...(await entries())].filter(([id]) => !known.has(id)).map(([, type]) => type);
    if (written.toSorted().join() !== expected.toSorted().join()) wrong.push(`${name} wrote ${written.join(', ') || 'nothing'}`);
    const operation = changing().find((one) => named(one) === name);
    const answered = operation && assertAnswered(chancery, operation, answers.get(name), { ...last, answer });
    await answered?.catch((error: Error) => answeredWrong.push(`${name}: ${error.message}`));
  }
  assert.deepEqual(wrong, []);
});

test('each operation of acts.ts returns the resource as a read shows it, or the response of answers.ts', () => {
  assert.deepEqual(answeredWrong, []);
});

test('a rejected action writes no journal entry', async () => {
  const known = await entries();
  const viewer = await chancery.user(world.owner.team, { role: 'viewer' });
  // A viewer can change their own account and their own tasks.
  const closed = ({ access, scope, roles }: Operation) =>
    access === 'user' &&
    scope?.endsWith(':write') &&
    (!['profile:write', 'tasks:write'].includes(scope) || (roles && !roles.includes('viewer')));
  for (const { method, path } of changing().filter(closed)) {
    const at = path.replaceAll(/\{[^}]+\}/g, '01999999-0000-7000-8000-000000000000');
    assert.equal((await chancery.call(method, at, { token: viewer.token, body: {} })).status, 403, `${method} ${path}`);
    assert.ok((await chancery.call(method, at, { token: world.owner.token, body: {} })).status >= 400, `${method} ${path}`);
  }
  assert.deepEqual(await entries(), known);
});
