import { doneByViewers, isDecision, makesTask } from '#tasks';
import type { Scope } from '../../platform/scope.ts';
import { workflowProblems } from './problems.ts';
import * as roleQueries from './role-queries.ts';
import type * as queries from './queries.ts';

const rolePrefix = 'role:';
/** The roles that a step may be given to. */
export const roles = ['owner', 'admin', 'member', 'viewer'] as const;

/** The role that an assignee stands for, known or not; nothing where it is a person. */
export const roleNamed = (assignee: string): string | undefined =>
  assignee.toLowerCase().startsWith(rolePrefix) ? assignee.slice(rolePrefix.length).toLowerCase() : undefined;

/** How a role is named among assignees. */
export const asAssignee = (role: string): string => rolePrefix + role;

/** What is wrong with a role that a step of this type names. */
export function roleError(type: string, role: string): string | undefined {
  if (!roles.some((known) => known === role)) return `names no role: after \`role:\` comes ${roles.join(', ')}`;
  if (!makesTask(type) && type !== 'notification') return `gives nobody a task: a step of type ${type} has no assignees of a role`;
  if (role === 'viewer' && !doneByViewers.includes(type))
    return `gives viewers what they may not complete: they do ${doneByViewers.join(' and ')}`;
  return undefined;
}

type People = ReadonlyMap<string, readonly string[]>;

/** Whom the steps of a workflow that name roles would be given to, by step. */
export async function peopleOfRoles({ db, team }: Scope, row: queries.WorkflowRow): Promise<People> {
  if (!row.steps.some((step) => step.status === 'pending' && step.roles.length > 0)) return new Map();
  const found = await db.all(roleQueries.peopleOfRoles, { team, id: row.id });
  return new Map(found.map(({ id, people }) => [id, people]));
}

/**
 * A step that begins is given to the people of its roles, beside those it names; they are its assignees from here on. A decision that nobody
 * of them may take is given to nobody, and said to who runs the team; anything else goes to whom a step goes that names nobody.
 */
export function settleRoles({ db, team }: Scope, row: queries.WorkflowRow, step: queries.StepRow, found: People): void {
  if (step.roles.length === 0) return;
  step.assignees = [...new Set([...step.assignees, ...(found.get(step.id) ?? [])])];
  step.roles = [];
  step.vacant ||= step.assignees.length === 0 && isDecision(step.type);
  db.send(roleQueries.settleRoles, { team, id: row.id, step: step.id, people: step.assignees, vacant: step.vacant });
}

/** Each decision has somebody of its roles who may take it when the workflow starts. Errors: 422 `no_eligible_assignee` naming the steps. */
export async function requireEligible(scope: Scope, row: queries.WorkflowRow): Promise<void> {
  const found = await peopleOfRoles(scope, row);
  const nobodys = row.steps.flatMap((step, index) =>
    step.roles.length > 0 && step.assignees.length === 0 && isDecision(step.type) && !found.get(step.id)?.length ? [{ step, index }] : [],
  );
  if (nobodys.length === 0) return;
  throw workflowProblems.no_eligible_assignee(
    `Nobody may take the ${nobodys.length === 1 ? 'decision' : 'decisions'} ${nobodys.map(({ step }) => `“${step.id}” (${step.roles.map(asAssignee).join(', ')})`).join(', ')}: ` +
      'who made the workflow, who uploaded the document’s version and whom a barrier keeps from it do not decide. Name another role or a person.',
    {
      errors: nobodys.slice(0, 20).map(({ index }) => ({
        name: 'assignees',
        pointer: `/steps/${index}/assignees`,
        reason: 'names a role of which nobody may decide',
        rule: 'eligible',
      })),
    },
  );
}
