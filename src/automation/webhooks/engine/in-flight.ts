import type { Logger } from 'pino';
import type { FairBudget } from '../../../platform/fair-budget.ts';
import { FairQueue, QueueFullError } from '../../../platform/fair-queue.ts';
import type { headersOf } from '../sending/headers.ts';
import { type Claimed, type Outcome, outcomeOf, type RetryRule, unsendable } from '../sending/outcome.ts';
import type { AttemptResult, Sender } from '../sending/sender.ts';
import type { EndpointGate } from './endpoint-gate.ts';
import type { Claim } from './jobs.ts';

type Options = {
  sender: Sender;
  gate: EndpointGate;
  /** What all deliveries in hand weigh. */
  budget: FairBudget;
  /** Errors: those of a secret that cannot be read. */
  headersFor: (claimed: Claimed) => ReturnType<typeof headersOf>;
  rule: RetryRule;
  leaseSeconds: number;
  log: Logger;
  /** Whether what was claimed a while ago is still to be sent as it was claimed: its endpoint may have moved, or be gone. */
  stands: (claimed: Claimed) => Promise<boolean>;
  /** Writes that these belong to no worker any more. */
  release: (claimed: readonly Claimed[]) => Promise<void>;
  /** Told of what came of each that was sent, or never will be. */
  ended: (outcome: Outcome) => void;
  /** Told when one has left the hand, sent or given back: its team and endpoint have room for another. */
  left: (claimed: Claimed) => void;
};

/** The deliveries that a worker has claimed, until each is sent or given back. */
export type InHand = {
  /** Sends what was claimed; gives all of it back, and returns false, where the clocks differ so much that receivers would refuse it. */
  take(claim: Claim, claimedAt: number, wallClock: number): boolean;
  /** Gives back what was claimed and is not to be sent. */
  giveBack(claimed: readonly Claimed[]): void;
  /** Gives back what waits for a connection: the node stops. */
  giveUpWaiting(): void;
  /** What is being sent now. */
  sending: ReadonlySet<Promise<void>>;
  /** When all that was to be given back is, or was left to its lease. */
  released(): Promise<unknown>;
};

const warnSkewMs = 2_000;
const refuseSkewMs = 30_000;
/** Before it sends a delivery that it claimed longer ago, a worker reads the endpoint again. */
export const longInHandMs = 1_000;

/** A large payload counts as several, since it takes memory until it is sent. */
const bytesOfOne = 16 * 1_024;
const weightOf = (bytes: number) => 1 + Math.floor(bytes / bytesOfOne);

/** @param options times are by `performance.now()` */
export function openInHand(options: Options): InHand {
  const { sender, gate, budget, headersFor, stands, rule, leaseSeconds, log, ended, left } = options;
  /** The connections of each team to each origin. */
  const connections = new FairQueue({ concurrency: Infinity, concurrencyPerKey: sender.connections });
  const sending = new Set<Promise<void>>();
  const releasing = new Set<Promise<void>>();
  let unsent: Claimed[] = [];

  /** From the claim until it is sent or given back; then the next claim may take another delivery of the same endpoint. */
  async function carry(claimed: Claimed, leaseEnds: number): Promise<void> {
    const { teamId, endpointId, body } = claimed;
    const leave = budget.hold(teamId, weightOf(body.length));
    try {
      if (!(await gate.enter(endpointId, () => deliver(claimed, leaseEnds)))) giveBack([claimed]);
    } finally {
      leave();
    }
    left(claimed);
  }

  async function deliver(claimed: Claimed, leaseEnds: number): Promise<void> {
    // A process that was stopped for a while no longer owns what it claimed.
    const sentUntil = leaseEnds - sender.timeoutMs;
    let leave: () => void;
    try {
      leave = await connections.enter(`${claimed.teamId} ${new URL(claimed.url).origin}`, sentUntil - performance.now());
    } catch (error) {
      if (!(error instanceof QueueFullError)) throw error;
      return giveBack([claimed]);
    }
    try {
      const waited = performance.now() - (leaseEnds - leaseSeconds * 1_000) > longInHandMs;
      const isWhole = !waited || (await stands(claimed).catch(() => false));
      if (!isWhole || performance.now() > sentUntil) return giveBack([claimed]);
      await attempt(claimed, leaseEnds);
    } finally {
      leave();
    }
  }

  async function attempt(claimed: Claimed, leaseEnds: number): Promise<void> {
    const startedAt = performance.now();
    const never = claimed.attempt > claimed.maxAttempts ? 'worker_lost' : claimed.body.length === 0 ? 'payload_expunged' : undefined;
    const outcome = never ? unsendable(claimed, never) : outcomeOf(claimed, await send(claimed), startedAt, rule);
    const late = performance.now() > leaseEnds;
    if (outcome.result && !late) gate.note(claimed, outcome.result);
    ended({ ...outcome, late });
  }

  async function send(claimed: Claimed): Promise<AttemptResult> {
    let headers: Record<string, string>;
    try {
      headers = headersFor(claimed);
    } catch (error) {
      log.error({ err: error, endpointId: claimed.endpointId }, 'the secret of a webhook endpoint cannot be read');
      return { ok: false, error: 'secret_unreadable', latencyMs: 0 };
    }
    return sender.send({ teamId: claimed.teamId, url: claimed.url, headers, body: claimed.body });
  }

  /** What waited for one endpoint comes back at once: given back in one transaction. */
  function giveBack(claimed: readonly Claimed[]): void {
    if (unsent.length === 0) setImmediate(release);
    unsent.push(...claimed);
  }

  function release(): void {
    const released = unsent;
    unsent = [];
    if (released.length === 0) return;
    track(releasing, options.release(released), 'webhook deliveries could not be given back; their lease will run out', log);
  }

  function clockIsWrong(databaseMs: number, wallClock: number): boolean {
    if (databaseMs === 0) return false;
    const skewMs = Math.max(0, wallClock - databaseMs, databaseMs - Date.now());
    if (skewMs > warnSkewMs)
      log.warn({ skewMs: Math.round(skewMs) }, 'the clocks of this machine and of the database differ: receivers may refuse signatures');
    return skewMs > refuseSkewMs;
  }

  return {
    take(claim, claimedAt, wallClock) {
      if (clockIsWrong(claim.databaseMs, wallClock)) {
        giveBack(claim.claimed);
        return false;
      }
      const leaseEnds = claimedAt + leaseSeconds * 1_000;
      for (const claimed of claim.claimed) track(sending, carry(claimed, leaseEnds), 'a webhook delivery failed inside the service', log);
      return true;
    },
    giveBack,
    giveUpWaiting: () => connections.close(),
    sending,
    released() {
      release();
      return Promise.all(releasing);
    },
  };
}

/** Keeps `work` among `under` until it is over, and says when it failed. */
export function track(under: Set<Promise<void>>, work: Promise<void>, message: string, log: Logger): void {
  const tracked = work
    .catch((error: unknown) => log.warn({ err: error }, message))
    .finally(() => {
      under.delete(tracked);
    });
  under.add(tracked);
}
