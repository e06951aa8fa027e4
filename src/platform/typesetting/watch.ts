import process from 'node:process';
import { workerData } from 'node:worker_threads';
import { endedBy, type Limits } from './limits.ts';

/** What the worker hands its watch: `turn[0]` is the number of the document under way, 0 between two of them. */
export type Watched = { turn: Int32Array; limits: Limits };

const everyMs = 20;

/**
 * A thread beside the compiler, which blocks its own: ends the process when the document under way takes too much time or memory. It
 * does so also when the parent is gone.
 */
const { turn, limits } = workerData as Watched;
for (;;) {
  const current = Atomics.load(turn, 0);
  if (current === 0) Atomics.wait(turn, 0, 0);
  else watch(current);
}

function watch(current: number): void {
  const begun = performance.now();
  const cpu = process.cpuUsage();
  const before = process.memoryUsage.rss();
  while (Atomics.load(turn, 0) === current) {
    const used = process.cpuUsage(cpu);
    const late = (used.user + used.system) / 1e6 > limits.cpuSeconds || performance.now() - begun > limits.wallSeconds * 1_000;
    if (late) process.kill(process.pid, endedBy.time);
    if (process.memoryUsage.rss() - before > limits.memoryMb * 1024 * 1024) process.kill(process.pid, endedBy.memory);
    Atomics.wait(turn, 0, current, everyMs);
  }
}
