import { openLimitedThread, ThreadLimitError } from '../../platform/limited-thread.ts';
import { builtFile } from '../../platform/entry-points.ts';
import type { PatternAnswer, PatternAnswers, PatternQuestion } from './pattern-thread.ts';

/** In milliseconds: the CPU time of all patterns of one check, and the time until its result. */
const limits = { cpuMs: 500, waitMs: 10_000 } as const;

/** The remaining CPU time in milliseconds for the patterns of one request. */
export type PatternBudget = { leftMs: number };

const thread = openLimitedThread<readonly PatternQuestion[], PatternAnswers>(builtFile(new URL('./pattern-thread.ts', import.meta.url)));

/** The results of patterns; undefined if a limit ended the check. */
export type Patterns = {
  of(pattern: string): PatternAnswer | undefined;
  /** Returns whether the complete text matches. */
  matches: (pattern: string, text: string) => boolean | undefined;
};

/** Collects the patterns of a request with their texts, and checks them with one request to the thread. */
export class PatternTexts {
  readonly #texts = new Map<string, Set<string>>();

  add(pattern: string, text?: string): void {
    const texts = this.#texts.get(pattern) ?? new Set();
    if (text !== undefined) texts.add(text);
    this.#texts.set(pattern, texts);
  }

  /** @param team the owner of the patterns: the thread serves teams in turn */
  async check(team: string, budget: PatternBudget = { leftMs: limits.cpuMs }): Promise<Patterns> {
    const questions = Array.from(this.#texts, ([pattern, texts]) => ({ pattern, texts: [...texts] }));
    const answers = questions.length === 0 ? [] : await ask(team, questions, budget);
    const results = new Map(answers.map((answer, place) => [questions[place]?.pattern ?? '', resultOf(questions[place]?.texts, answer)]));
    return {
      of: (pattern) => results.get(pattern)?.answer,
      matches: (pattern, text) => results.get(pattern)?.matches.get(text),
    };
  }
}

function resultOf(texts: readonly string[] = [], answer: PatternAnswer) {
  return { answer, matches: new Map('error' in answer ? [] : texts.map((text, place) => [text, answer.matches[place]])) };
}

async function ask(team: string, questions: PatternQuestion[], budget: PatternBudget): Promise<PatternAnswer[]> {
  if (budget.leftMs <= 0) return [];
  try {
    const { answers, cpuMs } = await thread.ask(team, questions, { ...limits, cpuMs: Math.min(limits.cpuMs, budget.leftMs) });
    budget.leftMs -= cpuMs;
    return answers;
  } catch (error) {
    if (!(error instanceof ThreadLimitError)) throw error;
    budget.leftMs -= error.usedMs;
    return [];
  }
}
