import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { boundedCache } from '../../../platform/bounded-cache.ts';
import type { Logger } from 'pino';
import type { MasterKey } from '../../../platform/crypto/master-key.ts';
import type { Database } from '../../../platform/database/database.ts';
import { isDatabaseUnavailable } from '../../../platform/database/errors.ts';
import type { Listener } from '../../../platform/database/listen.ts';
import { FairBudget, roomBeside } from '../../../platform/fair-budget.ts';
import { WakeLoop } from '../../../platform/jobs/wake-loop.ts';
import type { Tracer } from '../../../platform/telemetry/tracing.ts';
import { type BreakerRule, type Claim, type ClaimRequest, exchangeDeliveries, publishMaxAttempts } from './jobs.ts';
import { ClaimScheduler, Alarm } from './claim-schedule.ts';
import { EndpointGate, type Rooms } from './endpoint-gate.ts';
import { OutcomeBuffer } from './outcome-buffer.ts';
import { makeLogDays } from '../deliveries/log-jobs.ts';
import { type Claimed, type EndpointTally, type DeliveryOutcome, tally } from '../sending/outcome.ts';
import { defaultSchedule } from '../sending/retry.ts';
import { endpointSecrets } from '../endpoints/secrets.ts';
import type { Sender } from '../sending/sender.ts';
import type { Look } from './claim-queries.ts';
import { InFlight } from './in-flight.ts';

export type WebhookEngineOptions = {
  database: Database;
  listener: Listener;
  sender: Sender;
  masterKey: MasterKey;
  /** Signs with the service’s published Ed25519 key, for endpoints with `signing: ed25519`. */
  signPublicly: (content: Buffer) => Buffer;
  log: Logger;
  tracer?: Tracer | undefined;
  /** Milliseconds between attempts; by default the exponential schedule of nine waits. */
  schedule?: readonly number[];
  /** The lease of a claimed delivery in seconds; longer than the sender’s deadline. */
  leaseSeconds: number;
  /** The polling interval without notifications, in milliseconds. */
  pollMs?: number;
  /** Maximum deliveries in progress in this process, shared by teams. Enough for hundreds of hanging endpoints and all others. */
  maxInFlight?: number;
  /** Deliveries in progress to one endpoint. */
  maxInFlightPerEndpoint?: number;
  /** Seconds without a success after which an endpoint with at least 20 failures is disabled. */
  disableAfterSeconds?: number;
  /** Called after each claim, also after one that found nothing. */
  onPass?: () => void;
};

const batch = 250;
/**
 * Maximum deliveries of a claim for endpoints without a recent response. Each may need a new connection, a fraction of a millisecond of work, which
 * delays all others.
 */
const freshBatchSize = 25;
/**
 * Maximum deliveries of a claim for failing endpoints. Each claim that reaches the limit doubles it, while fewer endpoints than this limit are
 * failing or silent.
 */
const failingBatchSize = 5;
/** The pause between claims for failing endpoints. Claims for working endpoints run during the pause. */
const failingDelayMs = 30;
/** The share of the free capacity that a team may use: a quarter. If it is the only team, it gets a fifth of the whole capacity. */
const partOfTeam = 1 / 4;
/** Maximum number of endpoints whose failures this process remembers. */
const remembered = 10_000;
const shortestPaceMs = 10;
const stopStepMs = 250;

/**
 * Delivers queued events. A round is one transaction that writes results and claims due deliveries with a lease. Rounds follow each other, so under
 * load the next batch grows while a round is in progress. Each claimed delivery is prepared, sent and recorded ({@link InFlight}); its result is
 * written by the next round. Any number of engines share one database.
 */
export class WebhookEngine {
  readonly #options: Required<Omit<WebhookEngineOptions, 'schedule' | 'onPass' | 'tracer'>> &
    Pick<WebhookEngineOptions, 'onPass' | 'tracer'>;
  readonly #schedule: readonly number[];
  readonly #breaker: BreakerRule;
  /** The lease token of this engine. */
  readonly #token = randomUUID();
  readonly #gate: EndpointGate;
  readonly #budget: FairBudget;
  readonly #claimScheduler = new ClaimScheduler();
  readonly #inFlight: InFlight;
  readonly #outcomes = new OutcomeBuffer(batch);
  /** Endpoints with a recorded failure. */
  readonly #failing = boundedCache<true>(remembered);
  /** Wakes the engine when a rate-limited endpoint can get more deliveries. Each claim returns that time. */
  readonly #pace = new Alarm(() => this.#wakeForAll());
  readonly #trouble = new Alarm(() => this.#lookAtTrouble());
  /** Whether several endpoints are failing or silent. Claims for them are then rare. */
  #inTrouble = false;
  /** Maximum deliveries of the next claim for failing endpoints. */
  #mayBeTroubled = failingBatchSize;
  /** Teams with several failing endpoints, and whether they were notified since the last claim. */
  #throttledTeams: ReadonlySet<string> = new Set();
  readonly #deferred = new Set<string>();
  #lookedAlong = false;
  #failures = 0;
  #isStopping = false;
  readonly #loop: WakeLoop;
  #paused: NodeJS.Timeout | undefined;

  constructor(options: WebhookEngineOptions) {
    const defaults = {
      pollMs: 1_000,
      maxInFlight: 4_000,
      maxInFlightPerEndpoint: 10,
      disableAfterSeconds: 5 * 86_400,
    };
    const { schedule, ...all } = { ...defaults, ...options };
    const { sender, leaseSeconds, log } = all;
    if (leaseSeconds * 1_000 <= sender.timeoutMs) {
      throw new Error('the lease of a webhook delivery must be longer than its deadline, or two workers would send the same one');
    }
    this.#options = all;
    this.#schedule = schedule ?? defaultSchedule;
    this.#breaker = {
      threshold: all.maxInFlightPerEndpoint,
      pauseSeconds: (this.#schedule[0] ?? 5_000) / 1_000,
      longestPauseSeconds: Math.min(300, (this.#schedule.at(-1) ?? 300_000) / 1_000),
      disableFrom: 20,
      disableAfterSeconds: all.disableAfterSeconds,
    };
    this.#gate = new EndpointGate(all.maxInFlightPerEndpoint);
    this.#budget = new FairBudget({ total: all.maxInFlight, part: partOfTeam });
    const rounds = async (): Promise<void> => {
      while (this.#hasWork) await this.#claimAndRecord();
    };
    this.#loop = new WakeLoop(rounds, (error) => log.error({ err: error }, 'a round of webhook deliveries failed with an internal error'));
    this.#inFlight = new InFlight({
      ...all,
      token: this.#token,
      gate: this.#gate,
      budget: this.#budget,
      secrets: endpointSecrets(all.masterKey),
      rule: { random: Math.random, ...(schedule === undefined ? {} : { schedule }) },
      ended: (outcome) => this.#outcomes.add(outcome, { lowPriority: this.#inTrouble && this.#gate.isFailing(outcome.claimed.endpointId) }),
      left: (claimed) => this.#left(claimed),
    });
  }

  async start(): Promise<void> {
    const { database, listener, log, pollMs } = this.#options;
    await publishMaxAttempts(database, this.#schedule.length + 1);
    // Without a partition of its day, a delivery goes to the default partition and is moved later.
    await makeLogDays(database, new Date()).catch((error: unknown) =>
      log.warn({ err: error }, 'the partition of a day of the webhook log could not be created'),
    );
    await listener.on('webhook_due', (teamId) => {
      if (teamId === '') return this.#wakeForAll();
      this.#heardOf(teamId);
      this.#wake();
    });
    this.#loop.poll(pollMs, () => this.#wakeForAll());
  }

  /** Completes deliveries in progress, writes the results, and releases unsent deliveries. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#inFlight.giveUpWaiting();
    // A send ends by its deadline. The database is awaited until the leases end.
    const giveUpAt = performance.now() + this.#options.leaseSeconds * 1_000;
    const ended = () => Promise.all(this.#inFlight.sending).then(() => this.#loop.stop());
    do {
      await Promise.race([ended(), sleep(stopStepMs)]);
      this.#wake();
      // While the database is unavailable, the next round is delayed.
      if (this.#paused) await sleep(stopStepMs);
    } while (this.#isUnfinished && performance.now() < giveUpAt);
    clearTimeout(this.#paused);
    await this.#inFlight.released();
  }

  get #isUnfinished(): boolean {
    return this.#inFlight.sending.size > 0 || this.#outcomes.size > 0 || this.#loop.isRunning;
  }

  /** Maximum deliveries of the next claim. */
  get #room(): number {
    return this.#isStopping ? 0 : Math.min(batch, this.#budget.free);
  }

  /** Whether there are results to write or deliveries to claim. */
  get #hasWork(): boolean {
    if (this.#paused) return false;
    const urgent = this.#isStopping ? this.#outcomes.size : this.#outcomes.urgent;
    return urgent > 0 || (this.#room > 0 && this.#claimScheduler.waits());
  }

  #wake(): void {
    if (this.#hasWork) this.#loop.wake();
  }

  #wakeForAll(): void {
    this.#claimScheduler.addAll();
    this.#wake();
  }

  /** Adds a notified team. Teams with several failing endpoints are claimed with a delay, because such claims would delay other teams. */
  #heardOf(teamId: string): void {
    if (!this.#throttledTeams.has(teamId)) return this.#claimScheduler.add(teamId);
    this.#deferred.add(teamId);
    this.#trouble.ringIn(failingDelayMs);
  }

  /**
   * Claims in turn for one of the teams with failing endpoints, or along the whole queue. Only one such round runs at a time, so that responsive
   * endpoints are not delayed.
   */
  #lookAtTrouble(): void {
    this.#outcomes.raise();
    const [next] = this.#lookedAlong ? this.#deferred : [];
    this.#lookedAlong = next === undefined;
    if (next === undefined) {
      this.#claimScheduler.addAll();
    } else {
      this.#deferred.delete(next);
      this.#claimScheduler.add(next);
    }
    if (this.#deferred.size > 0) this.#trouble.ringIn(failingDelayMs);
    this.#wake();
  }

  /** Called when a delivery was sent or released, so its team and endpoint have capacity again. */
  #left({ teamId, endpointId }: Claimed): void {
    if (this.#gate.isFailing(endpointId)) this.#trouble.ringIn(failingDelayMs);
    else this.#heardOf(teamId);
    this.#wake();
  }

  /** Runs one round: writes results and claims deliveries in one transaction, then sends them. */
  async #claimAndRecord(): Promise<void> {
    const outcomes = this.#outcomes.next();
    const limit = this.#outcomes.isSearching ? 0 : this.#room;
    try {
      await this.#exchange(outcomes, limit, limit > 0 ? this.#claimScheduler.next(this.#inTrouble) : undefined);
      if (limit > 0) this.#options.onPass?.();
      if (!this.#outcomes.isSearching) this.#failures = 0;
      this.#outcomes.succeeded();
    } catch (error) {
      this.#failed(outcomes, error);
    }
  }

  /**
   * Handles a batch that could not be written. Bisection finds the result that cannot be written, so that it does not delay others. Its delivery is
   * sent again after its lease ends.
   */
  #failed(outcomes: readonly DeliveryOutcome[], error: unknown): void {
    const wasSearching = this.#outcomes.isSearching;
    if (isDatabaseUnavailable(error)) {
      this.#outcomes.stopSearch();
      return this.#backOff(error);
    }
    const found = this.#outcomes.search(outcomes);
    if (!wasSearching) return this.#backOff(error);
    if (!found) return;
    const { teamId, endpointId, deliveryId } = found.claimed;
    this.#options.log.error({ err: error, teamId, endpointId, deliveryId }, 'the result of a webhook delivery could not be written');
  }

  async #exchange(outcomes: readonly DeliveryOutcome[], limit: number, look: Look | undefined): Promise<void> {
    const claimedAt = performance.now();
    const wallClock = Date.now();
    const tallies = tally(outcomes, this.#failing);
    const known = this.#gate.rooms(look && 'teams' in look ? look.teams : undefined);
    this.#throttledTeams = known.throttledTeams;
    this.#inTrouble = known.troubles >= failingBatchSize;
    if (this.#inTrouble) this.#mayBeTroubled = failingBatchSize;
    const request = look && this.#claimAt(look, limit, known);
    const exchanged = { token: this.#token, outcomes, tallies, breaker: this.#breaker, claim: request };
    const claim = await exchangeDeliveries(this.#options.database, exchanged, claimedAt);
    this.#recorded(outcomes, tallies);
    if (!claim) return;
    const { pollMs } = this.#options;
    if (claim.paceMs !== undefined && claim.paceMs < pollMs) this.#pace.ringIn(Math.max(shortestPaceMs, claim.paceMs));
    if (request) this.#looked(request, claim);
    if (this.#isStopping) this.#inFlight.giveBack(claim.claimed);
    else if (!this.#inFlight.take(claim, claimedAt, wallClock)) this.#pause(5_000);
  }

  /** The limits of a claim with this scope. */
  #claimAt(look: Look, limit: number, known: Rooms): ClaimRequest {
    const { leaseSeconds, maxInFlight, maxInFlightPerEndpoint } = this.#options;
    // Teams with more capacity than the claim’s limit need no entry.
    const short = ('teams' in look ? look.teams : [...this.#budget.keys])
      .map((team) => [team, this.#budget.roomOf(team)] as const)
      .filter(([team, most]) => this.#budget.used(team) > 0 && most < limit);
    return {
      look,
      leaseSeconds,
      limit,
      cap: maxInFlightPerEndpoint,
      rooms: JSON.stringify(known.rooms),
      fresh: freshBatchSize,
      slice: Math.max(0, Math.min(this.#mayBeTroubled, Math.floor(maxInFlight / 2) - known.untriedInFlight)),
      share: roomBeside(0, this.#budget.free, partOfTeam),
      shares: JSON.stringify(Object.fromEntries(short)),
    };
  }

  /** Decides from the result of a claim the scope of the next ones, and their limit for failing endpoints. */
  #looked(request: ClaimRequest, claim: Claim): void {
    const { claimed, failing, fresh, scanned } = claim;
    const cut = failing > 0 && failing === request.slice;
    this.#mayBeTroubled = cut ? Math.min(batch, 2 * this.#mayBeTroubled) : failingBatchSize;
    const left = claimed.length === request.limit || fresh === freshBatchSize || (cut && !this.#inTrouble);
    // If the walk found only failing endpoints, it continues after a delay, so that it does not hold up others.
    const enough = this.#inTrouble && !left && claimed.length === failing;
    this.#claimScheduler.done(request.look, { ...claim, left, enough });
    const goesOn = enough && 'scan' in request.look && scanned === request.look.scan;
    if (this.#inTrouble && (cut || goesOn)) this.#trouble.ringIn(failingDelayMs);
  }

  /** Called when results are written. Starts a timer for short waits before the next attempt. */
  #recorded(outcomes: readonly DeliveryOutcome[], tallies: readonly EndpointTally[]): void {
    this.#outcomes.written(outcomes.length);
    for (const one of tallies) {
      if (one.failures > 0) this.#failing.set(one.endpointId, true);
      else this.#failing.delete(one.endpointId);
    }
    const soonest = Math.min(...outcomes.map(({ status, waitMs }) => (status === 'pending' ? waitMs : Number.POSITIVE_INFINITY)));
    // A short wait would end before the next poll.
    if (soonest < this.#options.pollMs) setTimeout(() => this.#wakeForAll(), soonest + 1).unref();
  }

  #backOff(error: unknown): void {
    this.#failures += 1;
    if (this.#failures === 1 || this.#failures % 20 === 0)
      this.#options.log.warn({ err: error, failures: this.#failures }, 'webhook deliveries cannot reach the database; retrying');
    this.#pause(Math.min(2_000, 50 * 2 ** this.#failures));
  }

  #pause(ms: number): void {
    this.#paused = setTimeout(() => {
      this.#paused = undefined;
      this.#wakeForAll();
    }, ms);
  }
}
