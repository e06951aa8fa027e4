import { isDeepStrictEqual } from 'node:util';
import { refuseViewers } from '#tasks';
import { cleanName } from '../../platform/text.ts';
import { asksRound } from './approval-config.ts';
import { withOnMissing } from './conditions.ts';
import { isTaskStep } from './making.ts';
import { workflowProblems } from './problems.ts';
import type { StepRow, WorkflowRow } from './queries.ts';
import type { StepInput } from './schemas.ts';
import { assigneesOf, rolesOf, stepErrors } from './step-config.ts';
import { dependencies, graphError } from './steps.ts';

/** A step as given, without its state. */
export type StepDefinition = Omit<
  StepRow,
  'vacant' | 'status' | 'started_at' | 'completed_at' | 'outcome' | 'detail' | 'wake_at' | 'nonce' | 'request_id' | 'task_ids'
> & {
  position: number;
};

/** Returns the steps with the type and `config` that are stored under their id. Newer rules do not apply to them. */
export function storedSteps(
  steps: readonly { id: string; type: string; config?: unknown }[],
  stored: readonly { id: string; type: string; config?: unknown }[],
): ReadonlySet<string> {
  const byId = new Map(stored.map((step) => [step.id, step]));
  const asStored = ({ type, config = {} }: { type: string; config?: unknown }) => ({ type, config: withoutNulls(config) });
  return new Set(
    steps.flatMap((step) => {
      const before = byId.get(step.id);
      return before && isDeepStrictEqual(asStored(step), asStored(before)) ? [step.id] : [];
    }),
  );
}

/**
 * Returns the rows of steps. `stored` names the steps whose `config` is already stored. Errors: 422 `workflow_steps_invalid`, with the pointer of
 * each error.
 */
export function stepRows(steps: readonly StepInput[], stored: ReadonlySet<string> = new Set()): StepDefinition[] {
  const graph = graphError(steps);
  if (graph !== undefined) throw workflowProblems.workflow_steps_invalid(graph);
  const errors = stepErrors(steps, stored);
  if (errors.length > 0) {
    const [first] = errors;
    throw workflowProblems.workflow_steps_invalid(`${first?.pointer} ${first?.reason}.`, { errors: errors.slice(0, 20) });
  }
  const before = dependencies(steps);
  return steps.map((step, position) => {
    const row = rowOf(step, position, before[position] ?? []);
    return stored.has(step.id) ? row : withOnMissing(row);
  });
}

function rowOf(step: StepInput, position: number, dependsOn: readonly string[]): StepDefinition {
  return {
    id: step.id,
    position,
    type: step.type,
    name: step.name === undefined ? null : cleanName(step.name),
    description: step.description ?? null,
    assignees: assigneesOf(step),
    roles: rolesOf(step),
    groups: [...new Set((step.groups ?? []).map((id) => id.toLowerCase()))],
    mode: step.mode ?? 'all',
    depends_on: [...dependsOn],
    due_in_days: step.dueInDays ?? null,
    config: withoutNulls(step.config ?? {}),
  };
}

/** Removes members that are null, because responses have no null. */
function withoutNulls<T>(value: T): T;
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((one) => one !== null).map((one: unknown) => withoutNulls(one));
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([, one]) => one !== null);
  return Object.fromEntries(kept.map(([member, one]): [string, unknown] => [member, withoutNulls(one)]));
}

/** The state of a step that has not begun. */
export const notBegun = {
  status: 'pending',
  started_at: null,
  completed_at: null,
  outcome: null,
  detail: null,
  wake_at: null,
  nonce: null,
  request_id: null,
} as const;

/** A step that has not begun. */
export const pendingStep = (step: Omit<StepDefinition, 'position'>): StepRow => ({ ...step, ...notBegun, vacant: false, task_ids: [] });

/** Whether a step needs no assignee: approval rules choose its people, or a signature step names its signers by email address. */
const asksNamed = ({ type, config }: Pick<StepRow, 'type' | 'config'>) =>
  asksRound({ config }) || (type === 'signature' && config.signers !== undefined);

/**
 * Requires an assignee for each step with tasks: its own assignees, the assignee of the workflow, or its creator if that is a person. Errors: 422
 * `assignee_required` with the steps.
 */
export function requireAssignees(row: Pick<WorkflowRow, 'assigned_to' | 'created_by_type' | 'steps'>): void {
  if (row.assigned_to !== null || row.created_by_type === 'user') return;
  const nobodys = row.steps.flatMap((step, index) =>
    step.status === 'pending' &&
    isTaskStep(step) &&
    !asksNamed(step) &&
    step.assignees.length === 0 &&
    step.roles.length === 0 &&
    step.groups.length === 0 &&
    !step.vacant
      ? [{ id: step.id, index }]
      : [],
  );
  if (nobodys.length === 0) return;
  throw workflowProblems.assignee_required(
    `Assignees are missing for the ${nobodys.length === 1 ? 'step' : 'steps'} ${nobodys.map(({ id }) => `“${id}”`).join(', ')}: an API client created the workflow. ` +
      'Name `assignees` in each of these steps, or `assignedTo` in the workflow.',
    {
      errors: nobodys.slice(0, 20).map(({ index }) => ({
        name: 'assignees',
        pointer: `/steps/${index}/assignees`,
        reason: 'does not name an assignee',
        rule: 'required',
      })),
    },
  );
}

/**
 * Rejects a step if its assignee is a viewer who may not complete it. Examines named assignees and the default assignee. Errors: 422
 * `assignee_is_viewer`.
 */
export function refuseViewersIn(
  viewers: ReadonlySet<string>,
  steps: readonly Pick<StepRow, 'type' | 'config' | 'assignees' | 'roles' | 'groups'>[],
  assignedTo: string | null | undefined,
): void {
  for (const { type, config, assignees, roles, groups } of steps) {
    const people = assignees.length + roles.length + groups.length > 0 ? assignees : [assignedTo ?? ''];
    if (isTaskStep({ type, config }) && !asksRound({ config })) refuseViewers(viewers, type, people);
  }
}
