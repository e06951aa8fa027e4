import { setTimeout as wait } from 'node:timers/promises';
import type { Answer, AskModel, ModelQuestion } from './ask.ts';
import { ModelFailure } from './failure.ts';

/** The maximum retries of one model after 429, 5xx and lost connections. */
const retries = 3;
const firstWaitMs = 500;
/** Failures for which another model is tried. */
const mayFallBack = new Set(['model_unavailable', 'model_rate_limited', 'model_timeout', 'model_bad_response', 'model_refused']);

/** Counts the usage of attempts. `again` counts one more attempt and returns the maximum length of its response. */
export type Counting = { again(): Promise<{ maxOutputTokens: number }> };

/**
 * Sends a request to a model and retries it if that can help. After that it uses the fallback models. An attempt that may have used tokens stays
 * counted, and the next attempt is counted separately. Rejects with the {@link ModelFailure} of the first model, with `tookNothing` of the last
 * attempt.
 */
export async function requestWithRetry(
  ask: AskModel,
  models: readonly string[],
  given: Omit<ModelQuestion, 'model'>,
  counting: Counting,
): Promise<Answer & { model: string }> {
  let first: ModelFailure | undefined;
  let last: ModelFailure | undefined;
  let question = given;
  /** Makes one attempt, after its maximum usage has been counted. */
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

async function askAgain(ask: AskModel, question: ModelQuestion): Promise<Answer> {
  for (let tried = 0; ; tried += 1) {
    try {
      return await ask(question);
    } catch (error) {
      if (!(error instanceof ModelFailure) || error.retryAfterMs === undefined || tried === retries) throw error;
      const backoff = firstWaitMs * 2 ** tried * (0.5 + Math.random());
      await wait(Math.max(error.retryAfterMs, backoff), undefined, { signal: question.signal }).catch(() => {
        // No request was sent since, so the last error is still right about the usage.
        throw error;
      });
    }
  }
}
