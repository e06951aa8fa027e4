import process from 'node:process';
import { workerData } from 'node:worker_threads';
import { endedBy, type Limits } from './limits.ts';

/** Shared state of the worker and its watch. `turn[0]` is the number of the current document, or 0. */
export type Watched = { turn: Int32Array; limits: Limits };

const everyMs = 20;

/**
 * Runs in a separate thread, because the compiler blocks the thread that it runs in. Ends the process when the current document exceeds its time or
 * memory, even if the parent process is gone.
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
