import { randomUUIDv7 } from 'node:crypto';
import type { Reader } from '../platform/database/database.ts';
import { isUuid, notFound, pathId } from '../platform/identifiers.ts';
import { record, recordAct } from '../platform/journal/record.ts';
import { problems } from '../platform/problems.ts';
import type { ReadScope, Scope } from '../platform/scope.ts';
import { cleanName } from '../platform/text.ts';
import { dueTime } from './due-date.ts';
import { taskAssigned, taskCommented, taskCompleted, taskCreated, taskRejected } from './events.ts';
import { canBeRejected } from './kinds.ts';
import { mayComplete, mayReassign } from './policy.ts';
import { taskProblems } from './problems.ts';
import * as queries from './queries.ts';
import type { Comment, CompleteTask, CreateTask, Task } from './schemas.ts';

export type Versioned<T> = { value: T; version: number };

/** A task that is to be made, by a person or by a workflow. */
export type NewTask = {
  id: string;
  title: string;
  description: string | null;
  type: string;
  assigned_to: string | null;
  created_by: string;
  created_by_type: string;
  workflow_id: string | null;
  step_id: string | null;
  document_id: string | null;
  due_at: string | null;
};

function present(row: queries.TaskRow): Task {
  const optional = {
    description: row.description,
    assignedTo: row.assigned_to,
    workflowId: row.workflow_id,
    stepId: row.step_id,
    documentId: row.document_id,
    dueDate: row.due_at,
    outcome: row.outcome,
    comment: row.comment,
    completedBy: row.completed_by,
    completedAt: row.completed_at,
  };
  const known = Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== null)) as Partial<{
    [Member in keyof typeof optional]: string;
  }>;
  return {
    id: row.id,
    title: row.title,
    type: row.type,
    status: row.status,
    createdBy: row.created_by,
    ...known,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

/** What is announced of a task: never its description or comments. */
export function announcedTask(
  row: Pick<queries.TaskRow, 'title' | 'type' | 'assigned_to' | 'workflow_id' | 'step_id' | 'document_id'> & { outcome?: string | null },
) {
  return {
    title: row.title,
    type: row.type,
    ...(row.assigned_to === null ? {} : { assignedTo: row.assigned_to }),
    ...(row.workflow_id === null ? {} : { workflowId: row.workflow_id }),
    ...(row.step_id === null ? {} : { stepId: row.step_id }),
    ...(row.document_id === null ? {} : { documentId: row.document_id }),
    ...(row.outcome ? { outcome: row.outcome } : {}),
  };
}

type Filters = {
  status?: string[] | undefined;
  assignedTo?: string | undefined;
  workflowId?: string | undefined;
  overdue?: boolean | undefined;
};

/** The team's tasks, by age, filtered. */
export async function listTasks(
  scope: ReadScope,
  filters: Filters,
  page: { after: string; limit: number },
): Promise<{ items: Task[]; next: string | undefined }> {
  if (filters.assignedTo === 'me' && scope.actor.type !== 'user')
    throw problems.person_required('`assignedTo=me` means the person who asks, and an API client is none. Name the person by identifier.');
  const assignee = filters.assignedTo === 'me' && scope.actor.type === 'user' ? scope.actor.id : filters.assignedTo;
  if ([assignee, filters.workflowId].some((id) => id !== undefined && !isUuid(id))) return { items: [], next: undefined };
  const rows = await scope.db.all(queries.listTasks, {
    team: scope.team,
    status: filters.status ?? null,
    assignee: assignee ?? null,
    workflow: filters.workflowId ?? null,
    overdue: filters.overdue ?? null,
    now: scope.now,
    ...page,
  });
  return { items: rows.map(present), next: rows.length === page.limit ? rows.at(-1)?.id : undefined };
}

async function find(scope: { db: Reader; team: string }, id: string): Promise<queries.TaskRow> {
  const row = await scope.db.first(queries.findTask, { team: scope.team, id: pathId(id, 'task') });
  if (!row) throw notFound('task');
  return row;
}

/**
 * The task under its lock: that of its workflow where it has one, and its own. What is decided on it is true until the
 * transaction ends. Errors: 404.
 */
async function hold(scope: Scope, id: string): Promise<queries.TaskRow> {
  const { id: task, workflow_id: workflow } = await find(scope, id);
  if (workflow !== null) await scope.db.all(queries.lockWorkflow, { team: scope.team, workflow });
  const held = await scope.db.first(queries.lockTask, { team: scope.team, id: task });
  if (!held) throw notFound('task');
  return held;
}

export async function getTask(scope: ReadScope, id: string): Promise<Versioned<Task>> {
  const row = await find(scope, id);
  return { value: present(row), version: row.version };
}

/** Checks that people are active members of the team. Errors: 422 `assignee_not_found`. */
export async function requireMembers(scope: { db: Reader; team: string }, ids: readonly string[]): Promise<void> {
  const wanted = [...new Set(ids.map((id) => id.toLowerCase()))];
  if (wanted.length === 0) return;
  const found = wanted.every(isUuid) ? await scope.db.all(queries.holdActiveMembers, { team: scope.team, ids: wanted }) : [];
  const missing = wanted.find((id) => !found.some((member) => member.id === id));
  if (missing !== undefined)
    throw taskProblems.assignee_not_found(
      `“${missing.slice(0, 64)}” is no active member of your team. List the members and check the identifier.`,
    );
}

/** Writes tasks and announces each, without waiting for one another. */
export async function createTasks(scope: Scope, tasks: readonly NewTask[]): Promise<void> {
  if (tasks.length === 0) return;
  await Promise.all([
    scope.db.all(queries.insertTasks, { team: scope.team, tasks: JSON.stringify(tasks), at: scope.now }),
    ...tasks.map((task) => record(scope, taskCreated, task.id, announcedTask(task))),
  ]);
}

/** A task that a person gives to somebody, outside any workflow. */
export async function createTask(scope: Scope, input: CreateTask): Promise<Versioned<Task>> {
  if (scope.actor.type === 'system') throw problems.forbidden('A task needs somebody who gives it.');
  const title = cleanName(input.title, 'title');
  await requireMembers(scope, input.assignedTo === undefined ? [] : [input.assignedTo]);
  const id = randomUUIDv7();
  await createTasks(scope, [
    {
      id,
      title,
      description: input.description ?? null,
      type: 'task',
      assigned_to: input.assignedTo?.toLowerCase() ?? null,
      created_by: scope.actor.id,
      created_by_type: scope.actor.type,
      workflow_id: null,
      step_id: null,
      document_id: input.documentId ?? null,
      due_at: input.dueDate === undefined ? null : await dueTime(scope, input.dueDate),
    },
  ]);
  return getTask(scope, id);
}

/**
 * Ends a task with an outcome; a refused review or approval is `rejected`. What follows in its workflow happens in the
 * same transaction, by whoever hears the event. Errors: 403, 409 `task_not_open`.
 */
export async function completeTask(
  scope: Scope,
  id: string,
  input: CompleteTask,
  expect: (version: number) => void,
): Promise<Versioned<Task>> {
  const asked = await hold(scope, id);
  if (!mayComplete(scope.actor, asked))
    throw problems.forbidden('This task is given to somebody else. Its assignee, its giver, or an administrator may complete it.');
  const outcome = input?.outcome?.trim() || (asked.type === 'approval' || asked.type === 'review' ? 'approved' : 'completed');
  const status = outcome === 'rejected' && canBeRejected(asked.type) ? 'rejected' : 'completed';
  expect(asked.version);
  const ended = await scope.db.first(queries.endTask, {
    team: scope.team,
    id: asked.id,
    status,
    outcome,
    comment: input?.comment ?? null,
    by: scope.actor.type === 'system' ? null : scope.actor.id,
    at: scope.now,
  });
  if (!ended) throw taskProblems.task_not_open('The task was completed, rejected or cancelled before. Read it to see how.');
  await record(scope, status === 'rejected' ? taskRejected : taskCompleted, ended.id, announcedTask(ended));
  return { value: present(ended), version: ended.version };
}

/** Gives an open task to another member. Errors: 403, 409 `task_not_open`, 422 `assignee_not_found`. */
export async function reassignTask(scope: Scope, id: string, userId: string, expect: (version: number) => void): Promise<Versioned<Task>> {
  // Before the task's lock: somebody who leaves is held before their workflows are.
  await requireMembers(scope, [userId]);
  const asked = await hold(scope, id);
  if (!mayReassign(scope.actor, asked))
    throw problems.forbidden('This task is given to somebody else. Its assignee, its giver, or an administrator may pass it on.');
  expect(asked.version);
  const given = await scope.db.first(queries.reassignTask, { team: scope.team, id: asked.id, user: userId, at: scope.now });
  if (!given) throw taskProblems.task_not_open('The task is open no more, so it cannot be passed on.');
  await record(scope, taskAssigned, given.id, announcedTask(given));
  return { value: present(given), version: given.version };
}

function presentComment(row: { id: string; task_id: string; user_id: string; text: string; created_at: string }): Comment {
  return { id: row.id, taskId: row.task_id, userId: row.user_id, text: row.text, createdAt: row.created_at };
}

export async function listComments(scope: ReadScope, id: string): Promise<Comment[]> {
  const task = await find(scope, id);
  return (await scope.db.all(queries.listComments, { team: scope.team, id: task.id })).map(presentComment);
}

export async function addComment(scope: Scope, taskId: string, text: string): Promise<Comment> {
  if (scope.actor.type === 'system') throw problems.forbidden('A comment needs somebody who writes it.');
  const task = await find(scope, taskId);
  const id = randomUUIDv7();
  const row = { id, task_id: task.id, user_id: scope.actor.id, text, created_at: scope.now.toISOString() };
  await Promise.all([
    scope.db.all(queries.insertComment, { team: scope.team, id, task: task.id, user: scope.actor.id, text, at: scope.now }),
    recordAct(scope, taskCommented, task.id, { commentId: id }),
  ]);
  return presentComment(row);
}
