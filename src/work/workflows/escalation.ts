import type { EscalationLevel } from '#tasks';
import { endOfWorkingDay, type WorkingTime } from '#working-time';
import type { StepInput } from './schemas.ts';
import { type StepError, stepError } from './step-errors.ts';

const dayMs = 86_400_000;
/** Roles that an overdue task may come to. */
const upwards = ['role:owner', 'role:admin'];

type Level = { afterDays?: number; afterWorkingDays?: number; to: string; reassign?: boolean };

/** The levels of a step that were checked when it came in. */
const levelsOf = ({ escalate }: Readonly<Record<string, unknown>>): readonly Level[] =>
  Array.isArray(escalate) ? (escalate as Level[]) : [];

/** The people whom steps escalate to. */
export const escalatedTo = (steps: readonly { config: Readonly<Record<string, unknown>> }[]): string[] =>
  steps.flatMap(({ config }) => levelsOf(config).flatMap(({ to }) => (upwards.includes(to) ? [] : [to])));

/** The people whom a workflow and its steps name. */
export const peopleNamed = ({
  steps,
  assigned_to: assignee,
}: {
  steps: readonly { assignees: readonly string[]; config: Readonly<Record<string, unknown>> }[];
  assigned_to: string | null;
}): string[] => [...(assignee === null ? [] : [assignee]), ...steps.flatMap(({ assignees }) => assignees), ...escalatedTo(steps)];

/** Whether levels are reckoned in working days. */
export const escalatesInWorkingDays = (config: Readonly<Record<string, unknown>>): boolean =>
  levelsOf(config).some(({ afterWorkingDays }) => afterWorkingDays !== undefined);

/** What tasks of a step keep of its levels: the times are fixed when the step begins, as those are at which it is due. */
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
    return [stepError('config/escalate', 'needs dueInDays or config.dueInWorkingDays: what is never due is never overdue')];
  return levelsOf(step.config).flatMap(({ afterDays, afterWorkingDays }, index) =>
    (afterDays === undefined) === (afterWorkingDays === undefined)
      ? [stepError(`config/escalate/${index}`, 'must have one of afterDays and afterWorkingDays', 'oneOf')]
      : [],
  );
}
