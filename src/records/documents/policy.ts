import { accessToContained, type ContainedAccess, type Facts } from '#access';
import type { Actor } from '../../platform/scope.ts';

/** The permissions of an actor on a document and on its versions. */
export type DocumentAccess = ContainedAccess<'document'>;
/** Returns the permissions of the actor on a document. Returns undefined if the actor may not view it; the response is then 404. */
export const accessToDocument = (actor: Actor, facts: Facts): DocumentAccess | undefined => accessToContained(actor, 'document', facts);

/** The access to a document that the actor may give to others by a task or a workflow. */
export function grantableAccess(actor: Actor, access: DocumentAccess): 'read' | 'write' | undefined {
  if (!access.can('assign')) return undefined;
  if ('scopes' in actor && !actor.scopes.has('documents:write')) return actor.scopes.has('documents:read') ? 'read' : undefined;
  return access.can('edit') ? 'write' : 'read';
}
