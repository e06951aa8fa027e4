import assert from 'node:assert/strict';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { type DnsServer, startDnsServer } from '../dns-server.ts';
import { enqueue } from '../enqueue.ts';
import { type Chancery, startChancery } from '../harness.ts';
import { type Spawned, spawnWorker } from '../spawned.ts';
import { eventually, isProven } from '../webhook-receiver.ts';

const deliveries = 5_000;
/** An endpoint gets one delivery at a time until it has responded. Many endpoints put many deliveries in progress. A team can have 50. */
const endpoints = 100;
const maxInFlight = 80;

let chancery: Chancery;
let dns: DnsServer;
let settings: Record<string, string>;
let worker: Omit<Spawned, 'url'> | undefined;
const secrets = new Map<string, string>();
/** The number of copies of each event id that arrived. */
const ledger = new Map<string, number>();
let unverified = 0;
let mislabelled = 0;
let answered = 0;
let hold = false;
const openResponses: ServerResponse[] = [];

const receiver = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const body = Buffer.concat(chunks);
    const id = String(request.headers['x-service-event-id']);
    if (!isProven(body, request.headers, secrets.get(request.url ?? '') ?? '')) unverified += 1;
    if (JSON.parse(body.toString()).id !== id || request.headers['webhook-id'] !== id) mislabelled += 1;
    ledger.set(id, (ledger.get(id) ?? 0) + 1);
    if (hold) {
      openResponses.push(response);
    } else {
      answered += 1;
      response.writeHead(204).end();
    }
  });
});

before(async () => {
  [chancery, dns] = await Promise.all([startChancery({ role: 'api' }), startDnsServer()]);
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  settings = {
    DATABASE_URL: chancery.databaseUrl,
    DATA_DIR: chancery.config.DATA_DIR,
    MASTER_KEY: chancery.masterKey,
    WEBHOOKS_DNS_SERVERS: dns.address,
    // So long that no attempt times out on a busy machine: a timeout would correctly cause a retry.
    WEBHOOK_TIMEOUT_SECONDS: '30',
    WEBHOOK_LEASE_SECONDS: '60',
    WEBHOOK_RETRY_SCHEDULE: Array(12).fill('200ms').join(),
  };
});
after(async () => {
  await worker?.kill();
  await chancery.stop();
  await dns.close();
  receiver.closeAllConnections();
  receiver.close();
});

const one = async (text: string) => Number((await chancery.pool.query(text)).rows[0].n);
const leased = () => one('SELECT count(*) AS n FROM webhook_queue WHERE lease_until > now()');

const waitingForTheLog = `SELECT count(*) AS n FROM pg_stat_activity
   WHERE datname = current_database() AND application_name = 'chancery-worker' AND wait_event_type = 'Lock'`;

/** Kills the worker and waits until its database connections have closed, so that its transactions have ended. */
async function killWorker(): Promise<void> {
  await worker?.kill();
  await eventually(
    'the end of its transactions',
    async () =>
      (await one(
        "SELECT count(*) AS n FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'chancery-worker'",
      )) === 0,
  );
}

/** Expires the leases of the killed worker. */
const passLeases = () => chancery.pool.query('UPDATE webhook_queue SET lease_until = now() WHERE lease_until > now()');

/** Returns the events that arrived without a result in the log. */
async function unwritten(): Promise<Set<string>> {
  const { rows } = await chancery.pool.query("SELECT event_id FROM webhook_delivery WHERE status <> 'delivered'");
  return new Set(rows.map((row) => row.event_id as string).filter((id) => ledger.has(id)));
}

test(
  'a worker killed after a claim, a send or before the result: no delivery is lost, and only those without a result repeat',
  { timeout: 600_000 },
  async () => {
    const owners = [(await chancery.team()).owner, (await chancery.team()).owner] as const;
    const { port } = receiver.address() as AddressInfo;
    for (let n = 0; n < endpoints; n += 1) {
      const owner = owners[n % 2 === 0 ? 0 : 1];
      const body = { name: `Ledger ${n}`, url: `http://hooks.example:${port}/${n}`, events: ['folder.updated'] };
      const { body: made } = await chancery.call('POST', '/api/v1/webhooks/', { token: owner.token, body });
      secrets.set(`/${n}`, made.secret);
      await enqueue(chancery.pool, { id: made.id, team: owner.team }, deliveries / endpoints, { maxAttempts: 13 });
    }
    const mayRepeat = new Map<string, number>();
    const noteUnwritten = async (): Promise<number> => {
      const ids = await unwritten();
      for (const id of ids) mayRepeat.set(id, (mayRepeat.get(id) ?? 0) + 1);
      return ids.size;
    };

    // Kill after the claim: the DNS server does not respond, so nothing can be sent.
    dns.answer = () => undefined;
    worker = spawnWorker(settings);
    await eventually('a claim', async () => (await leased()) >= maxInFlight);
    await killWorker();
    assert.equal(ledger.size, 0, 'nothing was sent');
    assert.ok((await leased()) >= maxInFlight, 'the dead worker still has the leases');
    assert.equal(await noteUnwritten(), 0);
    await passLeases();

    // Kill after the send: the receiver has the deliveries and does not respond.
    dns.answer = ({ type }) => ({ addresses: type === 'A' ? ['127.0.0.1'] : [] });
    hold = true;
    worker = spawnWorker(settings);
    await eventually('sends', () => openResponses.length >= maxInFlight);
    await killWorker();
    hold = false;
    for (const response of openResponses.splice(0)) response.destroy();
    assert.ok((await noteUnwritten()) >= maxInFlight);
    await passLeases();

    // Kill at a random time during the work.
    worker = spawnWorker(settings);
    const goal = answered + 1_200;
    await eventually('deliveries in progress', () => answered >= goal);
    await killWorker();
    await noteUnwritten();
    await passLeases();

    // Kill before the result is stored: the test locks the log, then the receiver responds.
    hold = true;
    worker = spawnWorker(settings);
    await eventually('sends', () => openResponses.length >= maxInFlight);
    const locking = await chancery.pool.connect();
    let writtenBefore = 0;
    try {
      await locking.query('BEGIN; LOCK TABLE webhook_attempt IN SHARE ROW EXCLUSIVE MODE');
      writtenBefore = await one("SELECT count(*) AS n FROM webhook_delivery WHERE status = 'delivered'");
      hold = false;
      for (const response of openResponses.splice(0)) response.writeHead(204).end();
      await eventually('results that wait for the lock on the log', async () => (await one(waitingForTheLog)) > 0);
      await worker.kill();
    } finally {
      locking.release(true);
    }
    await killWorker();
    assert.equal(
      await one("SELECT count(*) AS n FROM webhook_delivery WHERE status = 'delivered'"),
      writtenBefore,
      'nothing was written after the kill',
    );
    assert.ok((await noteUnwritten()) >= maxInFlight);
    await passLeases();

    worker = spawnWorker(settings);
    await eventually('an empty queue', async () => (await one('SELECT count(*) AS n FROM webhook_queue')) === 0);
    assert.equal(await worker.stop(), 0);

    const { rows } = await chancery.pool.query("SELECT event_id, status FROM webhook_delivery WHERE event_type = 'test.made'");
    assert.equal(rows.length, deliveries);
    assert.deepEqual([...new Set(rows.map(({ status }) => status))], ['delivered']);
    assert.deepEqual(
      rows.filter(({ event_id }) => !ledger.has(event_id)),
      [],
      'no event is lost',
    );
    assert.equal(ledger.size, deliveries, 'no unknown event arrived');
    const repeated = [...ledger].filter(([, copies]) => copies > 1);
    assert.ok(repeated.length > 0, 'the kills interrupted deliveries without a stored result');
    assert.deepEqual(
      repeated.filter(([id, copies]) => copies > 1 + (mayRepeat.get(id) ?? 0)),
      [],
      'only deliveries without a stored result repeat, once for each kill',
    );
    assert.deepEqual([unverified, mislabelled], [0, 0], 'each copy is signed and has the id of its event');
  },
);
