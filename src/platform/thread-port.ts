import { parentPort } from 'node:worker_threads';

/** Handles the requests of `openLimitedThread` in its thread. */
export function answerQuestions(answer: (question: never) => unknown): void {
  parentPort?.on('message', async (question: unknown) => parentPort?.postMessage(await answer(question as never), []));
  parentPort?.postMessage('ready', []);
}
