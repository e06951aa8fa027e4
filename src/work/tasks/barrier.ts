import { problems } from '../../platform/problems.ts';
import type { Scope } from '../../platform/scope.ts';
import * as queries from './barrier-queries.ts';
import { taskProblems } from './problems.ts';

type BarrierScope = Pick<Scope, 'db' | 'team'>;
type Barred = { id: string; barred: boolean };

export const emergencyAccessOnlyReads =
  'You have only emergency access to the document, which is read-only. Ask a member of the barrier to do this.';

/** The error for a change by a person with emergency access only. */
export const emergencyAccessReads = () => problems.forbidden(emergencyAccessOnlyReads);

/** Rejects excluded members. Errors: 422 `outside_barrier` with their names. */
function refuse(outsiders: readonly queries.Outsider[]): void {
  if (outsiders.length === 0) return;
  const names = [...new Set(outsiders.map(({ name }) => `“${name}”`))].slice(0, 20).join(', ');
  throw taskProblems.outside_barrier(
    `A barrier around the document excludes ${names}. Choose a member of the barrier, or ask the owner of the folder to add the excluded users.`,
  );
}

/** Returns the members among `people` who are excluded by a barrier around the document. */
export async function outsidersOf(
  { db, team }: BarrierScope,
  document: string | null,
  people: readonly string[],
): Promise<queries.Outsider[]> {
  if (document === null || people.length === 0) return [];
  return db.all(queries.outsidersOfDocument, { team, document, people: [...new Set(people)] });
}

/** Rejects people if a barrier around a document excludes one of them. Errors: 422 `outside_barrier`. */
export async function requireInside(scope: BarrierScope, document: string | null, people: readonly string[]): Promise<void> {
  refuse(await outsidersOf(scope, document, people));
}

/** Rejects a new assignee if a barrier around the document of a task excludes them. Errors: 422 `outside_barrier`. */
export async function requireAssigneeInside({ db, team }: BarrierScope, task: Barred, person: string): Promise<void> {
  if (task.barred) refuse(await db.all(queries.outsidersOfTasks, { team, tasks: [task.id], people: [person] }));
}

/**
 * Returns a function that checks whether a notification about a task may go to a person. It may not go to people excluded by the barrier of the task.
 */
export async function insidersOf(
  { db, team }: BarrierScope,
  tasks: readonly Barred[],
  people: readonly string[],
): Promise<(task: Barred, person: string) => boolean> {
  const ids = tasks.filter(({ barred }) => barred).map(({ id }) => id);
  if (ids.length === 0 || people.length === 0) return () => true;
  const found = await db.all(queries.outsidersOfTasks, { team, tasks: ids, people: [...new Set(people)] });
  const outside = new Set(found.map(({ task, id }) => `${task} ${id}`));
  return (task, person) => !outside.has(`${task.id} ${person}`);
}
