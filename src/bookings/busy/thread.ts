import { parentPort, workerData } from 'node:worker_threads';
import { type BusyQuestion, busyTimes, UnusableFile } from './busy-times.ts';

/** The thread in which a calendar file is read: it answers once, and whoever waits ends it when that takes too long. */
try {
  parentPort?.postMessage({ spans: busyTimes(workerData as BusyQuestion) }, []);
} catch (error) {
  parentPort?.postMessage({ fault: error instanceof UnusableFile ? error.message : 'cannot be read' }, []);
}
