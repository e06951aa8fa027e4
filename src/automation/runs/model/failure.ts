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
  /** Whether it is known that nothing was taken, as where the question was refused. What broke off may be paid for. */
  readonly tookNothing: boolean;

  constructor(code: FailureCode, options: { retryAfterMs?: number | undefined; tookNothing?: boolean } = {}) {
    super(code);
    this.code = code;
    this.retryAfterMs = options.retryAfterMs;
    this.tookNothing = options.tookNothing ?? false;
  }
}

/** Nobody waits longer than this because a provider says so. */
const maxWaitMs = 60_000;
const tooLong = /context.{0,20}(length|window)|too (long|many tokens)|maximum.{0,30}tokens|prompt is too long/i;

/** Said by what stands between, which does not know whether the model has answered; the last two by that of many providers. */
const saidBetween = new Set([408, 502, 504, 520, 524]);

/** What a status of the provider means. */
export function failureOf(status: number, headers: Readonly<Record<string, string>>, body: string): ModelFailure {
  const failure = (code: FailureCode, retryAfterMs?: number) =>
    new ModelFailure(code, { retryAfterMs, tookNothing: status >= 400 && !saidBetween.has(status) });
  if (status === 401 || status === 403) return failure('model_auth_failed');
  if (status === 429) return failure('model_rate_limited', waitOf(headers));
  if (status === 408 || status >= 500 || status === 404) return failure('model_unavailable', status === 404 ? undefined : waitOf(headers));
  if (status === 413 || (status === 400 && tooLong.test(body.slice(0, 10_000)))) return failure('context_too_long');
  return failure('model_bad_response');
}

/** The wait that `Retry-After` asks for: seconds, or a time; nothing said is 0. */
function waitOf(headers: Readonly<Record<string, string>>): number {
  const said = headers['retry-after'] ?? '';
  const ms = /^\d{1,6}$/.test(said) ? Number(said) * 1_000 : Date.parse(said) - Date.now();
  return Number.isNaN(ms) ? 0 : Math.min(maxWaitMs, Math.max(0, ms));
}
