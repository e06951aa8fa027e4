/**
 * One of the processes of `npm test`: takes test files from the queue until it is empty, one after the other, each as a test
 * of that name. A process for each file would load and warm up the same modules a hundred times, a quarter of the run's time.
 */
import { readdirSync, unlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { test } from 'node:test';

const queue = process.env.CHANCERY_TEST_QUEUE ?? '';

/** The next file that no other process has taken: who removes its place in the queue has it. */
function next(): string | undefined {
  for (const place of readdirSync(queue).toSorted()) {
    try {
      unlinkSync(join(queue, place));
    } catch {
      continue;
    }
    return decodeURIComponent(place.slice(place.indexOf(' ') + 1));
  }
  return undefined;
}

/** A file that takes longer hangs, in a hook for instance, which no time limit of a test ends. */
const longestMs = 900_000;

// Inside one test: the runner ends a process as soon as no test of it is left that it knows of.
await test('this process', async (worker) => {
  for (let file = next(); file !== undefined; file = next()) {
    const path = resolve(file);
    const hanging = setTimeout(() => {
      process.stderr.write(`${path} has not ended after ${longestMs / 1000} seconds\n`);
      process.exit(1);
    }, longestMs);
    await worker.test(file, () => import(path));
    clearTimeout(hanging);
  }
});
