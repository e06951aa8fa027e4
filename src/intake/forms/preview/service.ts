import { viewerOf } from '#access';
import { actorToday } from '#documents';
import { isToken, tokenHash } from '../../../platform/crypto/tokens.ts';
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

/** Makes a secret link to the draft, which is good for a day while who makes it may edit that, and ends the one before. Errors: 403, 404. */
export async function makePreview(interfaces: Interfaces, scope: Scope, id: string): Promise<Preview> {
  const { row, access } = await lockedInterface(scope, id);
  const expires = new Date(scope.now.getTime() + hours * 3_600_000);
  if (!('id' in scope.actor)) throw new Error('a preview needs an actor with an identifier');
  const token = putLink(interfaces, scope, row.id, 'preview', { expires, by: scope.actor.id });
  await recordAudit(scope, previewMade, row.id, { expiresAt: expires.toISOString(), ...access.byRole('edit') });
  return { previewToken: token, previewUrl: `${interfaces.baseUrl}/preview/${token}`, expiresAt: expires.toISOString() };
}

/** A draft that somebody looks at, and its team. */
export type Previewed = queries.PreviewedRow & { team: string };

/** What a preview link leads to. Errors: 404 `interface_not_found`, whatever the reason. */
export async function previewed({ publicReader, reader }: Pick<Database, 'publicReader' | 'reader'>, token: string): Promise<Previewed> {
  const found = isToken(token) ? await publicReader.first(interfaceByLink, { hash: tokenHash(token) }) : undefined;
  // One that was replaced leads nowhere: nobody has sent anything by it.
  if (found?.channel !== 'preview' || found.retired) throw noSuchLink();
  const { team_id: team, interface_id: id, person_id: by } = found;
  const db = reader(team);
  const row = await db.first(queries.previewedInterface, { team, id });
  if (!row || by === null || !(await mayStillEdit({ db, team }, id, by))) throw noSuchLink();
  return { ...row, team };
}

/** Whether whoever made a link to a draft may edit that as what they are now. */
async function mayStillEdit(scope: { db: Reader; team: string }, id: string, by: string): Promise<boolean> {
  const actor = await actorToday(scope, by);
  if (!actor || !holdsScope(actor, 'interfaces:write')) return false;
  const row = await scope.db.first(reachInterface, { team: scope.team, id, ...viewerOf(actor) });
  return (row && accessToInterface(actor, row))?.can('edit') ?? false;
}
