import { accessToContained, type ContainedAccess, type Facts } from '#access';
import type { Actor } from '../platform/scope.ts';

/** The relations of an actor to a document. By a task they are a participant. `given_record`: the versions that they keep as a record. */
export type DocumentFacts = Facts & { given_task: 'read' | 'write' | null; given_record: number[] | null };

/**
 * The permissions of an actor on a document and on its versions. `placed`: they may also move and bin it. `versions`: the only ones that are
 * open, where it is kept as a record.
 */
export type DocumentAccess = ContainedAccess<'document'> & { versions?: readonly number[] };

/** The permissions of the actor on a document. Undefined for one that the actor may not view: the response is 404. */
export function accessToDocument(
  actor: Actor,
  { given_task: task, given_record: record, ...facts }: DocumentFacts,
): DocumentAccess | undefined {
  const as = (relations: readonly string[]) =>
    accessToContained(actor, 'document', { ...facts, relations: [...facts.relations, ...relations] });
  const access = as(task === null ? [] : ['participant']);
  if (access || record === null) return access;
  const kept = as(['participant']);
  return kept && { ...kept, versions: record };
}

/** What the actor may let others do with a document, by a task or a workflow. */
export function givenToOthers(actor: Actor, access: DocumentAccess): 'read' | 'write' | undefined {
  if (!access.can('assign')) return undefined;
  if ('scopes' in actor && !actor.scopes.has('documents:write')) return actor.scopes.has('documents:read') ? 'read' : undefined;
  return access.can('edit') ? 'write' : 'read';
}
