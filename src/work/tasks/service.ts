import { randomUUIDv7 } from 'node:crypto';
import { lockGroupsShared } from '#access';
import { documentReadableBy, documentAccessDenied, readableDocument, type ReferredDocument } from '#documents';
import { writtenBy } from '../../platform/comments.ts';
import type { ListPage } from '../../platform/database/json-page.ts';
import { searchParams } from '../../platform/database/list-filters.ts';
import type { MergedPage, MergedPart } from '../../platform/database/merged-page.ts';
import type { Cursor, Sort } from '../../platform/database/sorted-page.ts';
import { isUuid, spellings } from '../../platform/identifiers.ts';
import { recordAudit } from '../../platform/journal/record.ts';
import { problems } from '../../platform/problems.ts';
import { type ReadScope, type Scope, userIdOf } from '../../platform/scope.ts';
import { cleanName } from '../../platform/text.ts';
import type { Versioned } from '../../platform/versioned.ts';
import { dueTime } from './due-date.ts';
import { taskCommented } from './events.ts';
import * as lists from './list-queries.ts';
import { findTask } from './lookup.ts';
import { createTasks } from './create.ts';
import { requireMembers } from './assignees.ts';
import { emergencyAccessReads, requireInside } from './barrier.ts';
import { placeOfWork } from './place.ts';
import { listedFor, mayCreate } from './access.ts';
import { presentTask } from './present.ts';
import * as queries from './queries.ts';
import type { Comment, CreateTask, Task, TaskFilters } from './schemas.ts';

/** Lists the tasks that the actor may see. The list can be filtered, and is sorted by age or by `sort`. A malformed identifier matches nothing. */
export async function listTasks(
  scope: ReadScope,
  filters: TaskFilters,
  { sort, ...place }: Cursor & { sort: Sort; limit: number },
): Promise<ListPage | undefined> {
  if (filters.assignedTo === 'me' && scope.actor.type !== 'user')
    throw problems.person_required(
      '`assignedTo=me` selects the tasks of the caller, and an API client has none. Use the identifier of a member.',
    );
  if (filters.claimable && scope.actor.type !== 'user')
    throw problems.person_required('`claimable` selects tasks that the caller can claim, and an API client can claim none.');
  if (filters.claimable && filters.assignedTo !== undefined && filters.assignedTo !== 'me')
    throw problems.validation_failed(
      '`claimable` selects tasks that you can claim. Combine it with `assignedTo=me`, or with no `assignedTo`.',
    );
  const assignee = filters.assignedTo === 'me' && scope.actor.type === 'user' ? scope.actor.id : filters.assignedTo;
  const createdBy = filters.createdBy === 'me' && 'id' in scope.actor ? scope.actor.id : filters.createdBy;
  if ([assignee, createdBy, filters.workflowId, filters.matterId].some((id) => id !== undefined && !isUuid(id))) return undefined;
  // No text in PostgreSQL contains this character.
  if (filters.documentId?.includes('\0')) return undefined;
  const requestedStatuses = filters.status ?? lists.allStatuses;
  // Only open tasks are overdue.
  const statuses = [...new Set(filters.overdue ? requestedStatuses.filter((status) => status === 'open') : requestedStatuses)];
  const principalId = listedFor(scope.actor);
  const among = searchOf(filters, { sort, statuses, assignee, principalId });
  return scope.db.first(lists.listTasks[among][sort], {
    team: scope.team,
    principalId,
    user: userIdOf(scope.actor),
    statuses,
    assignee: assignee ?? null,
    createdBy: createdBy ?? null,
    workflow: filters.workflowId ?? null,
    documents: spellings(filters.documentId),
    matter: filters.matterId ?? null,
    overdue: filters.overdue ?? null,
    updatedSince: filters.updatedSince ?? null,
    now: scope.now,
    ...searchParams(filters),
    ...place,
  });
}

/** Returns the search that usually reads the fewest tasks. */
function searchOf(
  filters: TaskFilters,
  {
    sort,
    statuses,
    assignee,
    principalId,
  }: { sort: Sort; statuses: readonly string[]; assignee?: string | undefined; principalId: string | null },
): keyof typeof lists.listTasks {
  if (filters.claimable) return assignee ? 'own' : 'claimable';
  if (filters.ids) return 'ids';
  if (filters.workflowId) return 'workflow';
  if (filters.documentId) return 'document';
  if (filters.matterId) return 'matter';
  if (assignee) return 'assignee';
  if (principalId) return 'principal';
  if (sort.endsWith('updatedAt')) return 'state';
  if (filters.updatedSince) return 'changed';
  // By age, tasks in all states are read along one index.
  return statuses.length === lists.allStatuses.length && sort.endsWith('createdAt') ? 'team' : 'state';
}

/**
 * Returns the open tasks that a member has or may claim. `votes` selects tasks of approval rounds (true), other tasks
 * (false), or both.
 */
export function tasksToDo({ db, team, actor, now }: ReadScope, page: MergedPage, votes: readonly boolean[]): Promise<MergedPart[]> {
  if (actor.type !== 'user') return Promise.resolve([]);
  return db.all(lists.listToDo, { team, user: actor.id, votes, now, ...page });
}

export async function getTask(scope: ReadScope | Scope, id: string): Promise<Versioned<Task>> {
  const row = await findTask(scope, id);
  return { value: presentTask(row), version: row.version };
}

/**
 * Creates a task outside any workflow, from a person or an API client. If the creator may share the document, the assignee can read it while the task
 * is open; of a group, its members can. If the creator may not read the document, its identifier is stored like that of a document in another system. Errors: 403 with emergency
 * access, 403 `document_access_denied`, 404 `group_not_found`, 422 `assignee_not_found`, `outside_barrier`.
 */
export async function createTask(scope: Scope, input: CreateTask): Promise<Versioned<Task>> {
  if (scope.actor.type === 'system' || !mayCreate(scope.actor))
    throw problems.forbidden('Viewers cannot create tasks. Ask an owner or administrator for another role.');
  const title = cleanName(input.title, 'title');
  if (input.assignedTo !== undefined && input.groupId !== undefined)
    throw problems.validation_failed('A task is for a member (`assignedTo`) or for a group (`groupId`). Send one of them.');
  const [group] = input.groupId === undefined ? [] : await lockGroupsShared(scope, [input.groupId]);
  await requireMembers(scope, input.assignedTo === undefined ? [] : [input.assignedTo]);
  const referred =
    input.documentId === undefined ? undefined : await documentOf(scope, input.documentId, { user: input.assignedTo, group });
  const place = await placeOfWork(scope, input.matterId, referred);
  if (place.barred && input.assignedTo !== undefined) await requireInside(scope, place.about, [input.assignedTo]);
  const id = randomUUIDv7();
  const task = {
    id,
    title,
    description: input.description ?? null,
    type: 'task',
    assigned_to: input.assignedTo?.toLowerCase() ?? null,
    ...(group === undefined ? {} : { assigned_group_id: group }),
    created_by: scope.actor.id,
    created_by_type: scope.actor.type,
    workflow_id: null,
    step_id: null,
    container_id: place.matter,
    document_id: referred?.id ?? input.documentId ?? null,
    due_at: input.dueDate === undefined ? null : await dueTime(scope, input.dueDate),
    config: {},
  };
  await createTasks(scope, [task], referred && { referred, linkedBy: scope.actor.id }, place);
  return getTask(scope, id);
}

/**
 * Returns the document of a new task. A creator who may not share the document can link it only if the task needs no grant. Then the task is for the
 * creator, has no assignee, or its assignee may already read the document. Errors: 403 with emergency access, 403 `document_access_denied`, 422
 * `outside_barrier`.
 */
async function documentOf(
  scope: Scope,
  id: string,
  { user: assignee, group }: { user: string | undefined; group: string | undefined },
): Promise<ReferredDocument | undefined> {
  const referred = await readableDocument(scope, id);
  if (referred?.emergencyOnly) throw emergencyAccessReads();
  if (referred?.barred && assignee !== undefined) await requireInside(scope, referred.id, [assignee]);
  if (!referred || referred.gives !== undefined || (assignee === undefined && group === undefined)) return referred;
  if (assignee === undefined) throw documentAccessDenied();
  if (scope.actor.type === 'user' && assignee.toLowerCase() === scope.actor.id) return referred;
  if (await documentReadableBy(scope, assignee.toLowerCase(), id)) return referred;
  throw documentAccessDenied();
}

/** The comments on a task, oldest first. Errors: 404. */
export async function listComments(scope: ReadScope, id: string, page: { after: string; limit: number }): Promise<ListPage | undefined> {
  const task = await findTask(scope, id);
  return scope.db.first(lists.listComments, { team: scope.team, id: task.id, ...page });
}

/** Adds a comment to a task. Everyone who may see the task can read it. Errors: 404, 403 with emergency access. */
export async function addComment(scope: Scope, taskId: string, text: string): Promise<Comment> {
  const { row, comment } = writtenBy(scope, text);
  const task = await findTask(scope, taskId);
  if (task.emergency) throw emergencyAccessReads();
  scope.db.send(queries.insertComment, { ...row, task: task.id });
  await recordAudit(scope, taskCommented, task.id, { commentId: comment.id });
  return { ...comment, taskId: task.id };
}
