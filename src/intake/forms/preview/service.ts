import { viewerOf } from '#access';
import { actorToday } from '#documents';
import { readTeamToken } from '../../../platform/crypto/tokens.ts';
import type { Database, Reader } from '../../../platform/database/database.ts';
import { recordAudit } from '../../../platform/journal/record.ts';
import type { Scope } from '../../../platform/scope.ts';
import { lockedInterface } from '../access.ts';
import { interfaceByLink } from '../link-queries.ts';
import { type Interfaces, putLink } from '../links.ts';
import { accessToInterface, holdsScope } from '../policy.ts';
import { reachInterface } from '../queries.ts';
import { noSuchLink } from '../visitor.ts';
import { previewMade } from './events.ts';
import * as queries from './queries.ts';
import type { Preview } from './schemas.ts';

const hours = 24;

/** Creates a secret link to the draft and ends the previous one. It is valid for a day while its creator can edit the form. Throws 403, 404. */
export async function makePreview(interfaces: Interfaces, scope: Scope, id: string): Promise<Preview> {
  const { row, access } = await lockedInterface(scope, id);
  const expires = new Date(scope.now.getTime() + hours * 3_600_000);
  if (!('id' in scope.actor)) throw new Error('a preview needs an actor with an identifier');
  const token = putLink(interfaces, scope, row.id, 'preview', { expires, by: scope.actor.id });
  await recordAudit(scope, previewMade, row.id, { expiresAt: expires.toISOString(), ...access.byRole('edit') });
  return { previewToken: token, previewUrl: `${interfaces.baseUrl}/preview/${token}`, expiresAt: expires.toISOString() };
}

/** The draft of a preview link and its team. */
export type Previewed = queries.PreviewedRow & { team: string };

/** Returns the draft of a preview link. Throws 404 `interface_not_found` for any reason. */
export async function previewed({ publicReader, reader }: Pick<Database, 'publicReader' | 'reader'>, token: string): Promise<Previewed> {
  const key = readTeamToken(token);
  const found = key && (await publicReader.first(interfaceByLink, key));
  // A retired preview link does not work, because it has no submissions that visitors could return to.
  if (!key || found?.channel !== 'preview' || found.retired) throw noSuchLink();
  const { team } = key;
  const { interface_id: id, person_id: by } = found;
  const db = reader(team);
  const row = await db.first(queries.previewedInterface, { team, id });
  if (!row || by === null || !(await mayStillEdit({ db, team }, id, by))) throw noSuchLink();
  return { ...row, team };
}

/** Returns whether the creator of a preview link can still edit the form. */
async function mayStillEdit(scope: { db: Reader; team: string }, id: string, by: string): Promise<boolean> {
  const actor = await actorToday(scope, by);
  if (!actor || !holdsScope(actor, 'interfaces:write')) return false;
  const row = await scope.db.first(reachInterface, { team: scope.team, id, ...viewerOf(actor) });
  return (row && accessToInterface(actor, row))?.can('edit') ?? false;
}
