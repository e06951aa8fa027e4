import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
// Loads every domain and so the complete event catalogue.
import '../../src/app.ts';
import { checkEvents } from '../events.ts';
import { signUp } from '../sign-up.ts';
import { type Spawned, freePort, spawnService } from '../spawned.ts';
import { createTestDatabase, testPool } from '../postgres.ts';
import { eventually, isProven } from '../webhook-receiver.ts';

const events = 200;
const kills = 3;

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let pool: pg.Pool;
let dataDir: string;
let settings: Record<string, string>;
let service: Spawned;
let receiver: Server;
let secret = '';
const received = new Map<string, number>();
let unverified = 0;

before(async () => {
  database = await createTestDatabase();
  pool = testPool(database.url, 2);
  dataDir = await mkdtemp(join(tmpdir(), 'chancery-kill-'));
  settings = {
    PORT: String(await freePort()),
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    MASTER_KEY: randomBytes(32).toString('hex'),
    WEBHOOK_TIMEOUT_SECONDS: '1',
    WEBHOOK_LEASE_SECONDS: '2',
    WEBHOOK_RETRY_SCHEDULE: '200ms,500ms,1s,1s,1s,1s,1s,1s',
  };
  receiver = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (!isProven(Buffer.concat(chunks), request.headers, secret)) unverified += 1;
      const id = String(request.headers['x-service-event-id']);
      received.set(id, (received.get(id) ?? 0) + 1);
      // Slow enough that each kill interrupts deliveries that were sent but not recorded.
      setTimeout(() => response.writeHead(204).end(), 15);
    });
  }).listen(0, '127.0.0.1');
  service = await spawnService(settings);
});
after(async () => {
  await service.kill();
  await checkEvents(pool);
  receiver.close();
  receiver.closeAllConnections();
  await pool.end();
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});

async function send(method: string, path: string, token: string | undefined, body?: object): Promise<{ status: number; body: any }> {
  const response = await fetch(`${service.url}${path}`, {
    method,
    headers: { ...(token ? { authorization: `Bearer ${token}` } : {}), ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = await response.text();
  return { status: response.status, body: text ? JSON.parse(text) : undefined };
}

test(
  '200 events under load while the process is killed three times: no event is lost, and each acknowledged change is stored',
  { timeout: 600_000 },
  async () => {
    const token = await signUp(service.url);
    const address = receiver.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const made = await send('POST', '/api/v1/webhooks/', token, {
      name: 'Ledger',
      url: `http://127.0.0.1:${port}/hook`,
      events: ['folder.created'],
    });
    assert.equal(made.status, 201);
    secret = made.body.secret;

    const acknowledged = new Set<string>();
    let sent = 0;
    const create = async (): Promise<void> => {
      const name = `Folder ${(sent += 1)}`;
      for (let attempt = 0; ; attempt += 1) {
        // Retries the same name after a lost response: 409 means that the first request was committed.
        const answer = await send('POST', '/api/v1/smartdoc/folders/', token, { name }).catch(() => undefined);
        if (answer?.status === 201) return void acknowledged.add(answer.body.id);
        if (answer?.status === 409) return;
        assert.ok(attempt < 3_000, 'the restart of the service');
        await sleep(50);
      }
    };
    const load = Promise.all(
      Array.from({ length: 8 }, async () => {
        while (sent < events) await create();
      }),
    );
    // The error is reported where the promise is awaited.
    load.catch(() => undefined);
    for (let killed = 0; killed < kills; killed += 1) {
      await sleep(250 + 120 * killed);
      await service.kill();
      service = await spawnService(settings);
    }
    await load;

    const { rows: written } = await pool.query("SELECT id FROM event WHERE type = 'folder.created'");
    assert.ok(written.length >= events, `${written.length} events`);
    await eventually('the delivery of all events', () => written.every(({ id }) => received.has(id)));
    assert.equal(unverified, 0, 'each delivery has a valid signature');

    const kept = new Set((await pool.query('SELECT id FROM folder')).rows.map(({ id }) => id));
    assert.deepEqual(
      [...acknowledged].filter((id) => !kept.has(id)),
      [],
      'each acknowledged change is stored',
    );
    const { rows: journal } = await pool.query(
      "SELECT (SELECT count(*) FROM folder)::int AS folders, (SELECT count(*) FROM audit_entry WHERE type = 'folder.created')::int AS entries",
    );
    assert.equal(journal[0].folders, journal[0].entries, 'each change has its journal entry, and each entry has its change');
    assert.equal(journal[0].folders, written.length, 'each change has its event');

    await eventually('each event is listed as delivered', async () => {
      const { rows: log } = await pool.query('SELECT status, count(*)::int AS n FROM webhook_delivery GROUP BY status');
      return log.length === 1 && log[0].status === 'delivered' && log[0].n === written.length;
    });
  },
);
