import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { after, before, test } from 'node:test';
import { type Chancery, startChancery } from '../harness.ts';
import { firstStaff } from '../staff.ts';
import { acts } from './acts.ts';
import { type ActWorld, openActWorld } from './acts/kit.ts';
import { named } from './walk.ts';
import { exhaustive, sample } from '../tier.ts';

let chancery: Chancery;
let world: ActWorld;
/** The `Idempotency-Key` of each request while it is set. */
let key: string | undefined;

before(async () => {
  const started = await startChancery({ withoutReading: true, settings: { ALTCHA: 'off', WEBHOOK_RETRY_SCHEDULE: '1h', ...firstStaff } });
  const call: Chancery['call'] = (method, path, options = {}) =>
    started.call(method, path, { ...options, headers: { ...options.headers, ...(key === undefined ? {} : { 'idempotency-key': key }) } });
  chancery = { ...started, call };
  const { owner } = await chancery.team();
  world = await openActWorld(chancery, owner);
});
after(() => chancery.stop());

const auth = '/api/v1/security/auth';
/** Operations that end the session, and with it the right to a stored response. */
const endsSession = new Set([`POST ${auth}/logout`, `POST ${auth}/staff/logout`, 'POST /api/v1/team/leave']);
/** These operations store no result. They begin a challenge or a sign-in at a provider, make a preview, or read. A repetition has the same effect. */
const makesNothing = new Set([
  `POST ${auth}/sso/link`,
  `POST ${auth}/reauthenticate/options`,
  'POST /api/v1/smartdoc/documents/download',
  'POST /api/v1/names',
  'POST /api/v1/approval-policies/{name}/try',
  'POST /api/v1/document-templates/{id}/preview',
  'POST /api/v1/approval-policies/{name}/try',
  'POST /api/v1/interfaces/{id}/check',
  'POST /api/v1/registries/{typeId}/records/import/preview',
  'POST /api/v1/approval-policies/{name}/try',
]);

/** Counts the journal entries of requests. Background work, such as a requested agent run, adds entries later. */
const journal = async () =>
  (await chancery.pool.query("SELECT count(*)::int AS n FROM audit_entry WHERE actor_type NOT IN ('system', 'agent')")).rows[0].n as number;

test('each authenticated POST with a repeated Idempotency-Key runs once and returns the same response again', async () => {
  const walked: string[] = [];
  const wrong: string[] = [];
  for (const operation of sample(chancery.description.operations, 0.05, named)) {
    const name = named(operation);
    if (operation.method !== 'POST' || !['user', 'staff'].includes(operation.access) || makesNothing.has(name)) continue;
    const entry = acts[name];
    assert.ok(entry, `${name} is in the table of acts`);
    const act = await entry.prepare(world);
    key = randomUUIDv7();
    const first = await act();
    const written = await journal();
    const second = await act();
    key = undefined;
    assert.ok(first.status < 300, `${name} returned ${first.status}: ${first.text}`);
    walked.push(name);
    if ((await journal()) !== written) wrong.push(`${name} ran twice`);
    if (endsSession.has(name)) {
      if (second.status !== 401) wrong.push(`${name} returned ${second.status} to an ended session`);
      continue;
    }
    const shown = ({ status, text, headers }: typeof first) => [status, text, headers.get('location'), headers.get('etag')].join('\n');
    if (shown(first) !== shown(second)) wrong.push(`${name} answered\n${shown(first)}\nand then\n${shown(second)}`);
    if (second.headers.get('idempotency-replayed') !== 'true') wrong.push(`${name} has no header for a replay`);
  }
  assert.deepEqual(wrong, []);
  if (exhaustive) assert.ok(walked.length > 40, `the walk tested ${walked.length} operations`);
});

test('sixteen concurrent requests with one Idempotency-Key run once', async () => {
  const races = ['POST /api/v1/tasks/', 'POST /api/v1/workflows/{id}/pause', `POST ${auth}/reauthenticate`];
  for (const name of races) {
    const act = await acts[name]?.prepare(world);
    assert.ok(act, name);
    const before_ = await journal();
    key = randomUUIDv7();
    const answers = await Promise.all(Array.from({ length: 16 }, act));
    key = undefined;
    const done = answers.filter(({ status }) => status < 300);
    assert.ok(done.length >= 1 && answers.every(({ status }) => status < 300 || status === 409), name);
    assert.equal(new Set(done.map(({ text }) => text)).size, 1, name);
    assert.equal((await journal()) - before_, acts[name]?.entries.length, name);
  }
});
