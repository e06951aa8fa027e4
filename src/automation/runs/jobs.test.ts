import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { after, before, test } from 'node:test';
import { asking } from '../../../test/asking.ts';
import { type Chancery, startChancery, type TestTeam, type User } from '../../../test/harness.ts';

const jobs = '/ws/api/agents/cron';
let chancery: Chancery;
let team: TestTeam;
let owner: User;
let admin: User;
const { call, made } = asking(() => chancery);

before(async () => {
  // This instance starts no runs: due jobs stay due.
  chancery = await startChancery({ role: 'api', settings: { TEAM_AGENT_JOBS: '30' } });
  team = await chancery.team();
  owner = team.owner;
  admin = await chancery.user(team, { role: 'admin' });
});
after(() => chancery.stop());

const body = (members: object = {}) => ({
  name: `Job ${randomUUIDv7()}`,
  cron: '0 9 * * 1-5',
  timezone: 'Europe/Berlin',
  message: 'Look',
  ...members,
});
const job = (members: object = {}, by = owner): Promise<any> => made(by, 'POST', jobs, body(members));
const refused = async (by: { token: string }, method: string, path: string, sent?: unknown) => {
  const answer = await call(by, method, path, sent);
  return `${answer.status} ${answer.body?.code}`;
};
const ahead = (ms: number) => new Date(Date.now() + ms).toISOString();

test('both forms of a job create the same job, with all defaults shown', async () => {
  const main = await made(owner, 'GET', '/ws/api/agents/main');
  const short = await job({ name: 'Short' });
  assert.deepEqual(short, {
    id: short.id,
    name: 'Short',
    agentId: main.id,
    enabled: true,
    schedule: { kind: 'cron', expr: '0 9 * * 1-5', tz: 'Europe/Berlin', staggerMs: 0 },
    payload: { kind: 'agentTurn', message: 'Look' },
    misfire: { policy: 'run_once', graceSeconds: 3_600 },
    overlap: 'skip',
    deleteAfterRun: false,
    delivery: { mode: 'none' },
    onBehalfOf: owner.id,
    state: { nextRunAt: short.state.nextRunAt, consecutiveErrors: 0 },
    createdBy: owner.id,
    createdByType: 'user',
    createdAt: short.createdAt,
    updatedAt: short.createdAt,
  });
  const long = await made(owner, 'POST', jobs, {
    name: 'Long',
    agentId: main.id,
    schedule: { kind: 'cron', expr: '0 9 * * 1-5', tz: 'Europe/Berlin' },
    payload: { kind: 'agentTurn', message: 'Look' },
  });
  assert.deepEqual([long.schedule, long.payload, long.state.nextRunAt], [short.schedule, short.payload, short.state.nextRunAt]);
  assert.deepEqual(await made(owner, 'GET', `${jobs}/${long.id}`), long);
});

test('incomplete, duplicate and unstorable settings are rejected', async () => {
  const { message: _m, ...withoutMessage } = body();
  const { cron: _c, timezone: _t, ...undated } = body();
  for (const [sent, code] of [
    [withoutMessage, 'job_incomplete'],
    [undated, 'job_incomplete'],
    [body({ payload: { kind: 'agentTurn', message: 'Look' } }), 'job_incomplete'],
    [body({ message: 'Look\0' }), 'job_incomplete'],
    [body({ schedule: '0 9 * * *' }), 'schedule_invalid'],
    [body({ cron: '0 0 30 2 *' }), 'schedule_invalid'],
    [body({ timezone: '+05:00' }), 'schedule_invalid'],
    [{ ...undated, schedule: { kind: 'at', at: '2020-01-01T00:00:00Z' } }, 'schedule_invalid'],
    [{ ...undated, schedule: { kind: 'every', everyMs: 59_999 } }, 'schedule_invalid'],
  ] as const)
    assert.equal(await refused(owner, 'POST', jobs, sent), `422 ${code}`, JSON.stringify(sent));
  assert.equal(await refused(owner, 'POST', jobs, body({ message: ' \n' })), '400 validation_failed');
  assert.equal(await refused(owner, 'POST', jobs, body({ agentId: randomUUIDv7() })), '404 not_found');
  assert.equal(
    await refused(owner, 'PATCH', `${jobs}/${(await job()).id}`, { message: 'a', payload: { kind: 'agentTurn', message: 'b' } }),
    '422 job_incomplete',
  );
  assert.equal(await refused(owner, 'PATCH', `${jobs}/${(await job()).id}`, { cron: 'never' }), '422 schedule_invalid');
});

test('a change of the instruction, the agent or the schedule makes the editor responsible for a job; a rename does not', async () => {
  const first = await job();
  const answersFor = async (by: User, members: object) => (await made(by, 'PATCH', `${jobs}/${first.id}`, members)).onBehalfOf;
  assert.equal(await answersFor(admin, { name: 'Another', overlap: 'queue', misfire: { policy: 'skip' } }), owner.id);
  assert.equal(await answersFor(admin, { message: 'Look twice' }), admin.id);
  assert.equal(await answersFor(owner, { cron: '0 8 * * *' }), owner.id);
  assert.equal(await answersFor(admin, { agentId: 'main' }), admin.id);
  assert.equal((await made(owner, 'POST', `${jobs}/${first.id}/take-over`)).onBehalfOf, owner.id);
  const client = await chancery.client(owner);
  assert.equal(await refused(client, 'PATCH', `${jobs}/${first.id}`, { message: 'Mine' }), '403 person_required');
});

test('a schedule is replaced as a whole; a change needs the current version', async () => {
  const first = await job({
    schedule: { kind: 'cron', expr: '0 9 * * *', tz: 'UTC', staggerMs: 600_000 },
    cron: undefined,
    timezone: undefined,
  });
  const at = ahead(86_400_000);
  const changed = await made(owner, 'PATCH', `${jobs}/${first.id}`, { schedule: { kind: 'at', at } });
  assert.deepEqual([changed.schedule, changed.state.nextRunAt], [{ kind: 'at', at }, at]);
  const read = await call(owner, 'GET', `${jobs}/${first.id}`);
  const etag = { 'if-match': read.headers.get('etag') ?? '' };
  assert.equal((await call(owner, 'PATCH', `${jobs}/${first.id}`, { overlap: 'queue' }, etag)).status, 200);
  assert.equal((await call(owner, 'PATCH', `${jobs}/${first.id}`, { overlap: 'skip' }, etag)).status, 412);
  assert.equal((await call(owner, 'DELETE', `${jobs}/${first.id}`, undefined, etag)).status, 412);
});

test('a paused job is not due, and times during the pause do not count as missed after the resumption', async () => {
  const first = await job({
    schedule: { kind: 'every', everyMs: 60_000, anchor: '2020-01-01T00:00:30Z' },
    cron: undefined,
    timezone: undefined,
  });
  assert.deepEqual((await made(owner, 'POST', `${jobs}/${first.id}/pause`)).state, { consecutiveErrors: 0 });
  const paused = await made(owner, 'POST', `${jobs}/${first.id}/pause`);
  assert.equal(paused.enabled, false);
  const { times } = await made(owner, 'GET', `${jobs}/${first.id}/next?count=3`);
  assert.equal(times.length, 3, 'as for a job that is not paused');
  const resumed = await made(owner, 'POST', `${jobs}/${first.id}/resume`);
  assert.equal(resumed.enabled, true);
  assert.ok(Date.parse(resumed.state.nextRunAt) > Date.now());
  assert.equal((await made(owner, 'PATCH', `${jobs}/${first.id}`, { enabled: false })).state.nextRunAt, undefined);
});

test('a preview shows the times with the stagger of the job, as many as there are', async () => {
  const first = await job({
    schedule: { kind: 'cron', expr: '0 9 * * *', tz: 'UTC', staggerMs: 3_600_000 },
    cron: undefined,
    timezone: undefined,
  });
  const { times } = await made(owner, 'GET', `${jobs}/${first.id}/next`);
  assert.equal(times.length, 5);
  assert.equal(times[0], first.state.nextRunAt);
  const offsets = new Set(times.map((time: string) => (Date.parse(time) - Date.parse('2020-01-01T09:00:00Z')) % 86_400_000));
  assert.equal(offsets.size, 1);
  const once = await job({ schedule: { kind: 'at', at: ahead(3_600_000) }, cron: undefined, timezone: undefined });
  assert.equal((await made(owner, 'GET', `${jobs}/${once.id}/next?count=100`)).times.length, 1);
});

test('of 50 concurrent requests for a run of a job one succeeds, and the others get an error', async () => {
  const first = await job();
  const answers = await Promise.all(Array.from({ length: 50 }, () => refused(owner, 'POST', `${jobs}/${first.id}/run`)));
  assert.equal(answers.filter((answer) => answer === '202 undefined').length, 1);
  assert.equal(answers.filter((answer) => answer === '409 run_in_progress').length, 49);
  const [run, ...others] = await made(owner, 'GET', `${jobs}/${first.id}/runs`);
  assert.deepEqual([others.length, run.trigger, run.status, run.requestedBy, run.onBehalfOf], [0, 'manual', 'queued', owner.id, owner.id]);
  assert.deepEqual((await made(owner, 'GET', `${jobs}/${first.id}`)).state.nextRunAt, first.state.nextRunAt);
});

test('runs of a job with `queue` wait for each other, up to ten; with `replace` a new run ends the others', async () => {
  const queue = await job({ overlap: 'queue' });
  const answers = await Promise.all(Array.from({ length: 15 }, () => refused(admin, 'POST', `${jobs}/${queue.id}/run`)));
  assert.equal(answers.filter((answer) => answer === '202 undefined').length, 11, 'one run has a slot');
  assert.equal(answers.filter((answer) => answer === '409 run_queue_full').length, 4);
  const replace = await job({ overlap: 'replace' });
  for (let n = 0; n < 3; n += 1) await made(owner, 'POST', `${jobs}/${replace.id}/run`);
  const { rows } = await chancery.pool.query('SELECT in_flight, cancel_reason FROM agent_run WHERE job_id = $1 ORDER BY id', [replace.id]);
  assert.deepEqual(rows, [
    { in_flight: true, cancel_reason: 'replaced' },
    { in_flight: false, cancel_reason: 'replaced' },
    { in_flight: false, cancel_reason: null },
  ]);
});

test('a team has at most five running runs; a paused job runs on request', async () => {
  const other = await chancery.team();
  const made7 = await Promise.all(Array.from({ length: 7 }, () => job({ enabled: false }, other.owner)));
  await Promise.all(made7.map(({ id }) => made(other.owner, 'POST', `${jobs}/${id}/run`)));
  const { rows } = await chancery.pool.query(
    'SELECT count(*) FILTER (WHERE in_flight)::int AS running, count(*)::int AS n FROM agent_run WHERE team_id = $1',
    [other.id],
  );
  assert.deepEqual(rows, [{ running: 5, n: 7 }]);
  const status = await made(other.owner, 'GET', `${jobs}/status`);
  assert.deepEqual({ ...status, lagMs: 0 }, { enabled: false, jobs: 0, running: 0, queued: 7, lagMs: 0, nodes: 0 });
});

test('the runs of a deleted job stay and are cancelled', async () => {
  const first = await job();
  const { runId } = await made(owner, 'POST', `${jobs}/${first.id}/run`);
  assert.deepEqual(await made(owner, 'DELETE', `${jobs}/${first.id}`), { id: first.id, deleted: true });
  assert.equal(await refused(owner, 'GET', `${jobs}/${first.id}/runs`), '404 not_found');
  const history = await made(owner, 'GET', `/ws/api/agents/runs?jobId=${first.id}`);
  assert.deepEqual(
    history.map(({ id }: { id: string }) => id),
    [runId],
  );
  assert.deepEqual(await made(owner, 'GET', `/ws/api/agents/runs/${runId}`), history[0]);
  const { rows } = await chancery.pool.query('SELECT cancel_reason FROM agent_run WHERE id = $1', [runId]);
  assert.deepEqual(rows, [{ cancel_reason: 'job_deleted' }]);
});

test('jobs are deleted with their agent, and disabled with their responsible person until an administrator takes over', async () => {
  const agent = await made(owner, 'POST', '/ws/api/agents/', { name: 'To go' });
  const gone = await job({ agentId: agent.id });
  await made(owner, 'DELETE', `/ws/api/agents/${agent.id}`);
  assert.equal(await refused(owner, 'GET', `${jobs}/${gone.id}`), '404 not_found');
  const leaver = await chancery.user(team, { role: 'admin' });
  const orphaned = await job({}, leaver);
  await made(leaver, 'POST', `${jobs}/${orphaned.id}/run`);
  await made(owner, 'PATCH', `/api/v1/team/members/${leaver.id}`, { role: 'member' });
  const off = await made(owner, 'GET', `${jobs}/${orphaned.id}`);
  assert.deepEqual([off.enabled, off.state.autoDisabled.reason, off.state.nextRunAt], [false, 'owner_inactive', undefined]);
  const { rows } = await chancery.pool.query('SELECT cancel_reason FROM agent_run WHERE job_id = $1', [orphaned.id]);
  assert.deepEqual(rows, [{ cancel_reason: 'owner_inactive' }]);
  const mails = await chancery.pool.query("SELECT recipient FROM mail_message WHERE subject LIKE '%' || $1", [orphaned.name]);
  assert.deepEqual(mails.rows.map(({ recipient }) => recipient).toSorted(), [owner.email, admin.email].toSorted());
  const taken = await made(admin, 'POST', `${jobs}/${orphaned.id}/take-over`);
  assert.deepEqual([taken.enabled, taken.onBehalfOf, taken.state.autoDisabled], [true, admin.id, undefined]);
  assert.ok(taken.state.nextRunAt);
});

test('a team has no more jobs than its quota', async () => {
  const other = await chancery.team();
  const answers = await Promise.all(Array.from({ length: 40 }, () => refused(other.owner, 'POST', jobs, body())));
  assert.equal(answers.filter((answer) => answer === '201 undefined').length, 30);
  assert.equal(answers.filter((answer) => answer === '409 quota_exceeded').length, 10);
});
