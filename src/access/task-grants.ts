import { randomUUIDv7 } from 'node:crypto';
import type { Scope } from '../platform/scope.ts';
import type { ResourceType } from './can.ts';
import * as queries from './queries.ts';

type TaskGrant = { type: ResourceType; resource: string; task: string; by: string } & ({ user: string } | { group: string });

/**
 * Grants a member or a group the relation `participant` to a resource until a task ends. Returns undefined if the person has left the team, the group
 * was deleted, or the grant exists. The caller checks that the user `by` may let others view the resource.
 */
export async function grantByTask(scope: Scope, grant: TaskGrant): Promise<queries.GrantRow | undefined> {
  const given = { ...grant, team: scope.team, id: randomUUIDv7(), at: scope.now };
  const [made] = 'user' in given ? await scope.db.all(queries.grantByTask, given) : await scope.db.all(queries.grantToGroupByTask, given);
  return made;
}

/**
 * Ends the grants of tasks and returns them. `keeper` is the user who completed one of the tasks. If that task gave this user access, the user stays
 * a participant of it.
 */
export const endTaskGrants = (scope: Scope, tasks: readonly string[], keeper?: string): Promise<queries.GrantRow[]> =>
  scope.db.all(queries.endGrantsOfTasks, { team: scope.team, tasks, record: randomUUIDv7(), keeper: keeper ?? null, at: scope.now });

/** Ends the task grants of a member and returns them. */
export const endTaskGrantsTo = ({ db, team }: Scope, user: string): Promise<queries.GrantRow[]> =>
  db.all(queries.endTaskGrantsTo, { team, user });

/** Ends grants by id and returns those that existed. */
export const endGrants = ({ db, team }: Scope, ids: readonly string[]): Promise<queries.GrantRow[]> =>
  db.all(queries.endGrants, { team, ids });
