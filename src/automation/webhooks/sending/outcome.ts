import { nextAttemptDelay } from './retry.ts';
import type { AttemptResult } from './sender.ts';

/** A claimed delivery. `attempt` includes the current one. */
export type Claimed = {
  teamId: string;
  endpointId: string;
  deliveryId: string;
  /** The position of its row in the queue. */
  place: string;
  eventId: string;
  eventType: string;
  /** The position in the trace of the event. */
  traceparent: string | null;
  attempt: number;
  maxAttempts: number;
  /** The number of attempts before the delivery was queued again manually. The schedule starts again after them. */
  baseAttempts: number;
  body: Buffer;
  url: string;
  /** The version of the endpoint at the claim. The result counts only for this version. */
  version: number;
  secret: Buffer;
  previousSecret: Buffer | null;
  /** The owner’s custom headers, encrypted. */
  headers: Buffer | null;
  signing: 'hmac' | 'ed25519';
  /** Whether the last attempts of the endpoint failed. */
  failing: boolean;
};

/** The result of an attempt. `result` is absent if nothing was sent. */
export type DeliveryOutcome = {
  claimed: Claimed;
  status: 'delivered' | 'failed' | 'pending';
  /** Milliseconds until the next attempt, for `pending`. */
  waitMs: number;
  error?: string;
  result?: AttemptResult;
  /** Whether the receiver responded with 410 Gone. */
  gone: boolean;
  /** When the attempt began, by `performance.now()`. */
  startedAt: number;
  /** Whether the attempt ended after its lease because this process was suspended, which may have caused the failure. */
  late?: boolean;
};

export type RetryRule = { schedule?: readonly number[]; random: () => number };

/** Decides the result of an attempt. Only 2xx is a success, 410 ends the delivery, and everything else is retried while attempts are left. */
export function outcomeOf(claimed: Claimed, result: AttemptResult, startedAt: number, rule: RetryRule): DeliveryOutcome {
  const base = { claimed, result, startedAt, waitMs: 0, gone: false };
  if (result.ok) return { ...base, status: 'delivered' };
  const error = result.error ?? 'http_status';
  if (result.responseStatus === 410) return { ...base, status: 'failed', error, gone: true };
  if (claimed.attempt >= claimed.maxAttempts) return { ...base, status: 'failed', error };
  const waitMs = nextAttemptDelay({
    attempt: claimed.attempt - claimed.baseAttempts,
    failure: result,
    random: rule.random,
    ...(rule.schedule === undefined ? {} : { schedule: rule.schedule }),
    ...(result.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: result.retryAfterSeconds }),
  });
  return { ...base, status: 'pending', error, waitMs };
}

/**
 * The result of a delivery that ends without a request. Either its last attempt crashed the worker (`worker_lost`), or its payload was expunged
 * after it was queued (`payload_expunged`).
 */
export function unsendable(claimed: Claimed, error: 'worker_lost' | 'payload_expunged'): DeliveryOutcome {
  return { claimed, status: 'failed', waitMs: 0, error, gone: false, startedAt: 0 };
}

export type EndpointTally = { teamId: string; endpointId: string; version: number; recovered: boolean; failures: number };

/**
 * Summarizes a batch by endpoint and version: whether an endpoint recovered, and the failures since. Leaves out endpoints that never failed, so
 * that successes write nothing. Leaves out late results, because this worker no longer owned them.
 */
export function tally(outcomes: readonly DeliveryOutcome[], knownFailing: { has(endpointId: string): boolean }): EndpointTally[] {
  const tallies = new Map<string, EndpointTally>();
  for (const { claimed, status, result, late } of outcomes) {
    if (!result || late) continue;
    const { teamId, endpointId, version } = claimed;
    const key = `${endpointId} ${version}`;
    const known = tallies.get(key) ?? { teamId, endpointId, version, recovered: false, failures: 0 };
    if (status !== 'delivered') {
      tallies.set(key, { ...known, failures: known.failures + 1 });
    } else if (claimed.failing || known.failures > 0 || knownFailing.has(endpointId)) {
      tallies.set(key, { ...known, recovered: true, failures: 0 });
    }
  }
  return [...tallies.values()];
}
