/** Measures the tree of the audit journal against bounds in milliseconds. It has no floor. */
import { randomBytes } from 'node:crypto';
import process from 'node:process';
import { pino } from 'pino';
import type { KeyRing } from '#keys';
import { webhookBulkListener } from '../src/automation/webhooks/listeners.ts';
import { inclusionRanges, leafHash, rootOfInclusion } from '../src/records/journal/tree/merkle.ts';
import { inclusionProof } from '../src/records/journal/tree/proofs.ts';
import { Sequencer } from '../src/records/journal/sequencer/sequencer.ts';
import { appendEntries, rangeHasher, tileKey, tilesOf } from '../src/records/journal/tree/tiles.ts';
import type { Database } from '../src/platform/database/database.ts';
import type pg from 'pg';

export type AuditResult = { scenario: string; p50: number; p99: number; boundMs: number; met: boolean };

/** A separate database that contains only the schema. */
export type AuditWorld = { database: Database; pool: pg.Pool; keys: KeyRing; team: string };

const entries = 1_000_000;
const batch = 1_000;

function summary(scenario: string, times: number[], boundMs: number): AuditResult {
  times.sort((a, b) => a - b);
  const at = (part: number) => times[Math.floor(times.length * part)] ?? 0;
  const result = { scenario, p50: at(0.5), p99: at(0.99), boundMs, met: at(0.5) <= boundMs };
  process.stdout.write(
    `${scenario.padEnd(44)} p50 ${result.p50.toFixed(2).padStart(8)} ms  p99 ${result.p99.toFixed(2).padStart(8)} ms  bound ${boundMs} ms  ${result.met ? '✓' : '✗'}\n`,
  );
  return result;
}

/** Measures the integration of 1 000 entries, from reading them to the commit of the signed checkpoint. Repeats it many times. */
async function integrate({ database, pool, keys, team }: AuditWorld, rounds: number): Promise<AuditResult> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await pool.query(
      `INSERT INTO audit_entry (team_id, id, type, actor_type, actor_id, target_type, target_id, at, ip, request_id, data)
       SELECT $1, gen_random_uuid(), 'folder.created', 'user', gen_random_uuid(), 'folder', gen_random_uuid(), now(), '192.0.2.1', gen_random_uuid(), '{"name": "Contracts 2026"}' FROM generate_series(1, $2)`,
      [team, batch],
    );
    const sequencer = new Sequencer({
      database,
      listener: { on: async () => undefined, connected: () => false, onReconnect: () => undefined, close: async () => undefined },
      keys,
      origin: 'bench.example/tlog',
      witnesses: [],
      announce: webhookBulkListener,
      log: pino({ level: 'warn' }),
      batch,
    });
    const from = performance.now();
    // `stop` integrates the pending entries once and releases the lease.
    await sequencer.stop();
    times.push(performance.now() - from);
  }
  const { rows } = await pool.query('SELECT count(*)::int AS n FROM audit_entry WHERE seq IS NULL');
  if (rows[0].n !== 0) throw new Error('the sequencer left entries out');
  return summary('audit: integrate 1 000 entries', times, 100);
}

/** Measures the proof of a random leaf out of a million. Each proof reads its tiles from the database. */
async function prove({ database, pool, team }: AuditWorld, proofs: number): Promise<AuditResult> {
  await pool.query('TRUNCATE audit_tile');
  const commitments = Array.from({ length: entries }, () => randomBytes(32));
  const tiles = new Map<string, Buffer>();
  for (const { id, hashes } of appendEntries(new Map(), 0, commitments)) {
    tiles.set(tileKey(id), hashes);
    await pool.query('INSERT INTO audit_tile (level, n, hashes) VALUES ($1, $2, $3)', [id.level, id.n, hashes]);
  }
  await pool.query('VACUUM ANALYZE audit_tile');
  const root = rangeHasher(tiles)([0, entries]);
  const db = database.reader(team);
  const times: number[] = [];
  for (let made = 0; made < proofs; made += 1) {
    const index = Math.floor((made + 0.5) * (entries / proofs));
    const from = performance.now();
    const proof = await inclusionProof(db, index, entries);
    times.push(performance.now() - from);
    if (!rootOfInclusion(index, entries, leafHash(commitments[index] ?? Buffer.alloc(0)), proof)?.equals(root))
      throw new Error('a proof is wrong');
  }
  const ranges = inclusionRanges(777_777, entries);
  process.stdout.write(`${' '.repeat(44)} ${ranges.length} hashes a proof, from ${tilesOf(ranges).length} tiles\n`);
  return summary('audit: proof at 1 000 000 entries', times, 5);
}

/** Runs both. */
export async function measureAudit(world: AuditWorld): Promise<AuditResult[]> {
  return [await integrate(world, 30), await prove(world, 1_000)];
}
