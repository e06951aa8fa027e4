import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { Counter, type Registry } from 'prom-client';
import { Breaker } from './breaker.ts';
import type { Ask, SuggestionQuery, Suggestion } from './suggestion.ts';

/** Returns suggestions. Never rejects because of a provider: without suggestions the field still accepts any text. */
export type Suggest = (question: SuggestionQuery, outside: Outside) => Promise<readonly Suggestion[]>;

/** `spend` counts a request to a provider. It rejects if the team has reached its limit. */
type Outside = { spend: () => Promise<void> };

type SuggestOptions = {
  ask: Ask;
  /** Settings of an external provider: its responses are cached, have a time limit, and go through a circuit breaker. */
  provider: { name: string; timeoutMs: number; keptMs: number } | undefined;
  log: Logger;
  metrics: Registry;
  now?: () => number;
};

const maxConcurrency = 32;
const cacheBytes = 16 * 1024 * 1024;
const overhead = 200;

export function createSuggest({ ask, provider, log, metrics, now }: SuggestOptions): Suggest {
  if (!provider) return (question) => ask(question, AbortSignal.timeout(60_000));
  const { name, timeoutMs, keptMs } = provider;
  const kept = new LRUCache<string, readonly Suggestion[]>({ maxSize: cacheBytes, ...(keptMs > 0 ? { ttl: keptMs } : {}) });
  const inFlight = new Map<string, Promise<readonly Suggestion[]>>();
  const breaker = new Breaker(now);
  const countOutcome = countQuestions(metrics, name);

  async function askProvider(question: SuggestionQuery): Promise<readonly Suggestion[]> {
    try {
      const found = (await ask(question, AbortSignal.timeout(timeoutMs))).slice(0, question.count);
      breaker.answered();
      countOutcome('answered');
      return found;
    } catch (error) {
      countOutcome('failed');
      const leftAlone = breaker.failed();
      log.warn(
        { err: error, provider: name, leftAlone },
        leftAlone ? 'suggestions failed several times; the provider gets no requests for some time' : 'a suggestion request failed',
      );
      throw error;
    }
  }

  function begin(key: string, question: SuggestionQuery): Promise<readonly Suggestion[]> {
    if (inFlight.size >= maxConcurrency || !breaker.mayAsk()) {
      countOutcome('left_alone');
      return Promise.resolve([]);
    }
    const answer = askProvider(question)
      .then(
        (found) => {
          if (keptMs > 0) kept.set(key, found, { size: overhead + 2 * (key.length + JSON.stringify(found).length) });
          return found;
        },
        () => [],
      )
      .finally(() => inFlight.delete(key));
    inFlight.set(key, answer);
    return answer;
  }

  return async (question, { spend }) => {
    const key = JSON.stringify([question.text.toLowerCase(), question.count, question.locale]);
    const known = kept.get(key);
    if (known) {
      countOutcome('kept');
      return known;
    }
    await spend();
    // Concurrent requests with the same text share one provider request.
    return inFlight.get(key) ?? begin(key, question);
  };
}

type SuggestionOutcome = 'answered' | 'failed' | 'kept' | 'left_alone';

function countQuestions(registry: Registry, provider: string): (outcome: SuggestionOutcome) => void {
  const counter = new Counter({
    name: 'chancery_suggestions_total',
    help: 'Requests for suggestions: the provider responded or failed, the response was cached, or the provider was skipped after failures',
    labelNames: ['provider', 'outcome'],
    registers: [registry],
  });
  return (outcome) => counter.inc({ provider, outcome });
}
