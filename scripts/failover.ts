/**
 * `npm run failover`: starts the cluster of `deploy/high-availability` on this machine and Chancery in front of it, and lets the primary fail under
 * load. Exits with 1 if an acknowledged write is lost. docs/operate/high-availability.md has the results.
 *
 * Options: `--runs N` (1), `--ttl`, `--loop-wait` and `--retry-timeout` of Patroni in seconds (30, 10, 10), `--route pgbouncer|haproxy|hosts`.
 *
 * It needs the Debian packages patroni, etcd-server, haproxy, pgbouncer and postgresql, and does not use their services.
 */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { commandAsProcess } from '../test/command-line.ts';
import { startSmtpReceiver } from '../test/smtp-receiver.ts';
import { spawnService, spawnWorker } from '../test/spawned.ts';
import { eventually, startReceiver } from '../test/webhook-receiver.ts';
import { Cluster, missingPackages, type NodeName, type Route, routes, type Timing } from './failover/cluster.ts';
import { columns, Load } from './failover/load.ts';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '1' },
    ttl: { type: 'string', default: '30' },
    'loop-wait': { type: 'string', default: '10' },
    'retry-timeout': { type: 'string', default: '10' },
    route: { type: 'string', default: 'pgbouncer' },
  },
});
const timing: Timing = { ttl: Number(values.ttl), loop_wait: Number(values['loop-wait']), retry_timeout: Number(values['retry-timeout']) };
const route = routes.find((one) => one === values.route);
/** Stops all started parts, the last one first. */
const ends: (() => Promise<unknown>)[] = [];
const events = ['folder.created', 'document.created', 'task.created'];
const say = (line: string): void => void process.stdout.write(`${line}\n`);

type Started = { cluster: Cluster; load: Load };
/** Causes a failure of a node, and returns what repairs it. */
type NodeFailure = (node: NodeName) => Promise<() => unknown>;

/** Measures a failure of the primary or the standby under load, in seconds. Returns a line of the table. */
async function measure({ cluster, load }: Started, name: string, of: 'primary' | 'standby', fail: NodeFailure): Promise<string> {
  await cluster.untilSynchronous();
  await load.untilWritten(100);
  const primary = await cluster.primary();
  const standby = primary === 'db1' ? 'db2' : 'db1';
  const failed = of === 'primary' ? primary : standby;
  const rewinds = await cluster.rewinds(failed);
  const gap = load.measureGap();
  const from = performance.now();
  const repair = await fail(failed);
  if (of === 'primary') await eventually('the other node is primary', () => cluster.isPrimary(standby));
  const promoted = of === 'primary' ? ((performance.now() - from) / 1_000).toFixed(1) : '–';
  await load.untilWritten(100);
  await repair();
  await cluster.untilSynchronous();
  await load.untilWritten(100);
  const rewound = (await cluster.rewinds(failed)) > rewinds ? 'yes' : 'no';
  return `| ${name} | ${promoted} | ${gap().toFixed(1)} | ${rewound} |`;
}

async function measureFailures(started: Started): Promise<string[]> {
  const { cluster } = started;
  const kill: NodeFailure = async (node) => {
    await cluster.kill(node);
    return () => cluster.startNode(node);
  };
  const freeze: NodeFailure = (node) => cluster.freeze(node);
  const switchOver: NodeFailure = async () => {
    await cluster.switchOver();
    return () => undefined;
  };
  return [
    '| failure | new primary after (s) | no write for (s) | pg_rewind |',
    '|---|---|---|---|',
    await measure(started, 'primary killed', 'primary', kill),
    await measure(started, 'primary frozen', 'primary', freeze),
    await measure(started, 'standby frozen', 'standby', freeze),
    await measure(started, 'switchover', 'primary', switchOver),
  ];
}

/** Starts Chancery as two processes, with receivers of its mails and webhooks. */
async function startChancery(cluster: Cluster, through: Route) {
  const folder = await mkdtemp(join(tmpdir(), 'chancery-ha-service-'));
  ends.push(() => rm(folder, { recursive: true, force: true }));
  const mails = await startSmtpReceiver();
  ends.push(() => mails.close());
  const webhooks = await startReceiver();
  ends.push(() => webhooks.close());
  const settings = {
    DATABASE_URL: cluster.databaseUrl(through),
    DATA_DIR: folder,
    MASTER_KEY: randomBytes(32).toString('hex'),
    SMTP_URL: mails.url,
    ALTCHA: 'off',
  };
  const service = await spawnService(settings, ['--role', 'api']);
  ends.push(() => service.stop());
  const worker = spawnWorker(settings);
  ends.push(() => worker.stop());
  const load = new Load(service.url);
  await load.signUp(mails);
  await load.call('POST', '/api/v1/webhooks/', { body: { name: 'All', url: webhooks.url, events } });
  return { cluster, mails, webhooks, settings, load, output: () => `${service.output().slice(-4_000)}\n${worker.output().slice(-4_000)}` };
}

const count = async (cluster: Cluster, statement: string, given: unknown[] = []): Promise<number> =>
  (await cluster.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${statement}`, given, 'chancery'))[0]?.n ?? Number.NaN;

/** Finds acknowledged writes that are lost, writes that were made twice, and writes without a journal entry. */
async function findWrongRows(cluster: Cluster, load: Load): Promise<string[]> {
  const errors: string[] = [];
  for (const [table, column] of columns) {
    const ids = load.acknowledged.filter((one) => one.table === table).map(({ id }) => id);
    const lost = await count(cluster, `unnest($1::uuid[]) AS id WHERE id NOT IN (SELECT id FROM ${table})`, [ids]);
    const twice = await count(cluster, `(SELECT FROM ${table} GROUP BY ${column} HAVING count(*) > 1) AS repeated`);
    const rows = await count(cluster, table);
    const entries = await count(cluster, `audit_entry WHERE type = '${table}.created'`);
    if (lost > 0) errors.push(`${lost} of ${ids.length} acknowledged writes are lost: ${table}`);
    if (twice > 0) errors.push(`${twice} writes were made twice: ${table}`);
    if (rows !== entries) errors.push(`${rows} rows and ${entries} journal entries: ${table}`);
  }
  return errors;
}

/** Returns what contradicts the acknowledged writes. */
async function findErrors({ cluster, load, mails, webhooks, settings }: Awaited<ReturnType<typeof startChancery>>): Promise<string[]> {
  const errors = [...load.unexpected.slice(0, 10), ...(await findWrongRows(cluster, load))];
  const expect = (what: string, look: () => boolean) => eventually(what, look).catch((error: Error) => errors.push(error.message));
  const due = await cluster.query<{ id: string }>('SELECT id FROM event WHERE type = ANY ($1)', [events], 'chancery');
  await expect('a delivery of each event', () => {
    const delivered = new Set(webhooks.received.map(({ headers }) => headers['x-service-event-id']));
    return due.every(({ id }) => delivered.has(id));
  });
  await expect('a mail to each registered person', () => {
    const mailed = new Set(mails.received.flatMap(({ to }) => to));
    return load.registered.every((email) => mailed.has(email));
  });
  let verified = '';
  await expect('audit verify includes each entry', () => {
    verified = commandAsProcess(['audit', 'verify'], settings).stdout;
    return verified.startsWith('✓') && !verified.includes('not in the tree yet');
  });
  say(verified.trimEnd());
  return errors;
}

async function run(through: Route): Promise<boolean> {
  const cluster = await Cluster.create();
  ends.push(() => cluster.stop());
  await cluster.start(timing);
  const chancery = await startChancery(cluster, through);
  const { load } = chancery;
  load.start();
  for (const line of await measureFailures(chancery)) say(line);
  await load.stop();
  const errors = await findErrors(chancery);
  const statuses = Array.from(load.statuses, ([name, times]) => `${name} ${times}`).join(', ');
  say(`responses: ${statuses}; the longest after ${(load.longestResponseMs / 1_000).toFixed(1)} s`);
  say(`acknowledged: ${load.acknowledged.length}; mails: ${load.registered.length}; deliveries: ${chancery.webhooks.received.length}`);
  for (const error of errors) say(`✗ ${error}`);
  if (errors.length > 0) say(chancery.output());
  else say('✓ each acknowledged write exists once, with its event, its journal entry and its mail');
  return errors.length === 0;
}

async function stop(): Promise<void> {
  for (const end of ends.splice(0).toReversed()) await end().catch((error: unknown) => say(String(error)));
}

const missing = await missingPackages();
if (!route || missing.length > 0) {
  say(route ? `Install these Debian packages: ${missing.join(' ')}` : `--route is one of ${routes.join(', ')}`);
  process.exit(2);
}
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => void stop().then(() => process.exit(1)));
let failures = 0;
for (let number = 1; number <= Number(values.runs); number += 1) {
  say(`run ${number}: ${route}, ttl ${timing.ttl} s, loop_wait ${timing.loop_wait} s, retry_timeout ${timing.retry_timeout} s`);
  try {
    if (!(await run(route))) failures += 1;
  } finally {
    await stop();
  }
}
process.exit(failures === 0 ? 0 : 1);
