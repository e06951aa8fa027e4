import { doneByViewers, isDecision } from '#tasks';
import { isTaskStep } from './making.ts';
import type { Scope } from '../../platform/scope.ts';
import { workflowProblems } from './problems.ts';
import * as roleQueries from './role-queries.ts';
import type { ConfiguredStep } from './steps.ts';
import type * as queries from './queries.ts';

const rolePrefix = 'role:';
/** The roles that a step may be assigned to. */
export const roles = ['owner', 'admin', 'member', 'viewer'] as const;

/** Returns the role that an assignee names, whether it exists or not. Returns nothing for a person. */
export const roleNamed = (assignee: string): string | undefined =>
  assignee.toLowerCase().startsWith(rolePrefix) ? assignee.slice(rolePrefix.length).toLowerCase() : undefined;

/** Returns a role as an assignee. */
export const asAssignee = (role: string): string => rolePrefix + role;

/** Returns the error of a role in a step of this type. */
export function roleError({ type, config }: ConfiguredStep, role: string): string | undefined {
  if (!roles.some((known) => known === role)) return `names an unknown role: use \`role:\` with one of ${roles.join(', ')}`;
  if (!isTaskStep({ type, config }) && type !== 'notification')
    return `cannot have a role as assignee: a step of type ${type} has no tasks`;
  if (role === 'viewer' && !doneByViewers.includes(type))
    return `cannot be assigned to viewers: they complete only ${doneByViewers.join(' and ')}`;
  return undefined;
}

type People = ReadonlyMap<string, readonly string[]>;

/** Returns the members that steps with roles would be assigned to, by step. */
export async function peopleOfRoles({ db, team }: Scope, row: queries.WorkflowRow): Promise<People> {
  if (!row.steps.some((step) => step.status === 'pending' && step.roles.length > 0)) return new Map();
  const found = await db.all(roleQueries.peopleOfRoles, { team, id: row.id });
  return new Map(found.map(({ id, people }) => [id, people]));
}

/**
 * Assigns a step that begins to the members of its roles, in addition to its named assignees. If no member may make a decision, it has no assignee,
 * and owner and administrators get a mail. Any other step goes to the default assignee.
 */
export function storeStepAssignees({ db, team }: Scope, row: queries.WorkflowRow, step: queries.StepRow, found: People): void {
  if (step.roles.length === 0) return;
  step.assignees = [...new Set([...step.assignees, ...(found.get(step.id) ?? [])])];
  step.roles = [];
  step.vacant ||= step.assignees.length + step.groups.length === 0 && isDecision(step.type);
  db.send(roleQueries.storeStepAssignees, { team, id: row.id, step: step.id, people: step.assignees, vacant: step.vacant });
}

/** Requires that each decision of a role has an eligible member when the workflow starts. Errors: 422 `no_eligible_assignee` with the steps. */
export async function requireEligible(scope: Scope, row: queries.WorkflowRow): Promise<void> {
  const found = await peopleOfRoles(scope, row);
  const nobodys = row.steps.flatMap((step, index) =>
    step.roles.length > 0 && step.assignees.length + step.groups.length === 0 && isDecision(step.type) && !found.get(step.id)?.length
      ? [{ step, index }]
      : [],
  );
  if (nobodys.length === 0) return;
  throw workflowProblems.no_eligible_assignee(
    `No member may make the ${nobodys.length === 1 ? 'decision' : 'decisions'} ${nobodys.map(({ step }) => `“${step.id}” (${step.roles.map(asAssignee).join(', ')})`).join(', ')}. ` +
      'Excluded are the creator of the workflow, the uploader of the version and members excluded by a barrier. Name another role or a person.',
    {
      errors: nobodys.slice(0, 20).map(({ index }) => ({
        name: 'assignees',
        pointer: `/steps/${index}/assignees`,
        reason: 'names a role without an eligible member',
        rule: 'eligible',
      })),
    },
  );
}
