import { timingSafeEqual } from 'node:crypto';
import type { Reader, Transaction } from '../../../platform/database/database.ts';
import { isUuid } from '../../../platform/identifiers.ts';
import { type Actor, isTeamManager } from '../../../platform/scope.ts';
import { standardSignature } from '@chancery/webhooks';
import { subscriptionsTo } from '../event-names.ts';
import * as queries from './queries.ts';
import type { EndpointSecrets } from './secrets.ts';

/**
 * Whether the actor may request a callback from an endpoint. A team manager may use any endpoint of the team, an API client only its own. The
 * endpoint must be active and have the scope. Without an actor, any endpoint of the team is allowed.
 */
export async function mayAsk(
  { db, team }: { db: Reader | Transaction; team: string },
  actor: Actor | undefined,
  { endpoint: id, scope }: { endpoint: string; scope: string },
): Promise<boolean> {
  const owner = askerOf(actor);
  if (owner === false || !isUuid(id)) return false;
  return (await db.first(queries.askable, { team, id, owner, scope })) !== undefined;
}

/** Like `mayAsk`, and locks the endpoint against deletion and changes until the transaction ends. */
export async function lockForCallback(
  { db, team }: { db: Transaction; team: string },
  actor: Actor | undefined,
  { endpoint: id, scope }: { endpoint: string; scope: string },
): Promise<boolean> {
  const owner = askerOf(actor);
  if (owner === false || !isUuid(id)) return false;
  return (await db.first(queries.lockCallbackEndpoint, { team, id, owner, scope })) !== undefined;
}

/**
 * Returns whose endpoints the actor may use: null for the team’s, the identifier of an API client for its own, or false. Actors with scopes need
 * `webhooks:read`.
 */
function askerOf(actor: Actor | undefined): string | null | false {
  if (actor === undefined) return null;
  if ('scopes' in actor && !actor.scopes.has('webhooks:read')) return false;
  if (actor.type === 'client') return actor.id;
  return isTeamManager(actor) ? null : false;
}

/** The active endpoints that the actor may see, by name; at most 100. `subscribes`: whether an event goes to the endpoint. */
export async function namedEndpoints(
  { db, team }: { db: Reader | Transaction; team: string },
  actor: Actor,
): Promise<{ id: string; name: string; subscribes: (type: string) => boolean }[]> {
  const owner = askerOf(actor);
  const rows = owner === false ? [] : await db.all(queries.endpointNames, { team, owner });
  return rows.map(({ id, name, events }) => ({
    id,
    name,
    subscribes: (type) => subscriptionsTo(type).some((one) => events.includes(one)),
  }));
}

/** A callback request as received. */
export type SignedAnswer = { id: string; timestamp: string; signatures: string; body: Buffer };

/** Whether a callback is signed with the secret of an endpoint, or with the previous one during its overlap. */
export async function isSignedBy(
  { db, team }: { db: Transaction; team: string },
  secrets: EndpointSecrets,
  endpoint: string,
  { id, timestamp, signatures, body }: SignedAnswer,
): Promise<boolean> {
  const row = isUuid(endpoint) ? await db.first(queries.secretsOf, { team, id: endpoint }) : undefined;
  if (!row) return false;
  const expected = [row.secret, row.previous_secret].flatMap((sealed) =>
    sealed === null ? [] : [Buffer.from(standardSignature(secrets.open(endpoint, sealed), id, timestamp, body))],
  );
  const given = signatures.split(' ', maxSignatures).map((one) => Buffer.from(one));
  return given.some((one) => expected.some((other) => one.length === other.length && timingSafeEqual(one, other)));
}

/** Maximum signatures to compare. One for each secret is enough, but a sender can add signatures of other versions. */
const maxSignatures = 8;
