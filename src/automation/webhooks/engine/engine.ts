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
import { type BreakerRule, type Claim, type ClaimRequest, exchangeDeliveries, publishMaxAttempts } from './jobs.ts';
import { Agenda, Alarm } from './claim-schedule.ts';
import { EndpointGate, type Rooms } from './endpoint-gate.ts';
import { OutcomeBuffer } from './outcome-buffer.ts';
import { makeLogDays } from '../deliveries/log-jobs.ts';
import { type Claimed, type EndpointTally, type Outcome, tally } from '../sending/outcome.ts';
import { defaultSchedule } from '../sending/retry.ts';
import { endpointSecrets } from '../endpoints/secrets.ts';
import type { Sender } from '../sending/sender.ts';
import type { Look } from './claim-queries.ts';
import { InHand } from './in-flight.ts';

export type WebhookEngineOptions = {
  database: Database;
  listener: Listener;
  sender: Sender;
  masterKey: MasterKey;
  /** Signs with the service's published Ed25519 key, for endpoints that ask for it. */
  signPublicly: (content: Buffer) => Buffer;
  log: Logger;
  /** Milliseconds between attempts; without it the exponential schedule of nine waits. */
  schedule?: readonly number[];
  /** How long a claimed delivery belongs to this worker; longer than the sender's deadline. */
  leaseSeconds: number;
  /** How often the queue is looked at when nobody says that there is something, in milliseconds. */
  pollMs?: number;
  /** Deliveries in hand of this process, shared by teams: room for hundreds of endpoints that hang, and for all others. */
  maxInFlight?: number;
  /** Deliveries in flight to one endpoint. */
  maxInFlightPerEndpoint?: number;
  /** An endpoint without a success for so long, and at least 20 failures, is switched off. */
  disableAfterSeconds?: number;
  /** Called after each claim, also after one that found nothing. */
  onPass?: () => void;
};

const batch = 250;
/**
 * What a claim takes for endpoints of which nothing is known: each send may be a new connection, a fraction of a
 * millisecond of work, and what else is due waits for no more than these.
 */
const freshAtOnce = 25;
/**
 * What it takes for endpoints that failed last, or whose last answer never ended. Doubled by each claim that it cuts
 * short, as long as fewer than so many fail or keep silent.
 */
const troubledAtOnce = 5;
/** How long those wait who are in trouble: others are claimed in between, quickly. */
const troubleWaitMs = 30;
/** A team may hold a quarter of what is free; alone a fifth of all. */
const partOfTeam = 1 / 4;
/** Endpoints whose failures this process knows to be written down. */
const remembered = 10_000;
const shortestPaceMs = 10;
const stopStepMs = 250;

/**
 * Delivers queued events. A round claims what is due under a lease and writes results, in one transaction; rounds follow each other, and
 * under load batches grow while one is in progress. Each claimed delivery is prepared, sent and recorded ({@link InHand}); its result goes
 * with the next round. Any number of engines share one database.
 */
export class WebhookEngine {
  readonly #options: Required<Omit<WebhookEngineOptions, 'schedule' | 'onPass'>> & Pick<WebhookEngineOptions, 'onPass'>;
  readonly #schedule: readonly number[];
  readonly #breaker: BreakerRule;
  /** Marks the claims of this engine. */
  readonly #token = randomUUID();
  readonly #gate: EndpointGate;
  readonly #budget: FairBudget;
  readonly #agenda = new Agenda();
  readonly #inHand: InHand;
  readonly #outcomes = new OutcomeBuffer(batch);
  /** Endpoints whose failures are written. */
  readonly #failing = boundedCache<true>(remembered);
  /** Each claim says when endpoints with a rate limit may have more. */
  readonly #pace = new Alarm(() => this.#wakeForAll());
  readonly #trouble = new Alarm(() => this.#lookAtTrouble());
  /** Whether several endpoints fail or keep silent. Claims for them are few then. */
  #inTrouble = false;
  /** How much a claim takes for endpoints that failed last. */
  #mayBeTroubled = troubledAtOnce;
  /** Teams with several endpoints in trouble, and those of them that were heard of since. */
  #crowded: ReadonlySet<string> = new Set();
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
    this.#loop = new WakeLoop(rounds, (error) => log.error({ err: error }, 'a round of webhook deliveries failed inside the service'));
    this.#inHand = new InHand({
      ...all,
      token: this.#token,
      gate: this.#gate,
      budget: this.#budget,
      secrets: endpointSecrets(all.masterKey),
      rule: { random: Math.random, ...(schedule === undefined ? {} : { schedule }) },
      ended: (outcome) => this.#outcomes.add(outcome, { lowPriority: this.#inTrouble && this.#gate.inTrouble(outcome.claimed.endpointId) }),
      left: (claimed) => this.#left(claimed),
    });
  }

  async start(): Promise<void> {
    const { database, listener, log, pollMs } = this.#options;
    await publishMaxAttempts(database, this.#schedule.length + 1);
    // Without its day a delivery goes to the rest of the log, and into its day when that is made.
    await makeLogDays(database, new Date()).catch((error: unknown) =>
      log.warn({ err: error }, 'a day of the webhook log could not be made'),
    );
    await listener.on('webhook_due', (teamId) => {
      if (teamId === '') return this.#wakeForAll();
      this.#heardOf(teamId);
      this.#wake();
    });
    this.#loop.poll(pollMs, () => this.#wakeForAll());
  }

  /** Finishes what is in flight, writes the results, and gives back what was not sent. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#inHand.giveUpWaiting();
    // A send ends by its deadline. The database is waited for until the leases end.
    const giveUpAt = performance.now() + this.#options.leaseSeconds * 1_000;
    const ended = () => Promise.all(this.#inHand.sending).then(() => this.#loop.stop());
    do {
      await Promise.race([ended(), sleep(stopStepMs)]);
      this.#wake();
      // Without the database the next round waits for a while.
      if (this.#paused) await sleep(stopStepMs);
    } while (this.#isUnfinished && performance.now() < giveUpAt);
    clearTimeout(this.#paused);
    await this.#inHand.released();
  }

  get #isUnfinished(): boolean {
    return this.#inHand.sending.size > 0 || this.#outcomes.size > 0 || this.#loop.isRunning;
  }

  /** How many deliveries the next claim may take. */
  get #room(): number {
    return this.#isStopping ? 0 : Math.min(batch, this.#budget.free);
  }

  /** Whether there is something to write or to claim. */
  get #hasWork(): boolean {
    if (this.#paused) return false;
    const urgent = this.#isStopping ? this.#outcomes.size : this.#outcomes.urgent;
    return urgent > 0 || (this.#room > 0 && this.#agenda.waits());
  }

  #wake(): void {
    if (this.#hasWork) this.#loop.wake();
  }

  #wakeForAll(): void {
    this.#agenda.addAll();
    this.#wake();
  }

  /** Teams with several endpoints in trouble take turns, one in a while: looks at them would hold up those at others. */
  #heardOf(teamId: string): void {
    if (!this.#crowded.has(teamId)) return this.#agenda.add(teamId);
    this.#deferred.add(teamId);
    this.#trouble.ringIn(troubleWaitMs);
  }

  /** At a team or along all, in turn: one round in a while, so that those whose endpoints answer find nobody before them. */
  #lookAtTrouble(): void {
    this.#outcomes.raise();
    const [next] = this.#lookedAlong ? this.#deferred : [];
    this.#lookedAlong = next === undefined;
    if (next === undefined) {
      this.#agenda.addAll();
    } else {
      this.#deferred.delete(next);
      this.#agenda.add(next);
    }
    if (this.#deferred.size > 0) this.#trouble.ringIn(troubleWaitMs);
    this.#wake();
  }

  /** A delivery was sent or given back: its team and endpoint have room for another. */
  #left({ teamId, endpointId }: Claimed): void {
    if (this.#gate.inTrouble(endpointId)) this.#trouble.ringIn(troubleWaitMs);
    else this.#heardOf(teamId);
    this.#wake();
  }

  /** One round: writes results and claims deliveries in one transaction, then sends them. */
  async #claimAndRecord(): Promise<void> {
    const outcomes = this.#outcomes.next();
    const limit = this.#outcomes.isSearching ? 0 : this.#room;
    try {
      await this.#exchange(outcomes, limit, limit > 0 ? this.#agenda.next(this.#inTrouble) : undefined);
      if (limit > 0) this.#options.onPass?.();
      if (!this.#outcomes.isSearching) this.#failures = 0;
      this.#outcomes.succeeded();
    } catch (error) {
      this.#failed(outcomes, error);
    }
  }

  /** One delivery whose result cannot be written must not hold up those of all teams: it is searched for and left to its lease. */
  #failed(outcomes: readonly Outcome[], error: unknown): void {
    const wasSearching = this.#outcomes.isSearching;
    if (isDatabaseUnavailable(error)) {
      this.#outcomes.stopSearch();
      return this.#backOff(error);
    }
    const found = this.#outcomes.search(outcomes);
    if (!wasSearching) return this.#backOff(error);
    if (!found) return;
    const { teamId, endpointId, deliveryId } = found.claimed;
    this.#options.log.error({ err: error, teamId, endpointId, deliveryId }, 'what came of a webhook delivery cannot be written');
  }

  async #exchange(outcomes: readonly Outcome[], limit: number, look: Look | undefined): Promise<void> {
    const claimedAt = performance.now();
    const wallClock = Date.now();
    const tallies = tally(outcomes, this.#failing);
    const known = this.#gate.rooms(look && 'teams' in look ? look.teams : undefined);
    this.#crowded = known.crowded;
    this.#inTrouble = known.troubles >= troubledAtOnce;
    if (this.#inTrouble) this.#mayBeTroubled = troubledAtOnce;
    const request = look && this.#claimAt(look, limit, known);
    const exchanged = { token: this.#token, outcomes, tallies, breaker: this.#breaker, claim: request };
    const claim = await exchangeDeliveries(this.#options.database, exchanged, claimedAt);
    this.#recorded(outcomes, tallies);
    if (!claim) return;
    const { pollMs } = this.#options;
    if (claim.paceMs !== undefined && claim.paceMs < pollMs) this.#pace.ringIn(Math.max(shortestPaceMs, claim.paceMs));
    if (request) this.#looked(request, claim);
    if (this.#isStopping) this.#inHand.giveBack(claim.claimed);
    else if (!this.#inHand.take(claim, claimedAt, wallClock)) this.#pause(5_000);
  }

  /** What a claim that looks there may take. */
  #claimAt(look: Look, limit: number, known: Rooms): ClaimRequest {
    const { leaseSeconds, maxInFlight, maxInFlightPerEndpoint } = this.#options;
    // Teams whose room is more than the claim gives anyway need not be named.
    const short = ('teams' in look ? look.teams : [...this.#budget.keys])
      .map((team) => [team, this.#budget.roomOf(team)] as const)
      .filter(([team, most]) => this.#budget.used(team) > 0 && most < limit);
    return {
      look,
      leaseSeconds,
      limit,
      cap: maxInFlightPerEndpoint,
      rooms: JSON.stringify(known.rooms),
      fresh: freshAtOnce,
      slice: Math.max(0, Math.min(this.#mayBeTroubled, Math.floor(maxInFlight / 2) - known.untriedInHand)),
      share: roomBeside(0, this.#budget.free, partOfTeam),
      shares: JSON.stringify(Object.fromEntries(short)),
    };
  }

  /** Decides from the result of a claim where the next ones look, and how much they take for endpoints in trouble. */
  #looked(request: ClaimRequest, claim: Claim): void {
    const { claimed, troubled, fresh, scanned } = claim;
    const cut = troubled > 0 && troubled === request.slice;
    this.#mayBeTroubled = cut ? Math.min(batch, 2 * this.#mayBeTroubled) : troubledAtOnce;
    const left = claimed.length === request.limit || fresh === freshAtOnce || (cut && !this.#inTrouble);
    // Where nothing was found but endpoints in trouble, the walk goes on in a while, so that it holds up nobody for long.
    const enough = this.#inTrouble && !left && claimed.length === troubled;
    this.#agenda.done(request.look, { ...claim, left, enough });
    const goesOn = enough && 'scan' in request.look && scanned === request.look.scan;
    if (this.#inTrouble && (cut || goesOn)) this.#trouble.ringIn(troubleWaitMs);
  }

  /** The results are written. Short waits get a timer. */
  #recorded(outcomes: readonly Outcome[], tallies: readonly EndpointTally[]): void {
    this.#outcomes.written(outcomes.length);
    for (const one of tallies) {
      if (one.failures > 0) this.#failing.set(one.endpointId, true);
      else this.#failing.delete(one.endpointId);
    }
    const soonest = Math.min(...outcomes.map(({ status, waitMs }) => (status === 'pending' ? waitMs : Number.POSITIVE_INFINITY)));
    // A short wait would be over before the next poll.
    if (soonest < this.#options.pollMs) setTimeout(() => this.#wakeForAll(), soonest + 1).unref();
  }

  #backOff(error: unknown): void {
    this.#failures += 1;
    if (this.#failures === 1 || this.#failures % 20 === 0)
      this.#options.log.warn({ err: error, failures: this.#failures }, 'webhook deliveries cannot reach the database; trying again');
    this.#pause(Math.min(2_000, 50 * 2 ** this.#failures));
  }

  #pause(ms: number): void {
    this.#paused = setTimeout(() => {
      this.#paused = undefined;
      this.#wakeForAll();
    }, ms);
  }
}
