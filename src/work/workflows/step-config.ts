import type { FieldError } from '../../platform/problems.ts';
import { ruleLimits } from '#approvals';
import type { MappingInputs } from '#fields';
import { approvalErrors, asksRound, type ConditionNames } from './approval-config.ts';
import type { StepInput } from './schemas.ts';
import { asksToSign, localeErrors, signatureErrors } from './signature-config.ts';
import { escalationErrors } from './escalation.ts';
import { conditionErrors, unknownField } from './conditions.ts';
import { maxOfGroups } from './group-queries.ts';
import { maxOfRole } from './role-queries.ts';
import { roleError, roleNamed } from './roles.ts';
import { isTaskStep, makingErrors } from './making.ts';
import { inputsOfStep } from './names.ts';
import { schemaErrors } from './schema-errors.ts';
import { type StepError, stepError } from './step-errors.ts';
import { dependencies, stepsBefore } from './steps.ts';
import { webhookErrors } from './webhook-config.ts';

/** Maximum bytes of JSON in the `config` of one step, and in all steps of a workflow or template. */
export const maxConfigBytes = 16 * 1024;
export const maxStepsBytes = 256 * 1024;
/**
 * Maximum number of webhook, notification and agent steps, each. A webhook step sends two events to every endpoint, a notification a mail to every
 * assignee, and an agent step starts a run.
 */
export const maxAnnouncingSteps = 20;
/** Maximum number of tasks that the steps of one workflow create in one round, counting each assignee of each step. */
export const maxTasks = 500;

const hourMs = 3_600_000;
const unitMs = { minutes: 60_000, hours: hourMs, days: 24 * hourMs } as const;
const longestWaitMs = 3_650 * unitMs.days;
const firstTime = Date.UTC(1970, 0, 1);
const lastTime = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** Returns the errors of the steps. Their paths refer to the members of the request. `stored` names the steps that are already stored. */
export function stepErrors(steps: readonly StepInput[], stored: ReadonlySet<string> = new Set()): FieldError[] {
  const before = dependencies(steps);
  const earlier = stepsBefore(steps.map(({ id }, index) => ({ id, depends_on: before[index] ?? [] })));
  const byId = new Map(steps.map((step) => [step.id, step]));
  const found = steps.flatMap((step, index) =>
    errorsOf(step, stored.has(step.id), { before: () => earlier(step.id), byId }).map(({ member, reason, rule }) => ({
      name: member.slice(member.lastIndexOf('/') + 1),
      pointer: `/steps/${index}/${member}`,
      reason,
      rule,
    })),
  );
  return [...found, ...sizeErrors(steps)];
}

function sizeErrors(steps: readonly StepInput[]): FieldError[] {
  const whole = (reason: string, rule: string): FieldError => ({ name: 'steps', pointer: '/steps', reason, rule });
  const announcing = (type: string) => steps.filter((step) => step.type === type).length > maxAnnouncingSteps;
  const tasks = steps.reduce((sum, step) => sum + (isTaskStep(configured(step)) ? tasksOf(step) : 0), 0);
  return [
    ...(Buffer.byteLength(JSON.stringify(steps)) > maxStepsBytes
      ? [whole(`take more than ${maxStepsBytes / 1024} KiB of JSON`, 'maxBytes')]
      : []),
    ...['webhook', 'notification', 'agent']
      .filter(announcing)
      .map((type) => whole(`have more than ${maxAnnouncingSteps} of type ${type}`, 'maxItems')),
    ...(tasks > maxTasks
      ? [whole(`would create ${tasks} tasks, one for each assignee of each step: the maximum is ${maxTasks}`, 'maxItems')]
      : []),
  ];
}

const configured = ({ id, type, config }: StepInput) => ({ id, type, config: config ?? {} });

const allNamed = (step: StepInput): string[] => [...(step.assignedTo === undefined ? [] : [step.assignedTo]), ...(step.assignees ?? [])];

/** Returns the number of tasks of a step. A role counts as the maximum number of members that a step can be assigned to. So do groups, unless one member claims the task of each. */
const tasksOf = (step: StepInput) =>
  asksRound({ config: step.config ?? {} })
    ? ruleLimits.candidates
    : Math.max(
        1,
        assigneesOf(step).length +
          (rolesOf(step).length > 0 ? maxOfRole : 0) +
          (step.mode === 'any' ? groupsOf(step).length : ofMembers(step)),
      );
const groupsOf = ({ groups = [] }: StepInput) => groups;
const ofMembers = (step: StepInput) => (groupsOf(step).length > 0 ? maxOfGroups : 0);

/** Returns the identifiers of the people of a step, in lower case and without duplicates. */
export function assigneesOf(step: StepInput): string[] {
  return [...new Set(allNamed(step).flatMap((id) => (roleNamed(id) === undefined ? [id.toLowerCase()] : [])))];
}

/** Returns the roles of a step, without duplicates. */
export function rolesOf(step: StepInput): string[] {
  return [...new Set(allNamed(step).flatMap((assignee) => roleNamed(assignee) ?? []))];
}

function roleErrors(step: StepInput): StepError[] {
  const wrong = (assignee: string | undefined, member: string) => {
    const role = assignee === undefined ? undefined : roleNamed(assignee);
    const reason = role === undefined ? undefined : roleError(configured(step), role);
    return reason === undefined ? [] : [stepError(member, reason, 'role')];
  };
  return [...wrong(step.assignedTo, 'assignedTo'), ...(step.assignees ?? []).flatMap((one, at) => wrong(one, `assignees/${at}`))];
}

function groupErrors(step: StepInput): StepError[] {
  if (groupsOf(step).length === 0 || (isTaskStep(configured(step)) && !asksToSign(configured(step)))) return [];
  return [stepError('groups', `cannot have groups: a step of type ${step.type} has no task that a member could claim`, 'group')];
}

type Earlier = { before: () => ReadonlySet<string>; byId: ReadonlyMap<string, StepInput> };

function errorsOf(step: StepInput, isStored: boolean, earlier: Earlier): StepError[] {
  if (Buffer.byteLength(JSON.stringify(step.config ?? {})) > maxConfigBytes)
    return [stepError('config', `has more than ${maxConfigBytes / 1024} KiB of JSON`, 'maxBytes')];
  const { when, ...config } = step.config ?? {};
  // A null value means that the member is absent.
  const given = when === null ? config : (step.config ?? {});
  const wrong = schemaErrors(step.type, given).filter(({ rule, member }) => !(isStored && rule === 'unknown') && member !== 'config/when');
  return [
    ...roleErrors(step),
    ...groupErrors(step),
    ...whenErrors(when, earlier),
    ...(wrong.length > 0
      ? wrong
      : [
          ...relationErrors(step, given, earlier),
          ...(isStored ? [] : localeErrors(given)),
          ...approvalErrors(step, () => namesOfConditions(earlier)),
        ]),
  ];
}

/** Returns the names that a step can use. The domain of forms checks the fields of forms. */
function inputsOf({ before, byId }: Earlier): MappingInputs {
  const stepOf = (id: string) => {
    const found = before().has(id) ? byId.get(id) : undefined;
    return found && configured(found);
  };
  return inputsOfStep(stepOf, {}, [...before()]);
}

function namesOfConditions(earlier: Earlier): ConditionNames {
  const inputs = inputsOf(earlier);
  return { fieldOf: inputs.fieldOf, unknown: unknownField(inputs) };
}

/** Returns the errors of a condition. A step of any type may have one. */
function whenErrors(when: unknown, earlier: Earlier): StepError[] {
  if (when === undefined || when === null) return [];
  return conditionErrors(when, 'config/when', inputsOf(earlier)).map(({ pointer, reason, rule }) => stepError(pointer, reason, rule));
}

/** Returns the errors that a schema cannot express: members that require or exclude others, or name other steps. `config` fits its schema. */
function relationErrors(step: StepInput, config: Record<string, unknown>, earlier: Earlier): StepError[] {
  const { when, onMissing, onReject, dueInWorkingDays: days } = config;
  return [
    ...(onMissing !== undefined && when === undefined
      ? [stepError('config/onMissing', 'belongs to a step with a condition: set `when`')]
      : []),
    ...(typeof onReject === 'string' && !earlier.before().has(onReject)
      ? [stepError('config/onReject', 'must be the id of an earlier step that this step depends on')]
      : []),
    ...(days !== undefined && step.dueInDays !== undefined
      ? [stepError('config/dueInWorkingDays', 'cannot be combined with dueInDays', 'oneOf')]
      : []),
    ...escalationErrors(step),
    ...makingErrors({ ...configured(step), config }, () => inputsOf(earlier)),
    ...(step.type === 'signature' ? signatureErrors(step, config) : []),
    ...(step.type === 'webhook' ? webhookErrors(config) : []),
    ...(step.type === 'wait' ? waitErrors(config) : []),
  ];
}

/** Returns the working days after which the tasks of a step are due; undefined without this setting. */
export const workingDaysOf = ({ dueInWorkingDays: days }: Record<string, unknown>): number | undefined =>
  typeof days === 'number' ? days : undefined;

function waitErrors(config: Record<string, unknown>): StepError[] {
  const given = [...Object.keys(unitMs), 'until'].filter((member) => config[member] !== undefined);
  if (given.length !== 1) return [stepError('config', 'must have exactly one of minutes, hours, days and until', 'oneOf')];
  const time = typeof config.until === 'string' ? Date.parse(config.until) : firstTime;
  return time >= firstTime && time <= lastTime
    ? []
    : [stepError('config/until', 'must be a time with a zone in the years 1970 to 9999, such as 2026-12-31T17:00:00Z', 'date-time')];
}

/** Returns the end of a wait. Limits it to the years that the service supports, because an older row may have a larger setting. */
export function wakeTime(config: Record<string, unknown>, now: Date): string {
  const until = typeof config.until === 'string' ? Date.parse(config.until) : Number.NaN;
  const amount = (member: keyof typeof unitMs) => {
    const value = config[member];
    return typeof value === 'number' && value > 0 ? value * unitMs[member] : 0;
  };
  const waited = now.getTime() + Math.min(amount('days') + amount('hours') + amount('minutes'), longestWaitMs);
  return new Date(Math.min(Math.max(Number.isNaN(until) ? waited : until, firstTime), lastTime)).toISOString();
}
