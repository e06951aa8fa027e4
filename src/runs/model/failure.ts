/** Why a model gave no answer: what a run says of it, without a word of the provider’s own. */
export type FailureCode =
  | 'model_auth_failed'
  | 'model_rate_limited'
  | 'model_unavailable'
  | 'model_timeout'
  | 'model_bad_response'
  | 'model_refused'
  | 'context_too_long';

/** A model gave no answer. What led to it is not kept along: it holds what was asked. */
export class ModelFailure extends Error {
  readonly code: FailureCode;
  /** When it may be asked again; nothing where asking again changes nothing. */
  readonly retryAfterMs: number | undefined;

  constructor(code: FailureCode, options: { retryAfterMs?: number | undefined } = {}) {
    super(code);
    this.code = code;
    this.retryAfterMs = options.retryAfterMs;
  }
}

/** Nobody waits longer than this because a provider says so. */
const mostWaitMs = 60_000;
const tooLong = /context.{0,20}(length|window)|too (long|many tokens)|maximum.{0,30}tokens|prompt is too long/i;

/** What a status of the provider means. */
export function failureOf(status: number, headers: Readonly<Record<string, string>>, body: string): ModelFailure {
  if (status === 401 || status === 403) return new ModelFailure('model_auth_failed');
  if (status === 429) return new ModelFailure('model_rate_limited', { retryAfterMs: waitOf(headers) });
  if (status === 408 || status >= 500 || status === 404)
    return new ModelFailure('model_unavailable', { retryAfterMs: status === 404 ? undefined : waitOf(headers) });
  if (status === 413 || (status === 400 && tooLong.test(body.slice(0, 10_000)))) return new ModelFailure('context_too_long');
  return new ModelFailure('model_bad_response');
}

/** The wait that `Retry-After` asks for: seconds, or a time; nothing said is 0. */
function waitOf(headers: Readonly<Record<string, string>>): number {
  const said = headers['retry-after'] ?? '';
  const ms = /^\d{1,6}$/.test(said) ? Number(said) * 1_000 : Date.parse(said) - Date.now();
  return Number.isNaN(ms) ? 0 : Math.min(mostWaitMs, Math.max(0, ms));
}
