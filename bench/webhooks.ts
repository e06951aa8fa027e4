import { type ChildProcess, execFileSync, fork, spawn } from 'node:child_process';
import { randomBytes, randomUUIDv7 } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { pino } from 'pino';
import { loadMasterKey } from '../src/platform/crypto/master-key.ts';
import { startEmbeddedServer } from '../src/platform/database/embedded.ts';
import { migrate } from '../src/platform/database/migrate.ts';
import { endpointSecrets } from '../src/webhooks/secrets.ts';
import { newSecret } from '../src/webhooks/signature.ts';

/*
 * Deliveries as an operator has them: a worker process as it ships (guard, fairness, log and all), receivers in another
 * process, and a durable PostgreSQL, all on this machine.
 */

/** One row of the table: what was measured, and the aim it is held against. */
export type WebhookResult = { scenario: string; figures: Record<string, number>; aim: string; met: boolean };

type Endpoint = { team: string; id: string };
type Report = { good: number; first: number; last: number; delays: number[] };
type Receivers = { ports: number[]; report(): Promise<Report>; reset(): Promise<void>; stop(): void };
type World = {
  pool: pg.Pool;
  receivers(ports: number, tls?: boolean): Promise<Receivers>;
  endpoints(urls: readonly string[], perTeam: number, event?: string): Promise<Endpoint[]>;
  worker(settings?: Record<string, string>): { child: ChildProcess; stop(): Promise<void> };
  empty(): Promise<void>;
};

const padding = 'x'.repeat(900);

/** Events of 1 KiB for endpoints in turn, so many in all, in one statement; `stamped` ones say when they happened. */
async function enqueue(pool: pg.Pool, endpoints: readonly Endpoint[], count: number, stamped = false): Promise<void> {
  const at = stamped ? `"at":${(performance.timeOrigin + performance.now()).toFixed(3)},` : '';
  await pool.query({
    name: 'bench-enqueue',
    text: `WITH target AS (SELECT team, id, n FROM unnest($1::uuid[], $2::uuid[]) WITH ORDINALITY AS t(team, id, n)),
     made AS MATERIALIZED (SELECT target.team, target.id AS endpoint, 'evt_' || replace(uuidv7_like($3::uuid)::text, '-', '') AS id, uuidv7_like($3::uuid) AS delivery
       FROM generate_series(0, $4::int - 1) g JOIN target ON target.n = g % $5::int + 1),
     e AS (INSERT INTO event (team_id, id, type, body, created_at)
       SELECT team, id, 'bench.made', convert_to('{' || $6 || '"id":"' || id || '","type":"bench.made","padding":"' || $7 || '"}', 'UTF8'), now() FROM made),
     d AS (INSERT INTO webhook_delivery (team_id, endpoint_id, id, event_id, event_type, max_attempts, created_at)
       SELECT team, endpoint, delivery, id, 'bench.made', 10, now() FROM made RETURNING *),
     q AS (INSERT INTO webhook_queue (team_id, endpoint_id, delivery_id, event_id, max_attempts, next_at)
       SELECT team_id, endpoint_id, id, event_id, max_attempts, created_at FROM d)
     SELECT pg_notify('webhook_due', team::text) FROM (SELECT DISTINCT team FROM made) teams`,
    values: [endpoints.map(({ team }) => team), endpoints.map(({ id }) => id), randomUUIDv7(), count, endpoints.length, at, padding],
  });
}

async function prepare(): Promise<{ world: World; stop(): Promise<void> }> {
  const dataDir = mkdtempSync(join(tmpdir(), 'chancery-bench-hooks-'));
  // Open to the user that root runs the server as, so that the cluster stays in it.
  chmodSync(dataDir, 0o755);
  const server = await startEmbeddedServer({ dataDir, log: pino({ level: 'error' }) });
  const url = `postgres://chancery@localhost/chancery?host=${encodeURIComponent(server.connection.host)}`;
  await migrate({ url });
  const pool = new pg.Pool({ connectionString: url, max: 4 });
  pool.on('error', () => undefined);
  const configured = randomBytes(32).toString('hex');
  const secrets = endpointSecrets(await loadMasterKey({ configured, dataDir, generate: 'never' }));
  const [key, cert] = [join(dataDir, 'key.pem'), join(dataDir, 'cert.pem')];
  const certificate = [
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
    '-nodes',
    '-days',
    '2',
    '-subj',
    '/CN=bench',
  ];
  execFileSync('openssl', [...certificate, '-addext', 'subjectAltName=IP:127.0.0.1', '-keyout', key, '-out', cert], { stdio: 'ignore' });
  const children: ChildProcess[] = [];
  const profile = process.env.BENCH_PROFILE ? ['--cpu-prof', `--cpu-prof-dir=${process.env.BENCH_PROFILE}`] : [];

  const world: World = {
    pool,
    async receivers(ports, tls = false) {
      const child = fork(new URL('./webhook-receivers.ts', import.meta.url), {
        env: { ...process.env, NODE_NO_WARNINGS: '1', BENCH_PORTS: String(ports), ...(tls ? { BENCH_KEY: key, BENCH_CERT: cert } : {}) },
      });
      children.push(child);
      const [open] = (await once(child, 'message')) as [number[]];
      const ask = async (what: 'report' | 'reset') => {
        child.send(what);
        return ((await once(child, 'message')) as [Report])[0];
      };
      return { ports: open, report: () => ask('report'), reset: async () => void (await ask('reset')), stop: () => void child.kill() };
    },
    async endpoints(urls, perTeam, event = 'bench.made') {
      const made: Endpoint[] = [];
      let team = '';
      for (const [index, target] of urls.entries()) {
        if (index % perTeam === 0) {
          team = randomUUIDv7();
          await pool.query("INSERT INTO team (team_id, name) VALUES ($1, 'Bench')", [team]);
        }
        const id = randomUUIDv7();
        await pool.query(
          "INSERT INTO webhook_endpoint (team_id, id, name, url, events, created_by, secret, created_at, updated_at) VALUES ($1, $2, 'Bench', $3, ARRAY[$5], $1, $4, now(), now())",
          [team, id, target, secrets.seal(id, newSecret()), event],
        );
        made.push({ team, id });
      }
      return made;
    },
    worker(settings = {}) {
      const child = spawn(process.execPath, [...profile, 'src/main.ts', 'serve', '--role', 'worker'], {
        stdio: 'inherit',
        env: {
          ...process.env,
          NODE_NO_WARNINGS: '1',
          DATABASE_URL: url,
          DATA_DIR: dataDir,
          MASTER_KEY: configured,
          LOG_LEVEL: 'error',
          WEBHOOKS_ALLOW_PRIVATE: 'true',
          WEBHOOKS_CA_FILE: cert,
          ...settings,
        },
      });
      children.push(child);
      const stop = async () => {
        if (child.exitCode !== null) return;
        child.kill('SIGTERM');
        await once(child, 'exit');
      };
      return { child, stop };
    },
    async empty() {
      await pool.query('TRUNCATE webhook_queue, webhook_delivery, webhook_attempt, webhook_endpoint_state, event');
      await pool.query('UPDATE webhook_endpoint SET is_active = true, deactivated_at = NULL WHERE NOT is_active');
      await pool.query('VACUUM ANALYZE webhook_queue, webhook_endpoint, webhook_endpoint_state, event');
    },
  };
  return {
    world,
    async stop() {
      for (const child of children) child.kill();
      await pool.end();
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Seconds of CPU that a process has used, from /proc; 0 where there is none. */
function cpuSeconds(pid: number | undefined): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) / 100;
  } catch {
    return 0;
  }
}

/** Resident memory of a process in MiB, from /proc. */
function residentMiB(pid: number | undefined): number {
  const found = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(found?.[1] ?? 0) / 1_024;
}

const quantile = (list: readonly number[], part: number) =>
  list.toSorted((a, b) => a - b)[Math.min(list.length - 1, Math.floor(list.length * part))] ?? 0;

async function arrived(receivers: Receivers, count: number, ms = 300_000): Promise<Report> {
  for (const end = Date.now() + ms; ; await sleep(50)) {
    const report = await receivers.report();
    if (report.good >= count) return report;
    if (Date.now() > end) throw new Error(`only ${report.good} of ${count} arrived`);
  }
}

/** Sustained rate over kept connections to 50 endpoints, ten of a team each. */
async function throughput(world: World, tls: boolean, aim: number, count: number): Promise<WebhookResult> {
  const receivers = await world.receivers(50, tls);
  const endpoints = await world.endpoints(
    receivers.ports.map((port) => `${tls ? 'https' : 'http'}://127.0.0.1:${port}/good`),
    10,
  );
  const rates: number[] = [];
  let cost = 0;
  const { child, stop } = world.worker();
  // The first round opens connections and prepares statements.
  for (let round = 0; round < 4; round += 1) {
    await world.empty();
    await receivers.reset();
    const before = cpuSeconds(child.pid);
    await enqueue(world.pool, endpoints, round === 0 ? 5_000 : count);
    const { good, first, last } = await arrived(receivers, round === 0 ? 5_000 : count);
    await queueIsEmpty(world);
    if (round === 0) continue;
    rates.push(good / ((last - first) / 1_000));
    cost = ((cpuSeconds(child.pid) - before) / good) * 1e6;
  }
  await stop();
  receivers.stop();
  const perSecond = quantile(rates, 0.5);
  return {
    scenario: `webhooks: deliveries over ${tls ? 'TLS' : 'HTTP'}, 1 KiB, 50 endpoints`,
    figures: { perSecond, lowest: Math.min(...rates), highest: Math.max(...rates), workerCpuMicroseconds: cost },
    aim: `≥ ${aim}/s`,
    met: perSecond >= aim,
  };
}

async function queueIsEmpty(world: World): Promise<void> {
  for (;;) {
    const { rows } = await world.pool.query('SELECT EXISTS (SELECT FROM webhook_queue) AS some');
    if (!rows[0].some) return;
    await sleep(50);
  }
}

/** Enqueues single events at a steady rate, each stamped, for endpoints in turn. */
async function feed(world: World, endpoints: readonly Endpoint[], perSecond: number, seconds: number): Promise<number> {
  const startedAt = performance.now();
  const running: Promise<void>[] = [];
  let sent = 0;
  while (performance.now() - startedAt < seconds * 1_000) {
    const due = Math.floor(((performance.now() - startedAt) / 1_000) * perSecond);
    while (sent < due) {
      const one = endpoints[sent % endpoints.length];
      if (one) running.push(enqueue(world.pool, [one], 1, true));
      sent += 1;
    }
    await sleep(1);
  }
  await Promise.all(running);
  return sent;
}

async function latency(world: World, seconds: number): Promise<WebhookResult> {
  const receivers = await world.receivers(50);
  const endpoints = await world.endpoints(
    receivers.ports.map((port) => `http://127.0.0.1:${port}/good`),
    10,
  );
  await world.empty();
  const { stop } = world.worker();
  await feed(world, endpoints, 100, 3);
  await queueIsEmpty(world);
  await receivers.reset();
  const sent = await feed(world, endpoints, 200, seconds);
  const { delays } = await arrived(receivers, sent);
  await stop();
  receivers.stop();
  const figures = { p50: quantile(delays, 0.5), p99: quantile(delays, 0.99), sent };
  return {
    scenario: 'webhooks: event to receiver at 200/s (ms)',
    figures,
    aim: 'p50 ≤ 10, p99 ≤ 50',
    met: figures.p50 <= 10 && figures.p99 <= 50,
  };
}

/** 1 000 endpoints; 100 hang to the deadline, 100 answer 500: what the other 800 notice of it. Medians of rounds in turn: what else a machine does hits either. */
async function isolation(world: World, seconds: number, rounds: number): Promise<WebhookResult> {
  const receivers = await world.receivers(20);
  const url = (kind: string, index: number) => `http://127.0.0.1:${receivers.ports[index % receivers.ports.length]}/${kind}/${index}`;
  const good = await world.endpoints(
    Array.from({ length: 800 }, (_, index) => url('good', index)),
    10,
  );
  // Receivers of their own, as bad ones are: connections of one origin are shared by all who send there.
  const others = await world.receivers(20);
  const otherUrl = (kind: string, index: number) => `http://127.0.0.1:${others.ports[index % others.ports.length]}/${kind}/${index}`;
  const bad = await world.endpoints(
    Array.from({ length: 200 }, (_, index) => otherUrl(index % 2 === 0 ? 'hang' : '500', index)),
    10,
  );
  const run = async (withBad: boolean): Promise<number[]> => {
    await world.empty();
    const { stop } = world.worker();
    await feed(world, good, 100, 3);
    if (withBad) await enqueue(world.pool, bad, 4_000);
    await receivers.reset();
    const sent = await feed(
      world,
      withBad ? good.flatMap((one, index) => (index % 4 === 0 ? [one, bad[index / 4] ?? one] : [one])) : good,
      200,
      seconds,
    );
    const goodOnes = withBad ? Math.floor((sent * 800) / 1_000) - 10 : sent;
    const { delays } = await arrived(receivers, goodOnes, 60_000);
    await stop();
    return delays;
  };
  const alone: number[][] = [];
  const beside: number[][] = [];
  for (let round = 0; round < rounds; round += 1) {
    alone.push(await run(false));
    beside.push(await run(true));
  }
  receivers.stop();
  others.stop();
  const median = (runs: readonly number[][], part: number) =>
    quantile(
      runs.map((delays) => quantile(delays, part)),
      0.5,
    );
  const figures = {
    p50Alone: median(alone, 0.5),
    p99Alone: median(alone, 0.99),
    p50Beside: median(beside, 0.5),
    p99Beside: median(beside, 0.99),
    highestP99Beside: Math.max(...beside.map((delays) => quantile(delays, 0.99))),
  };
  return {
    scenario: 'webhooks: good ones beside 100 that hang and 100 that fail (ms)',
    figures,
    aim: 'p99 ≤ 2 × alone',
    met: figures.p99Beside <= 2 * figures.p99Alone,
  };
}

/** Entries of the journal to one endpoint: from their commit, over their becoming leaves of the tree, to the receiver. */
async function journal(world: World, perSecond: number, seconds: number): Promise<WebhookResult> {
  const receivers = await world.receivers(1);
  const [endpoint] = await world.endpoints([`http://127.0.0.1:${receivers.ports[0]}/good`], 1, 'audit.*');
  const insert = (count: number) =>
    world.pool.query({
      name: 'bench-entries',
      text: `INSERT INTO audit_entry (team_id, id, type, actor_type, actor_id, target_type, target_id, at, ip, request_id, data)
        SELECT $1, uuidv7_like($2::uuid), 'folder.created', 'user', gen_random_uuid(), 'folder', gen_random_uuid(), now(), '192.0.2.1', gen_random_uuid(), '{"name": "Contracts 2026"}' FROM generate_series(1, $3::int)`,
      values: [endpoint?.team, randomUUIDv7(), count],
    });
  await world.empty();
  const { stop } = world.worker();
  await insert(1_000);
  await arrived(receivers, 1_000);
  await receivers.reset();
  const count = perSecond * seconds;
  const from = performance.timeOrigin + performance.now();
  await insert(count);
  const { last } = await arrived(receivers, count);
  await stop();
  receivers.stop();
  const rate = count / ((last - from) / 1_000);
  return {
    scenario: 'webhooks: entries of the journal to one endpoint',
    figures: { perSecond: rate },
    aim: `≥ ${perSecond}/s`,
    met: rate >= perSecond,
  };
}

/** One team queues 100 000 events; another's single ones go out meanwhile. */
async function fairness(world: World, backlog: number): Promise<WebhookResult> {
  const [noisy, quiet] = [await world.receivers(1), await world.receivers(1)];
  const [loud] = await world.endpoints([`http://127.0.0.1:${noisy.ports[0]}/good`], 1);
  const [still] = await world.endpoints([`http://127.0.0.1:${quiet.ports[0]}/good`], 1);
  if (!loud || !still) throw new Error('no endpoints');
  await world.empty();
  await enqueue(world.pool, [loud], backlog);
  const { stop } = world.worker();
  await arrived(noisy, 100);
  for (let n = 0; n < 30; n += 1) {
    await enqueue(world.pool, [still], 1, true);
    await sleep(100);
  }
  const { delays } = await arrived(quiet, 30);
  const { good } = await noisy.report();
  await stop();
  noisy.stop();
  quiet.stop();
  const figures = { p50: quantile(delays, 0.5), max: Math.max(...delays), backlogLeft: backlog - good };
  return {
    scenario: 'webhooks: single events beside another team’s 100 000 (ms)',
    figures,
    aim: 'max ≤ 1000',
    met: figures.max <= 1_000 && good < backlog,
  };
}

/** Memory of the worker while it delivers 500 a second. */
async function memory(world: World, seconds: number): Promise<WebhookResult> {
  const receivers = await world.receivers(50);
  const endpoints = await world.endpoints(
    receivers.ports.map((port) => `http://127.0.0.1:${port}/good`),
    10,
  );
  await world.empty();
  const { child, stop } = world.worker();
  const samples: number[] = [];
  await feed(world, endpoints, 500, 15);
  for (let passed = 0; passed < seconds; passed += 10) {
    await feed(world, endpoints, 500, 10);
    samples.push(residentMiB(child.pid));
  }
  await stop();
  receivers.stop();
  const third = Math.ceil(samples.length / 3);
  const mean = (list: readonly number[]) => list.reduce((sum, one) => sum + one, 0) / list.length;
  const figures = {
    firstThirdMiB: mean(samples.slice(0, third)),
    lastThirdMiB: mean(samples.slice(-third)),
    highestMiB: Math.max(...samples),
  };
  return {
    scenario: 'webhooks: memory of the worker at 500/s',
    figures,
    aim: 'flat (≤ +15 %)',
    met: figures.lastThirdMiB <= 1.15 * figures.firstThirdMiB,
  };
}

export type WebhookBenchOptions = { seconds: number; rounds: number; memorySeconds: number; only: readonly string[] };

/** Runs the scenarios whose name contains one of `only` (all without any), and calls `show` with each result. */
export async function benchWebhooks(
  { seconds, rounds, memorySeconds, only }: WebhookBenchOptions,
  show: (result: WebhookResult) => void,
): Promise<void> {
  const scenarios: [string, (world: World) => Promise<WebhookResult>][] = [
    ['webhooks-http', (world) => throughput(world, false, 5_000, 10_000 * seconds)],
    ['webhooks-tls', (world) => throughput(world, true, 4_000, 10_000 * seconds)],
    ['webhooks-latency', (world) => latency(world, 3 * seconds)],
    ['webhooks-isolation', (world) => isolation(world, 3 * seconds, rounds)],
    ['webhooks-journal', (world) => journal(world, 500, 5 * seconds)],
    ['webhooks-fairness', (world) => fairness(world, 100_000)],
    ['webhooks-memory', (world) => memory(world, memorySeconds)],
  ];
  const chosen = scenarios.filter(([name]) => only.length === 0 || only.some((part) => name.includes(part)));
  if (chosen.length === 0) return;
  const { world, stop } = await prepare();
  try {
    for (const [, run] of chosen) show(await run(world));
  } finally {
    await stop();
  }
}
