/** The reason for a missing response of a model, as a code for the run without text of the provider. */
export type FailureCode =
  | 'model_auth_failed'
  | 'model_rate_limited'
  | 'model_unavailable'
  | 'model_timeout'
  | 'model_bad_response'
  | 'model_refused'
  | 'context_too_long';

/** Thrown if a model gave no response. It has no `cause`, because that would contain the request. */
export class ModelFailure extends Error {
  readonly code: FailureCode;
  /** The wait before a retry in ms; undefined if a retry cannot help. */
  readonly retryAfterMs: number | undefined;
  /** Whether the request certainly used no tokens, for example because it was rejected. An interrupted request may have used some. */
  readonly tookNothing: boolean;

  constructor(code: FailureCode, options: { retryAfterMs?: number | undefined; tookNothing?: boolean } = {}) {
    super(code);
    this.code = code;
    this.retryAfterMs = options.retryAfterMs;
    this.tookNothing = options.tookNothing ?? false;
  }
}

/** The longest wait in ms that a provider can demand. */
const maxWaitMs = 60_000;
const tooLong = /context.{0,20}(length|window)|too (long|many tokens)|maximum.{0,30}tokens|prompt is too long/i;

/** Statuses that proxies send, which do not know whether the model responded. Many providers use proxies that send 520 and 524. */
const saidBetween = new Set([408, 502, 504, 520, 524]);

/** Maps an HTTP status of the provider to a failure. */
export function failureOf(status: number, headers: Readonly<Record<string, string>>, body: string): ModelFailure {
  const failure = (code: FailureCode, retryAfterMs?: number) =>
    new ModelFailure(code, { retryAfterMs, tookNothing: status >= 400 && !saidBetween.has(status) });
  if (status === 401 || status === 403) return failure('model_auth_failed');
  if (status === 429) return failure('model_rate_limited', waitOf(headers));
  if (status === 408 || status >= 500 || status === 404) return failure('model_unavailable', status === 404 ? undefined : waitOf(headers));
  if (status === 413 || (status === 400 && tooLong.test(body.slice(0, 10_000)))) return failure('context_too_long');
  return failure('model_bad_response');
}

/** Returns the wait of a `Retry-After` header in ms, given in seconds or as a date; 0 without the header. */
function waitOf(headers: Readonly<Record<string, string>>): number {
  const said = headers['retry-after'] ?? '';
  const ms = /^\d{1,6}$/.test(said) ? Number(said) * 1_000 : Date.parse(said) - Date.now();
  return Number.isNaN(ms) ? 0 : Math.min(maxWaitMs, Math.max(0, ms));
}
