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
import { endpointSecrets } from '../src/automation/webhooks/endpoints/secrets.ts';
import { newSecret } from '../src/automation/webhooks/sending/signature.ts';

/*
 * Runs deliveries like in production: a worker process with guard, fairness and log, and a durable PostgreSQL. The receivers run in
 * another process. All of them run on this machine.
 */

/** One row of the table: a measurement and its target. */
export type WebhookResult = { scenario: string; figures: Record<string, number>; aim: string; met: boolean };

export type Endpoint = { team: string; id: string };
export type Report = { good: number; first: number; last: number; delays: number[] };
export type Receivers = { ports: number[]; report(): Promise<Report>; reset(): Promise<void>; stop(): void };
export type World = {
  pool: pg.Pool;
  receivers(ports: number, tls?: boolean): Promise<Receivers>;
  endpoints(urls: readonly string[], perTeam: number, event?: string): Promise<Endpoint[]>;
  worker(settings?: Record<string, string>): { child: ChildProcess; stop(): Promise<void> };
  empty(): Promise<void>;
};

const padding = 'x'.repeat(900);

/** Enqueues events of 1 KiB for the endpoints in turn, in one statement. Events with `stamped` have a timestamp. */
export async function enqueue(pool: pg.Pool, endpoints: readonly Endpoint[], count: number, stamped = false): Promise<void> {
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

export async function prepareWebhooks(): Promise<{ world: World; stop(): Promise<void> }> {
  const dataDir = mkdtempSync(join(tmpdir(), 'chancery-bench-hooks-'));
  // As root, the database runs as another user, which needs access to this folder.
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
      const child = spawn(process.execPath, [...profile, 'packages/chancery/bin/chancery.js', 'serve', '--role', 'worker'], {
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

/** CPU seconds of a process, from /proc. 0 without /proc. */
export function cpuSeconds(pid: number | undefined): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) / 100;
  } catch {
    return 0;
  }
}

/** Resident memory of a process in MiB, from /proc. */
export function residentMiB(pid: number | undefined): number {
  const found = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(found?.[1] ?? 0) / 1_024;
}

export const quantile = (list: readonly number[], part: number) =>
  list.toSorted((a, b) => a - b)[Math.min(list.length - 1, Math.floor(list.length * part))] ?? 0;

export async function arrived(receivers: Receivers, count: number, ms = 300_000): Promise<Report> {
  for (const end = Date.now() + ms; ; await sleep(50)) {
    const report = await receivers.report();
    if (report.good >= count) return report;
    if (Date.now() > end) throw new Error(`only ${report.good} of ${count} arrived`);
  }
}

export async function queueIsEmpty(world: World): Promise<void> {
  for (;;) {
    const { rows } = await world.pool.query('SELECT EXISTS (SELECT FROM webhook_queue) AS some');
    if (!rows[0].some) return;
    await sleep(50);
  }
}

/** Enqueues single events with timestamps at a constant rate, for the endpoints in turn. */
export async function feed(world: World, endpoints: readonly Endpoint[], perSecond: number, seconds: number): Promise<number> {
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
