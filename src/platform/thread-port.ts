import { parentPort } from 'node:worker_threads';

/** Answers the questions of `openLimitedThread`, in its thread. */
export function answerQuestions<Question, Answer>(answer: (question: Question) => Answer): void {
  parentPort?.on('message', (question: Question) => parentPort?.postMessage(answer(question), []));
  parentPort?.postMessage('ready', []);
}
