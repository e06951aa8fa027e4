import { randomUUIDv7 } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { type DatabaseProxy, startDatabaseProxy } from '../test/database-proxy.ts';
import type { NeighbourResult } from './neighbours.ts';
import { prepareWorld, unlimited, type World } from './world.ts';

/*
 * Silences all database connections at once while new connections work, like a middlebox that drops its state. Measures the time until
 * reads, changes and readiness checks succeed again.
 */

const readers = 36;
const writers = 12;
const readAimMs = 20_000;
const writeAimMs = 30_000;
const giveUpMs = 90_000;

type Client = { method: 'GET' | 'POST'; path: string; body?: () => string };

const reader = (world: World, n: number): Client => ({ method: 'GET', path: `/api/v1/smartdoc/folders/${world.folders[n]}` });
const writer: Client = {
  method: 'POST',
  path: '/api/v1/smartdoc/folders/',
  body: () => JSON.stringify({ name: `Silence ${randomUUIDv7()}` }),
};

/** Repeats a request until it succeeds. Returns the milliseconds and the statuses of the error responses. */
async function untilAnswered(world: World, pool: Pool, { method, path, body }: Client): Promise<{ ms: number; refused: number[] }> {
  const from = performance.now();
  const refused: number[] = [];
  for (;;) {
    const answer = await pool.request({
      method,
      path,
      headers: { authorization: `Bearer ${world.token}`, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: body() } : {}),
    });
    await answer.body.dump({ limit: 1_000_000 });
    const ms = performance.now() - from;
    if (answer.statusCode < 300) return { ms, refused };
    refused.push(answer.statusCode);
    if (ms > giveUpMs) return { ms, refused };
    await sleep(100);
  }
}

/** Runs the scenario if one of `only` is a part of its name, or without any. */
export async function benchDatabaseSilence(
  { rounds, only }: { rounds: number; only: readonly string[] },
  show: (result: NeighbourResult) => void,
): Promise<void> {
  const name = 'database-silence';
  if (only.length > 0 && !only.some((part) => name.includes(part))) return;
  let proxy: DatabaseProxy | undefined;
  const world = await prepareWorld(unlimited, async (url) => (proxy = await startDatabaseProxy(url)).url);
  const pool = new Pool(world.oursUrl, { connections: readers + writers + 1, pipelining: 1, headersTimeout: 0, bodyTimeout: 0 });
  const clients = [
    ...Array.from({ length: readers }, (_, n) => reader(world, n)),
    ...Array.from({ length: writers }, () => writer),
    { method: 'GET', path: '/readyz' } as const,
  ];
  const figures = { readsMs: 0, writesMs: 0, readyMs: 0, answeredOtherThan503: 0 };
  try {
    for (let round = 0; round < rounds; round += 1) {
      // The first requests open the connections that are then silenced.
      await Promise.all(clients.map((client) => untilAnswered(world, pool, client)));
      proxy?.silence();
      const answers = await Promise.all(clients.map((client) => untilAnswered(world, pool, client)));
      const longest = (from: number, to: number) => Math.max(...answers.slice(from, to).map(({ ms }) => ms));
      figures.readsMs = Math.max(figures.readsMs, longest(0, readers));
      figures.writesMs = Math.max(figures.writesMs, longest(readers, readers + writers));
      figures.readyMs = Math.max(figures.readyMs, longest(readers + writers, clients.length));
      figures.answeredOtherThan503 += answers.flatMap(({ refused }) => refused).filter((status) => status !== 503 && status !== 429).length;
    }
  } finally {
    await pool.close();
    await world.stop();
    await proxy?.close();
  }
  const met = figures.readsMs <= readAimMs && figures.writesMs <= writeAimMs && figures.answeredOtherThan503 === 0;
  show({ scenario: name, figures, aim: 'the slowest: reads ≤ 20 s, changes ≤ 30 s, refused by 503 alone', met });
}
