import { nextAttemptDelay } from './retry.ts';
import type { AttemptResult } from './sender.ts';

/** A delivery that a worker has in hand. `attempt` counts this one. */
export type Claimed = {
  teamId: string;
  endpointId: string;
  deliveryId: string;
  /** Where its row of the queue lies. */
  place: string;
  eventId: string;
  eventType: string;
  attempt: number;
  maxAttempts: number;
  /** Attempts before it was queued again by hand: the schedule begins anew after them. */
  baseAttempts: number;
  body: Buffer;
  url: string;
  /** Of the endpoint, when this was claimed: what comes of the attempt says nothing of another one. */
  version: number;
  secret: Buffer;
  previousSecret: Buffer | null;
  /** The owner's own headers, sealed. */
  headers: Buffer | null;
  signing: 'hmac' | 'ed25519';
  /** The endpoint's latest attempts failed. */
  failing: boolean;
};

/** What is written of an attempt. `result` is absent where nothing was sent. */
export type Outcome = {
  claimed: Claimed;
  status: 'delivered' | 'failed' | 'pending';
  /** Milliseconds until the next attempt, of `pending`. */
  waitMs: number;
  error?: string;
  result?: AttemptResult;
  /** The receiver said that it is gone for good (410). */
  gone: boolean;
  /** When the attempt began, by `performance.now()`. */
  startedAt: number;
  /** It ended after its lease: this process was stopped for a while, and the failure may be its own. */
  late?: boolean;
};

export type RetryRule = { schedule?: readonly number[]; random: () => number };

/** Decides what an attempt means: 2xx alone is success, 410 is the end, anything else is tried again while attempts are left. */
export function outcomeOf(claimed: Claimed, result: AttemptResult, startedAt: number, rule: RetryRule): Outcome {
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
 * A delivery that ends without being sent: its every attempt ended with its worker, and it must not end another
 * (`worker_lost`), or its payload was expunged after it had been queued.
 */
export function unsendable(claimed: Claimed, error: 'worker_lost' | 'payload_expunged'): Outcome {
  return { claimed, status: 'failed', waitMs: 0, error, gone: false, startedAt: 0 };
}

export type EndpointTally = { teamId: string; endpointId: string; version: number; recovered: boolean; failures: number };

/**
 * What a batch says of each endpoint, by its version: whether it took one after failing, and how many failed since. Endpoints that
 * never failed are left out, so that success writes nothing; so is what ended after its lease, which is no longer this
 * worker's to judge by.
 */
export function tally(outcomes: readonly Outcome[], knownFailing: { has(endpointId: string): boolean }): EndpointTally[] {
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
