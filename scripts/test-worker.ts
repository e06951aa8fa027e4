/**
 * One of the processes of `npm test`: takes test files from the queue until it is empty, and runs each as a test of that name. A
 * process for each file would load the same modules two hundred times.
 */
import { readdirSync, unlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { test } from 'node:test';
import { stopShared } from '../test/shared-chancery.ts';

const queue = process.env.CHANCERY_TEST_QUEUE ?? '';

/** A file that runs longer than this hangs. */
const timeout = 900_000;

/** The next file that no other process has taken: the process that removes an entry of the queue has it. */
function next(): string | undefined {
  for (const entry of readdirSync(queue).toSorted()) {
    try {
      unlinkSync(join(queue, entry));
    } catch {
      continue;
    }
    return decodeURIComponent(entry.slice(entry.indexOf(' ') + 1));
  }
  return undefined;
}

// One test around all: the runner ends a process as soon as it knows of no test that is left.
await test('worker', async (worker) => {
  for (let file = next(); file !== undefined; file = next()) {
    const path = resolve(file);
    await worker.test(file, { timeout }, () => import(path));
  }
  await worker.test('shared services end without deadlocks and with valid events', stopShared);
});
