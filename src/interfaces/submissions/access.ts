import { problems } from '../../platform/problems.ts';
import type { ReadScope, Scope } from '../../platform/scope.ts';
import { readableInterface } from '../access.ts';
import { mayErase, mayReadSubmissions } from '../policy.ts';
import type { Reached } from '../queries.ts';

/** An interface whose submissions the actor may read. Errors: 403, 404. */
export async function withSubmissions(scope: ReadScope | Scope, id: string): Promise<Reached> {
  const found = await readableInterface(scope, id);
  if (mayReadSubmissions(found.access)) return found;
  throw problems.forbidden(
    'What was submitted is for those with whom that was shared, inside of the barrier around it. Ask the owner of the interface.',
  );
}

/** The same where the actor may erase them. Errors: 403, 404. */
export async function withErasable(scope: Scope, id: string): Promise<Reached> {
  const found = await withSubmissions(scope, id);
  if (mayErase(found.access)) return found;
  throw problems.forbidden('You may read what was submitted and not erase it: that is for those who may edit the interface too.');
}
