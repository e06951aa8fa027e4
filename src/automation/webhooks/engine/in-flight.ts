import type { Logger } from 'pino';
import type { Database } from '../../../platform/database/database.ts';
import type { FairBudget } from '../../../platform/fair-budget.ts';
import { FairQueue, QueueFullError } from '../../../platform/fair-queue.ts';
import { headersOf } from '../sending/signature.ts';
import type { EndpointSecrets } from '../endpoints/secrets.ts';
import { type Claimed, type Outcome, outcomeOf, type RetryRule, unsendable } from '../sending/outcome.ts';
import type { AttemptResult, Sender } from '../sending/sender.ts';
import type { EndpointGate } from './endpoint-gate.ts';
import { type Claim, claimStands, releaseDeliveries } from './jobs.ts';

type Options = {
  database: Database;
  /** Marks the claims of the worker. */
  token: string;
  sender: Sender;
  gate: EndpointGate;
  /** What all deliveries in hand weigh. */
  budget: FairBudget;
  secrets: EndpointSecrets;
  signPublicly: (content: Buffer) => Buffer;
  rule: RetryRule;
  leaseSeconds: number;
  log: Logger;
  /** Told of what came of each that was sent, or never will be. */
  ended: (outcome: Outcome) => void;
  /** Told when one has left the hand, sent or given back: its team and endpoint have room for another. */
  left: (claimed: Claimed) => void;
};

const warnSkewMs = 2_000;
const refuseSkewMs = 30_000;
/** Before it sends a delivery that it claimed longer ago, a worker reads the endpoint again. */
export const longInHandMs = 1_000;

/** A large payload counts as several, since it takes memory until it is sent. */
const bytesOfOne = 16 * 1_024;
const weightOf = (bytes: number) => 1 + Math.floor(bytes / bytesOfOne);

type Sent = AttemptResult | 'worker_lost' | 'payload_expunged';

/** The deliveries that a worker has claimed, until each is sent or given back. Times are by `performance.now()`. */
export class InHand {
  readonly #options: Options;
  /** The connections of each team to each origin. */
  readonly #connections: FairQueue;
  readonly #sending = new Set<Promise<void>>();
  readonly #releasing = new Set<Promise<void>>();
  #unsent: Claimed[] = [];

  constructor(options: Options) {
    this.#options = options;
    this.#connections = new FairQueue({ concurrency: Infinity, concurrencyPerKey: options.sender.connections });
  }

  /** What is being sent now. */
  get sending(): ReadonlySet<Promise<void>> {
    return this.#sending;
  }

  /** Sends what was claimed; gives all of it back, and returns false, where the clocks differ so much that receivers would refuse it. */
  take(claim: Claim, claimedAt: number, wallClock: number): boolean {
    const { leaseSeconds, log } = this.#options;
    if (isClockWrong(claim.databaseMs, wallClock, log)) {
      this.giveBack(claim.claimed);
      return false;
    }
    const leaseEnds = claimedAt + leaseSeconds * 1_000;
    for (const claimed of claim.claimed)
      track(this.#sending, this.#carry(claimed, leaseEnds), 'a webhook delivery failed inside the service', log);
    return true;
  }

  /** Gives back what was claimed and is not to be sent. What waited for one endpoint comes back at once: in one transaction. */
  giveBack(claimed: readonly Claimed[]): void {
    if (this.#unsent.length === 0) setImmediate(() => this.#release());
    this.#unsent.push(...claimed);
  }

  /** Gives back what waits for a connection: the node stops. */
  giveUpWaiting(): void {
    this.#connections.close();
  }

  /** When all that was to be given back is, or was left to its lease. */
  released(): Promise<unknown> {
    this.#release();
    return Promise.all(this.#releasing);
  }

  /** From the claim until it is sent or given back; then the next claim may take another delivery of the same endpoint. */
  async #carry(claimed: Claimed, leaseEnds: number): Promise<void> {
    const { budget, gate, left } = this.#options;
    const leave = budget.hold(claimed.teamId, weightOf(claimed.body.length));
    try {
      if (!(await gate.enter(claimed.endpointId, () => this.#deliver(claimed, leaseEnds)))) this.giveBack([claimed]);
    } finally {
      leave();
    }
    left(claimed);
  }

  async #deliver(claimed: Claimed, leaseEnds: number): Promise<void> {
    const leave = await this.#prepare(claimed, leaseEnds);
    if (!leave) return this.giveBack([claimed]);
    try {
      const startedAt = performance.now();
      this.#record(claimed, await this.#send(claimed), startedAt, leaseEnds);
    } finally {
      leave();
    }
  }

  /** Waits for a connection, and looks again at what was claimed a while ago. Returns what frees the connection; nothing where it is not to be sent. */
  async #prepare(claimed: Claimed, leaseEnds: number): Promise<(() => void) | undefined> {
    const { database, token, sender, leaseSeconds } = this.#options;
    // A process that was stopped for a while no longer owns what it claimed.
    const sentUntil = leaseEnds - sender.timeoutMs;
    let leave: () => void;
    try {
      leave = await this.#connections.enter(`${claimed.teamId} ${new URL(claimed.url).origin}`, sentUntil - performance.now());
    } catch (error) {
      if (!(error instanceof QueueFullError)) throw error;
      return undefined;
    }
    const waited = performance.now() - (leaseEnds - leaseSeconds * 1_000) > longInHandMs;
    const isWhole = !waited || (await claimStands(database, token, claimed).catch(() => false));
    if (isWhole && performance.now() <= sentUntil) return leave;
    leave();
    return undefined;
  }

  /** What the receiver answered, or why nothing is sent now or later. */
  async #send(claimed: Claimed): Promise<Sent> {
    const { sender, secrets, signPublicly, log } = this.#options;
    const { teamId, endpointId, url, body } = claimed;
    if (claimed.attempt > claimed.maxAttempts) return 'worker_lost';
    if (body.length === 0) return 'payload_expunged';
    let headers: Record<string, string>;
    try {
      headers = headersOf(claimed, secrets, signPublicly);
    } catch (error) {
      log.error({ err: error, endpointId }, 'the secret of a webhook endpoint cannot be read');
      return { ok: false, error: 'secret_unreadable', latencyMs: 0 };
    }
    return sender.send({ teamId, url, headers, body });
  }

  #record(claimed: Claimed, result: Sent, startedAt: number, leaseEnds: number): void {
    const { gate, rule, ended } = this.#options;
    const outcome = typeof result === 'string' ? unsendable(claimed, result) : outcomeOf(claimed, result, startedAt, rule);
    const late = performance.now() > leaseEnds;
    if (outcome.result && !late) gate.note(claimed, outcome.result);
    ended({ ...outcome, late });
  }

  #release(): void {
    const released = this.#unsent.splice(0);
    if (released.length === 0) return;
    const { database, token, log } = this.#options;
    const given = releaseDeliveries(database, token, released);
    track(this.#releasing, given, 'webhook deliveries could not be given back; their lease will run out', log);
  }
}

/** Whether the clocks of this machine and of the database differ too much; `wallClock` was read before the claim. */
function isClockWrong(databaseMs: number, wallClock: number, log: Logger): boolean {
  if (databaseMs === 0) return false;
  const skewMs = Math.max(0, wallClock - databaseMs, databaseMs - Date.now());
  if (skewMs > warnSkewMs)
    log.warn({ skewMs: Math.round(skewMs) }, 'the clocks of this machine and of the database differ: receivers may refuse signatures');
  return skewMs > refuseSkewMs;
}

/** Keeps `work` among `under` until it is over, and says when it failed. */
function track(under: Set<Promise<void>>, work: Promise<void>, message: string, log: Logger): void {
  const tracked = work
    .catch((error: unknown) => log.warn({ err: error }, message))
    .finally(() => {
      under.delete(tracked);
    });
  under.add(tracked);
}
