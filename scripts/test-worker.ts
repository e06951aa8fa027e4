/**
 * One of the processes of `npm test`: takes test files from the queue until it is empty, one after the other, each as a test
 * of that name. A process for each file would load and warm up the same modules a hundred times, a quarter of the run's time.
 */
import { type AsyncHook, createHook } from 'node:async_hooks';
import { readdirSync, unlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { test } from 'node:test';
import { inspect } from 'node:util';

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

/**
 * Begins a test, and gives what `node:test` follows all promises of the process by, to know under which test another is declared
 * and which one an error belongs to that nobody caught. It is not switched on yet: an awaited promise costs twenty times as much
 * while it is.
 */
function unfollowed(begin: () => Promise<unknown>): { following: AsyncHook[]; ended: Promise<unknown> } {
  const hooks = Object.getPrototypeOf(createHook({})) as AsyncHook;
  const enable = Object.getOwnPropertyDescriptor(hooks, 'enable') ?? {};
  const following: AsyncHook[] = [];
  hooks.enable = function (this: AsyncHook) {
    following.push(this);
    return this;
  };
  const ended = begin();
  Object.defineProperty(hooks, 'enable', enable);
  return { following, ended };
}

/** A file that takes longer hangs, in a hook for instance, which no time limit of a test ends. */
const longestMs = 900_000;

let current = '';
// It is not known which test such an error belongs to, and that may wait for what does not come any more.
for (const event of ['uncaughtException', 'unhandledRejection'])
  process.on(event, (error) => {
    process.stderr.write(`${event} while ${current} was run, which ends its process: ${inspect(error)}\n`);
    process.exit(1);
  });

// Inside one test: the runner ends a process as soon as no test of it is left that it knows of.
const { following, ended } = unfollowed(() =>
  test('this process', async (worker) => {
    for (let file = next(); file !== undefined; file = next()) {
      const path = resolve(file);
      current = file;
      const hanging = setTimeout(() => {
        process.stderr.write(`${path} has not ended after ${longestMs / 1000} seconds\n`);
        process.exit(1);
      }, longestMs);
      // Followed while it is loaded: that declares its tests.
      for (const hook of following) hook.enable();
      await worker.test(file, () =>
        import(path).finally(() => {
          for (const hook of following) hook.disable();
        }),
      );
      clearTimeout(hanging);
    }
  }),
);
await ended;
