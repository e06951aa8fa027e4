import type { Row } from '../../../platform/database/row.ts';
import type { Scope } from '../../../platform/scope.ts';
import * as queries from './queries.ts';

/** The columns of a new task that determine its delegate. */
type DelegableTask = Row<'task', 'id' | 'type' | 'assigned_to' | 'created_by' | 'workflow_id' | 'step_id'> & {
  approval_round_id?: string;
};
type TaskSubject = {
  document?: { referred: { id: string; version?: number | undefined } } | undefined;
  /** The document of the workflow of the tasks. The barrier of the document applies even if the member who linked it can no longer share it. */
  about: string | null;
};

/** Whether a person may have a task. */
export type MayHave = (person: string) => Promise<boolean>;

/** Delegates by task identifier. */
type StandIns = ReadonlyMap<string, string>;

/**
 * Returns the delegates for new tasks whose assignees are absent. The delegate of a delegate is not considered: a delegate who is absent too still
 * gets the tasks. No delegate gets two tasks of a step or round, because one person would then decide twice. `some`: whether the team has a delegation, if the
 * caller knows it. `admits`: whether a person may have the tasks.
 */
export async function findDelegates(
  scope: Scope,
  tasks: readonly DelegableTask[],
  { document, about }: TaskSubject,
  { some, admits }: { some?: boolean | undefined; admits?: MayHave | undefined } = {},
): Promise<StandIns> {
  if (tasks.every(({ assigned_to: to }) => to === null)) return new Map();
  if (!(some ?? (await scope.db.first(queries.someDelegation, { team: scope.team })))) return new Map();
  const given = tasks.map(({ id, type, assigned_to, created_by, approval_round_id = null }) => ({
    id,
    type,
    assigned_to,
    created_by,
    approval_round_id,
    about,
    linked_document_id: document?.referred.id ?? null,
    document_version: document?.referred.version ?? null,
  }));
  const found = await scope.db.all(queries.delegatesOfTasks, { team: scope.team, tasks: JSON.stringify(given), now: scope.now });
  if (found.length === 0) return new Map();
  const admitted = new Set<string>();
  for (const one of new Set(found.map(({ delegate }) => delegate))) if (admits === undefined || (await admits(one))) admitted.add(one);
  const delegates = new Map(found.flatMap(({ id, delegate }) => (admitted.has(delegate) ? [[id, delegate] as const] : [])));
  const taken = new Set(tasks.map((task) => placeOf(task, task.assigned_to)));
  const delegatesOfTasks = new Map<string, string>();
  for (const task of tasks) {
    const delegate = delegates.get(task.id);
    const once = task.step_id !== null || task.approval_round_id !== undefined;
    if (delegate === undefined || (once && taken.has(placeOf(task, delegate)))) continue;
    delegatesOfTasks.set(task.id, delegate);
    taken.add(placeOf(task, delegate));
  }
  return delegatesOfTasks;
}

const placeOf = ({ workflow_id: workflow, step_id: step }: DelegableTask, person: string | null) => `${workflow} ${person} ${step}`;

/** Returns the assignee columns of a task. For a delegated task they include the absent member. */
export function delegateFor({ id, assigned_to: absent }: Pick<DelegableTask, 'id' | 'assigned_to'>, delegatesOfTasks: StandIns) {
  const delegate = delegatesOfTasks.get(id);
  if (delegate === undefined) return { delegated_from: null, on_behalf_of: null };
  return { assigned_to: delegate, delegated_from: absent, on_behalf_of: absent };
}
