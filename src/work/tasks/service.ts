import { randomUUIDv7 } from 'node:crypto';
import { documentReadableBy, notYoursToOpen, readableDocument, type ReferredDocument } from '#documents';
import type { ListPage } from '../../platform/database/json-page.ts';
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
import { listedFor, mayCreate } from './access.ts';
import { presentTask } from './present.ts';
import * as queries from './queries.ts';
import type { Comment, CreateTask, Task, TaskFilters } from './schemas.ts';

/** The tasks that the actor sees, filtered, by age or as `sort` says. Nothing matches an identifier that can be none. */
export async function listTasks(
  scope: ReadScope,
  filters: TaskFilters,
  page: Cursor & { sort: Sort; limit: number },
): Promise<ListPage | undefined> {
  if (filters.assignedTo === 'me' && scope.actor.type !== 'user')
    throw problems.person_required('`assignedTo=me` means the person who asks, and an API client is none. Name the person by identifier.');
  const assignee = filters.assignedTo === 'me' && scope.actor.type === 'user' ? scope.actor.id : filters.assignedTo;
  if ([assignee, filters.workflowId].some((id) => id !== undefined && !isUuid(id))) return undefined;
  // No text in the database holds this character.
  if (filters.documentId?.includes('\0')) return undefined;
  const { sort, ...place } = page;
  const requestedStatuses = filters.status ?? lists.allStatuses;
  // What is overdue is open.
  const statuses = [...new Set(filters.overdue ? requestedStatuses.filter((status) => status === 'open') : requestedStatuses)];
  const principalId = listedFor(scope.actor);
  const anyState = statuses.length === lists.allStatuses.length;
  // Whichever has fewer tasks, as a rule; by age those in any state are read along one index.
  const teamWideList = sort.endsWith('updatedAt')
    ? 'state'
    : filters.updatedSince
      ? 'changed'
      : anyState && sort.endsWith('createdAt')
        ? 'team'
        : 'state';
  const among = filters.workflowId
    ? 'workflow'
    : filters.documentId
      ? 'document'
      : assignee
        ? 'assignee'
        : principalId
          ? 'principal'
          : teamWideList;
  return scope.db.first(lists.listTasks[among][sort], {
    team: scope.team,
    principalId,
    user: userIdOf(scope.actor),
    statuses,
    assignee: assignee ?? null,
    workflow: filters.workflowId ?? null,
    documents: spellings(filters.documentId),
    overdue: filters.overdue ?? null,
    updatedSince: filters.updatedSince ?? null,
    now: scope.now,
    ...place,
  });
}

export async function getTask(scope: ReadScope | Scope, id: string): Promise<Versioned<Task>> {
  const row = await findTask(scope, id);
  return { value: presentTask(row), version: row.version };
}

/**
 * A task that a person or an API client gives to somebody, outside any workflow. A document that the giver may let others
 * read is opened to the assignee while the task is open; an identifier of one they may not read is kept as one of another
 * system. Errors: 403 with emergency access, 403 `document_access_denied`, 422 `assignee_not_found`, `outside_barrier`.
 */
export async function createTask(scope: Scope, input: CreateTask): Promise<Versioned<Task>> {
  if (scope.actor.type === 'system' || !mayCreate(scope.actor))
    throw problems.forbidden('Viewers give no tasks. Ask an owner or administrator for another role.');
  const title = cleanName(input.title, 'title');
  await requireMembers(scope, input.assignedTo === undefined ? [] : [input.assignedTo]);
  const referred = input.documentId === undefined ? undefined : await documentOf(scope, input.documentId, input.assignedTo);
  const id = randomUUIDv7();
  const task = {
    id,
    title,
    description: input.description ?? null,
    type: 'task',
    assigned_to: input.assignedTo?.toLowerCase() ?? null,
    created_by: scope.actor.id,
    created_by_type: scope.actor.type,
    workflow_id: null,
    step_id: null,
    document_id: referred?.id ?? input.documentId ?? null,
    due_at: input.dueDate === undefined ? null : await dueTime(scope, input.dueDate),
    config: {},
  };
  await createTasks(scope, [task], referred && { referred, linkedBy: scope.actor.id });
  return getTask(scope, id);
}

/**
 * The document that a task is to be about. Who may not let others read it names it for themself, for nobody or for somebody who
 * reads it already: the task opens nothing then. Errors: 403 with emergency access, 403 `document_access_denied`, 422 `outside_barrier`.
 */
async function documentOf(scope: Scope, id: string, assignee: string | undefined): Promise<ReferredDocument | undefined> {
  const referred = await readableDocument(scope, id);
  if (referred?.emergencyOnly) throw emergencyAccessReads();
  if (referred?.barred && assignee !== undefined) await requireInside(scope, referred.id, [assignee]);
  if (!referred || referred.gives !== undefined || assignee === undefined) return referred;
  if (scope.actor.type === 'user' && assignee.toLowerCase() === scope.actor.id) return referred;
  if (await documentReadableBy(scope, assignee.toLowerCase(), id)) return referred;
  throw notYoursToOpen();
}

/** The comments on a task, oldest first. Errors: 404. */
export async function listComments(scope: ReadScope, id: string, page: { after: string; limit: number }): Promise<ListPage | undefined> {
  const task = await findTask(scope, id);
  return scope.db.first(lists.listComments, { team: scope.team, id: task.id, ...page });
}

/** Says something on a task to whoever sees it. Errors: 404, 403 with emergency access. */
export async function addComment(scope: Scope, taskId: string, text: string): Promise<Comment> {
  if (scope.actor.type === 'system') throw problems.forbidden('A comment needs somebody who writes it.');
  const { id: by, type: byType } = scope.actor;
  const task = await findTask(scope, taskId);
  if (task.emergency) throw emergencyAccessReads();
  const id = randomUUIDv7();
  scope.db.send(queries.insertComment, { team: scope.team, id, task: task.id, by, byType, text, at: scope.now });
  await recordAudit(scope, taskCommented, task.id, { commentId: id });
  return { id, taskId: task.id, createdBy: by, createdByType: byType, text, createdAt: scope.now.toISOString() };
}
