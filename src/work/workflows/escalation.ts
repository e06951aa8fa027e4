import type { EscalationLevel } from '#tasks';
import { endOfWorkingDay, type WorkingTime } from '#working-time';
import type { StepInput } from './schemas.ts';
import { type StepError, stepError } from './step-errors.ts';

const dayMs = 86_400_000;
/** Roles to which an overdue task may escalate. */
const upwards = ['role:owner', 'role:admin'];

type Level = { afterDays?: number; afterWorkingDays?: number; to: string; reassign?: boolean };

/** Returns the levels of a step. They were checked when the step was stored. */
const levelsOf = ({ escalate }: Readonly<Record<string, unknown>>): readonly Level[] =>
  Array.isArray(escalate) ? (escalate as Level[]) : [];

/** Returns the people to whom steps escalate. */
export const escalatedTo = (steps: readonly { config: Readonly<Record<string, unknown>> }[]): string[] =>
  steps.flatMap(({ config }) => levelsOf(config).flatMap(({ to }) => (upwards.includes(to) ? [] : [to])));

/** Returns the people that a workflow and its steps name. */
export const peopleNamed = ({
  steps,
  assigned_to: assignee,
}: {
  steps: readonly { assignees: readonly string[]; config: Readonly<Record<string, unknown>> }[];
  assigned_to: string | null;
}): string[] => [...(assignee === null ? [] : [assignee]), ...steps.flatMap(({ assignees }) => assignees), ...escalatedTo(steps)];

/** Whether a level counts working days. */
export const escalatesInWorkingDays = (config: Readonly<Record<string, unknown>>): boolean =>
  levelsOf(config).some(({ afterWorkingDays }) => afterWorkingDays !== undefined);

/** Returns the levels for the tasks of a step. Their times are fixed when the step begins, like its due date. */
export function escalationOf(
  config: Readonly<Record<string, unknown>>,
  due: Date | null,
  time: WorkingTime | undefined,
): EscalationLevel[] {
  if (due === null) return [];
  return levelsOf(config).map(({ afterDays, afterWorkingDays, to, reassign = false }) => {
    const end = afterWorkingDays === undefined ? undefined : time && endOfWorkingDay(time, due, afterWorkingDays);
    const after = end === undefined ? (afterDays ?? afterWorkingDays ?? 0) * dayMs : end.getTime() - due.getTime();
    return { after, to: to.toLowerCase(), reassign };
  });
}

/** Returns the errors in the levels of a step. The levels fit their schema. */
export function escalationErrors(step: StepInput): StepError[] {
  if (step.config?.escalate === undefined) return [];
  if (step.dueInDays === undefined && step.config.dueInWorkingDays === undefined)
    return [stepError('config/escalate', 'needs dueInDays or config.dueInWorkingDays: without a due date no task is overdue')];
  return levelsOf(step.config).flatMap(({ afterDays, afterWorkingDays }, index) =>
    (afterDays === undefined) === (afterWorkingDays === undefined)
      ? [stepError(`config/escalate/${index}`, 'must have one of afterDays and afterWorkingDays', 'oneOf')]
      : [],
  );
}
