import { randomUUID } from 'node:crypto';
import { boundedCache } from '../../platform/bounded-cache.ts';
import type { Logger } from 'pino';
import type { MasterKey } from '../../platform/crypto/master-key.ts';
import type { Database } from '../../platform/database/database.ts';
import { isDatabaseUnavailable } from '../../platform/database/errors.ts';
import type { Listener } from '../../platform/database/listen.ts';
import { FairBudget, roomBeside } from '../../platform/fair-budget.ts';
import type { EventListener } from '../../platform/journal/listeners.ts';
import {
  type BreakerRule,
  type ClaimRequest,
  disableDeadEndpoint,
  exchangeDeliveries,
  publishMaxAttempts,
  claimStands,
  releaseDeliveries,
  sweepQueue,
} from './jobs.ts';
import { createAgenda } from './claim-schedule.ts';
import { createAlarm } from './alarm.ts';
import { createEndpointGate, type Rooms } from './endpoint-gate.ts';
import { webhookListener } from '../listeners.ts';
import { makeLogDays } from '../deliveries/log-jobs.ts';
import { type EndpointTally, type Outcome, tally } from '../sending/outcome.ts';
import { defaultSchedule } from '../sending/retry.ts';
import { endpointSecrets } from '../endpoints/secrets.ts';
import type { Sender } from '../sending/sender.ts';
import type { Look } from './claim-queries.ts';
import { headersOf } from '../sending/headers.ts';
import { openInHand, track } from './in-hand.ts';

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
  listeners?: readonly EventListener[];
  /** Called after each claim, also after one that found nothing. */
  onPass?: () => void;
};

export type WebhookEngine = {
  start(): Promise<void>;
  /** Finishes what is in flight, writes what came of it, and gives back what was not sent. */
  stop(): Promise<void>;
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
const sweepMs = 30_000;
const shortestPaceMs = 10;

/**
 * Delivers queued events: claims what is due under a lease, sends it, and hands in what came of it together with the
 * next claim, one transaction at a time. Under load batches grow by themselves while a transaction is under way. Any
 * number of engines share one database.
 */
export function createWebhookEngine(options: WebhookEngineOptions): WebhookEngine {
  const { database, listener, sender, log, leaseSeconds, pollMs = 1_000, maxInFlight = 4_000, maxInFlightPerEndpoint = 10 } = options;
  const { listeners = [webhookListener], disableAfterSeconds = 5 * 86_400 } = options;
  if (leaseSeconds * 1_000 <= sender.timeoutMs) {
    throw new Error('the lease of a webhook delivery must be longer than its deadline, or two workers would send the same one');
  }
  const schedule = options.schedule ?? defaultSchedule;
  const rule = { random: Math.random, ...(options.schedule === undefined ? {} : { schedule: options.schedule }) };
  const breaker: BreakerRule = {
    threshold: maxInFlightPerEndpoint,
    pauseSeconds: (schedule[0] ?? 5_000) / 1_000,
    longestPauseSeconds: Math.min(300, (schedule.at(-1) ?? 300_000) / 1_000),
    disableFrom: 20,
    disableAfterSeconds,
  };
  const secrets = endpointSecrets(options.masterKey);
  const token = randomUUID();
  const gate = createEndpointGate(maxInFlightPerEndpoint);
  const budget = new FairBudget({ total: maxInFlight, part: partOfTeam });
  const agenda = createAgenda();
  const failing = boundedCache<true>(remembered);
  const background = new Set<Promise<void>>();
  const inHand = openInHand({
    sender,
    gate,
    budget,
    headersFor: (claimed) => headersOf(claimed, secrets, options.signPublicly),
    rule,
    leaseSeconds,
    log,
    stands: (claimed) => claimStands(database, token, claimed),
    release: (claimed) => releaseDeliveries(database, token, claimed),
    ended: (outcome) => void (inTrouble && gate.inTrouble(outcome.claimed.endpointId) ? unhurried : outbox).push(outcome),
    left({ teamId, endpointId }) {
      if (gate.inTrouble(endpointId)) trouble.ringIn(troubleWaitMs);
      else heardOf(teamId);
      wake();
    },
  });

  /** Each claim says anew when endpoints that take only so much a second may have more. */
  const pace = createAlarm(wakeForAll);
  const trouble = createAlarm(lookAtTrouble);

  let outbox: Outcome[] = [];
  /** Outcomes of endpoints in trouble that go with the next round, whatever that is for. */
  let unhurried: Outcome[] = [];
  let stopping = false;
  let failures = 0;
  let mayBeTroubled = troubledAtOnce;
  let crowded: ReadonlySet<string> = new Set();
  const deferred = new Set<string>();
  let inTrouble = false;
  let lookedAlong = false;
  let writeAtOnce = batch;
  let searching = false;
  let pumping: Promise<void> | undefined;
  let paused: NodeJS.Timeout | undefined;
  let poll: NodeJS.Timeout | undefined;
  let sweeper: NodeJS.Timeout | undefined;

  const room = () => (stopping ? 0 : Math.min(batch, budget.free));
  const unwritten = () => outbox.length + unhurried.length;

  function wake(): void {
    const urgent = stopping ? unwritten() : outbox.length;
    if (pumping || paused || (urgent === 0 && (room() === 0 || !agenda.waits()))) return;
    pumping = round().finally(() => {
      pumping = undefined;
      wake();
    });
  }

  function wakeForAll(): void {
    agenda.addAll();
    wake();
  }

  /** Teams with several endpoints in trouble take turns, one in a while: looks at them would hold up those at others. */
  function heardOf(teamId: string): void {
    if (!crowded.has(teamId)) return agenda.add(teamId);
    deferred.add(teamId);
    trouble.ringIn(troubleWaitMs);
  }

  /** At a team or along all, in turn: one round in a while, so that those whose endpoints answer find nobody before them. */
  function lookAtTrouble(): void {
    outbox.push(...unhurried.splice(0));
    const [next] = lookedAlong ? deferred : [];
    lookedAlong = next === undefined;
    if (next === undefined) {
      agenda.addAll();
    } else {
      deferred.delete(next);
      agenda.add(next);
    }
    if (deferred.size > 0) trouble.ringIn(troubleWaitMs);
    wake();
  }

  async function round(): Promise<void> {
    outbox.push(...unhurried.splice(0));
    const outcomes = outbox.slice(0, writeAtOnce);
    const limit = searching ? 0 : room();
    try {
      await exchange(outcomes, limit, limit > 0 ? agenda.next(inTrouble) : undefined);
      if (limit > 0) options.onPass?.();
      if (!searching) failures = 0;
      writeAtOnce = Math.min(batch, 2 * writeAtOnce);
      searching &&= writeAtOnce < batch && outbox.length > 0;
    } catch (error) {
      if (searching && !isDatabaseUnavailable(error)) return halve(outcomes, error);
      searching = !isDatabaseUnavailable(error) && outcomes.length > 0;
      backOff(error);
    }
  }

  /**
   * Something of what was to be written cannot be, whatever it is: one delivery must not hold up those of all teams. It is
   * searched for by halves, and left to its lease.
   */
  function halve(outcomes: readonly Outcome[], error: unknown): void {
    const [only] = outcomes;
    if (outcomes.length > 1) {
      writeAtOnce = Math.ceil(outcomes.length / 2);
    } else if (only) {
      outbox = outbox.slice(1);
      const { teamId, endpointId, deliveryId } = only.claimed;
      log.error({ err: error, teamId, endpointId, deliveryId }, 'what came of a webhook delivery cannot be written');
    }
  }

  /** What a claim that looks there may take. */
  function claimAt(look: Look, limit: number, known: Rooms): ClaimRequest {
    // Teams whose room is more than the claim gives anyway need not be named.
    const short = ('teams' in look ? look.teams : [...budget.keys])
      .map((team) => [team, budget.roomOf(team)] as const)
      .filter(([team, most]) => budget.used(team) > 0 && most < limit);
    return {
      look,
      leaseSeconds,
      limit,
      cap: maxInFlightPerEndpoint,
      rooms: JSON.stringify(known.rooms),
      fresh: freshAtOnce,
      slice: Math.max(0, Math.min(mayBeTroubled, Math.floor(maxInFlight / 2) - known.untriedInHand)),
      share: roomBeside(0, budget.free, partOfTeam),
      shares: JSON.stringify(Object.fromEntries(short)),
    };
  }

  async function exchange(outcomes: readonly Outcome[], limit: number, look: Look | undefined): Promise<void> {
    const claimedAt = performance.now();
    const wallClock = Date.now();
    const tallies = tally(outcomes, failing);
    const known = gate.rooms(look && 'teams' in look ? look.teams : undefined);
    crowded = known.crowded;
    inTrouble = known.troubles >= troubledAtOnce;
    if (inTrouble) mayBeTroubled = troubledAtOnce;
    const request = look && claimAt(look, limit, known);
    const { claim, dead } = await exchangeDeliveries(database, { token, outcomes, tallies, breaker, claim: request }, claimedAt);
    settled(outcomes, tallies, dead);
    if (claim?.paceMs !== undefined && claim.paceMs < pollMs) pace.ringIn(Math.max(shortestPaceMs, claim.paceMs));
    if (!claim || !request) return;
    const cut = claim.troubled > 0 && claim.troubled === request.slice;
    mayBeTroubled = cut ? Math.min(batch, 2 * mayBeTroubled) : troubledAtOnce;
    const left = claim.claimed.length === limit || claim.fresh === freshAtOnce || (cut && !inTrouble);
    // Where nothing was found but endpoints in trouble, the walk goes on in a while, so that it holds up nobody for long.
    const enough = inTrouble && !left && claim.claimed.length === claim.troubled;
    agenda.done(request.look, { ...claim, left, enough });
    const goesOn = enough && 'scan' in request.look && claim.scanned === request.look.scan;
    if (inTrouble && (cut || goesOn)) trouble.ringIn(troubleWaitMs);
    if (stopping) inHand.giveBack(claim.claimed);
    else if (!inHand.take(claim, claimedAt, wallClock)) pause(5_000);
  }

  /** What came of these is written. */
  function settled(outcomes: readonly Outcome[], tallies: readonly EndpointTally[], dead: readonly EndpointTally[]): void {
    outbox = outbox.slice(outcomes.length);
    for (const one of tallies) {
      if (one.failures > 0) failing.set(one.endpointId, true);
      else failing.delete(one.endpointId);
    }
    for (const { claimed, gone } of outcomes) if (gone) disable({ ...claimed, reason: 'gone' });
    for (const endpoint of dead) disable({ ...endpoint, reason: 'failing' });
    const soonest = Math.min(...outcomes.map(({ status, waitMs }) => (status === 'pending' ? waitMs : Number.POSITIVE_INFINITY)));
    // A short wait would be over before the next poll.
    if (soonest < pollMs) setTimeout(wakeForAll, soonest + 1).unref();
  }

  function disable(endpoint: { teamId: string; endpointId: string; version: number; reason: 'gone' | 'failing' }): void {
    const work = async (): Promise<void> => {
      const disabled = await disableDeadEndpoint(database, { ...endpoint, now: new Date(), listeners });
      if (disabled) log.info({ endpointId: endpoint.endpointId, reason: endpoint.reason }, 'a webhook endpoint was switched off');
    };
    track(background, work(), 'a webhook endpoint could not be switched off; the next failure tries again', log);
  }

  function backOff(error: unknown): void {
    failures += 1;
    if (failures === 1 || failures % 20 === 0)
      log.warn({ err: error, failures }, 'webhook deliveries cannot reach the database; trying again');
    pause(Math.min(2_000, 50 * 2 ** failures));
  }

  function pause(ms: number): void {
    paused = setTimeout(() => {
      paused = undefined;
      wakeForAll();
    }, ms);
  }

  return {
    async start() {
      await publishMaxAttempts(database, schedule.length + 1);
      // Without its day a delivery goes to the rest of the log, and into its day when that is made.
      await makeLogDays(database, new Date()).catch((error: unknown) =>
        log.warn({ err: error }, 'a day of the webhook log could not be made'),
      );
      await listener.on('webhook_due', (teamId) => {
        if (teamId === '') return wakeForAll();
        heardOf(teamId);
        wake();
      });
      poll = setInterval(wakeForAll, pollMs);
      sweeper = setInterval(
        () =>
          track(
            background,
            sweepQueue(database, () => !stopping),
            'the webhook queue could not be swept',
            log,
          ),
        sweepMs,
      );
      wakeForAll();
    },
    async stop() {
      stopping = true;
      inHand.giveUpWaiting();
      clearInterval(poll);
      clearInterval(sweeper);
      // A send ends by its deadline; a database that is away is waited for as long as the leases last.
      const giveUpAt = performance.now() + leaseSeconds * 1_000;
      while (inHand.sending.size > 0 || unwritten() > 0 || pumping) {
        await Promise.race([Promise.all(inHand.sending).then(() => pumping), new Promise((resolve) => setTimeout(resolve, 250))]);
        if (unwritten() > 0) wake();
        if (performance.now() > giveUpAt) break;
      }
      clearTimeout(paused);
      await inHand.released();
      await Promise.all(background);
    },
  };
}
