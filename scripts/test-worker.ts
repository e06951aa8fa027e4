/**
 * A worker process of `npm test`: claims test files from the queue until it is empty, and runs each as one test. A
 * process for each file would load the same modules 200 times.
 */
import { readdirSync, unlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { test } from 'node:test';
import { stopShared } from '../test/shared-chancery.ts';

const queue = process.env.CHANCERY_TEST_QUEUE ?? '';

/** Maximum milliseconds of a test file. A longer run counts as hung. */
const timeout = 900_000;

/** Claims the next file: the process that removes an entry from the queue runs the file. */
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

// One test contains all files, because the runner ends a process without pending tests.
await test('worker', async (worker) => {
  for (let file = next(); file !== undefined; file = next()) {
    const path = resolve(file);
    await worker.test(file, { timeout }, () => import(path));
  }
  await worker.test('shared services end without deadlocks and with valid events', stopShared);
});
