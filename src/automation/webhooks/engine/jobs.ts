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
import type { Claimed, EndpointTally, DeliveryOutcome } from '../sending/outcome.ts';
import * as queries from '../endpoints/queries.ts';
import * as claims from './claim-queries.ts';
import * as queue from './queue-queries.ts';
import { pipelined } from '../../../platform/database/pipelined.ts';
import { storableText } from '../../../platform/text.ts';

export type ClaimRequest = Omit<claims.ClaimParams, 'token'> & { look: claims.Look };
export type Claim = {
  claimed: Claimed[];
  /** The number of claimed deliveries to endpoints without a recent response. */
  fresh: number;
  /** The number of claimed deliveries to endpoints that failed last, or whose last response never ended. */
  failing: number;
  /** The number of scanned endpoints, and the last of them. Fewer than requested means that the scan reached the end. */
  scanned: number;
  last: { team: string; endpoint: string } | undefined;
  /** The database's clock at the claim, Unix milliseconds. */
  databaseMs: number;
  /** Milliseconds until a rate-limited endpoint may get more. */
  paceMs: number | undefined;
};

/** The rule of the circuit breaker and of disabling an endpoint. Times in seconds. */
export type BreakerRule = {
  threshold: number;
  pauseSeconds: number;
  longestPauseSeconds: number;
  disableFrom: number;
  disableAfterSeconds: number;
};

export type Exchange = {
  token: string;
  outcomes: readonly DeliveryOutcome[];
  tallies: readonly EndpointTally[];
  breaker: BreakerRule;
  claim: ClaimRequest | undefined;
};

/** Writes the results of a batch and claims the next one, in one transaction and one round trip. */
export function exchangeDeliveries(database: Database, exchange: Exchange, nowMs: number): Promise<Claim | undefined> {
  const write = (outcomes: readonly DeliveryOutcome[]) =>
    database.asSystem('deliver webhooks', (tx) => exchangeIn(tx, { ...exchange, outcomes }, nowMs));
  return write(exchange.outcomes).catch((error: unknown) => {
    // A response may contain text that the columns reject. Its details are dropped, so that it does not block the results of others.
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
    forceStablePlans: () => tx.all(queue.forceStablePlans, {}),
    settle: () =>
      outcomes.length > 0
        ? tx.all(queue.settle, { token, ...rangeOf(outcomes), rows: JSON.stringify(outcomes.map((outcome) => settledRow(outcome, nowMs))) })
        : [],
    takeTurn: () => (tallies.length > 1 ? tx.all(queue.takeTurn, {}) : []),
    lockEndpointStates: () => (tallies.length > 1 ? tx.all(queue.lockEndpointStates, endpointsOf(tallies)) : []),
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
  // Only failures of the endpoint’s current version were counted.
  for (const one of failed) if (dead.some((row) => row.dead && row.endpoint_id === one.endpointId)) disableLater(tx, one, 'failing');
  return claim && claimOf(rows);
}

function claimAlong(tx: Transaction, token: string, { look, ...claim }: ClaimRequest): Promise<claims.ClaimedRow[]> {
  return 'teams' in look
    ? tx.all(claims.claimForTeams, { ...claim, ...look, token })
    : tx.all(claims.claimOn, { ...claim, ...look, token });
}

/** The smallest and the greatest identifier of the deliveries of a batch. */
function rangeOf(outcomes: readonly DeliveryOutcome[]): { first: string; last: string } {
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
    fresh: rows.filter((row) => row.health === 'fresh').length,
    failing: rows.filter((row) => row.health === 'troubled').length,
    scanned: first?.scanned ?? 0,
    last,
    databaseMs: first?.database_ms ?? 0,
    paceMs: first?.pace_ms ?? undefined,
  };
}

function settledRow({ claimed, status, waitMs, error, result, startedAt }: DeliveryOutcome, nowMs: number): queue.SettledRow {
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

function withoutDetails(outcome: DeliveryOutcome): DeliveryOutcome {
  if (!outcome.result) return outcome;
  const { responseBody: _body, responseHeaders: _headers, errorDetail: _detail, ...result } = outcome.result;
  return { ...outcome, result };
}

/** Whether this worker may still send a delivery to the unchanged endpoint. */
export async function claimStands(database: Database, token: string, claimed: Claimed): Promise<boolean> {
  const { teamId: team, endpointId: endpoint, deliveryId: delivery, version } = claimed;
  const found = await database.asSystem('check a claimed delivery again', (tx) =>
    tx.first(queue.claimStands, { team, endpoint, delivery, token, version }),
  );
  return found !== undefined;
}

/** Releases claimed deliveries that will not be sent. Their attempts do not count. */
export async function releaseDeliveries(database: Database, token: string, claimed: readonly Claimed[]): Promise<void> {
  if (claimed.length === 0) return;
  await database.asSystem('release webhook deliveries', (tx) =>
    tx.all(queue.releaseClaims, {
      ...endpointsOf(claimed),
      token,
      deliveries: claimed.map((one) => one.deliveryId),
      places: claimed.map((one) => one.place),
    }),
  );
}

const inactiveSeconds = 72 * 3_600;
const sweepBatch = 1_000;

/** Ends the waiting deliveries of endpoints that are deleted, or have been inactive for 72 hours. */
export async function cleanQueue(database: Database): Promise<void> {
  for (;;) {
    const swept = await database.asSystem('end webhook deliveries that cannot be sent', async (tx) => {
      const { row } = await pipelined({
        forceStablePlans: () => tx.all(queue.forceStablePlans, {}),
        row: () => tx.first(queue.endUnsendable, { inactiveSeconds, limit: sweepBatch }),
      });
      return row?.ended ?? 0;
    });
    if (swept < sweepBatch) return;
  }
}

const maxCounted = 10_000;

/** Reads the deliveries of all nodes as one queue. A queue without due deliveries is left out. */
export async function readDeliveryQueue(database: Database): Promise<QueueState[]> {
  const due = await database.asSystem('count due webhook deliveries', (tx) => tx.first(queue.countDueDeliveries, { limit: maxCounted }));
  if (!due || due.oldest_seconds === null) return [];
  return [{ name: 'webhook-delivery', due: due.deliveries, oldestDueSeconds: due.oldest_seconds }];
}

/** Publishes the maximum number of attempts, for nodes that run no workers. */
export async function publishMaxAttempts(database: Database, maxAttempts: number): Promise<void> {
  await database.asSystem('publish the maximum webhook attempts', (tx) => tx.all(queue.keepMaxAttempts, { maxAttempts }));
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
 * Disables an endpoint and notifies the team’s other endpoints and its owner. Does nothing if it is already disabled or has another version, because
 * the failures belong to the earlier version.
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
