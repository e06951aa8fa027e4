import { problems } from '../../../platform/problems.ts';
import type { ReadScope, Scope } from '../../../platform/scope.ts';
import { readableInterface } from '../access.ts';
import type { AccessibleForm } from '../queries.ts';

/** Returns a form whose submissions the actor can read. Throws 403, 404. */
export async function withSubmissions(scope: ReadScope | Scope, id: string): Promise<AccessibleForm> {
  const found = await readableInterface(scope, id);
  if (found.access.can('view_submissions')) return found;
  throw problems.forbidden('You can edit this form but not read its submissions. Ask its owner to share them with you.');
}

/** Returns a form whose submissions the actor can erase and retry. Throws 403, 404. */
export async function withManageable(scope: Scope, id: string): Promise<AccessibleForm> {
  const found = await readableInterface(scope, id);
  if (found.access.can('manage_submissions')) return found;
  throw problems.forbidden('Only the owner of the form and administrators can erase and retry submissions. Ask one of them.');
}
