import { randomUUIDv7 } from 'node:crypto';
import { eventCatalogue } from '../../platform/journal/audit-actions.ts';
import type { EventListener, DomainEvent } from '../../platform/journal/listeners.ts';
import type { BulkListener } from '../../platform/journal/record.ts';
import type { Outgoing, Transaction } from '../../platform/database/database.ts';
import { columnsOf } from '../../platform/database/statement.ts';
import type { Scope } from '../../platform/scope.ts';
import { type FanOut, fanOut, hasEndpoints } from './deliveries/queries.ts';
import { scopeOf, subscriptionsTo } from './event-names.ts';
import { webhookTest } from './events.ts';
import { fanOutMany, teamsThatAsk } from './engine/queue-queries.ts';

/** The quota that counts deliveries. */
const budget = 'deliveries';

const namesOf = new Map<string, string[]>();

/** The subscriptions that include each event type, cached because every event needs them. */
function names(type: string): string[] {
  const known = namesOf.get(type) ?? subscriptionsTo(type);
  namesOf.set(type, known);
  return known;
}

/** The only endpoint that an event is for; null for all subscribed endpoints. */
function onlyFor({ type, targetId, data }: DomainEvent): string | null {
  if (type === webhookTest.type) return targetId;
  const member = eventCatalogue.get(type)?.toEndpoint;
  return member === undefined ? null : String((data as Record<string, unknown>)[member]);
}

/** Returns the scope for an event type. Only endpoints of the team get events of an unknown type, because no scope includes them. */
const openedBy = (type: string) => scopeOf(type) ?? '';

/** An event, and whether its team has endpoints, which each transaction reads once. */
type Leaving = { event: FanOut; team: string; endpoints: Promise<unknown> };
const endpointsByTransaction = new WeakMap<Transaction, { team: string; endpoints: Promise<unknown> }>();

function endpointsOf({ db, team }: Scope): Promise<unknown> {
  const known = endpointsByTransaction.get(db);
  if (known?.team === team) return known.endpoints;
  const endpoints = db.first(hasEndpoints, { team });
  endpointsByTransaction.set(db, { team, endpoints });
  return endpoints;
}

const fanOutAtEnd: Outgoing<Leaving> = async (tx, all) => {
  const { team, endpoints } = all[0] as Leaving;
  if ((await endpoints) === undefined) return;
  const made = tx.first(fanOut, { team, ...columnsOf(all.map(({ event }) => event) as [FanOut, ...FanOut[]]) });
  // The result is not awaited; a failure appears at the commit.
  made.then(
    (row) => row && row.queued > 0 && tx.spend(team, budget, row.queued),
    () => undefined,
  );
};

/**
 * Queues an event for each subscribed endpoint of its team in the transaction of the action (transactional outbox). One statement at the end of the
 * transaction queues all of its events, and no statement runs for a team without endpoints.
 */
export const webhookListener: EventListener = async (scope, event) => {
  scope.db.atEnd(fanOutAtEnd, {
    team: scope.team,
    endpoints: endpointsOf(scope),
    event: {
      event: event.id,
      type: event.type,
      names: names(event.type).join(','),
      scope: openedBy(event.type),
      only: onlyFor(event),
      base: randomUUIDv7(),
    },
  });
};

/**
 * Records many events and queues them for the teams with a subscribed endpoint. One statement finds those teams, and a second runs if there are
 * any. Disabled endpoints count too, so that their events can be recovered. An event that already exists is not sent again.
 */
export const webhookBulkListener: BulkListener = async (tx, { type }, announcements) => {
  const teams = [...new Set(announcements.map(({ team }) => team))];
  if (teams.length === 0) return;
  const asking = new Set(
    (await tx.all(teamsThatAsk, { teams, names: names(type), scope: openedBy(type) })).map(({ team_id: team }) => team),
  );
  const events = announcements.flatMap(({ team, event }) => (asking.has(team) ? [event()] : []));
  if (events.length === 0) return;
  const made = await tx.all(fanOutMany, {
    teams: events.map(({ teamId }) => teamId),
    events: events.map(({ id }) => id),
    bodies: events.map(({ body }) => body),
    times: events.map(({ timestamp }) => timestamp),
    asking: [...asking],
    type,
    names: names(type),
    scope: openedBy(type),
    base: randomUUIDv7(),
  });
  for (const { team_id: team, queued } of made) tx.spend(team, budget, queued);
};
