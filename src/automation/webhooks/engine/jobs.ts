import { type Static, Type } from 'typebox';
import { ownerContact } from '#accounts';
import { type Database, type Transaction } from '../../../platform/database/database.ts';
import { sqlState } from '../../../platform/database/errors.ts';
import { defineTeamJob, enqueue } from '../../../platform/jobs/job.ts';
import { record } from '../../../platform/journal/record.ts';
import { queueMail } from '../../../platform/mail/queue.ts';
import type { QueueState } from '../../../platform/telemetry/metrics.ts';
import { endpointDisabled } from '../events.ts';
import { disabledMail } from '../mails.ts';
import type { Claimed, EndpointTally, Outcome } from '../sending/outcome.ts';
import * as queries from '../endpoints/queries.ts';
import * as claims from './claim-queries.ts';
import * as queue from './queue-queries.ts';
import { pipelined } from '../../../platform/database/pipelined.ts';
import { storableText } from '../../../platform/text.ts';

export type ClaimRequest = Omit<claims.ClaimParams, 'token'> & { look: claims.Look };
export type Claim = {
  claimed: Claimed[];
  /** How many of them are for endpoints of which nothing is known of late. */
  fresh: number;
  /** How many are for endpoints that failed last, or whose last answer never ended. */
  troubled: number;
  /** Endpoints looked at, and the last of them; fewer than asked for means that the look came to the end. */
  scanned: number;
  last: { team: string; endpoint: string } | undefined;
  /** The database's clock at the claim, Unix milliseconds. */
  databaseMs: number;
  /** When an endpoint that takes only so much a second may have more, in milliseconds from now. */
  paceMs: number | undefined;
};

/** When the breaker opens and an endpoint counts as dead. Times in seconds. */
export type BreakerRule = {
  threshold: number;
  pauseSeconds: number;
  longestPauseSeconds: number;
  disableFrom: number;
  disableAfterSeconds: number;
};

export type Exchange = {
  token: string;
  outcomes: readonly Outcome[];
  tallies: readonly EndpointTally[];
  breaker: BreakerRule;
  claim: ClaimRequest | undefined;
};

/** Hands in what came of a batch and takes the next one, in one transaction and one round trip. */
export function exchangeDeliveries(database: Database, exchange: Exchange, nowMs: number): Promise<Claim | undefined> {
  const write = (outcomes: readonly Outcome[]) =>
    database.asSystem('deliver webhooks', (tx) => exchangeIn(tx, { ...exchange, outcomes }, nowMs));
  return write(exchange.outcomes).catch((error: unknown) => {
    // What a receiver sent may be something no column takes: never let its log hold up the state of others.
    if (!sqlState(error)?.startsWith('22')) throw error;
    return write(exchange.outcomes.map(withoutDetails));
  });
}

async function exchangeIn(
  tx: Transaction,
  { token, outcomes, tallies, breaker, claim }: Exchange,
  nowMs: number,
): Promise<Claim | undefined> {
  const recovered = tallies.filter((tally) => tally.recovered);
  const failed = tallies.filter((tally) => tally.failures > 0);
  const { dead, rows } = await pipelined({
    steadyPlans: () => tx.all(queue.steadyPlans, {}),
    settle: () =>
      outcomes.length > 0
        ? tx.all(queue.settle, { token, ...rangeOf(outcomes), rows: JSON.stringify(outcomes.map((outcome) => settledRow(outcome, nowMs))) })
        : [],
    takeTurn: () => (tallies.length > 1 ? tx.all(queue.takeTurn, {}) : []),
    holdStates: () => (tallies.length > 1 ? tx.all(queue.holdStates, endpointsOf(tallies)) : []),
    endpointsRecovered: () =>
      recovered.length > 0
        ? tx.all(queue.endpointsRecovered, { ...endpointsOf(recovered), versions: recovered.map(({ version }) => version) })
        : [],
    dead: () =>
      failed.length > 0
        ? tx.all(queue.endpointsFailed, {
            ...endpointsOf(failed),
            versions: failed.map(({ version }) => version),
            failures: failed.map(({ failures }) => failures),
            ...breaker,
          })
        : [],
    noSorting: () => (claim ? tx.all(queue.noSorting, {}) : []),
    rows: () => (claim ? claimAlong(tx, token, claim) : []),
  });
  for (const { claimed, gone } of outcomes) if (gone) disableLater(tx, claimed, 'gone');
  // Of one endpoint the failures of the version that it has now were counted, and of no other.
  for (const one of failed) if (dead.some((row) => row.dead && row.endpoint_id === one.endpointId)) disableLater(tx, one, 'failing');
  return claim && claimOf(rows);
}

function claimAlong(tx: Transaction, token: string, { look, ...claim }: ClaimRequest): Promise<claims.ClaimedRow[]> {
  return 'teams' in look
    ? tx.all(claims.claimForTeams, { ...claim, ...look, token })
    : tx.all(claims.claimOn, { ...claim, ...look, token });
}

/** The smallest and the greatest id of the deliveries of a batch. */
function rangeOf(outcomes: readonly Outcome[]): { first: string; last: string } {
  let first = outcomes[0]?.claimed.deliveryId ?? '';
  let last = first;
  for (const { claimed } of outcomes) {
    if (claimed.deliveryId < first) first = claimed.deliveryId;
    if (claimed.deliveryId > last) last = claimed.deliveryId;
  }
  return { first, last };
}

function endpointsOf(list: readonly { teamId: string; endpointId: string }[]) {
  return { teams: list.map((one) => one.teamId), endpoints: list.map((one) => one.endpointId) };
}

const noBody = Buffer.alloc(0);

function claimOf(rows: readonly claims.ClaimedRow[]): Claim {
  const [first] = rows;
  const claimed = rows.flatMap((row) =>
    row.deliveryId === null ? [] : { ...row, eventType: row.eventType ?? '', body: row.body ?? noBody },
  );
  const last = first?.last_team && first.last_endpoint ? { team: first.last_team, endpoint: first.last_endpoint } : undefined;
  return {
    claimed,
    fresh: rows.filter((row) => row.standing === 'fresh').length,
    troubled: rows.filter((row) => row.standing === 'troubled').length,
    scanned: first?.scanned ?? 0,
    last,
    databaseMs: first?.database_ms ?? 0,
    paceMs: first?.pace_ms ?? undefined,
  };
}

function settledRow({ claimed, status, waitMs, error, result, startedAt }: Outcome, nowMs: number): queue.SettledRow {
  return {
    team_id: claimed.teamId,
    endpoint_id: claimed.endpointId,
    delivery_id: claimed.deliveryId,
    place: claimed.place,
    attempt: claimed.attempt,
    version: claimed.version,
    outcome: status,
    wait: waitMs / 1_000,
    error,
    ...(result && {
      age: Math.max(0, nowMs - startedAt) / 1_000,
      latency_ms: Math.round(result.latencyMs),
      response_status: result.responseStatus,
      error_detail: result.errorDetail && storableText(result.errorDetail),
      response_headers: result.responseHeaders && storableText(JSON.stringify(result.responseHeaders)),
      response_body: result.responseBody?.length ? `\\x${result.responseBody.toString('hex')}` : undefined,
    }),
  };
}

function withoutDetails(outcome: Outcome): Outcome {
  if (!outcome.result) return outcome;
  const { responseBody: _body, responseHeaders: _headers, errorDetail: _detail, ...result } = outcome.result;
  return { ...outcome, result };
}

/** Whether a delivery is still this worker's to send, and to the endpoint as it was when it was claimed. */
export async function claimStands(database: Database, token: string, claimed: Claimed): Promise<boolean> {
  const { teamId: team, endpointId: endpoint, deliveryId: delivery, version } = claimed;
  const found = await database.asSystem('look again at what waited to be sent', (tx) =>
    tx.first(queue.claimStands, { team, endpoint, delivery, token, version }),
  );
  return found !== undefined;
}

/** Gives back what was claimed and will not be sent; the attempts do not count. */
export async function releaseDeliveries(database: Database, token: string, claimed: readonly Claimed[]): Promise<void> {
  if (claimed.length === 0) return;
  await database.asSystem('give back webhook deliveries', (tx) =>
    tx.all(queue.releaseClaims, {
      ...endpointsOf(claimed),
      token,
      deliveries: claimed.map((one) => one.deliveryId),
      places: claimed.map((one) => one.place),
    }),
  );
}

const heldSeconds = 72 * 3_600;
const sweepBatch = 1_000;

/** Ends what waits for endpoints that are deleted, or have been inactive for 72 hours. */
export async function sweepQueue(database: Database): Promise<void> {
  for (;;) {
    const swept = await database.asSystem('end webhook deliveries that cannot be sent', async (tx) => {
      const { row } = await pipelined({
        steadyPlans: () => tx.all(queue.steadyPlans, {}),
        row: () => tx.first(queue.endUnsendable, { heldSeconds, limit: sweepBatch }),
      });
      return row?.ended ?? 0;
    });
    if (swept < sweepBatch) return;
  }
}

const maxCounted = 10_000;

/** Reads the deliveries of all nodes as one queue. A queue without a due delivery is left out. */
export async function readDeliveryQueue(database: Database): Promise<QueueState[]> {
  const due = await database.asSystem('count due webhook deliveries', (tx) => tx.first(queue.countDueDeliveries, { limit: maxCounted }));
  if (!due || due.oldest_seconds === null) return [];
  return [{ name: 'webhook-delivery', due: due.deliveries, oldestDueSeconds: due.oldest_seconds }];
}

/** Publishes how often deliveries are tried, for the nodes that answer requests. */
export async function publishMaxAttempts(database: Database, maxAttempts: number): Promise<void> {
  await database.asSystem('publish the webhook attempts', (tx) => tx.all(queue.keepMaxAttempts, { maxAttempts }));
}

const disabling = Type.Object({
  endpoint: Type.String(),
  version: Type.Integer(),
  reason: Type.Union([Type.Literal('gone'), Type.Literal('failing')]),
});
type Disabling = Static<typeof disabling>;

function disableLater(
  tx: Transaction,
  { teamId: team, endpointId: endpoint, version }: Pick<Claimed, 'teamId' | 'endpointId' | 'version'>,
  reason: Disabling['reason'],
): void {
  enqueue({ db: tx, team }, disableDeadEndpoint, { endpoint, version, reason });
}

/**
 * Switches an endpoint off, and says so to the team's other endpoints and to its owner. Does nothing when it was off already or is no
 * longer of that version: what failed is not what it is now.
 */
export const disableDeadEndpoint = defineTeamJob(
  'webhook-disable',
  disabling,
  { counted: false },
  (inTeam, { endpoint: id, version, reason }) =>
    inTeam(async (scope) => {
      const { db: tx, team, now: at } = scope;
      const { disabled, owner } = await pipelined({
        disabled: () => tx.first(queries.disableEndpoint, { team, id, version, at }),
        owner: () => tx.first(ownerContact, { team }),
      });
      if (!disabled) return;
      await pipelined([
        () => record(scope, endpointDisabled, id, { name: disabled.name, reason }),
        () => (owner ? queueMail(tx, { ...disabledMail(owner.locale, disabled, reason), to: owner.email, team }) : undefined),
      ]);
    }),
);
