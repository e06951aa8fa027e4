import { lockGroupsShared } from '#access';
import { namedInRules } from './approval-config.ts';
import type { Scope } from '../../platform/scope.ts';
import * as groupQueries from './group-queries.ts';
import type * as queries from './queries.ts';

/** Locks the groups of steps against deletion, before members and workflow. Errors: 404 `group_not_found`. */
export async function lockGroupsOf(
  scope: Scope,
  steps: readonly { groups: readonly string[]; config: Readonly<Record<string, unknown>> }[],
): Promise<void> {
  const groups = [...steps.flatMap((step) => step.groups), ...namedInRules(steps, 'group')];
  if (groups.length > 0) await lockGroupsShared(scope, groups);
}

type People = ReadonlyMap<string, readonly string[]>;

/** Returns the members that steps of groups with the mode `all` would be assigned to, by step. */
export async function membersOfGroups({ db, team }: Scope, row: queries.WorkflowRow): Promise<People> {
  if (!row.steps.some((step) => step.status === 'pending' && step.mode === 'all' && step.groups.length > 0)) return new Map();
  const found = await db.all(groupQueries.membersOfGroups, { team, id: row.id });
  return new Map(found.map(({ id, people }) => [id, people]));
}

/**
 * Assigns a step with the mode `all` that begins to the members of its groups, in addition to its other assignees. The
 * list is fixed from then on. Without an eligible member, or with more than {@link groupQueries.maxOfGroups}, the step is vacant.
 */
export function settleGroups({ db, team }: Scope, row: queries.WorkflowRow, step: queries.StepRow, found: People): void {
  if (step.groups.length === 0 || step.mode !== 'all') return;
  const people = found.get(step.id) ?? [];
  const isList = people.length > 0 && people.length <= groupQueries.maxOfGroups;
  if (isList) step.assignees = [...new Set([...step.assignees, ...people])];
  step.groups = [];
  step.vacant ||= !isList;
  db.send(groupQueries.settleGroups, { team, id: row.id, step: step.id, people: step.assignees, vacant: step.vacant });
}
