import { randomUUIDv7 } from 'node:crypto';
import type { ChangePage, Placed } from '../../../platform/database/sorted-page.ts';
import { notFound, pathId } from '../../../platform/identifiers.ts';
import { record, recordAudit } from '../../../platform/journal/record.ts';
import { problems } from '../../../platform/problems.ts';
import type { ReadScope, Scope } from '../../../platform/scope.ts';
import type { VersionCheck, Versioned } from '../../../platform/versioned.ts';
import type { AddressPolicy } from '../addresses/addresses.ts';
import { cancelWaiting, findDeliveryOfTypes } from '../deliveries/queries.ts';
import { closedTo, eventNames, rejectUnknownNames, typesClosedTo } from '../event-names.ts';
import { endpointCreated, endpointDeleted, endpointUpdated, secretRotated } from '../events.ts';
import { presentEndpoint } from '../present.ts';
import { endpointsOf } from '../policy.ts';
import { webhookProblems } from '../problems.ts';
import * as queries from './queries.ts';
import type { CreateEndpoint, Endpoint, EndpointWithSecret, RotateSecret, UpdateEndpoint } from '../schemas.ts';
import type { EndpointSecrets } from './secrets.ts';
import { newSecret } from '../sending/signature.ts';
import { checkEndpointUrl } from '../addresses/urls.ts';
import { pipelined } from '../../../platform/database/pipelined.ts';
import { normalText } from '../../../platform/text.ts';

/** The dependencies of the use cases. `scopes` are those of the caller’s token. */
export type EndpointContext = { secrets: EndpointSecrets; policy: AddressPolicy; scopes: ReadonlySet<string> };

const maxEndpoints = 50;
const defaultOverlapHours = 24;

/** The parameters for one endpoint; an API client reaches only its own. Errors: 404 for an invalid identifier. */
export function oneEndpoint(scope: Pick<ReadScope, 'team' | 'actor'>, id: string) {
  return { team: scope.team, id: pathId(id, 'webhook endpoint'), owner: endpointsOf(scope.actor) };
}

/** Returns a page of the endpoints that the actor may see. */
export async function listEndpoints(scope: ReadScope, { sort, ...page }: ChangePage): Promise<Placed<Endpoint>[]> {
  const rows = await scope.db.all(queries.listEndpoints[sort], { team: scope.team, owner: endpointsOf(scope.actor), ...page });
  return rows.map((row) => ({ thing: presentEndpoint(row), place: [row.sort_time, row.id] }));
}

/** Returns one endpoint. Errors: 404. */
export async function getEndpoint(scope: ReadScope, id: string): Promise<Versioned<Endpoint>> {
  const row = await scope.db.first(queries.findEndpoint, oneEndpoint(scope, id));
  if (!row) throw notFound('webhook endpoint');
  return { value: presentEndpoint(row), version: row.version };
}

/** Registers an endpoint. Only this response has its secret. Errors: 400, 403, 409 `webhook_endpoint_limit`, 422 `url_not_allowed`. */
export async function createEndpoint(
  scope: Scope,
  context: EndpointContext,
  input: CreateEndpoint,
): Promise<Versioned<EndpointWithSecret>> {
  const id = randomUUIDv7();
  const secret = newSecret();
  const name = endpointName(input.name);
  const url = targetUrl(input.url, context.policy);
  const events = eventNames(input.events);
  rejectUnknownNames(events);
  mustBeOpen(context.scopes, events);
  const { actor } = scope;
  const { row } = await pipelined({
    row: () =>
      scope.db.locked(queries.lockEndpointCount, { team: scope.team }, () =>
        scope.db.first(queries.insertEndpoint, {
          team: scope.team,
          id,
          name,
          url,
          events,
          client: actor.type === 'client' ? actor.id : null,
          by: actor.type === 'system' ? scope.team : actor.id,
          secret: context.secrets.seal(id, secret),
          scopes: scopesBehind(scope, context),
          most: maxEndpoints,
        }),
      ),
    recorded: () => recordAudit(scope, endpointCreated, id, { name, host: new URL(url).host }),
  });
  if (!row) {
    throw webhookProblems.webhook_endpoint_limit(
      `Your team has ${maxEndpoints} webhook endpoints, which is the maximum. Delete one that you no longer use.`,
    );
  }
  return { value: { ...presentEndpoint(row), secret }, version: row.version };
}

/**
 * Changes the given members. Reactivation releases the waiting deliveries. Reactivation and a new URL delete the failure history. Errors as for
 * create, 404, 412.
 */
export async function updateEndpoint(
  scope: Scope,
  context: EndpointContext,
  id: string,
  input: UpdateEndpoint,
  expect: VersionCheck,
): Promise<Versioned<Endpoint>> {
  const changed = (['name', 'url', 'events', 'isActive'] as const).filter((member) => input[member] !== undefined);
  if (changed.length === 0) {
    throw problems.validation_failed('The body has no member that can be changed. Give `name`, `url`, `events` or `isActive`.', {
      errors: [{ name: 'body', pointer: '', reason: 'has no member that can be changed', rule: 'minProperties' }],
    });
  }
  const kept = await changeable(scope, id, expect);
  const events = input.events === undefined ? kept.events : eventNames(input.events);
  rejectUnknownNames(events, kept.events);
  const pointed = input.url !== undefined || input.events !== undefined;
  if (pointed) mustBeOpen(context.scopes, [...kept.events, ...events]);
  if (input.url !== undefined) await mustHoldNothingClosed(scope, context.scopes, kept.id);
  const isActive = input.isActive ?? kept.is_active;
  const url = input.url === undefined ? kept.url : targetUrl(input.url, context.policy);
  const reactivated = isActive && !kept.is_active;
  const { row } = await pipelined({
    row: () =>
      scope.db.first(queries.updateEndpoint, {
        team: scope.team,
        id: kept.id,
        name: input.name === undefined ? kept.name : endpointName(input.name),
        url,
        events,
        isActive,
        pointed,
        scopes: scopesBehind(scope, context),
        at: scope.now,
      }),
    recorded: () => recordAudit(scope, endpointUpdated, kept.id, { changed, isActive }),
  });
  if (reactivated || url !== kept.url) {
    scope.db.send(queries.forgetFailures, { team: scope.team, id: kept.id });
    scope.db.send(queries.wakeWorkers, { team: scope.team });
  }
  if (!row) throw notFound('webhook endpoint');
  return { value: presentEndpoint(row), version: row.version };
}

/** Deletes an endpoint and cancels its waiting deliveries in the same transaction. Errors: 404, 412. */
export async function deleteEndpoint(scope: Scope, id: string, expect: VersionCheck): Promise<void> {
  await endEndpoint(scope, await changeable(scope, id, expect));
}

/**
 * Deletes the endpoints of a deleted API client, so that waiting deliveries do not go to its URLs. The caller must deactivate the client first, so
 * that it cannot register another endpoint.
 */
export async function deleteEndpointsOf(scope: Scope, client: string): Promise<void> {
  const registered = await scope.db.all(queries.lockEndpointsOfClient, { team: scope.team, client });
  for (const endpoint of registered) await endEndpoint(scope, endpoint);
}

async function endEndpoint(scope: Scope, { id, name }: Pick<queries.EndpointRow, 'id' | 'name'>): Promise<void> {
  scope.db.send(queries.deleteEndpoint, { team: scope.team, id, at: scope.now });
  scope.db.send(cancelWaiting, { team: scope.team, endpoint: id });
  await record(scope, endpointDeleted, id, { name });
}

/** Gives an endpoint a new secret, which only this response has. The old one also signs for `overlapHours`. Errors: 404, 412. */
export async function rotateSecret(
  scope: Scope,
  context: EndpointContext,
  id: string,
  input: RotateSecret,
  expect: VersionCheck,
): Promise<Versioned<EndpointWithSecret>> {
  const kept = await changeable(scope, id, expect);
  const secret = newSecret();
  const overlapHours = input.expirePreviousNow ? 0 : (input.overlapHours ?? defaultOverlapHours);
  const row = await scope.db.first(queries.rotateSecret, {
    team: scope.team,
    id: kept.id,
    secret: context.secrets.seal(kept.id, secret),
    overlapHours,
    at: scope.now,
  });
  if (!row) throw notFound('webhook endpoint');
  const until = row.previous_secret_until;
  await record(scope, secretRotated, kept.id, { name: kept.name, ...(until === null ? {} : { previousSecretUntil: until }) });
  return { value: { ...presentEndpoint(row), secret }, version: row.version };
}

/** Locks an endpoint of the team. `expect` checks `If-Match`. Errors: 404, 412. */
async function changeable(scope: Scope, id: string, expect: VersionCheck): Promise<queries.EndpointRow> {
  const row = await scope.db.first(queries.lockEndpoint, oneEndpoint(scope, id));
  if (!row) throw notFound('webhook endpoint');
  expect(row.version);
  return row;
}

/** The scopes that limit an endpoint from now on: those of an API client’s token, or null for a person. */
function scopesBehind({ actor }: Scope, { scopes }: EndpointContext): string[] | null {
  return actor.type === 'user' || actor.type === 'system' ? null : [...scopes];
}

/**
 * An endpoint discloses its events to the caller who sets its URL or subscriptions, so the caller’s token needs their scopes. Errors: 403
 * `insufficient_scope`.
 */
function mustBeOpen(scopes: ReadonlySet<string>, names: readonly string[]): void {
  const closed = closedTo(scopes, names);
  if (!closed) return;
  throw problems.insufficient_scope(
    `The event \`${closed.type}\` requires the scope \`${closed.scope}\`, which the token lacks. Use a token with that scope to create or change the endpoint.`,
    { headers: { 'www-authenticate': `Bearer realm="api", error="insufficient_scope", scope="${closed.scope}"` } },
  );
}

/** Like `mustBeOpen`, for events in the log, because they can be sent again. */
async function mustHoldNothingClosed(scope: Scope, scopes: ReadonlySet<string>, endpoint: string): Promise<void> {
  const types = typesClosedTo(scopes);
  if (types.length === 0) return;
  const delivery = await scope.db.first(findDeliveryOfTypes, { team: scope.team, endpoint, types });
  if (delivery) mustBeOpen(scopes, [delivery.event_type]);
}

function endpointName(value: string): string {
  const name = normalText(value).trim();
  const length = Array.from(name).length;
  const reason =
    length < 1
      ? 'must not be empty or have only spaces'
      : length > 200
        ? `must have at most 200 characters, and has ${length}`
        : /\p{Cc}/u.test(name)
          ? 'must not contain control characters'
          : undefined;
  if (reason === undefined) return name;
  throw problems.validation_failed(`\`name\` ${reason}.`, { errors: [{ name: 'name', pointer: '/name', reason, rule: 'name' }] });
}

function targetUrl(value: string, policy: AddressPolicy): string {
  const checked = checkEndpointUrl(value, policy);
  if (checked.ok) return checked.url;
  const errors = [{ name: 'url', pointer: '/url', reason: checked.reason, rule: checked.rule }];
  const detail = `\`url\` cannot be used: ${checked.reason}.`;
  // A text that is not a URL violates the schema (400); a URL may still be no valid target (422).
  throw checked.rule === 'url' ? problems.validation_failed(detail, { errors }) : webhookProblems.url_not_allowed(detail, { errors });
}

/** Returns the active endpoints that a person created, because their receiver may belong to that person. */
export async function endpointsMadeBy(scope: Scope, account: string): Promise<{ kind: 'endpoint'; name: string; now: 'goes on' }[]> {
  const found = await scope.db.all(queries.endpointsBy, { team: scope.team, account });
  return found.map(({ name }) => ({ kind: 'endpoint', name, now: 'goes on' }));
}
