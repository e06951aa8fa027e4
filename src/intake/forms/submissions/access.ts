import { relationsFor, viewerOf, viewOf } from '#access';
import { problems } from '../../../platform/problems.ts';
import { isTeamManager, type ReadScope, type Scope } from '../../../platform/scope.ts';
import { readableInterface } from '../access.ts';
import { formsOfView } from '../list-queries.ts';
import { accessToInterface } from '../policy.ts';
import { type AccessibleForm, interfacesNamed } from '../queries.ts';

/** Returns a form whose submissions the actor can read. Throws 403, 404. */
export async function withSubmissions(scope: ReadScope | Scope, id: string): Promise<AccessibleForm> {
  const found = await readableInterface(scope, id);
  if (found.access.can('view_submissions')) return found;
  throw problems.forbidden('You can edit this form but not read its submissions. Ask its owner to share them with you.');
}

/** Returns the forms whose submissions the actor can read. A quota limits the forms of a team. */
export async function formsWithSubmissions(scope: ReadScope): Promise<string[]> {
  const viewing = relationsFor(scope.actor, 'form', 'view_submissions');
  const rows = await scope.db.all(formsOfView[viewOf(scope.actor)], { team: scope.team, ...viewerOf(scope.actor), viewing });
  return rows.map(({ id }) => id);
}

/** Returns those of some forms whose submissions the actor can read only by role. */
export async function readByRole(scope: ReadScope, forms: readonly string[]): Promise<string[]> {
  const { actor, team } = scope;
  if (!isTeamManager(actor) || forms.length === 0) return [];
  const rows = await scope.db.all(interfacesNamed, { team, ids: forms, ...viewerOf(actor) });
  return rows.filter((row) => accessToInterface(actor, row)?.byRole('view_submissions').via === 'role').map(({ id }) => id);
}

/** Returns a form whose submissions the actor can erase and retry. Throws 403, 404. */
export async function withManageable(scope: Scope, id: string): Promise<AccessibleForm> {
  const found = await readableInterface(scope, id);
  if (found.access.can('manage_submissions')) return found;
  throw problems.forbidden('Only the owner of the form and administrators can erase and retry submissions. Ask one of them.');
}
