/** A thread that repeats concurrent list requests until it is ended. It is separate from the thread that measures. */
import { setTimeout as sleep } from 'node:timers/promises';
import { workerData } from 'node:worker_threads';
import { Pool } from 'undici';

const { url, path, token, atOnce } = workerData as { url: string; path: string; token: string; atOnce: number };

const pool = new Pool(url, { connections: atOnce, pipelining: 1 });
async function ask(): Promise<never> {
  for (;;) {
    const answer = await pool.request({ method: 'GET', path, headers: { authorization: `Bearer ${token}` } });
    await answer.body.dump({ limit: 100_000_000 });
    // A rate-limited client waits.
    if (answer.statusCode === 429) await sleep(1_000);
  }
}
await Promise.all(Array.from({ length: atOnce }, ask));
