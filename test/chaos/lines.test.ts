import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type DatabaseProxy, startDatabaseProxy } from '../database-proxy.ts';
import { type TestResponse, type Chancery, startChancery, type User } from '../harness.ts';
import { type LineError, type LineProxy, startLineProxy } from '../line-proxy.ts';
import { eventually, type Receiver, startReceiver } from '../webhook-receiver.ts';

/*
 * Users and API clients send requests over HTTP while the connections to the database and to receivers fail in many ways. Each response is compared
 * with the database through a separate connection.
 */

const clients = 8;
const folders = '/api/v1/smartdoc/folders/';
const tasks = '/api/v1/tasks/';
const hooks = '/api/v1/webhooks/';

let chancery: Chancery;
let database: DatabaseProxy;
let line: LineProxy;
let receiver: Receiver;
/** Each client has its own team, so that clients do not wait for each other’s locks. */
let owners: User[];
let listening: string;

before(async () => {
  receiver = await startReceiver();
  const { hostname, port } = new URL(receiver.url);
  line = await startLineProxy({ host: hostname, port: Number(port) });
  chancery = await startChancery({
    through: async (url) => (database = await startDatabaseProxy(url)).url,
    settings: {
      READ_LIMIT_SECONDS: '1',
      WRITE_LIMIT_SECONDS: '2',
      WEBHOOK_TIMEOUT_SECONDS: '1',
      WEBHOOK_LEASE_SECONDS: '5',
      WEBHOOK_RETRY_SCHEDULE: Array(50).fill('500ms').join(),
    },
  });
  owners = await Promise.all(Array.from({ length: clients }, async () => (await chancery.team()).owner));
  const [first] = owners;
  assert.ok(first);
  const body = { name: 'Ledger', url: `http://${line.host}/`, events: ['folder.created', 'task.completed'] };
  const made = await chancery.call('POST', hooks, { token: first.token, body });
  assert.equal(made.status, 201, made.text);
  listening = made.body.id;
});
after(async () => {
  await chancery.stop();
  await database.close();
  line.close();
  await receiver.close();
});

/** The outcome that a client knows: done, unchanged or unknown. */
type ClientOutcome = 'done' | 'unchanged' | 'unknown';
type ChaosAction = { what: string; clientOutcome: ClientOutcome; answer: string; isDone(): Promise<boolean> };

function clientOutcomeOf(answer: TestResponse | undefined): ClientOutcome {
  if (!answer || answer.body?.code === 'outcome_unknown') return 'unknown';
  return answer.status < 300 ? 'done' : 'unchanged';
}

const exists = async (sql: string, value: string) => (await chancery.pool.query(sql, [value])).rowCount === 1;

/** Sends one change once, and records the response with a function that finds out whether the change took effect. */
async function act(acts: ChaosAction[], by: User, what: string, send: [string, string, unknown], isDone: () => Promise<boolean>) {
  const [method, path, body] = send;
  const answer = await chancery.call(method, path, { token: by.token, body }).catch(() => undefined);
  acts.push({ what, clientOutcome: clientOutcomeOf(answer), answer: `${answer?.status} ${answer?.body?.code ?? ''}`, isDone });
  return answer;
}

async function makeFolder(acts: ChaosAction[], by: User): Promise<void> {
  const name = randomUUID();
  await act(acts, by, 'a folder', ['POST', folders, { name }], () => exists('SELECT FROM folder WHERE name = $1', name));
}

async function makeEndpoint(acts: ChaosAction[], by: User): Promise<void> {
  const name = randomUUID();
  const body = { name, url: 'https://receiver.example/', events: ['some.day'] };
  await act(acts, by, 'an endpoint', ['POST', hooks, body], () => exists('SELECT FROM webhook_endpoint WHERE name = $1', name));
}

async function doTask(acts: ChaosAction[], by: User): Promise<void> {
  const title = randomUUID();
  const made = await act(acts, by, 'a task', ['POST', tasks, { title, assignedTo: by.id }], () =>
    exists('SELECT FROM task WHERE title = $1', title),
  );
  if (made?.status !== 201) return;
  const { id } = made.body;
  await act(acts, by, 'its end', ['POST', `${tasks}${id}/complete`, { comment: title }], () =>
    exists("SELECT FROM task WHERE id = $1 AND status = 'completed'", id),
  );
}

/** The loop of each client. Reads must return correct data, or an error. */
async function work(acts: ChaosAction[], by: User, over: () => boolean): Promise<void> {
  for (let turn = 0; !over(); turn += 1) {
    if (turn % 3 === 0) await makeFolder(acts, by);
    else if (turn % 3 === 1) await doTask(acts, by);
    else if (turn < 120) await makeEndpoint(acts, by);
    const read = await chancery.call('GET', `${folders}?limit=1`, { token: by.token });
    assert.ok([200, 429, 503].includes(read.status), read.text);
    await sleep(20);
  }
}

/** Disturbs the connections in turn. Resolves after each disturbance had an effect. */
async function disturbLines(acts: readonly ChaosAction[]): Promise<void> {
  const some = async (many: number) => {
    const from = acts.length;
    await eventually(`${many} acts`, () => acts.length >= from + many);
  };
  const receiving = async (lineError: LineError, many: number) => {
    line.lineError = lineError;
    await some(many);
  };
  await some(30);
  database.delayMs = 30;
  await receiving('delays', 20);
  database.heal();
  for (const what of ['lost before', 'lost after'] as const) {
    database.atCommit(what, 6);
    await receiving(what === 'lost before' ? 'cuts requests' : 'cuts answers', 25);
  }
  for (let cut = 0; cut < 4; cut += 1) {
    database.cut();
    await receiving('refuses', 5);
  }
  database.refuses = true;
  database.cut();
  await receiving('swallows answers', 20);
  database.heal();
  await some(10);
  database.atCommit('silent after', 2);
  await receiving('swallows all', 10);
  database.silence();
  await some(clients);
}

test(
  'while connections to the database and to receivers delay, break and stall, responses are correct, and the service recovers',
  { timeout: 600_000 },
  async () => {
    const acts: ChaosAction[] = [];
    let over = false;
    const working = Promise.all(owners.map((by) => work(acts, by, () => over)));
    await disturbLines(acts);
    database.heal();
    line.lineError = 'none';

    await eventually('all requests of all clients succeed again', async () => {
      const from = acts.length;
      await eventually('more changes', () => acts.length > from + 2 * clients);
      return acts.slice(from).every(({ clientOutcome }) => clientOutcome === 'done');
    });
    over = true;
    await working;
    await eventually('the service is ready', async () => (await chancery.call('GET', '/readyz')).status === 200);
    const { rows: events } = await chancery.pool.query(
      "SELECT id FROM event WHERE team_id = $1 AND type IN ('folder.created', 'task.completed')",
      [owners[0]?.team],
    );
    await eventually('the delivery of every event', () => {
      const arrived = new Set(receiver.received.map(({ event }) => event.id));
      return events.every(({ id }) => arrived.has(id));
    });
    await eventually(
      'the position of every journal entry',
      async () => !(await exists('SELECT FROM audit_entry WHERE seq IS NULL AND $1 = $1 LIMIT 1', '')),
    );

    const wrong: string[] = [];
    for (const { what, clientOutcome, answer, isDone } of acts) {
      const done = await isDone();
      if (clientOutcome === 'done' && !done) wrong.push(`${what} was acknowledged (${answer}) but is missing`);
      if (clientOutcome === 'unchanged' && done) wrong.push(`${what} was reported as not done (${answer}) but is done`);
    }
    assert.deepEqual(wrong, []);
    const unforeseen = acts.filter(({ answer }) => answer.startsWith('500')).map(({ what, answer }) => `${what}: ${answer}`);
    assert.deepEqual(unforeseen, []);
    const many = (wanted: ClientOutcome) => acts.filter(({ clientOutcome }) => clientOutcome === wanted).length;
    assert.ok(many('unchanged') >= 10, `the disturbances had an effect: ${many('unchanged')} refused`);
    assert.ok(many('done') > 3 * clients);
    // Each stored resource has its event, for every response.
    const { rows } = await chancery.pool.query(
      `SELECT (SELECT count(*) FROM folder)::int AS folders, (SELECT count(*) FROM audit_entry WHERE type = 'folder.created')::int AS folder_entries,
         (SELECT count(*) FROM event WHERE type = 'folder.created')::int AS folder_events,
         (SELECT count(*) FROM task WHERE status = 'completed')::int AS ended, (SELECT count(*) FROM event WHERE type = 'task.completed')::int AS end_events,
         (SELECT count(*) FROM webhook_endpoint)::int AS endpoints, (SELECT count(*) FROM audit_entry WHERE type = 'webhook.endpoint.created')::int AS endpoint_entries`,
    );
    const { folders: made, folder_entries, folder_events, ended, end_events, endpoints, endpoint_entries } = rows[0];
    assert.deepEqual([folder_entries, folder_events, end_events, endpoint_entries], [made, made, ended, endpoints]);
    const { rows: log } = await chancery.pool.query('SELECT DISTINCT status FROM webhook_delivery WHERE endpoint_id = $1', [listening]);
    assert.deepEqual(log, [{ status: 'delivered' }]);
  },
);
