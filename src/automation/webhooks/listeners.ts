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

/** The quota that deliveries are counted by. */
const budget = 'deliveries';

const namesOf = new Map<string, string[]>();

/** Memoised: there are a few dozen types, and each event asks. */
function names(type: string): string[] {
  const known = namesOf.get(type) ?? subscriptionsTo(type);
  namesOf.set(type, known);
  return known;
}

/** The one endpoint that an event is for; null where it is for all that ask for it. */
function onlyFor({ type, targetId, data }: DomainEvent): string | null {
  if (type === webhookTest.type) return targetId;
  const member = eventCatalogue.get(type)?.toEndpoint;
  return member === undefined ? null : String((data as Record<string, unknown>)[member]);
}

/** What no scope opens, since its type is unknown, only the team's own endpoints get. */
const openedBy = (type: string) => scopeOf(type) ?? '';

/** An event, with the answer to whether its team has endpoints at all, of which each transaction asks once. */
type Leaving = { event: FanOut; team: string; asked: Promise<unknown> };
const askedIn = new WeakMap<Transaction, { team: string; asked: Promise<unknown> }>();

function endpointsOf({ db, team }: Scope): Promise<unknown> {
  const known = askedIn.get(db);
  if (known?.team === team) return known.asked;
  const asked = db.first(hasEndpoints, { team });
  askedIn.set(db, { team, asked });
  return asked;
}

const fanOutAtEnd: Outgoing<Leaving> = async (tx, all) => {
  const { team, asked } = all[0] as Leaving;
  if ((await asked) === undefined) return;
  const made = tx.first(fanOut, { team, ...columnsOf(all.map(({ event }) => event) as [FanOut, ...FanOut[]]) });
  // Nobody waits for the answer; a failure is met at the commit.
  made.then(
    (row) => row && row.queued > 0 && tx.spend(team, budget, row.queued),
    () => undefined,
  );
};

/**
 * Queues an event for each endpoint of its team that asks for it, in the transaction of the act: the outbox. Those of one
 * transaction go by one statement at its end. A team without endpoints gets none. With the statement for each event the creation of a
 * folder falls from 0.55 to 0.48 of its floor.
 */
export const webhookListener: EventListener = async (scope, event) => {
  scope.db.atEnd(fanOutAtEnd, {
    team: scope.team,
    asked: endpointsOf(scope),
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
 * The same for many events at once, which are recorded here, and only for teams with an endpoint that asks for them: one
 * statement to find those teams, and a second where there are any. Also for one that is switched off, for it to be
 * recovered. An event that is there already is not sent again.
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
