import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import process from 'node:process';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type AgentRuns, agents, startAgentRuns } from '../agent-runs.ts';
import { letJobsBeDue } from '../jobs.ts';
import type { ModelResponse } from '../model-server.ts';
import { type Spawned, spawnWorker } from '../spawned.ts';
import { eventually } from '../webhook-receiver.ts';

let runs: AgentRuns;
let worker: Omit<Spawned, 'url'> | undefined;

before(async () => (runs = await startAgentRuns({ role: 'api' })));
after(async () => {
  await worker?.kill();
  await runs.stop();
});

const count = async (text: string, values: unknown[] = []) => Number((await runs.chancery.pool.query(text, values)).rows[0].n);
const ofWorkers = "SELECT count(*) AS n FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'chancery-worker'";

/** `AGENT_CHAOS_SECONDS=120` makes 500 jobs due each minute for 120 s, while a node is killed every few seconds. */
const seconds = Number(process.env.AGENT_CHAOS_SECONDS ?? 0);
const many = seconds > 0 ? 500 : 20;
const atOnce = seconds > 0 ? 20 : 5;
/** After this lease other nodes can claim the jobs of a killed node. */
const leaseMs = 15_000;

function spawnNode(): Omit<Spawned, 'url'> {
  const { DATA_DIR, BASE_URL } = runs.chancery.config;
  return spawnWorker({
    DATABASE_URL: runs.chancery.databaseUrl,
    MASTER_KEY: runs.chancery.masterKey,
    DATA_DIR,
    BASE_URL,
    AGENT_MODEL_URL: runs.model.url,
    AGENT_MODELS: 'small,large',
    TEAM_AGENT_RUNS_AT_ONCE: String(atOnce),
  });
}
const startWorker = () => void (worker = spawnNode());

/** Kills the worker and expires its leases, so that other nodes can claim its jobs. */
async function killWorker(meanwhile: () => Promise<unknown> = async () => undefined): Promise<void> {
  await worker?.kill();
  await meanwhile();
  await eventually('the end of its transactions', async () => (await count(ofWorkers)) === 0);
  await letJobsBeDue(runs.chancery.pool, 'running');
}

test(
  'a node killed during a model request, a tool call or after it: another node continues the run, and the call takes effect once',
  { timeout: 600_000 },
  async () => {
    const title = `Made once ${randomUUIDv7()}`;
    const answers: ModelResponse[] = [
      'hang',
      { text: 'I make a task.', calls: [{ name: 'create_task', input: { title } }] },
      'hang',
      { text: 'Done.' },
    ];
    const { id: of } = await runs.agent({ scopes: ['tasks:read', 'tasks:write'], tools: { allow: ['create_task'] }, approval: 'never' });
    const run = await runs.begun((_request, n) => answers[n] ?? 'hang', {}, { of });
    const made = () => count('SELECT count(*) AS n FROM task WHERE title = $1', [title]);
    const requested = (times: number) => eventually(`question ${times}`, async () => runs.modelRequests(run).length === times);

    startWorker();
    await requested(1);
    await killWorker();

    // The tool waits for this lock inside its transaction.
    const lock = await runs.chancery.pool.connect();
    await lock.query('BEGIN');
    await lock.query('LOCK TABLE task IN SHARE MODE');
    startWorker();
    await eventually('the tool call in progress', async () => (await count(`${ofWorkers} AND wait_event_type = 'Lock'`)) > 0);
    await killWorker(async () => {
      await lock.query('ROLLBACK');
      lock.release();
    });
    assert.equal(await made(), 0, 'an uncommitted call leaves no rows');

    startWorker();
    await requested(3);
    assert.equal(await made(), 1);
    await killWorker();

    startWorker();
    const ended = await runs.ended(runs.owner, run);
    assert.deepEqual([ended.status, ended.summary, ended.attempts, ended.interruptions.length], ['ok', 'Done.', 4, 3]);
    assert.equal(await made(), 1);
    assert.deepEqual(
      (await runs.callsOf(run)).map(({ tool, status }: any) => [tool, status]),
      [['create_task', 'done']],
    );
    const { events } = await runs.asker.made(runs.owner, 'GET', `/api/v1/security/audit?targetId=${run}&type=agent.tool.called`);
    assert.equal(events.length, 1);
  },
);

test(
  `three nodes are killed one after the other: each due time of ${many} jobs gets one run, and no call runs twice`,
  { timeout: 300_000 + 3 * seconds * 1_000 },
  async () => {
    const team = await runs.chancery.team();
    await runs.asker.made(team.owner, 'PUT', `${agents}/settings`, { enabled: true });
    const members = { name: 'Clerk', scopes: ['tasks:write'], tools: { allow: ['create_task'] }, approval: 'never' };
    const { id: agentId } = await runs.asker.made(team.owner, 'POST', `${agents}/`, members);
    // The model responds slowly, so that kills interrupt model requests as well as calls.
    runs.model.play('Chore', async ({ body }) => {
      await sleep((seconds > 0 ? 100 : 20) + (seconds > 0 ? 300 : 60) * Math.random());
      const [, title = ''] = /Chore (\d+)/.exec(JSON.stringify(body.messages)) ?? [];
      const over = body.messages.some(({ role }: any) => role === 'tool');
      return over ? { text: 'Done.' } : { text: 'I make it.', calls: [{ name: 'create_task', input: { title: `Chore ${title}` } }] };
    });
    const job = (n: number) => {
      const schedule =
        seconds > 0
          ? { kind: 'cron', expr: '* * * * *', tz: 'UTC', staggerMs: 55_000 }
          : { kind: 'at', at: new Date(Date.now() + 3_600_000).toISOString() };
      return runs.asker.made(team.owner, 'POST', `${agents}/cron`, {
        name: `Job ${n}`,
        agentId,
        message: `Chore ${n}`,
        overlap: 'queue',
        schedule,
      });
    };
    // The node of the previous test still runs. Starting a node takes 1 s.
    const nodes = [...(worker ? [worker] : [spawnNode()]), spawnNode(), spawnNode()];
    worker = undefined;
    try {
      for (let n = 0; n < many; n += 10) await Promise.all(Array.from({ length: 10 }, (_, more) => job(n + more)));
      if (seconds === 0) await beDueOnAll(team.id);
      await killAtRandom(nodes);
      await runs.chancery.pool.query('UPDATE agent_job SET enabled = false, due_at = NULL, wake_at = NULL WHERE team_id = $1', [team.id]);
      const over = async () => {
        // A run that waited too long for the lock or lost its lease is retried after a delay that doubles. The test skips this delay.
        await letJobsBeDue(runs.chancery.pool, 'waiting', 'agent-run');
        await sleep(50);
        return (await open(team.id)) === 0;
      };
      await eventually('the end of all runs', over, 2 * leaseMs + 120_000 + seconds * 1_000);
    } finally {
      await Promise.all(nodes.map((node) => node.kill()));
    }
    await lookAtRuns(team.id);
  },
);

const open = (team: string) => count('SELECT count(*) AS n FROM agent_run WHERE team_id = $1 AND finished_at IS NULL', [team]);

/** Makes all jobs due once three nodes poll for them. */
async function beDueOnAll(team: string): Promise<void> {
  const { pool } = runs.chancery;
  const from = (await pool.query('SELECT now() AS at')).rows[0].at;
  await eventually('three nodes', async () => {
    await pool.query("SELECT pg_notify('job_due', '')");
    await sleep(100);
    return (await count('SELECT count(*) AS n FROM job_worker WHERE seen_at > $1', [from])) >= 3;
  });
  await pool.query(
    `UPDATE agent_job SET due_at = d.at, wake_at = d.at, schedule = jsonb_set(schedule, '{at}', to_jsonb(to_char(d.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))
     FROM (SELECT date_trunc('milliseconds', now()) AS at) d WHERE team_id = $1`,
    [team],
  );
  // One job for each node.
  await pool.query(
    `INSERT INTO job (team_id, id, name, data, state, due_at)
     SELECT $1, gen_random_uuid(), 'agent-jobs-due', '{}', 'ready', now() FROM generate_series(1, 3) WHERE pg_notify('job_due', 'agent-jobs-due') IS NOT NULL`,
    [team],
  );
}

/** Kills nodes one after the other while runs are in progress, and starts replacements. */
async function killAtRandom(nodes: Omit<Spawned, 'url'>[]): Promise<void> {
  if (seconds === 0) return overtake(nodes);
  const until = Date.now() + seconds * 1_000;
  do {
    await eventually('runs in progress', () => count("SELECT count(*) AS n FROM agent_run WHERE status = 'running'"));
    const at = Math.floor(Math.random() * nodes.length);
    await nodes[at]?.kill();
    nodes[at] = spawnNode();
    await sleep(2_000 + 3_000 * Math.random());
  } while (Date.now() < until);
}

/** Kills two of three nodes and expires all leases during calls, so that the other nodes claim runs that are still in progress. */
async function overtake(nodes: Omit<Spawned, 'url'>[]): Promise<void> {
  const anybodys = () => letJobsBeDue(runs.chancery.pool, 'running');
  const lock = await runs.chancery.pool.connect();
  await lock.query('BEGIN');
  await lock.query('LOCK TABLE task IN SHARE MODE');
  try {
    const inCalls = `${ofWorkers} AND wait_event_type = 'Lock' AND wait_event = 'relation'`;
    await eventually('calls in progress', () => count(inCalls));
    await nodes.shift()?.kill();
    const again = async () => {
      await anybodys();
      return count("SELECT count(*) AS n FROM agent_run WHERE status = 'running' AND attempts > 1");
    };
    await eventually('runs claimed again', again);
  } finally {
    await lock.query('ROLLBACK');
    lock.release();
  }
  await nodes.shift()?.kill();
  await anybodys();
  const waiting = 'SELECT count(*) AS n FROM agent_job WHERE wake_at IS NOT NULL';
  await eventually('all jobs due', async () => (await count(waiting)) === 0);
}

async function lookAtRuns(team: string): Promise<void> {
  const { rows } = await runs.chancery.pool.query(
    `SELECT r.status, r.reason, r.due_at, r.attempts, jsonb_array_length(r.interruptions) AS interruptions, j.id AS job,
       (SELECT count(*)::int FROM agent_run_call c WHERE c.team_id = r.team_id AND c.run_id = r.id AND c.status = 'done') AS done
     FROM agent_run r JOIN agent_job j ON j.team_id = r.team_id AND j.id = r.job_id WHERE r.team_id = $1 ORDER BY j.id, r.due_at`,
    [team],
  );
  const odd = rows.filter(({ status, reason, done, interruptions }) =>
    status === 'ok' ? done !== 1 : reason !== 'interrupted' || interruptions === 0 || done > 1,
  );
  assert.deepEqual(odd, [], 'each run ended with one call, or reports that its nodes died');
  const times = Map.groupBy(rows, ({ job }) => job);
  assert.equal(times.size, many);
  for (const [job, all] of times) {
    const due = all.map(({ due_at: at }) => Date.parse(at));
    const each = Array.from({ length: due.length }, (_, n) => (due[0] ?? 0) + n * 60_000);
    assert.deepEqual(due, each, `each due time of the job ${job} has one run`);
  }
  const tasks = await count("SELECT count(*) AS n FROM task WHERE team_id = $1 AND title LIKE 'Chore %'", [team]);
  assert.equal(
    tasks,
    rows.reduce((sum, { done }) => sum + done, 0),
    'each completed call created its task, and no other call did',
  );
  const taken = rows.filter(({ interruptions }) => interruptions > 0);
  assert.ok(taken.length > 0, 'nodes died with runs in progress');
  if (seconds > 0) {
    const said = { runs: rows.length, ok: rows.filter(({ status }) => status === 'ok').length, takenUp: taken.length, tasks };
    process.stdout.write(`${JSON.stringify(said)}\n`);
  }
}
