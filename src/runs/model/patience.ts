import { setTimeout as wait } from 'node:timers/promises';
import type { Answer, AskModel, Question } from './ask.ts';
import { ModelFailure } from './failure.ts';

/** How often one model is asked again after 429, 5xx and lost connections. */
const retries = 3;
const firstWaitMs = 500;
/** What another model may do better. */
const mayFallBack = new Set(['model_unavailable', 'model_rate_limited', 'model_timeout', 'model_bad_response', 'model_refused']);

/** Asks a model, again where that may help, and then those that stand in for it. Rejects with the first model’s {@link ModelFailure}. */
export async function askPatiently(
  ask: AskModel,
  models: readonly string[],
  question: Omit<Question, 'model'>,
): Promise<Answer & { model: string }> {
  let first: ModelFailure | undefined;
  for (const model of models) {
    try {
      return { ...(await askAgain(ask, { ...question, model })), model };
    } catch (error) {
      if (!(error instanceof ModelFailure)) throw error;
      first ??= error;
      if (!mayFallBack.has(error.code)) throw error;
    }
  }
  throw first ?? new ModelFailure('model_unavailable');
}

async function askAgain(ask: AskModel, question: Question): Promise<Answer> {
  for (let tried = 0; ; tried += 1) {
    try {
      return await ask(question);
    } catch (error) {
      if (!(error instanceof ModelFailure) || error.retryAfterMs === undefined || tried === retries) throw error;
      const backoff = firstWaitMs * 2 ** tried * (0.5 + Math.random());
      await wait(Math.max(error.retryAfterMs, backoff), undefined, { signal: question.signal });
    }
  }
}
