import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { after, before, test } from 'node:test';
import { type AgentRuns, startAgentRuns } from '../../../test/agent-runs.ts';
import { listeners } from '../../listeners.ts';
import { loadTools } from '../../domains.ts';
import { type Database, openDatabase } from '../../platform/database/database.ts';
import { type Execution, performer } from './execution.ts';
import { createLoop } from './loop/index.ts';
import type { ModelConfig } from './config.ts';
import { openModel } from './model/index.ts';

/* What nodes do that die, or fall behind, before and after each write of a run. */

let runs: AgentRuns;
let database: Database;
let model: ReturnType<typeof openModel>;
let settings: ModelConfig;

before(async () => {
  // This instance starts no runs: each attempt belongs to a test.
  runs = await startAgentRuns({ role: 'api' });
  database = openDatabase({ url: runs.chancery.databaseUrl }, { applicationName: 'chancery-test', maxConnections: 4 });
  const { url } = runs.model;
  settings = {
    protocol: 'openai',
    url,
    origin: new URL(url).origin,
    key: 'key-of-the-operator',
    models: ['small', 'large'],
    region: 'EU',
    timeoutMs: 20_000,
    prices: new Map(),
    priceTable: 'none',
  };
  model = openModel(settings);
});
after(async () => {
  await model.close();
  await database.close();
  await runs.stop();
});

const loaded = loadTools({ storage: undefined as never });
const tools = () => loaded;

class Died extends Error {}
type Write = <T>(write: () => Promise<T>) => Promise<T>;

/** Executes a run on a simulated node, with `write` around each of its transactions. */
function attempt(
  run: string,
  write: Write,
  signal: AbortSignal = new AbortController().signal,
  // The node gets no notification that it has lost its run: its writes are rejected anyway.
  inFlight: Execution['inFlight'] = { watch: () => () => undefined },
): Promise<unknown> {
  const own: Database = { ...database, inTeam: (team, work, proof) => write(() => database.inTeam(team, work, proof)) };
  const base = { database: own, listeners, clock: () => new Date() };
  const config = { atOnce: 20, tokensADay: 200_000_000, model: settings };
  const unused = { servers: undefined as never, places: undefined as never };
  const work = createLoop({ ...base, tools, ...unused, config, ask: model.ask, texts });
  const perform = performer({ ...base, runs: { atOnce: 20 }, work, inFlight });
  return Promise.resolve(perform(runs.team.id, run, signal));
}
const texts = { begin: () => ({ hear: () => undefined, end: () => undefined }) };
const plainly: Write = async (write) => write();

/** Starts a run that creates one task and then ends. */
async function begun(approval: 'never' | 'mutating'): Promise<{ run: string; title: string }> {
  const title = `Made ${randomUUIDv7()}`;
  const { id: of } = await runs.agent({ scopes: ['tasks:read', 'tasks:write'], tools: { allow: ['create_task'] }, approval });
  const over = ({ body }: any) => body.messages.some(({ role }: any) => role === 'tool');
  const run = await runs.begun(
    (request) => (over(request) ? { text: 'Done.' } : { text: 'I make it.', calls: [{ name: 'create_task', input: { title } }] }),
    {},
    { of },
  );
  return { run, title };
}

const count = async (text: string, values: unknown[]) => Number((await runs.chancery.pool.query(text, values)).rows[0].n);
const madeOf = (title: string) => count('SELECT count(*) AS n FROM task WHERE title = $1', [title]);

/** Restarts a run after each failure until it ends, and approves its calls. */
async function toItsEnd(run: string, write: Write = plainly): Promise<void> {
  for (let tries = 0; tries < 5; tries += 1) {
    await attempt(run, write).catch((error: unknown) => assert.ok(error instanceof Died, String(error)));
    const { status } = await runs.read(runs.owner, run);
    if (status === 'ok') return;
    for (const { status: how, taskId } of status === 'awaiting_approval' ? await runs.callsOf(run) : [])
      if (how === 'awaiting_approval')
        await runs.asker.made(runs.owner, 'POST', `/api/v1/tasks/${taskId}/complete`, { outcome: 'approved' });
  }
  assert.fail('the run did not end');
}

async function requireOnce(run: string, title: string, about: string): Promise<void> {
  assert.equal(await madeOf(title), 1, `${about}: the task is created once`);
  const { steps } = await runs.transcript(runs.owner, run);
  assert.deepEqual(
    steps.map(({ text, calls }: any) => [text, calls.map(({ status }: any) => status)]),
    [
      ['I make it.', ['done']],
      ['Done.', []],
    ],
    about,
  );
  const { rows } = await runs.chancery.pool.query('SELECT seq, type FROM agent_run_event WHERE run_id = $1 ORDER BY seq', [run]);
  assert.deepEqual(
    rows.map(({ seq }) => seq),
    rows.map((_, n) => n + 1),
    `${about}: events without a gap`,
  );
  for (const [type, times] of [
    ['call.finished', 1],
    ['step.finished', 2],
    ['run.finished', 1],
  ])
    assert.equal(rows.filter((row) => row.type === type).length, times, `${about}: ${type}`);
  const { events } = await runs.asker.made(runs.owner, 'GET', `/api/v1/security/audit?targetId=${run}&type=agent.tool.called`);
  assert.equal(events.length, 1, `${about}: the journal records the call once`);
}

test('after a node failure between any two writes of a run, or during an approval, another node continues and executes the call once', async () => {
  // A failure before a write is a failure after the previous write and the work in between.
  for (let at = 1; ; at += 1) {
    const { run, title } = await begun('mutating');
    let writes = 0;
    await toItsEnd(run, async (write) => {
      writes += 1;
      if (writes === at) throw new Died();
      return write();
    });
    await requireOnce(run, title, `write ${at}`);
    if (writes >= at) continue;
    assert.ok(at > 10, `${at - 1} writes`);
    return;
  }
});

test('a slow node that another node overtakes before any of its writes writes nothing more', async () => {
  for (let at = 2; ; at += 1) {
    const { run, title } = await begun('never');
    const [goOn, paused, tried] = [Promise.withResolvers<void>(), Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const end = new AbortController();
    let writes = 0;
    const slow = attempt(
      run,
      async (write) => {
        writes += 1;
        if (writes !== at) return write();
        paused.resolve();
        await goOn.promise;
        return write().finally(() => tried.resolve());
      },
      end.signal,
    ).catch((error: unknown) => error);
    await Promise.race([paused.promise, slow]);
    if (writes < at) {
      assert.ok(at > 8, `${at - 1} writes`);
      return;
    }
    // Another node has started the next attempt, and is about to make its first write.
    const [begins, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let nexts = 0;
    const next = attempt(run, async (write) => {
      nexts += 1;
      if (nexts === 2) {
        begins.resolve();
        await go.promise;
      }
      return write();
    });
    await begins.promise;
    const written = async () => {
      const { rows } = await runs.chancery.pool.query(
        `SELECT r.status, r.attempts, r.tokens, r.steps, r.events,
           (SELECT jsonb_agg(s.content ORDER BY s.step) FROM agent_run_step s WHERE s.run_id = r.id) AS said,
           (SELECT jsonb_agg(c.status) FROM agent_run_call c WHERE c.run_id = r.id) AS calls
         FROM agent_run r WHERE r.id = $1`,
        [run],
      );
      return { ...rows[0], tasks: await madeOf(title) };
    };
    const earlier = await written();
    goOn.resolve();
    await tried.promise;
    assert.deepEqual(await written(), earlier, `the overtaken attempt changes nothing with write ${at}`);
    end.abort(new Died());
    await slow;
    go.resolve();
    await next;
    await requireOnce(run, title, `overtaken before write ${at}`);
  }
});

test('an attempt that is overtaken before its approval request creates no task: the next attempt does', async () => {
  const { run, title } = await begun('mutating');
  const [asks, goOn, begins, go] = [0, 1, 2, 3].map(() => Promise.withResolvers<void>());
  const answered = () => count('SELECT count(*) AS n FROM agent_run_step WHERE run_id = $1 AND step = 1', [run]);
  const [tried, end] = [Promise.withResolvers<void>(), new AbortController()];
  const late = attempt(
    run,
    async (write) => {
      if ((await answered()) === 0) return write();
      asks?.resolve();
      await goOn?.promise;
      return write().finally(() => tried.resolve());
    },
    end.signal,
  ).catch((error: unknown) => error);
  await asks?.promise;
  let writes = 0;
  const next = attempt(run, async (write) => {
    writes += 1;
    if (writes === 2) {
      begins?.resolve();
      await go?.promise;
    }
    return write();
  });
  await begins?.promise;
  goOn?.resolve();
  await tried.promise;
  end.abort(new Died());
  await late;
  assert.deepEqual(
    (await runs.callsOf(run)).map(({ status }) => status),
    ['ready'],
  );
  go?.resolve();
  await next;
  await toItsEnd(run);
  await requireOnce(run, title, 'overtaken before it asks');
});

/** Whether the job of the attempt is rescheduled instead of ended: it belongs to the attempt that owns the run now. */
const isPutBack = (outcome: unknown) => outcome !== undefined && typeof outcome === 'object' && outcome !== null && 'later' in outcome;

test('an overtaken attempt leaves the job to the next attempt, whether a notification or its last write reveals that', async () => {
  const { run } = await begun('never');
  const [working, letGo] = [Promise.withResolvers<(lost: boolean) => void>(), Promise.withResolvers<void>()];
  let isWorking = false;
  const notified = attempt(run, async (write) => (isWorking && (await letGo.promise), write()), undefined, {
    watch: (_run, leave) => {
      isWorking = true;
      working.resolve(leave);
      return () => undefined;
    },
  });
  (await working.promise)(true);
  assert.ok(isPutBack(await notified), 'it is notified during its work');
  letGo.resolve();

  const another = await begun('never');
  const [ends, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const late = attempt(another.run, async (write) => {
    const { rows } = await runs.chancery.pool.query('SELECT count(*)::int AS n FROM agent_run_step WHERE run_id = $1 AND step = 2', [
      another.run,
    ]);
    if (rows[0].n === 1) {
      ends.resolve();
      await go.promise;
    }
    return write();
  });
  await ends.promise;
  assert.equal(await attempt(another.run, plainly), undefined, 'the other attempt ends the run and its job');
  go.resolve();
  assert.ok(isPutBack(await late), 'it is overtaken before its last write');
  await requireOnce(another.run, another.title, 'overtaken at its end');
});
