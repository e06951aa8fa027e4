import { randomUUIDv7 } from 'node:crypto';
import { isUuid, notFound } from '../platform/identifiers.ts';
import { problems } from '../platform/problems.ts';
import { isTeamManager, type ReadScope, type Scope } from '../platform/scope.ts';
import type { ResourceType } from './can.ts';
import * as consents from './consent-queries.ts';
import type { ConsentRow } from './consent-queries.ts';
import { accessProblems } from './problems.ts';
import { clientNamed } from './shares.ts';

/** The resource of a consent. The caller locks it before a change. */
type Resource = { type: ResourceType; id: string };
const at = ({ team }: Pick<ReadScope, 'team'>, { type, id }: Resource) => ({ team, type, resource: id });

/** Lists the API clients that may act on a resource, each with the member on whose behalf. */
export const consentsOf = (scope: ReadScope | Scope, resource: Resource): Promise<ConsentRow[]> =>
  scope.db.all(consents.listConsents, at(scope, resource));

/** Returns the member on whose behalf an API client may act on a resource; undefined without a consent. */
export async function consentTo(scope: ReadScope | Scope, resource: Resource, client: string): Promise<string | undefined> {
  return (await scope.db.first(consents.findConsent, { ...at(scope, resource), client }))?.user_id;
}

/**
 * Lets an API client act on behalf of the caller. A repetition changes nothing. Throws 404 `client_not_found`, and 409 `consent_of_another` while the
 * client acts on behalf of another member.
 */
export async function putConsent(scope: Scope, resource: Resource, clientId: string): Promise<ConsentRow & { added: boolean }> {
  const { db, actor, now } = scope;
  if (actor.type !== 'user') throw problems.person_required('Only a signed-in user can let an API client act on their behalf.');
  const client = await clientNamed(scope, clientId);
  const found = await db.first(consents.findConsent, { ...at(scope, resource), client });
  if (found?.user_id === actor.id) return { ...found, added: false };
  if (found)
    throw accessProblems.consent_of_another(
      'The API client already acts on behalf of another member here. They or an administrator must end that first.',
    );
  const params = { ...at(scope, resource), id: randomUUIDv7(), client, by: actor.id, at: now };
  const [made] = await db.all(consents.putConsent, params);
  if (!made) throw accessProblems.consent_limit('100 API clients already act here. End one of these consents first.');
  return { id: client, user_id: actor.id, created_at: made.created_at, added: true };
}

/** Ends a consent of the caller, or any as a manager of the team. Throws 404. */
export async function endConsent(scope: Scope, resource: Resource, client: string): Promise<ConsentRow> {
  const where = { ...at(scope, resource), client: isUuid(client) ? client.toLowerCase() : '' };
  const found = where.client === '' ? undefined : await scope.db.first(consents.findConsent, where);
  const { actor } = scope;
  if (!found || !('id' in actor) || (found.user_id !== actor.id && !isTeamManager(actor))) throw notFound('consent');
  await scope.db.all(consents.endConsent, where);
  return found;
}
