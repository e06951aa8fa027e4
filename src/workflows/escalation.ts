import type { EscalationLevel } from '#tasks';
import { endOfWorkingDay, type WorkingTime } from '#working-time';
import { isUuid } from '../platform/identifiers.ts';
import type { StepInput } from './schemas.ts';
import { type Fault, fault, pointerPart } from './step-faults.ts';

const dayMs = 86_400_000;
const mostLevels = 2;
const mostDays = 365;
const members = ['afterDays', 'afterWorkingDays', 'to', 'reassign'];
/** Roles that an overdue task may come to. */
const upwards = ['role:owner', 'role:admin'];

type Level = { afterDays?: number; afterWorkingDays?: number; to: string; reassign?: boolean };

/** The levels of a step that were checked when it came in. */
const levelsOf = ({ escalate }: Readonly<Record<string, unknown>>): readonly Level[] =>
  Array.isArray(escalate) ? (escalate as Level[]) : [];

/** The people whom steps escalate to. */
export const escalatedTo = (steps: readonly { config: Readonly<Record<string, unknown>> }[]): string[] =>
  steps.flatMap(({ config }) => levelsOf(config).flatMap(({ to }) => (upwards.includes(to) ? [] : [to])));

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

/** What is wrong with the levels of a step. */
export function escalationFaults(step: StepInput, levels: unknown): Fault[] {
  if (levels === undefined) return [];
  if (!Array.isArray(levels) || levels.length === 0 || levels.length > mostLevels)
    return [fault('config/escalate', `must be one or ${mostLevels} levels`, 'maxItems')];
  if (step.dueInDays === undefined && step.config?.dueInWorkingDays === undefined)
    return [fault('config/escalate', 'needs dueInDays or config.dueInWorkingDays: what is never due is never overdue')];
  return levels.flatMap((level: unknown, index) => levelFaults(level, `config/escalate/${index}`));
}

function levelFaults(level: unknown, at: string): Fault[] {
  if (typeof level !== 'object' || level === null) return [fault(at, 'must be an object with `to` and `afterDays` or `afterWorkingDays`')];
  const { afterDays, afterWorkingDays, to, reassign } = level as Record<string, unknown>;
  const days = afterDays ?? afterWorkingDays;
  const one = (afterDays === undefined) !== (afterWorkingDays === undefined);
  return [
    ...Object.keys(level)
      .filter((member) => !members.includes(member))
      .map((member) => fault(`${at}/${pointerPart(member)}`, `is not known: a level takes ${members.join(', ')}`)),
    ...(one && typeof days === 'number' && Number.isInteger(days) && days >= 1 && days <= mostDays
      ? []
      : [fault(at, `must have one of afterDays and afterWorkingDays, from 1 to ${mostDays}`, 'oneOf')]),
    ...(typeof to === 'string' && (upwards.includes(to) || isUuid(to))
      ? []
      : [fault(`${at}/to`, `must be ${upwards.join(', ')} or the id of a member`)]),
    ...(reassign === undefined || typeof reassign === 'boolean' ? [] : [fault(`${at}/reassign`, 'must be true or false')]),
  ];
}
