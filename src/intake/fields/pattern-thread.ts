import process from 'node:process';
import { RE2JS } from 're2js';
import { answerQuestions } from '../../platform/thread-port.ts';

/** A pattern, and texts to match completely. */
export type PatternQuestion = { pattern: string; texts: readonly string[] };
/** `size` is the number of engine steps for each character of a text. */
export type PatternAnswer = { error: string } | { size: number; matches: boolean[] };

/** The results in the order of the requests, and the total CPU time in milliseconds. */
export type PatternAnswers = { answers: PatternAnswer[]; cpuMs: number };

/** The thread for patterns of users. It has no cache, so that the cost of a request does not depend on earlier ones. */
answerQuestions((questions: readonly PatternQuestion[]): PatternAnswers => {
  const before = process.threadCpuUsage();
  const answers = questions.map(answerTo);
  const { user, system } = process.threadCpuUsage(before);
  return { answers, cpuMs: (user + system) / 1_000 };
});

function answerTo({ pattern, texts }: PatternQuestion): PatternAnswer {
  try {
    const compiled = RE2JS.compile(pattern);
    return { size: compiled.programSize(), matches: texts.map((text) => compiled.matches(text)) };
  } catch (error) {
    return { error: `is not a valid pattern: ${reasonOf(pattern, error)}` };
  }
}

function reasonOf(pattern: string, error: unknown): string {
  if (/\(\?(?:[=!]|<[=!])/.test(pattern))
    return 'look-around, such as (?=…) or (?<!…), is not supported, because its matching time has no limit';
  if (/\\(?:[1-9]|k<)/.test(pattern))
    return 'a reference back to a group, such as \\1, is not supported, because its matching time has no limit';
  return error instanceof Error ? error.message.replace(/^error parsing regexp: /, '') : 'it cannot be read';
}
