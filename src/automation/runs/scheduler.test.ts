import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomUUIDv7 } from 'node:crypto';
import process from 'node:process';
import { after, before, test } from 'node:test';
import { asking } from '../../../test/asking.ts';
import { type Chancery, startChancery, type TestTeam, type User } from '../../../test/harness.ts';
import { eventually } from '../../../test/webhook-receiver.ts';
import { letJobsBeDue, startJobNode } from '../../../test/jobs.ts';
import { listeners } from '../../listeners.ts';
import { type Listener, openListener } from '../../platform/database/listen.ts';
import type { Scope } from '../../platform/scope.ts';
import { beginRun, type End, finishRun, performer, type Work } from './execution.ts';
import { InFlightRuns } from './in-flight-jobs.ts';
import { runJob } from './run-job.ts';
import { beginDueJobs } from './scheduler-jobs.ts';
import { exhaustiveTest } from '../../../test/tier.ts';

const jobs = '/ws/api/agents/cron';
const minute = 60_000;
const runs = { atOnce: 5 };
let chancery: Chancery;
const { made } = asking(() => chancery);
let listener: Listener;
/** Ends in-flight runs after a notification, and never polls. */
let inFlight: InFlightRuns;
const never = 1e9;

before(async () => {
  // This instance starts nothing: a test checks due jobs at the time of its choice.
  chancery = await startChancery({ role: 'api' });
  listener = openListener({ url: chancery.databaseUrl }, () => undefined);
  inFlight = new InFlightRuns({ database: chancery.database, listener, everyMs: never });
  await inFlight.start();
});
after(async () => {
  inFlight.close();
  await listener.close();
  await chancery.stop();
});

const look = (at: Date | number) => beginDueJobs({ database: chancery.database, clock: () => new Date(at), runs });

const every = (members: object = {}) => ({
  name: `Job ${randomUUIDv7()}`,
  message: 'Look',
  schedule: { kind: 'every', everyMs: minute },
  ...members,
});
const job = (team: TestTeam, members: object = {}): Promise<any> => made(team.owner, 'POST', jobs, every(members));
const due = ({ state }: any): number => Date.parse(state.nextRunAt);
const read = (team: TestTeam, { id }: { id: string }): Promise<any> => made(team.owner, 'GET', `${jobs}/${id}`);
/** The runs of a job, oldest first. */
const history = async (team: TestTeam, { id }: { id: string }): Promise<any[]> =>
  (await made(team.owner, 'GET', `/ws/api/agents/runs?jobId=${id}&limit=200`)).toReversed();
const said = (all: any[]) => all.map(({ status, reason, trigger, missed }) => [status, reason ?? missed?.count, trigger]);
const inTeam = <T>({ id: team }: TestTeam, act: (scope: Scope) => Promise<T>, now = new Date()): Promise<T> =>
  chancery.database.inTeam(team, (db) => act({ db, team, actor: { type: 'system' }, now, requestId: 'test', listeners }));
const begin = (team: TestTeam, id: string) => inTeam(team, (scope) => beginRun(runs, scope, id));
const finish = (team: TestTeam, run: Parameters<typeof finishRun>[2], end: End) =>
  inTeam(team, (scope) => finishRun(runs, scope, run, end));
const events = async (team: TestTeam, type: string) =>
  (await chancery.pool.query('SELECT body FROM event WHERE team_id = $1 AND type = $2 ORDER BY id', [team.id, type])).rows.map(
    ({ body }) => JSON.parse(body.toString()).data.data,
  );

/** Starts a run, performs `work`, and ends the run. */
const perform = (team: TestTeam, id: string, work: Work, watched: InFlightRuns = inFlight) =>
  performer({ database: chancery.database, listeners, clock: () => new Date(), runs, work, inFlight: watched })(
    team.id,
    id,
    new AbortController().signal,
  );
/** Work that ends when it is aborted, like a wait for a model. */
const untilAborted: Work = (_team, _run, signal) =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));

test('each due time has one run, however many nodes check and how often', async () => {
  const team = await chancery.team();
  const all = await Promise.all(
    Array.from({ length: 12 }, (_, n) =>
      job(team, {
        overlap: (['skip', 'queue', 'replace'] as const)[n % 3],
        schedule: { kind: 'every', everyMs: minute, anchor: '2030-01-01T00:00:00Z' },
      }),
    ),
  );
  const start = due(all[0]);
  for (let n = 0; n < 6; n += 1) {
    const at = start + n * minute + 5;
    await Promise.all(Array.from({ length: 8 }, () => look(at)));
    // A clock that goes back starts nothing again.
    if (n === 3) await look(at - 3_600_000);
  }
  for (const one of all) {
    const times = (await history(team, one)).map(({ dueAt }) => Date.parse(dueAt));
    assert.deepEqual(
      times,
      Array.from({ length: 6 }, (_, n) => start + n * minute),
    );
    assert.equal(due(await read(team, one)), start + 6 * minute);
  }
});

test('a pass schedules the next one for the next due time, or soon if a job is locked', async () => {
  const team = await chancery.team();
  const one = await job(team, { overlap: 'queue' });
  const { pool } = chancery;
  const queuedBy = async (at: number): Promise<number[]> => {
    await pool.query("DELETE FROM job WHERE name = 'agent-jobs-due'");
    await look(at);
    return (await pool.query("SELECT due_at FROM job WHERE name = 'agent-jobs-due'")).rows.map((row) => row.due_at.getTime());
  };
  const at = due(one) + 5;
  const lockOwner = await pool.connect();
  try {
    await lockOwner.query('BEGIN');
    await lockOwner.query('SELECT FROM agent_job WHERE id = $1 FOR UPDATE', [one.id]);
    assert.deepEqual(await queuedBy(at), [at + 250]);
  } finally {
    await lockOwner.query('ROLLBACK');
    lockOwner.release();
  }
  const [queued] = await queuedBy(at + 250);
  const next = (await pool.query('SELECT min(wake_at) AS at FROM agent_job')).rows[0].at.getTime();
  assert.deepEqual([queued, (await history(team, one)).length], [Math.max(next, at + 500), 1]);
});

test('missed times within the grace period get one run, and others a row with the missed times', async () => {
  const team = await chancery.team();
  // Without an anchor each job would be due at the millisecond of its creation.
  const schedule = { kind: 'every', everyMs: minute, anchor: new Date().toISOString() };
  const [late, skips, overdue] = [
    await job(team, { schedule }),
    await job(team, { schedule, misfire: { policy: 'skip' } }),
    await job(team, { misfire: { graceSeconds: 0 }, schedule: { kind: 'at', at: new Date(Date.now() + minute).toISOString() } }),
  ];
  const at = due(late) + 10 * minute + 5;
  await look(at);
  await look(at + 1);
  assert.deepEqual(said(await history(team, late)), [['queued', 10, 'schedule']]);
  assert.deepEqual(said(await history(team, skips)), [
    ['skipped', 'missed', 'misfire'],
    ['queued', undefined, 'schedule'],
  ]);
  const [row] = await history(team, overdue);
  assert.deepEqual(
    [row.status, row.reason, row.missed],
    ['skipped', 'missed', { count: 1, first: overdue.schedule.at, last: overdue.schedule.at }],
  );
  assert.deepEqual((await read(team, overdue)).state, { lastStatus: 'skipped', lastError: 'missed', consecutiveErrors: 0 });
  const hourly = await job(team, { schedule: { kind: 'cron', expr: '0 * * * *', tz: 'UTC' } });
  await look(due(hourly) + 30 * minute);
  assert.deepEqual(said(await history(team, hourly)), [['queued', 1, 'misfire']]);
});

test('during a run the next one is skipped, queued, or replaces it; a skipped run is announced once', async () => {
  const team = await chancery.team();
  const [skip, queue, replace] = [await job(team), await job(team, { overlap: 'queue' }), await job(team, { overlap: 'replace' })];
  for (let n = 0; n < 2; n += 1) await look(due(skip) + n * minute + 5_000);
  assert.deepEqual(said(await history(team, skip)), [
    ['queued', undefined, 'schedule'],
    ['skipped', 'previous_run_in_progress', 'schedule'],
  ]);
  const skipped = (await history(team, skip))[1];
  await Promise.all([begin(team, skipped.id), begin(team, skipped.id)]);
  assert.deepEqual(
    (await events(team, 'agent.run.finished')).map(({ status, reason }) => [status, reason]),
    [['skipped', 'previous_run_in_progress']],
  );
  const slotsOf = async (of: any) =>
    (await chancery.pool.query('SELECT in_flight, cancel_reason FROM agent_run WHERE job_id = $1 ORDER BY id', [of.id])).rows.map((row) =>
      Object.values(row),
    );
  assert.deepEqual(await slotsOf(queue), [
    [true, null],
    [false, null],
  ]);
  assert.deepEqual(await slotsOf(replace), [
    [true, 'replaced'],
    [false, null],
  ]);
  const [first] = await history(team, queue);
  const run = await begin(team, first.id);
  assert.ok(run);
  await finish(team, run, { status: 'ok', reason: null });
  assert.deepEqual(
    await slotsOf(queue),
    [
      [false, null],
      [true, null],
    ],
    'a run counts until it has ended',
  );
  const [replaced] = await history(team, replace);
  await begin(team, replaced.id);
  assert.deepEqual(said(await history(team, replace))[0], ['cancelled', 'replaced', 'schedule']);
  assert.deepEqual((await slotsOf(replace))[1], [true, null]);
  await chancery.pool.query("UPDATE agent_run SET status = 'awaiting_approval' WHERE job_id = $1 AND status = 'queued'", [skip.id]);
  await look(due(skip) + 2 * minute + 5_000);
  assert.equal((await history(team, skip)).at(-1)?.reason, 'previous_run_waiting');
});

test('a schedule that is changed and set back runs no time twice; a running run continues unchanged', async () => {
  const team = await chancery.team();
  const schedule = { kind: 'cron', expr: '*/5 * * * *', tz: 'UTC' };
  const one = await job(team, { schedule, overlap: 'queue' });
  const at = due(one);
  await look(at + 5);
  const [{ id }] = await history(team, one);
  const run = await begin(team, id);
  await made(team.owner, 'PATCH', `${jobs}/${one.id}`, { cron: '0 0 1 1 *' });
  await made(team.owner, 'PATCH', `${jobs}/${one.id}`, { schedule });
  assert.equal(due(await read(team, one)), at, 'the due time is in the future again');
  // The due time has had its run, which no other run replaces.
  await made(team.owner, 'PATCH', `${jobs}/${one.id}`, { overlap: 'replace' });
  await look(at + 10);
  assert.deepEqual(said(await history(team, one)), [['running', undefined, 'schedule']]);
  const { rows } = await chancery.pool.query('SELECT cancel_reason FROM agent_run WHERE id = $1', [id]);
  assert.deepEqual(rows, [{ cancel_reason: null }]);
  await made(team.owner, 'POST', `${jobs}/${one.id}/pause`);
  assert.ok(run);
  await finish(team, run, { status: 'ok', reason: null });
  const then = await read(team, one);
  assert.deepEqual([then.state.lastStatus, then.enabled, then.state.nextRunAt], ['ok', false, undefined]);
});

/** Ends in-flight runs of `watched` in each possible way. */
async function endEach(watched: InFlightRuns): Promise<void> {
  const team = await chancery.team();
  const admin = await chancery.user(team, { role: 'admin' });
  const [stopped, disabled] = await Promise.all(
    ['To be stopped', 'To be switched off'].map((name) => made(team.owner, 'POST', '/ws/api/agents/', { name })),
  );
  const agent = (id: string) => `/ws/api/agents/${id}`;
  const ends: [reason: string, by: User, of: object, act: (of: any) => Promise<unknown>][] = [
    ['job_deleted', team.owner, {}, ({ id }) => made(team.owner, 'DELETE', `${jobs}/${id}`)],
    ['agent_stopped', team.owner, { agentId: stopped.id }, () => made(team.owner, 'POST', `${agent(stopped.id)}/stop`, { reason: 'Odd' })],
    ['agent_disabled', team.owner, { agentId: disabled.id }, () => made(team.owner, 'PATCH', agent(disabled.id), { enabled: false })],
    ['owner_inactive', admin, {}, () => made(team.owner, 'PATCH', `/api/v1/team/members/${admin.id}`, { role: 'member' })],
  ];
  await Promise.all(
    ends.map(async ([reason, by, of, act]) => {
      const one = await made(by, 'POST', jobs, every(of));
      const { runId } = await made(team.owner, 'POST', `${jobs}/${one.id}/run`);
      const performed = perform(team, runId, untilAborted, watched);
      const run = () => made(team.owner, 'GET', `/ws/api/agents/runs/${runId}`);
      await eventually('the run has started', async () => (await run()).status === 'running');
      await act(one);
      await eventually(`the run ends: ${reason}`, async () => (await run()).finishedAt !== undefined);
      await performed;
      const { status, reason: why } = await run();
      assert.deepEqual([status, why], ['cancelled', reason]);
    }),
  );
  const later = await job(team, { agentId: stopped.id });
  await look(due(later) + 5);
  const [{ id }] = await history(team, later);
  assert.equal(await begin(team, id), undefined);
  assert.deepEqual(said(await history(team, later)), [['skipped', 'agent_stopped', 'schedule']]);
}

test('a run ends after a notification or a poll, when its job is deleted, its agent stopped or disabled, or its owner leaves', async () => {
  await endEach(inFlight);
  const deaf = new InFlightRuns({
    database: chancery.database,
    listener: { on: async () => undefined, onReconnect: () => undefined, connected: () => true },
    everyMs: 50,
  });
  await deaf.start();
  await endEach(deaf);
  deaf.close();
});

test('a run that ended before its cancellation is not cancelled, and has no reason', async () => {
  const team = await chancery.team();
  const one = await job(team);
  const { runId } = await made(team.owner, 'POST', `${jobs}/${one.id}/run`);
  const begun = await begin(team, runId);
  assert.ok(begun);
  await made(team.owner, 'POST', `/ws/api/agents/runs/${runId}/cancel`);
  assert.ok(await finish(team, begun, { status: 'ok', reason: null }));
  const { status, reason } = await made(team.owner, 'GET', `/ws/api/agents/runs/${runId}`);
  const [finished] = await events(team, 'agent.run.finished');
  assert.deepEqual([status, reason, finished.status, finished.reason], ['ok', undefined, 'ok', undefined]);
});

test('five consecutive failures of a job itself disable it, with an event and a mail', async () => {
  const team = await chancery.team();
  const one = await job(team);
  const fail = async (end: End) => {
    const { runId } = await made(team.owner, 'POST', `${jobs}/${one.id}/run`);
    await perform(team, runId, async () => end);
    return read(team, one);
  };
  for (let n = 0; n < 6; n += 1) assert.equal((await fail({ status: 'error', reason: 'no_model_configured' })).state.consecutiveErrors, 0);
  for (let n = 1; n <= 4; n += 1) assert.equal((await fail({ status: 'error', reason: 'step_failed' })).state.consecutiveErrors, n);
  assert.equal((await fail({ status: 'ok', reason: null })).state.consecutiveErrors, 0);
  for (let n = 1; n <= 4; n += 1) assert.equal((await fail({ status: 'error', reason: 'step_failed' })).enabled, true);
  const off = await fail({ status: 'error', reason: 'step_failed' });
  assert.deepEqual(
    [off.enabled, off.state.autoDisabled.reason, off.state.nextRunAt, off.state.lastError],
    [false, 'consecutive_errors', undefined, 'step_failed'],
  );
  assert.deepEqual(await events(team, 'agent.job.disabled'), [{ name: one.name, agentId: one.agentId, reason: 'consecutive_errors' }]);
  const { rows } = await chancery.pool.query('SELECT subject FROM mail_message WHERE recipient = $1', [team.owner.email]);
  assert.deepEqual(rows, [{ subject: `Agent job disabled: ${one.name}` }]);
  const on = await made(team.owner, 'POST', `${jobs}/${one.id}/resume`);
  assert.deepEqual([on.state.consecutiveErrors, on.state.autoDisabled], [0, undefined]);
});

test('a job with `deleteAfterRun` is deleted after an `ok` run', async () => {
  const team = await chancery.team();
  const one = await job(team, { deleteAfterRun: true });
  const run = async (end: End) => perform(team, (await made(team.owner, 'POST', `${jobs}/${one.id}/run`)).runId, async () => end);
  await run({ status: 'error', reason: 'step_failed' });
  assert.equal((await read(team, one)).state.lastStatus, 'error');
  await run({ status: 'ok', reason: null });
  assert.deepEqual(await made(team.owner, 'GET', jobs), []);
  assert.deepEqual(
    (await history(team, one)).map(({ status }) => status),
    ['error', 'ok'],
  );
});

test('an invalid schedule affects only its own job', async () => {
  const team = await chancery.team();
  const [bad, good] = [await job(team), await job(team)];
  await chancery.pool.query(
    `UPDATE agent_job SET schedule = '{"kind":"cron","expr":"* * * * *","tz":"Europe/Gone","staggerMs":0}' WHERE id = $1`,
    [bad.id],
  );
  await look(due(good) + 5_000);
  assert.equal((await history(team, good)).length, 1);
  const { rows } = await chancery.pool.query("SELECT data FROM job WHERE name = 'agent-job-unreadable' AND team_id = $1", [team.id]);
  assert.deepEqual(rows, [{ data: { job: bad.id } }]);
  await look(due(good) + 6_000);
  assert.equal((await history(team, bad)).length, 0);
});

test('writes of an overtaken attempt are rejected; after the fifth node failure a run ends', async () => {
  const team = await chancery.team();
  const one = await job(team);
  const { runId } = await made(team.owner, 'POST', `${jobs}/${one.id}/run`);
  const first = await begin(team, runId);
  const second = await begin(team, runId);
  assert.ok(first && second);
  await finish(team, first, { status: 'ok', reason: null });
  const [{ status, attempts, interruptions }] = await history(team, one);
  assert.deepEqual([status, attempts, interruptions.length], ['running', 2, 1]);
  for (let n = 3; n <= 5; n += 1) assert.equal((await begin(team, runId))?.attempts, n);
  assert.equal(await begin(team, runId), undefined);
  const [run] = await history(team, one);
  assert.deepEqual([run.status, run.error, run.interruptions.length], ['error', 'interrupted', 4]);
});

test('a run at depth four ends before its start', async () => {
  const team = await chancery.team();
  const one = await job(team);
  const deep = async (depth: number) => {
    const { runId } = await made(team.owner, 'POST', `${jobs}/${one.id}/run`);
    await chancery.pool.query('UPDATE agent_run SET depth = $2 WHERE id = $1', [runId, depth]);
    await perform(team, runId, async () => ({ status: 'ok', reason: null }));
    const { status, error, attempts } = await made(team.owner, 'GET', `/ws/api/agents/runs/${runId}`);
    return [status, error, attempts];
  };
  assert.deepEqual(await deep(3), ['ok', undefined, 1]);
  assert.deepEqual(await deep(4), ['error', 'agent_depth_exceeded', 0]);
});

exhaustiveTest('after its node is killed, another node continues a run once and records that', async () => {
  const team = await chancery.team();
  const all = await Promise.all([job(team), job(team), job(team)]);
  await look(due(all[2]) + 5_000);
  const ids = (await Promise.all(all.map((one) => history(team, one)))).map(([run]) => run.id);
  const child = spawn(process.execPath, ['test/fixtures/run-node.ts', chancery.databaseUrl], {
    env: { PATH: process.env.PATH, NODE_NO_WARNINGS: '1' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let out = '';
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  await eventually('the runs have started', async () => ids.every((id) => out.includes(id)));
  child.kill('SIGKILL');
  // The leases of the killed node expire.
  await letJobsBeDue(chancery.pool, 'running', 'agent-run');
  const begun: string[] = [];
  const work: Work = async (_team, { id }) => {
    begun.push(id);
    return { status: 'ok', reason: null };
  };
  const node = await startJobNode(chancery.databaseUrl, (known, database) =>
    known.add(runJob, performer({ database, listeners, clock: () => new Date(), runs, work, inFlight })),
  );
  await eventually('the runs have ended', async () =>
    (await Promise.all(all.map((one) => history(team, one)))).every(([run]) => run.status === 'ok'),
  );
  assert.deepEqual(begun.filter((id) => ids.includes(id)).toSorted(), ids.toSorted());
  for (const one of all) {
    const [run, ...others] = await history(team, one);
    assert.deepEqual([others.length, run.attempts, run.interruptions.length], [0, 2, 1]);
  }
  await node.stop();
});

test('a run with failing attempts is retried within seconds, and ends with the fifth failure', async () => {
  const team = await chancery.team();
  const one = await job(team);
  const { runId } = await made(team.owner, 'POST', `${jobs}/${one.id}/run`);
  const work: Work = () => Promise.reject(new Error('cut off'));
  const node = await startJobNode(chancery.databaseUrl, (known, database) =>
    known.add(runJob, performer({ database, listeners, clock: () => new Date(), runs, work, inFlight })),
  );
  const waits: number[] = [];
  try {
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      const failed = `SELECT extract(epoch FROM due_at - now())::float8 AS seconds FROM job WHERE state = 'waiting' AND attempts = $2 AND data ->> 'run' = $1`;
      await eventually(`attempt ${attempt} has failed`, async () => {
        const { rows } = await chancery.pool.query<{ seconds: number }>(failed, [runId, attempt]);
        waits.push(...rows.map(({ seconds }) => seconds));
        return rows.length > 0;
      });
      await letJobsBeDue(chancery.pool, 'waiting', 'agent-run');
    }
    await eventually('the run has ended', async () => (await history(team, one))[0].finishedAt !== undefined);
  } finally {
    await node.stop();
  }
  const [run] = await history(team, one);
  assert.deepEqual([run.status, run.error, run.attempts], ['error', 'interrupted', 5]);
  assert.ok(
    waits.every((seconds) => seconds <= 15),
    `waited for ${waits.join(', ')} s`,
  );
});

exhaustiveTest('a service starts due jobs; without a model a run records that, and it does not count as a failure of the job', async () => {
  const team = await chancery.team();
  const node = await chancery.node('worker');
  try {
    await eventually('it is seen', async () => (await made(team.owner, 'GET', `${jobs}/status`)).nodes === 1);
    const one = await job(team, { schedule: { kind: 'at', at: new Date(Date.now() + 1_000).toISOString() } });
    await eventually('it has run', async () => (await history(team, one))[0]?.finishedAt !== undefined);
    const [run] = await history(team, one);
    assert.deepEqual(
      [run.status, run.error, run.trigger, run.attempts, run.dueAt],
      ['error', 'model_not_enabled', 'schedule', 1, one.schedule.at],
    );
    assert.ok(Date.parse(run.createdAt) - Date.parse(run.dueAt) < 10_000);
    const then = await read(team, one);
    assert.deepEqual(
      [then.enabled, then.state.nextRunAt, then.state.lastStatus, then.state.consecutiveErrors],
      [true, undefined, 'error', 0],
    );
    const status = await made(team.owner, 'GET', `${jobs}/status`);
    assert.deepEqual([status.enabled, status.running, status.queued, status.lagMs], [true, 0, 0, 0]);
    await made(team.owner, 'POST', '/ws/api/agents/stop', { reason: 'Odd' });
    assert.equal((await made(team.owner, 'GET', `${jobs}/status`)).enabled, false);
  } finally {
    await node.stop();
  }
});
