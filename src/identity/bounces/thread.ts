import { answerQuestions } from '../../platform/thread-port.ts';
import { readReport } from './report.ts';

/** The thread that reads reports of mail servers. A message that cannot be parsed is not a report. */
answerQuestions((bytes: Uint8Array) => readReport(bytes).catch(() => undefined));
