import process from 'node:process';
import { RE2JS } from 're2js';
import { answerQuestions } from '../../platform/thread-port.ts';

/** A pattern, and texts to match as a whole. */
export type PatternQuestion = { pattern: string; texts: readonly string[] };
/** `size`: steps of the engine for each character of a text. */
export type PatternAnswer = { error: string } | { size: number; matches: boolean[] };

/** The answers, in the order of the questions, and the CPU time of all in milliseconds. */
export type PatternAnswers = { answers: PatternAnswer[]; cpuMs: number };

/** The thread for patterns that users write. It caches nothing: the cost of a question does not depend on earlier questions. */
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
    return { error: `is not an accepted pattern: ${reasonOf(pattern, error)}` };
  }
}

function reasonOf(pattern: string, error: unknown): string {
  if (/\(\?(?:[=!]|<[=!])/.test(pattern)) return 'look-around, such as (?=…) or (?<!…), needs an engine whose time has no bound';
  if (/\\(?:[1-9]|k<)/.test(pattern)) return 'a reference back to a group, such as \\1, needs an engine whose time has no bound';
  return error instanceof Error ? error.message.replace(/^error parsing regexp: /, '') : 'it cannot be read';
}
