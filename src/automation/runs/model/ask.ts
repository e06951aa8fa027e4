import type { LanguageModelV4, LanguageModelV4FunctionTool, LanguageModelV4Prompt, LanguageModelV4StreamPart } from '@ai-sdk/provider';
import type { GuardedStream } from '#webhooks';
import type { ModelConfig } from '../config.ts';
import { failureOf, ModelFailure } from './failure.ts';

export type Prompt = LanguageModelV4Prompt;
export type OfferedTool = LanguageModelV4FunctionTool;
export type Question = {
  model: string;
  prompt: Prompt;
  tools: OfferedTool[];
  maxOutputTokens: number;
  signal: AbortSignal;
  /** Hears the text so far each time that more of it has come; that of a new try begins anew. */
  onText?: (soFar: string) => void;
};
export type Answer = {
  text: string;
  /** What the model asks for; `input` is text that need not be JSON. */
  calls: { tool: string; input: string }[];
  /** Nothing where the provider has not said. */
  usage: { input: number; output: number } | undefined;
  finish: string;
};
/** Asks a model once. Rejects with {@link ModelFailure}, or as the signal of the question was aborted. */
export type AskModel = (question: Question) => Promise<Answer>;

/** What is kept of one answer; more is refused. */
const maxText = 2 * 1024 * 1024;
const maxCalls = 64;
/** No question and no answer has so many. */
const maxTokens = 1e9;

/** Asks the models that the operator has set up, over guarded connections. What speaks to them is loaded with the first question. */
export function createAsk(config: ModelConfig, { fetch }: Pick<GuardedStream, 'fetch'>): AskModel {
  let load: Promise<(name: string) => LanguageModelV4> | undefined;
  const renaming = new Set<string>();
  return async (question) => {
    load ??= providerOf(config, fetch, renaming);
    const make = await load;
    const late = AbortSignal.timeout(config.timeoutMs);
    const ask = () => answerOf(make(question.model), { ...question, signal: AbortSignal.any([question.signal, late]) });
    try {
      return await ask().catch((error: unknown) => {
        if (renaming.has(question.model) || !wantsOtherName(error)) throw error;
        renaming.add(question.model);
        return ask();
      });
    } catch (error) {
      question.signal.throwIfAborted();
      if (late.aborted || isTimeout(error)) throw new ModelFailure('model_timeout');
      throw asFailure(error);
    }
  };
}

/** Models of OpenAI that think before they answer know the limit of an answer by another name, and say so. All others know the usual one. */
const wantsOtherName = (error: unknown): boolean => {
  const { statusCode, responseBody = '' } = (error ?? {}) as ProviderError;
  return statusCode === 400 && responseBody.slice(0, 10_000).includes('max_completion_tokens');
};

async function providerOf(
  config: ModelConfig,
  fetch: typeof globalThis.fetch,
  renaming: ReadonlySet<string>,
): Promise<(name: string) => LanguageModelV4> {
  const { url: baseURL, key } = config;
  if (config.protocol === 'anthropic') {
    const { createAnthropic } = await import('@ai-sdk/anthropic');
    const provider = createAnthropic({ baseURL, apiKey: key ?? 'none', fetch });
    return (name) => provider(name);
  }
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
  const provider = createOpenAICompatible({
    name: 'model',
    baseURL,
    fetch,
    includeUsage: true,
    transformRequestBody: ({ max_tokens: most, ...body }) =>
      renaming.has(String(body.model)) ? { ...body, max_completion_tokens: most } : { ...body, max_tokens: most },
    ...(key === undefined ? {} : { apiKey: key }),
  });
  return (name) => provider.chatModel(name);
}

async function answerOf(model: LanguageModelV4, { prompt, tools, maxOutputTokens, signal, onText }: Question): Promise<Answer> {
  const { stream } = await model.doStream({
    prompt,
    maxOutputTokens,
    abortSignal: signal,
    ...(tools.length === 0 ? {} : { tools, toolChoice: { type: 'auto' } as const }),
  });
  const answer: Answer = { text: '', calls: [], usage: undefined, finish: '' };
  for await (const part of stream as unknown as AsyncIterable<LanguageModelV4StreamPart>) {
    if (part.type === 'error') throw asFailure(part.error);
    if (part.type === 'text-delta') {
      answer.text += part.delta;
      onText?.(answer.text);
    }
    if (part.type === 'tool-call') answer.calls.push({ tool: part.toolName, input: part.input });
    if (part.type === 'finish') {
      const { inputTokens, outputTokens } = part.usage;
      if (isCount(inputTokens.total) && isCount(outputTokens.total))
        answer.usage = { input: inputTokens.total, output: outputTokens.total };
      answer.finish = part.finishReason.raw === undefined ? '' : part.finishReason.unified;
    }
    if (answer.text.length > maxText || answer.calls.length > maxCalls) throw new ModelFailure('model_bad_response');
  }
  // One that was cut off says nothing of why it has ended.
  if (answer.finish === '') throw new ModelFailure('model_unavailable', { retryAfterMs: 0 });
  if (answer.finish === 'content-filter') throw new ModelFailure('model_refused');
  if (answer.text === '' && answer.calls.length === 0 && answer.finish !== 'stop') throw new ModelFailure('model_bad_response');
  return answer;
}

/**
 * Whether a provider says how many tokens were taken, as a number that there can be: counts go by it, and one below nothing would give back
 * what others have taken.
 */
const isCount = (said: number | undefined): said is number => Number.isInteger(said) && Number(said) >= 0 && Number(said) <= maxTokens;

type ProviderError = { statusCode?: number; responseHeaders?: Record<string, string>; responseBody?: string };

function asFailure(error: unknown): ModelFailure {
  if (error instanceof ModelFailure) return error;
  const { statusCode, responseHeaders = {}, responseBody = '' } = (error ?? {}) as ProviderError;
  if (statusCode !== undefined && statusCode >= 300) return failureOf(statusCode, responseHeaders, responseBody);
  if (error instanceof Error && isUnread(error)) return new ModelFailure('model_bad_response');
  // An error within the stream, in the provider’s own words.
  if (!(error instanceof Error)) return new ModelFailure('model_unavailable', { retryAfterMs: 0 });
  if (tooMuch(error)) return new ModelFailure('model_bad_response');
  return new ModelFailure('model_unavailable', { retryAfterMs: 0, tookNothing: wasNotAsked(error) });
}

/** There was no connection, so that nobody has heard the question. */
const wasNotAsked = (error: Error) =>
  codes(error).some((code) => ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'].includes(code));

/** The answer came, and was not what the protocol says. */
const isUnread = (error: Error & { isRetryable?: boolean }) =>
  /^AI_(JSONParse|TypeValidation|InvalidResponseData|EmptyResponseBody|InvalidStreamPart)/.test(error.name) ||
  (error.name === 'AI_APICallError' && error.isRetryable !== true && !tooMuch(error));

function causes(error: unknown): Error[] {
  const all: Error[] = [];
  for (let one = error; one instanceof Error && all.length < 5; one = one.cause) all.push(one);
  return all;
}
const codes = (error: unknown): string[] => causes(error).flatMap((one) => ('code' in one && typeof one.code === 'string' ? one.code : []));
const isTimeout = (error: unknown) => codes(error).some((code) => /TIMEOUT|ETIMEDOUT/.test(code));
const tooMuch = (error: unknown) => codes(error).some((code) => code === 'EANSWERTOOLONG' || code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE');
