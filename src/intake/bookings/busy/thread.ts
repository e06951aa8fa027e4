import { answerQuestions } from '../../../platform/thread-port.ts';
import { type BusyQuestion, type BusyTimes, busyTimes, UnusableFile } from './busy-times.ts';

/** The input of the thread. `progress[0]` is the number of the series in progress. */
export type ThreadQuestion = { question: BusyQuestion; progress: Int32Array };
export type ThreadAnswer = BusyTimes | { error: string };

/** The thread that reads a calendar file. */
answerQuestions(({ question, progress }: ThreadQuestion): ThreadAnswer => {
  try {
    return busyTimes(question, (number) => Atomics.store(progress, 0, number));
  } catch (error) {
    return { error: error instanceof UnusableFile ? error.message : 'cannot be read' };
  }
});
