import type { LanguageModelV4, LanguageModelV4FunctionTool, LanguageModelV4Prompt, LanguageModelV4StreamPart } from '@ai-sdk/provider';
import type { GuardedStream } from '#webhooks';
import type { ModelConfig } from '../config.ts';
import { failureOf, ModelFailure } from './failure.ts';

export type Prompt = LanguageModelV4Prompt;
export type OfferedTool = LanguageModelV4FunctionTool;
export type ModelQuestion = {
  model: string;
  prompt: Prompt;
  tools: OfferedTool[];
  maxOutputTokens: number;
  signal: AbortSignal;
  /** Called with the text so far each time that it grows. A new attempt starts again with an empty text. */
  onText?: (soFar: string) => void;
};
export type Answer = {
  text: string;
  /** The calls that the model requests; `input` is text that need not be JSON. */
  calls: { tool: string; input: string }[];
  /** Token counts. Undefined if the provider does not report them. */
  usage: { input: number; output: number } | undefined;
  finish: string;
};
/** Asks a model once. Rejects with {@link ModelFailure}, or with the reason of the aborted signal. */
export type AskModel = (question: ModelQuestion) => Promise<Answer>;

/** The limits of one response. A larger response is rejected. */
const maxText = 2 * 1024 * 1024;
const maxCalls = 64;
/** A higher token count is not plausible. */
const maxTokens = 1e9;

/** Creates the function that sends requests to the configured models over guarded connections. The provider packages load with the first request. */
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

/** Reasoning models of OpenAI reject `max_tokens` with an error that names `max_completion_tokens`. All other models accept `max_tokens`. */
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

async function answerOf(model: LanguageModelV4, { prompt, tools, maxOutputTokens, signal, onText }: ModelQuestion): Promise<Answer> {
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
  // A response that was cut off has no finish reason.
  if (answer.finish === '') throw new ModelFailure('model_unavailable', { retryAfterMs: 0 });
  if (answer.finish === 'content-filter') throw new ModelFailure('model_refused');
  if (answer.text === '' && answer.calls.length === 0 && answer.finish !== 'stop') throw new ModelFailure('model_bad_response');
  return answer;
}

/** Whether a reported token count is plausible. Limits depend on these counts, and a negative count would reduce the recorded usage. */
const isCount = (said: number | undefined): said is number => Number.isInteger(said) && Number(said) >= 0 && Number(said) <= maxTokens;

type ProviderError = { statusCode?: number; responseHeaders?: Record<string, string>; responseBody?: string };

function asFailure(error: unknown): ModelFailure {
  if (error instanceof ModelFailure) return error;
  const { statusCode, responseHeaders = {}, responseBody = '' } = (error ?? {}) as ProviderError;
  if (statusCode !== undefined && statusCode >= 300) return failureOf(statusCode, responseHeaders, responseBody);
  if (error instanceof Error && isUnread(error)) return new ModelFailure('model_bad_response');
  // An error event within the stream, in the format of the provider.
  if (!(error instanceof Error)) return new ModelFailure('model_unavailable', { retryAfterMs: 0 });
  if (tooMuch(error)) return new ModelFailure('model_bad_response');
  return new ModelFailure('model_unavailable', { retryAfterMs: 0, tookNothing: wasNotSent(error) });
}

/** Whether no connection was made, so that the model did not get the request. */
const wasNotSent = (error: Error) =>
  codes(error).some((code) => ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'].includes(code));

/** Whether a response came that does not follow the protocol. */
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
