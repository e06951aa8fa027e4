import { parentPort, workerData } from 'node:worker_threads';
import { type BusyQuestion, type BusyTimes, busyTimes, UnusableFile } from './busy-times.ts';

/** Input of the thread. `progress[0]` is the number of the series that it reads. */
export type ThreadData = { question: BusyQuestion; progress: Int32Array };
export type ThreadAnswer = BusyTimes | { error: string };

/** The thread in which a calendar file is read: it answers once, and whoever waits ends it when that takes too long. */
parentPort?.postMessage(answerTo(workerData as ThreadData), []);

function answerTo({ question, progress }: ThreadData): ThreadAnswer {
  try {
    return busyTimes(question, (number) => Atomics.store(progress, 0, number));
  } catch (error) {
    return { error: error instanceof UnusableFile ? error.message : 'cannot be read' };
  }
}
