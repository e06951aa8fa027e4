import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { appendFile, chmod, cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { pino } from 'pino';
import { type Spawned, spawnService } from '../../../test/spawned.ts';
import { eventually } from '../../../test/webhook-receiver.ts';
import { type Database, openDatabase } from './database.ts';
import { type EmbeddedServer, startEmbeddedServer } from './embedded.ts';
import { isDatabaseUnavailable, OutcomeUnknown } from './errors.ts';
import { openListener } from './listen.ts';
import { sqlStatement } from './statement.ts';

/* A real primary and its standby with synchronous replication. The primary is killed under load and the standby promoted. */

let folder: string;
let primary: EmbeddedServer;
let standby: EmbeddedServer;
let url: string;
let service: Spawned;
let database: Database;
/** Functions that stop all started parts, in the order of their starts. */
const ends: (() => Promise<unknown>)[] = [];
const log = pino({ level: 'silent' });
const dataDir = (name: string) => join(folder, name);

const query = async (server: EmbeddedServer, text: string) => {
  const client = new pg.Client(server.connection);
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
};

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'chancery-failover-'));
  await chmod(folder, 0o755);
  // The standby starts as a copy of the stopped primary.
  await (await startEmbeddedServer({ dataDir: dataDir('a'), log })).stop();
  await cp(join(dataDir('a'), 'postgres'), join(dataDir('b'), 'postgres'), { recursive: true, preserveTimestamps: true });
  primary = await startEmbeddedServer({ dataDir: dataDir('a'), log });
  ends.push(() => primary.stop());
  const cluster = join(dataDir('b'), 'postgres');
  await writeFile(join(cluster, 'standby.signal'), '');
  const { host, user } = primary.connection;
  await appendFile(join(cluster, 'postgresql.auto.conf'), `primary_conninfo = 'host=${host} user=${user} application_name=b'\n`);
  await ownedAs(join(dataDir('a'), 'postgres'), cluster);
  standby = await startEmbeddedServer({ dataDir: dataDir('b'), log });
  ends.push(() => standby.stop());
  await query(primary, "ALTER SYSTEM SET synchronous_standby_names = 'b'");
  await query(primary, 'SELECT pg_reload_conf()');
  await eventually('the standby is synchronous', async () => {
    const [row] = await query(primary, "SELECT count(*)::int AS n FROM pg_stat_replication WHERE sync_state = 'sync'");
    return row.n === 1;
  });
  // The standby is listed first, and the service skips it.
  url = `postgres://${user}@localhost/chancery?host=${standby.connection.host},${host}&target_session_attrs=read-write`;
  service = await spawnService({
    DATABASE_URL: url,
    MASTER_KEY: randomBytes(32).toString('base64'),
    DATA_DIR: dataDir('service'),
    ALTCHA: 'off',
  });
  ends.push(() => service.stop());
  await query(primary, 'CREATE TABLE note (id int PRIMARY KEY); GRANT ALL ON note TO chancery_app');
  database = openDatabase({ url }, { applicationName: 'failover', maxConnections: 4 });
  ends.push(() => database.close());
});
after(async () => {
  for (const end of ends.toReversed()) await end();
  await rm(folder, { recursive: true, force: true });
});

/** Sets the owner of a copied cluster to that of the original, because only the owner can start it. */
async function ownedAs(original: string, copy: string): Promise<void> {
  if (process.getuid?.() !== 0) return;
  execFileSync('chown', ['-R', `--reference=${original}`, copy]);
  await chmod(copy, 0o700);
}

const register = () =>
  fetch(`${service.url}/api/v1/security/auth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      email: `p${randomBytes(6).toString('hex')}@example.org`,
      password: 'long enough for anybody 451',
      firstName: 'Ada',
      lastName: 'L',
    }),
  });

const add = sqlStatement<{ id: number }, { id: number }>('INSERT INTO note (id) VALUES ($id) RETURNING id');
const stored = sqlStatement<{ id: number }, { id: number }>('SELECT id FROM note WHERE id = $id');

test('a change that the synchronous standby does not confirm is not acknowledged, and is visible only after it has it', async () => {
  const limits = { writeMs: 500, connectMs: 500 };
  const impatient = openDatabase({ url }, { applicationName: 'impatient', maxConnections: 2, limits });
  ends.push(() => impatient.close());
  const write = (id: number) =>
    impatient
      .inTeam('', async (tx) => {
        tx.leaves(stored, { id });
        return tx.first(add, { id });
      })
      .catch((error: unknown) => error);
  const [{ pid }] = await query(standby, "SELECT pid FROM pg_stat_activity WHERE backend_type = 'walreceiver'");
  process.kill(pid, 'SIGSTOP');
  const answers = [...(await Promise.all([write(-1), write(-2)])), ...(await Promise.all([write(-3), write(-4)]))];
  const visible = await query(primary, 'SELECT id FROM note');
  const waiting = await query(primary, "SELECT FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND application_name = 'impatient'");
  process.kill(pid, 'SIGCONT');
  for (const answer of answers) assert.ok(answer instanceof Error && isDatabaseUnavailable(answer), JSON.stringify(answer));
  assert.ok(answers[0] instanceof OutcomeUnknown && answers[1] instanceof OutcomeUnknown);
  assert.deepEqual(visible, []);
  assert.equal(waiting.length, 2, 'connections above the limit of the pool');
  await eventually('the standby has the changes', async () => (await query(primary, 'SELECT id FROM note')).length === 2);
  assert.deepEqual(await write(-5), { id: -5 });
});

test('after the loss of the primary the service uses the promoted standby, and no acknowledged write is lost', async () => {
  const first = await register();
  assert.ok(first.ok, await first.text());
  const listener = openListener({ url }, () => undefined);
  let notified = 0;
  await listener.on('failover', () => (notified += 1));

  const acknowledged: number[] = [];
  let last = 0;
  let writing = true;
  const writers = Array.from({ length: 4 }, async () => {
    while (writing) {
      const id = (last += 1);
      await database
        .inTeam('', (tx) => tx.first(add, { id }))
        .then(
          () => acknowledged.push(id),
          () => undefined,
        );
    }
  });
  await eventually('writes are acknowledged', async () => acknowledged.length > 50);
  const pid = Number((await readFile(join(dataDir('a'), 'postgres/postmaster.pid'), 'utf8')).split('\n', 1)[0]);
  process.kill(pid, 'SIGKILL');
  await query(standby, 'SELECT pg_promote()');
  const promotedAt = last;
  await eventually('writes are acknowledged by the promoted server', async () => acknowledged.some((id) => id > promotedAt + 50));
  writing = false;
  await Promise.all(writers);

  const kept = new Set((await query(standby, 'SELECT id FROM note')).map(({ id }) => id));
  assert.deepEqual(
    acknowledged.filter((id) => !kept.has(id)),
    [],
  );
  await eventually('the service is ready', async () => (await fetch(`${service.url}/readyz`)).status === 200);
  const again = await register();
  assert.ok(again.ok, await again.text());
  await eventually('notifications arrive again', async () => {
    await query(standby, "NOTIFY failover, 'x'");
    return notified > 0;
  });
  await listener.close();
});
