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
  // It begins no runs by itself: each attempt is a test's own.
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

/** A node that carries out a run, and does as `write` says with each of its transactions. */
function attempt(
  run: string,
  write: Write,
  signal: AbortSignal = new AbortController().signal,
  // Nobody tells it that it has lost its run: what it writes is refused all the same.
  inHand: Execution['inHand'] = { watch: () => () => undefined },
): Promise<unknown> {
  const own: Database = { ...database, inTeam: (team, work, proof) => write(() => database.inTeam(team, work, proof)) };
  const base = { database: own, listeners, clock: () => new Date() };
  const config = { atOnce: 20, tokensADay: 200_000_000, model: settings };
  const unused = { servers: undefined as never, places: undefined as never };
  const work = createLoop({ ...base, tools, ...unused, config, ask: model.ask, texts });
  const perform = performer({ ...base, runs: { atOnce: 20 }, work, inHand });
  return Promise.resolve(perform(runs.team.id, run, signal));
}
const texts = { begin: () => ({ hear: () => undefined, end: () => undefined }) };
const plainly: Write = async (write) => write();

/** A run whose model makes one task and is done. */
async function begun(approval: 'never' | 'mutating'): Promise<{ run: string; title: string }> {
  const title = `Made ${randomUUIDv7()}`;
  const { id: of } = await runs.agent({ scopes: ['tasks:read', 'tasks:write'], tools: { allow: ['create_task'] }, approval });
  const over = ({ body }: any) => body.messages.some(({ role }: any) => role === 'tool');
  const run = await runs.begun(
    (asked) => (over(asked) ? { text: 'Done.' } : { text: 'I make it.', calls: [{ name: 'create_task', input: { title } }] }),
    {},
    { of },
  );
  return { run, title };
}

const count = async (text: string, values: unknown[]) => Number((await runs.chancery.pool.query(text, values)).rows[0].n);
const madeOf = (title: string) => count('SELECT count(*) AS n FROM task WHERE title = $1', [title]);

/** Goes on with a run until it is over, whoever dies, and answers what it asks. */
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
  assert.equal(await madeOf(title), 1, `${about}: the task is made once`);
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
  assert.equal(events.length, 1, `${about}: the journal says it once`);
}

test('a node dies between any two writes of a run, and while a person is asked: the next goes on, and the call is done once', async () => {
  // Before a write is after the one before it, with all that is done in between.
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

test('a node that falls behind before any of its writes, and is overtaken, writes nothing more', async () => {
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
    // Another node has taken the run up, and is about to write its first.
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
    assert.deepEqual(await written(), earlier, `what the overtaken one writes as its write ${at}`);
    end.abort(new Died());
    await slow;
    go.resolve();
    await next;
    await requireOnce(run, title, `overtaken before write ${at}`);
  }
});

test('an attempt that is overtaken when it is about to ask a person asks nobody: the other one does', async () => {
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

/** That the job of the attempt is put back, and not ended: it is by now the job of the attempt that has the run in hand. */
const isPutBack = (outcome: unknown) => outcome !== undefined && typeof outcome === 'object' && outcome !== null && 'later' in outcome;

test('an attempt that is told of being overtaken, or finds it when it ends the run, leaves the job to the one that has the run', async () => {
  const { run } = await begun('never');
  const [working, letGo] = [Promise.withResolvers<(lost: boolean) => void>(), Promise.withResolvers<void>()];
  let isWorking = false;
  const told = attempt(run, async (write) => (isWorking && (await letGo.promise), write()), undefined, {
    watch: (_held, leave) => {
      isWorking = true;
      working.resolve(leave);
      return () => undefined;
    },
  });
  (await working.promise)(true);
  assert.ok(isPutBack(await told), 'told while it works');
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
  assert.equal(await attempt(another.run, plainly), undefined, 'the other one ends the run, and its job with it');
  go.resolve();
  assert.ok(isPutBack(await late), 'before its last write');
  await requireOnce(another.run, another.title, 'overtaken at its end');
});
