import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Chancery, startChancery, type User } from '../harness.ts';
import { type Spawned, spawnWorker } from '../spawned.ts';
import { eventually } from '../webhook-receiver.ts';

/* Nodes end while a workflow advances, or all nodes are down when it is due. */

const path = '/api/v1/workflows';
const hourMs = 3_600_000;
let chancery: Chancery;
let owner: User;
const spawned: Omit<Spawned, 'url'>[] = [];

before(async () => {
  // This node only serves requests. Timers run on the nodes that the test starts.
  chancery = await startChancery({ role: 'api' });
  ({ owner } = await chancery.team());
});
after(async () => {
  await Promise.all(spawned.map((worker) => worker.kill()));
  await chancery.stop();
});

const call = (method: string, to: string, body?: unknown) =>
  chancery.call(method, to, { token: owner.token, ...(body === undefined ? {} : { body }) });
const stepsOf = async (id: string): Promise<string[]> =>
  (await call('GET', `${path}/${id}`)).body.steps.map(({ status }: { status: string }) => status);
const tasksOf = async (id: string): Promise<any[]> => (await call('GET', `/api/v1/tasks?workflowId=${id}`)).body;

async function waiting(): Promise<string> {
  const steps = [
    { id: 'wait', type: 'wait', config: { minutes: 30 } },
    { id: 'then', type: 'task', name: 'Held up' },
    { id: 'last', type: 'task' },
  ];
  const { body } = await call('POST', `${path}/`, { name: 'W', documentId: 'DMS-1', steps });
  assert.equal((await call('POST', `${path}/${body.id}/start`)).status, 200);
  return body.id;
}

/** Moves the due times and the periodic work of the next hour to now, as after an outage of one hour. */
async function anHourLater(): Promise<void> {
  await chancery.pool.query("UPDATE workflow_step SET wake_at = wake_at - interval '1 hour' WHERE wake_at IS NOT NULL");
  await chancery.pool.query("DELETE FROM job WHERE name = 'workflow-timers'");
  await chancery.pool.query(
    `INSERT INTO job_schedule (name, begun_at) VALUES ('workflow-timers', date_trunc('second', now()) - interval '1 hour')
     ON CONFLICT (name) DO UPDATE SET begun_at = excluded.begun_at`,
  );
}

/** A node whose clock is one hour behind. */
const setBack = {
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(`const Right = Date; globalThis.Date = class Date extends Right {
    constructor(...given) { given.length === 0 ? super(Right.now() - ${hourMs}) : super(...given); }
    static now() { return Right.now() - ${hourMs}; }
  };`)}`,
};

function startWorker(more: Record<string, string> = {}): Omit<Spawned, 'url'> {
  const worker = spawnWorker({
    DATABASE_URL: chancery.databaseUrl,
    DATA_DIR: chancery.config.DATA_DIR,
    MASTER_KEY: chancery.masterKey,
    BASE_URL: chancery.config.BASE_URL,
    ...more,
  });
  spawned.push(worker);
  return worker;
}

test('a node killed between two steps leaves the workflow unchanged, and timers that were due during the outage run once', async () => {
  const id = await waiting();
  // The insert of the next task waits for a lock, so the node stays in the middle of the transition.
  await chancery.pool.query(`
    CREATE FUNCTION hold_up() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_advisory_xact_lock(18, 18); RETURN NEW; END $$;
    CREATE TRIGGER hold_up BEFORE INSERT ON task FOR EACH ROW WHEN (NEW.title = 'Held up') EXECUTE FUNCTION hold_up()`);
  const lockOwner = await chancery.pool.connect();
  try {
    await lockOwner.query('SELECT pg_advisory_lock(18, 18)');
    await anHourLater();
    const killed = startWorker();
    await eventually('the node in the middle of the transition', async () => {
      const { rows } = await chancery.pool.query(
        "SELECT FROM pg_locks WHERE locktype = 'advisory' AND classid = 18 AND objid = 18 AND NOT granted",
      );
      return rows.length > 0 ? true : undefined;
    });
    await killed.kill();
    // Once released, its connection ends because its client is gone.
    await lockOwner.query(
      `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND classid = 18 AND objid = 18 AND NOT granted`,
    );
  } finally {
    await lockOwner.query('SELECT pg_advisory_unlock(18, 18)');
    lockOwner.release();
  }
  assert.deepEqual(
    [await stepsOf(id), await tasksOf(id)],
    [['active', 'pending', 'pending'], []],
    'neither the end of the step nor the start of the next',
  );

  const second = await waiting();
  await anHourLater();
  startWorker(setBack);
  await eventually('the transitions of both workflows', async () => {
    const steps = [await stepsOf(id), await stepsOf(second)];
    return steps.every(([wait]) => wait === 'completed') ? true : undefined;
  });
  for (const flow of [id, second]) {
    assert.deepEqual(await stepsOf(flow), ['completed', 'active', 'pending']);
    const [task, ...others] = await tasksOf(flow);
    assert.deepEqual([task.status, others], ['open', []]);
    const { rows } = await chancery.pool.query(
      "SELECT count(*)::int AS n FROM audit_entry WHERE target_id = $1 AND type = 'workflow.step.completed'",
      [flow],
    );
    assert.equal(rows[0].n, 1);
    assert.equal((await call('POST', `/api/v1/tasks/${task.id}/complete`, {})).status, 200);
    assert.deepEqual(await stepsOf(flow), ['completed', 'completed', 'active']);
  }
});
