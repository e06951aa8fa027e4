import { problems } from '../../../platform/problems.ts';
import type { ReadScope, Scope } from '../../../platform/scope.ts';
import { readableInterface } from '../access.ts';
import type { AccessibleForm } from '../queries.ts';

/** An interface whose submissions the actor may read. Errors: 403, 404. */
export async function withSubmissions(scope: ReadScope | Scope, id: string): Promise<AccessibleForm> {
  const found = await readableInterface(scope, id);
  if (found.access.can('view_submissions')) return found;
  throw problems.forbidden('You may edit this interface but not read its submissions. Ask its owner to share them with you.');
}

/** An interface whose submissions the actor may erase and retry. Errors: 403, 404. */
export async function withManageable(scope: Scope, id: string): Promise<AccessibleForm> {
  const found = await readableInterface(scope, id);
  if (found.access.can('manage_submissions')) return found;
  throw problems.forbidden('The owner of the interface and administrators erase and retry submissions. Ask one of them.');
}
