import assert from 'node:assert/strict';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { enqueue } from '../enqueue.ts';
import { testPool } from '../postgres.ts';
import { type Spawned, spawnService } from '../spawned.ts';
import { eventually, isProven, ok, type Receiver, startReceiver } from '../webhook-receiver.ts';

let dataDir: string;
let service: Spawned;
let receiver: Receiver;
let pool: pg.Pool;

before(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'chancery-outage-'));
  // The database server runs as another user if the tests run as root, so the folder must be readable.
  await chmod(dataDir, 0o755);
  receiver = await startReceiver();
  service = await spawnService({
    DATA_DIR: dataDir,
    WEBHOOK_TIMEOUT_SECONDS: '2',
    WEBHOOK_LEASE_SECONDS: '3',
    WEBHOOK_RETRY_SCHEDULE: '200ms,200ms,200ms',
  });
  pool = testPool(`postgres://chancery@localhost/chancery?host=${encodeURIComponent(join(dataDir, 'run'))}`, 2);
});
after(async () => {
  await pool.end();
  await service.stop();
  await receiver.close();
  await rm(dataDir, { recursive: true, force: true });
});

async function send(path: string, body: object, token?: string): Promise<any> {
  const headers = { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) };
  return (await fetch(`${service.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })).json();
}

/** Kills the database server: its processes end at once, and the next start needs recovery. */
async function stopDatabase(signal: 'SIGQUIT' | 'SIGKILL'): Promise<void> {
  const pid = Number((await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8')).split('\n', 1)[0]);
  process.kill(pid, signal);
  await eventually('its end', () => {
    try {
      process.kill(pid, 0);
      return false;
    } catch {
      return true;
    }
  });
}

test('the database stops and restarts twice under load: no delivery is lost, and deliveries with a response in between are not repeated', async () => {
  const person = { email: 'outage@example.org', password: 'CorrectHorse9Battery' };
  await send('/api/v1/security/auth/register', { ...person, firstName: 'Ada', lastName: 'Outage' });
  const mails = (await (await fetch(`${service.url}/dev/mail.json?to=${person.email}`)).json()) as { subject: string }[];
  const code = /\d{6}/.exec(mails[0]?.subject ?? '')?.[0];
  const { accessToken, user } = await send('/api/v1/security/auth/verify-email', { email: person.email, code });
  const { id, secret } = await send(
    '/api/v1/webhooks/',
    { name: 'Ledger', url: `${receiver.url}/hook`, events: ['folder.updated'] },
    accessToken,
  );
  receiver.answer = (response) => void setTimeout(() => ok(response), 5);

  const total = 1_500;
  await enqueue(pool, { id, team: user.teamId }, total, { maxAttempts: 10 });
  for (const [signal, goal] of [
    ['SIGQUIT', 200],
    ['SIGKILL', 700],
  ] as const) {
    await eventually(`${goal} arrived`, () => receiver.received.length >= goal);
    await stopDatabase(signal);
  }
  const status = async () =>
    (await pool.query('SELECT status, count(*)::int AS n FROM webhook_delivery GROUP BY 1').catch(() => undefined))?.rows;
  await eventually('all events delivered', async () => {
    const rows = await status();
    return rows?.length === 1 && rows[0].status === 'delivered' && rows[0].n === total;
  });
  const copies = new Map<string, number>();
  for (const { event } of receiver.received) copies.set(event.id, (copies.get(event.id) ?? 0) + 1);
  assert.equal(copies.size, total, 'no event is lost');
  const repeated = [...copies.values()].filter((count) => count > 1).length;
  // Results that arrived during the outage are written after it. Without that, both windows of 50 deliveries would repeat.
  assert.ok(repeated <= 10, `${repeated} repeated`);
  assert.ok(receiver.received.every(({ body, headers }) => isProven(body, headers, secret)));
  assert.equal(service.child.exitCode, null, 'the service kept running');
});
