import type { Logger } from 'pino';
import type { Database } from '../../../platform/database/database.ts';
import type { FairBudget } from '../../../platform/fair-budget.ts';
import { FairQueue, QueueFullError } from '../../../platform/fair-queue.ts';
import { type Attributes, SpanKind, traced, type Tracer } from '../../../platform/telemetry/tracing.ts';
import { headersOf } from '../sending/signature.ts';
import type { EndpointSecrets } from '../endpoints/secrets.ts';
import { type Claimed, type DeliveryOutcome, outcomeOf, type RetryRule, unsendable } from '../sending/outcome.ts';
import type { AttemptResult, Sender } from '../sending/sender.ts';
import type { EndpointGate } from './endpoint-gate.ts';
import { type Claim, claimStands, releaseDeliveries } from './jobs.ts';

type InFlightOptions = {
  database: Database;
  /** The lease token of the worker. */
  token: string;
  sender: Sender;
  gate: EndpointGate;
  /** The capacity that all deliveries in progress share. */
  budget: FairBudget;
  secrets: EndpointSecrets;
  signPublicly: (content: Buffer) => Buffer;
  rule: RetryRule;
  leaseSeconds: number;
  log: Logger;
  tracer?: Tracer | undefined;
  /** Called with the result of each delivery that was sent, or will never be sent. */
  ended: (outcome: DeliveryOutcome) => void;
  /** Called when a delivery was sent or released, so its team and endpoint have capacity again. */
  left: (claimed: Claimed) => void;
};

const warnSkewMs = 2_000;
const refuseSkewMs = 30_000;
/** A worker reads the endpoint again before it sends a delivery that it claimed longer ago than this. */
export const longInFlightMs = 1_000;

/** A large payload counts as several deliveries, because it uses memory until it is sent. */
const bytesOfOne = 16 * 1_024;
const weightOf = (bytes: number) => 1 + Math.floor(bytes / bytesOfOne);

type SendResult = AttemptResult | 'worker_lost' | 'payload_expunged';

/** The claimed deliveries of a worker, until each is sent or released. Times are by `performance.now()`. */
export class InFlight {
  readonly #options: InFlightOptions;
  /** Connections of each team to each origin. */
  readonly #connections: FairQueue;
  readonly #sending = new Set<Promise<void>>();
  readonly #releasing = new Set<Promise<void>>();
  #unsent: Claimed[] = [];

  constructor(options: InFlightOptions) {
    this.#options = options;
    this.#connections = new FairQueue({ concurrency: Infinity, concurrencyPerKey: options.sender.connections });
  }

  /** The sends in progress. */
  get sending(): ReadonlySet<Promise<void>> {
    return this.#sending;
  }

  /**
   * Sends the claimed deliveries. If the clocks differ so much that receivers would reject the signatures, releases all of them and returns false.
   */
  take(claim: Claim, claimedAt: number, wallClock: number): boolean {
    const { leaseSeconds, log } = this.#options;
    if (isClockWrong(claim.databaseMs, wallClock, log)) {
      this.giveBack(claim.claimed);
      return false;
    }
    const leaseEnds = claimedAt + leaseSeconds * 1_000;
    for (const claimed of claim.claimed)
      track(this.#sending, this.#carry(claimed, leaseEnds), 'a webhook delivery failed with an internal error', log);
    return true;
  }

  /** Releases claimed deliveries that will not be sent, together in one transaction. */
  giveBack(claimed: readonly Claimed[]): void {
    if (this.#unsent.length === 0) setImmediate(() => this.#release());
    this.#unsent.push(...claimed);
  }

  /** Releases deliveries that wait for a connection, because the node stops. */
  giveUpWaiting(): void {
    this.#connections.close();
  }

  /** Resolves when all releases are written, or have failed and wait for the end of their lease. */
  released(): Promise<unknown> {
    this.#release();
    return Promise.all(this.#releasing);
  }

  /** Handles a delivery from its claim until it is sent or released. After that, another delivery of the same endpoint may be claimed. */
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
      const result = await traced(this.#options.tracer, spanOf(claimed), () => this.#send(claimed), resultAttributes);
      this.#record(claimed, result, startedAt, leaseEnds);
    } finally {
      leave();
    }
  }

  /**
   * Waits for a connection, and checks the claim again if it is no longer recent. Returns a function that frees the connection, or undefined if the
   * delivery must not be sent.
   */
  async #prepare(claimed: Claimed, leaseEnds: number): Promise<(() => void) | undefined> {
    const { database, token, sender, leaseSeconds } = this.#options;
    // A process that was suspended for a while no longer owns its claims.
    const sentUntil = leaseEnds - sender.timeoutMs;
    let leave: () => void;
    try {
      leave = await this.#connections.enter(`${claimed.teamId} ${new URL(claimed.url).origin}`, sentUntil - performance.now());
    } catch (error) {
      if (!(error instanceof QueueFullError)) throw error;
      return undefined;
    }
    const waited = performance.now() - (leaseEnds - leaseSeconds * 1_000) > longInFlightMs;
    const isWhole = !waited || (await claimStands(database, token, claimed).catch(() => false));
    if (isWhole && performance.now() <= sentUntil) return leave;
    leave();
    return undefined;
  }

  /** Returns the result of the attempt, or the reason why the delivery is never sent. */
  async #send(claimed: Claimed): Promise<SendResult> {
    const { sender, secrets, signPublicly, log } = this.#options;
    const { teamId, endpointId, url, body } = claimed;
    if (claimed.attempt > claimed.maxAttempts) return 'worker_lost';
    if (body.length === 0) return 'payload_expunged';
    let headers: Record<string, string>;
    try {
      headers = headersOf(claimed, secrets, signPublicly);
    } catch (error) {
      log.error({ err: error, endpointId }, 'the secret of a webhook endpoint could not be decrypted');
      return { ok: false, error: 'secret_unreadable', latencyMs: 0 };
    }
    return sender.send({ teamId, url, headers, body });
  }

  #record(claimed: Claimed, result: SendResult, startedAt: number, leaseEnds: number): void {
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
    track(this.#releasing, given, 'webhook deliveries could not be released; their lease will expire', log);
  }
}

/** The span of a delivery: HTTP, without the URL and the body. */
const spanOf = ({ traceparent, ...claimed }: Claimed) => ({
  name: 'deliver webhook',
  kind: SpanKind.CLIENT,
  traceparent,
  attributes: {
    'http.request.method': 'POST',
    'chancery.event.type': claimed.eventType,
    'chancery.delivery.id': claimed.deliveryId,
    'chancery.delivery.attempt': claimed.attempt,
    'chancery.endpoint.id': claimed.endpointId,
    'chancery.team.id': claimed.teamId,
  },
});

function resultAttributes(result: SendResult): Attributes {
  if (typeof result === 'string') return { 'error.type': result };
  return {
    ...(result.responseStatus === undefined ? {} : { 'http.response.status_code': result.responseStatus }),
    ...(result.ok ? {} : { 'error.type': result.error ?? 'http_status' }),
  };
}

/** Whether the clocks of this machine and of the database differ too much. `wallClock` was read before the claim. */
function isClockWrong(databaseMs: number, wallClock: number, log: Logger): boolean {
  if (databaseMs === 0) return false;
  const skewMs = Math.max(0, wallClock - databaseMs, databaseMs - Date.now());
  if (skewMs > warnSkewMs)
    log.warn({ skewMs: Math.round(skewMs) }, 'the clocks of this machine and of the database differ: receivers may refuse signatures');
  return skewMs > refuseSkewMs;
}

/** Adds `work` to the set `under` until it ends, and logs its failure. */
function track(under: Set<Promise<void>>, work: Promise<void>, message: string, log: Logger): void {
  const tracked = work
    .catch((error: unknown) => log.warn({ err: error }, message))
    .finally(() => {
      under.delete(tracked);
    });
  under.add(tracked);
}
