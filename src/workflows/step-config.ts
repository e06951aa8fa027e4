import { isUuid } from '../platform/identifiers.ts';
import type { FieldError } from '../platform/problems.ts';
import { isDecision, makesTask, takesOutcomes } from '#tasks';
import type { StepInput } from './schemas.ts';
import { signatureFaults } from './signature-config.ts';
import { escalationFaults } from './escalation.ts';
import { conditionFaults, onMissingValues } from './conditions.ts';
import { mostOfRole } from './role-queries.ts';
import { roleFault, roleNamed } from './roles.ts';
import { areOutcomes, type Fault, fault, outcomesFault, pointerPart } from './step-faults.ts';
import { timeoutFaults } from './step-timeout.ts';
import { dependencies, stepsBefore } from './steps.ts';
import { webhookFaults } from './webhook-config.ts';

/** Bytes of JSON that the `config` of one step, and all steps of a workflow or template, may have. */
export const mostConfigBytes = 16 * 1024;
export const mostStepsBytes = 256 * 1024;
/** Steps that nobody’s pace holds: each webhook step is two events for every endpoint, each notification a mail for every assignee, each agent’s a run. */
export const mostAnnouncingSteps = 20;
/** Tasks that the steps of one workflow may make in one round, counting each assignee of each step. */
export const mostTasks = 500;

const hourMs = 3_600_000;
const unitMs = { minutes: 60_000, hours: hourMs, days: 24 * hourMs } as const;
const longestWaitMs = 3_650 * unitMs.days;
const waitMembers = [...Object.keys(unitMs), 'until'];
const firstTime = Date.UTC(1970, 0, 1);
const lastTime = Date.UTC(9999, 11, 31, 23, 59, 59, 999);
const dateTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/;
const onNewVersion: readonly unknown[] = ['restart', 'refuse', 'ignore'];

/** What is wrong with steps one by one, as members of the request that need correcting. */
export function stepFaults(steps: readonly StepInput[]): FieldError[] {
  const before = dependencies(steps);
  const nodes = steps.map(({ id }, index) => ({ id, depends_on: before[index] ?? [] }));
  const byId = new Map(steps.map((step) => [step.id, step]));
  const found = steps.flatMap((step, index) =>
    faultsOf(step, { before: () => stepsBefore(nodes, step.id), byId }).map(({ member, reason, rule }) => ({
      name: member.slice(member.lastIndexOf('/') + 1),
      pointer: `/steps/${index}/${member}`,
      reason,
      rule,
    })),
  );
  return [...found, ...sizeFaults(steps)];
}

function sizeFaults(steps: readonly StepInput[]): FieldError[] {
  const whole = (reason: string, rule: string): FieldError => ({ name: 'steps', pointer: '/steps', reason, rule });
  const announcing = (type: string) => steps.filter((step) => step.type === type).length > mostAnnouncingSteps;
  const tasks = steps.reduce((sum, step) => sum + (makesTask(step.type) ? tasksOf(step) : 0), 0);
  return [
    ...(Buffer.byteLength(JSON.stringify(steps)) > mostStepsBytes
      ? [whole(`take more than ${mostStepsBytes / 1024} KiB of JSON`, 'maxBytes')]
      : []),
    ...['webhook', 'notification', 'agent']
      .filter(announcing)
      .map((type) => whole(`have more than ${mostAnnouncingSteps} of type ${type}`, 'maxItems')),
    ...(tasks > mostTasks
      ? [whole(`would make ${tasks} tasks, one for each assignee of each step: at most ${mostTasks}`, 'maxItems')]
      : []),
  ];
}

const allNamed = (step: StepInput): string[] => [...(step.assignedTo === undefined ? [] : [step.assignedTo]), ...(step.assignees ?? [])];

/** A role stands for as many people as a step of one is given to at most. */
const tasksOf = (step: StepInput) => Math.max(1, assigneesOf(step).length + (rolesOf(step).length > 0 ? mostOfRole : 0));

/** The people of a step: each once, however often and in whatever spelling they are named. */
export function assigneesOf(step: StepInput): string[] {
  return [...new Set(allNamed(step).flatMap((id) => (roleNamed(id) === undefined ? [id.toLowerCase()] : [])))];
}

/** The roles of a step, each once. */
export function rolesOf(step: StepInput): string[] {
  return [...new Set(allNamed(step).flatMap((assignee) => roleNamed(assignee) ?? []))];
}

function roleFaults(step: StepInput): Fault[] {
  const wrong = (assignee: string | undefined, member: string) => {
    const role = assignee === undefined ? undefined : roleNamed(assignee);
    const reason = role === undefined ? undefined : roleFault(step.type, role);
    return reason === undefined ? [] : [fault(member, reason, 'role')];
  };
  return [...wrong(step.assignedTo, 'assignedTo'), ...(step.assignees ?? []).flatMap((one, at) => wrong(one, `assignees/${at}`))];
}

type Earlier = { before: () => ReadonlySet<string>; byId: ReadonlyMap<string, StepInput> };

function faultsOf(step: StepInput, earlier: Earlier): Fault[] {
  const { when, onMissing, ...config } = step.config ?? {};
  if (Buffer.byteLength(JSON.stringify(step.config ?? {})) > mostConfigBytes)
    return [fault('config', `takes more than ${mostConfigBytes / 1024} KiB of JSON`, 'maxBytes')];
  return [
    ...roleFaults(step),
    ...whenFaults(when, earlier),
    ...missingFaults(when, onMissing),
    ...typeFaults(step, config, earlier.before),
  ];
}

/** A condition may stand on a step of any type. What it asks of the forms of earlier steps is looked at by whoever knows these. */
function whenFaults(when: unknown, { before, byId }: Earlier): Fault[] {
  if (when === undefined || when === null) return [];
  const ids = before();
  const earlier = (id: string) => {
    const found = ids.has(id) ? byId.get(id) : undefined;
    return found && { id, type: found.type, config: found.config ?? {} };
  };
  return conditionFaults(when, 'config/when', earlier).map(({ pointer, reason, rule }) => fault(pointer, reason, rule));
}

function missingFaults(when: unknown, onMissing: unknown): Fault[] {
  if (onMissing === undefined) return [];
  if (when === undefined || when === null) return [fault('config/onMissing', 'belongs to a step with a condition: give `when`')];
  if (onMissingValues.some((value) => value === onMissing)) return [];
  return [fault('config/onMissing', `must be one of ${onMissingValues.join(', ')}`, 'enum')];
}

function typeFaults(step: StepInput, config: Record<string, unknown>, earlier: () => ReadonlySet<string>): Fault[] {
  if (step.type === 'wait') return waitFaults(config);
  if (step.type === 'agent') return agentFaults(config);
  if (step.type === 'webhook') return webhookFaults(config);
  if (step.type === 'notification') {
    const reason = 'is not known: a notification step takes no config';
    return Object.keys(config).map((member) => fault(`config/${pointerPart(member)}`, reason));
  }
  return [
    ...formFaults(step.type, config.interfaceId),
    ...rejectionFaults(step.type, config.onReject, earlier),
    ...outcomeFaults(step.type, config.outcomes),
    ...versionFaults(config),
    ...dueFaults(step, config.dueInWorkingDays),
    ...escalationFaults(step, config.escalate),
    ...signatureFaults(step, config),
  ];
}

const mostWorkingDays = 500;

function dueFaults(step: StepInput, days: unknown): Fault[] {
  if (days === undefined) return [];
  if (step.dueInDays !== undefined) return [fault('config/dueInWorkingDays', 'cannot be given beside dueInDays', 'oneOf')];
  if (typeof days === 'number' && Number.isInteger(days) && days >= 0 && days <= mostWorkingDays) return [];
  return [fault('config/dueInWorkingDays', `must be a whole number from 0 to ${mostWorkingDays}`, 'range')];
}

/** The working days after which the tasks of a step are due; nothing where it does not say so. */
export const workingDaysOf = ({ dueInWorkingDays: days }: Record<string, unknown>): number | undefined =>
  typeof days === 'number' ? days : undefined;

const agentMembers = ['agentId', 'message', 'outcomes', 'timeoutHours'];

function agentFaults(config: Record<string, unknown>): Fault[] {
  const { agentId, message } = config;
  const named = typeof agentId === 'string' && (agentId === 'main' || isUuid(agentId));
  const told = typeof message === 'string' && message.trim() !== '' && !message.includes('\0');
  return [
    ...Object.keys(config)
      .filter((member) => !agentMembers.includes(member))
      .map((member) =>
        fault(`config/${pointerPart(member)}`, 'is not known: an agent step takes agentId, message, outcomes and timeoutHours'),
      ),
    ...(named ? [] : [fault('config/agentId', 'must be the identifier of an agent, or `main`', 'required')]),
    ...(told ? [] : [fault('config/message', 'must say what the agent is to do', 'required')]),
    ...(config.outcomes === undefined || areOutcomes(config.outcomes) ? [] : [outcomesFault]),
    ...timeoutFaults(config.timeoutHours),
  ];
}

function rejectionFaults(type: string, onReject: unknown, earlier: () => ReadonlySet<string>): Fault[] {
  if (onReject === undefined) return [];
  if (!isDecision(type)) return [fault('config/onReject', 'belongs to reviews, approvals and signatures: no other step can be rejected')];
  if (typeof onReject === 'string' && earlier().has(onReject)) return [];
  return [fault('config/onReject', 'must be the id of an earlier step, one that this step depends on')];
}

function formFaults(type: string, interfaceId: unknown): Fault[] {
  if (type !== 'form' || interfaceId === undefined || (typeof interfaceId === 'string' && isUuid(interfaceId))) return [];
  return [fault('config/interfaceId', 'must be the id of an interface', 'uuid')];
}

function outcomeFaults(type: string, outcomes: unknown): Fault[] {
  if (outcomes === undefined) return [];
  if (!takesOutcomes(type)) return [fault('config/outcomes', `cannot be chosen: the outcomes of a step of type ${type} are fixed`)];
  return areOutcomes(outcomes) ? [] : [outcomesFault];
}

function versionFaults(config: Record<string, unknown>): Fault[] {
  if (config.onNewVersion === undefined || onNewVersion.includes(config.onNewVersion)) return [];
  return [fault('config/onNewVersion', 'must be `restart`, `refuse` or `ignore`', 'enum')];
}

function waitFaults(config: Record<string, unknown>): Fault[] {
  const given = Object.keys(config);
  const unknown = given.filter((member) => !waitMembers.includes(member));
  if (unknown.length > 0)
    return unknown.map((member) => fault(`config/${pointerPart(member)}`, 'is not known: a wait takes minutes, hours, days or until'));
  const [member] = given;
  if (member === undefined || given.length > 1)
    return [fault('config', 'must have exactly one of minutes, hours, days and until', 'oneOf')];
  const value = config[member];
  if (member === 'until') {
    const time = typeof value === 'string' && dateTime.test(value) ? Date.parse(value) : Number.NaN;
    if (time >= firstTime && time <= lastTime) return [];
    return [fault('config/until', 'must be a time with a zone in the years 1970 to 9999, such as 2026-12-31T17:00:00Z', 'date-time')];
  }
  const ms = typeof value === 'number' ? value * unitMs[member as keyof typeof unitMs] : Number.NaN;
  if (ms > 0 && ms <= longestWaitMs) return [];
  return [fault(`config/${member}`, 'must be a number above 0 and at most ten years', 'range')];
}

/** When a wait is over, in the years that the service can show, whatever an older row says. */
export function wakeTime(config: Record<string, unknown>, now: Date): string {
  const until = typeof config.until === 'string' ? Date.parse(config.until) : Number.NaN;
  const amount = (member: keyof typeof unitMs) => {
    const value = config[member];
    return typeof value === 'number' && value > 0 ? value * unitMs[member] : 0;
  };
  const waited = now.getTime() + Math.min(amount('days') + amount('hours') + amount('minutes'), longestWaitMs);
  return new Date(Math.min(Math.max(Number.isNaN(until) ? waited : until, firstTime), lastTime)).toISOString();
}
