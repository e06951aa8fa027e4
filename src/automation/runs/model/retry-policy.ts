import { setTimeout as wait } from 'node:timers/promises';
import type { Answer, AskModel, Question } from './ask.ts';
import { ModelFailure } from './failure.ts';

/** How often one model is asked again after 429, 5xx and lost connections. */
const retries = 3;
const firstWaitMs = 500;
/** What another model may do better. */
const mayFallBack = new Set(['model_unavailable', 'model_rate_limited', 'model_timeout', 'model_bad_response', 'model_refused']);

/** What a try may take: `again` counts the same for one more, and says how long its answer may be. */
export type Counting = { again(): Promise<{ maxOutputTokens: number }> };

/**
 * Asks a model, again where that may help, and then those that stand in for it. A try that may have taken something is not taken back, so that
 * the next is counted by itself. Rejects with the first model’s {@link ModelFailure}, which says of the last try whether it took nothing.
 */
export async function askPatiently(
  ask: AskModel,
  models: readonly string[],
  given: Omit<Question, 'model'>,
  counting: Counting,
): Promise<Answer & { model: string }> {
  let first: ModelFailure | undefined;
  let last: ModelFailure | undefined;
  let question = given;
  /** One try, with what it may take counted. */
  const attempt: AskModel = async ({ model }) => {
    if (last && !last.tookNothing) question = { ...question, ...(await counting.again()) };
    last = undefined;
    try {
      return await ask({ ...question, model });
    } catch (error) {
      if (error instanceof ModelFailure) last = error;
      throw error;
    }
  };
  for (const model of models) {
    try {
      return { ...(await askAgain(attempt, { ...question, model })), model };
    } catch (error) {
      if (!(error instanceof ModelFailure)) throw error;
      first ??= error;
      if (given.signal.aborted || !mayFallBack.has(error.code)) throw error;
    }
  }
  throw new ModelFailure(first?.code ?? 'model_unavailable', { tookNothing: last?.tookNothing ?? true });
}

async function askAgain(ask: AskModel, question: Question): Promise<Answer> {
  for (let tried = 0; ; tried += 1) {
    try {
      return await ask(question);
    } catch (error) {
      if (!(error instanceof ModelFailure) || error.retryAfterMs === undefined || tried === retries) throw error;
      const backoff = firstWaitMs * 2 ** tried * (0.5 + Math.random());
      await wait(Math.max(error.retryAfterMs, backoff), undefined, { signal: question.signal }).catch(() => {
        // Nothing has been asked since: what was met last says what was taken.
        throw error;
      });
    }
  }
}
