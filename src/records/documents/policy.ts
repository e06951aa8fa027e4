import { accessToContained, type ContainedAccess, type Facts } from '#access';
import type { Actor } from '../../platform/scope.ts';

/** The permissions of an actor on a document and on its versions. */
export type DocumentAccess = ContainedAccess<'document'>;
/** The permissions of the actor on a document. Undefined for one that the actor may not view: the response is 404. */
export const accessToDocument = (actor: Actor, facts: Facts): DocumentAccess | undefined => accessToContained(actor, 'document', facts);

/** What the actor may let others do with a document, by a task or a workflow. */
export function givenToOthers(actor: Actor, access: DocumentAccess): 'read' | 'write' | undefined {
  if (!access.can('assign')) return undefined;
  if ('scopes' in actor && !actor.scopes.has('documents:write')) return actor.scopes.has('documents:read') ? 'read' : undefined;
  return access.can('edit') ? 'write' : 'read';
}
