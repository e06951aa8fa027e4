import type { Row } from '../../platform/database/row.ts';

/** The types of task, which are also types of steps, and their outcomes. */

const verdicts = ['approved', 'changes_requested', 'rejected'];
/** The types of task that are decisions. */
export const decisions: readonly string[] = ['approval', 'review', 'signature'];
/** The decisions that are about a version of a document. A signature is not one of them, because it binds the signer. */
const judging: readonly string[] = ['approval', 'review'];
const fixed: Readonly<Record<string, readonly string[]>> = {
  approval: verdicts,
  review: verdicts,
  // A signature is given by signing, or recorded by a separate operation.
  signature: [],
  form: ['submitted'],
  acknowledgement: ['acknowledged'],
  // An agent asks whether it may call a tool.
  tool_approval: ['approved', 'denied'],
  // An agent called an external tool, and the result is unknown.
  tool_outcome: ['happened', 'not_happened'],
  // The job of an agent has run, and a person must read its outcome.
  agent_result: ['acknowledged'],
  // An automatic step of a workflow has failed.
  failed_step: ['retry', 'skip', 'cancel'],
  // A signature step has failed. It cannot be skipped.
  failed_signature: ['retry', 'cancel'],
  // An approval round did not begin or expired. Its step cannot be skipped.
  failed_approval: ['retry', 'cancel'],
  // The condition of a step needs an answer of a form that is missing.
  failed_condition: ['retry', 'begin', 'skip', 'cancel'],
};
/** The types of task that ask how to handle a failed step. */
export const aboutFailedSteps: readonly string[] = ['failed_step', 'failed_signature', 'failed_approval', 'failed_condition'];
const automatic = new Set(['notification', 'webhook', 'wait', 'agent']);

/** Whether a step of this type is a task for a person. Other steps run automatically. */
export function makesTask(type: string): boolean {
  return !automatic.has(type);
}

/** Whether a task of this type is a decision. Only the assignee can complete a decision. */
export function isDecision(type: string): boolean {
  return decisions.includes(type);
}

/** Whether a task of this type is a decision about a version of a document. The uploader of the version cannot complete it. */
export function decidesOnVersion(type: string): boolean {
  return judging.includes(type);
}

/** Whether only a person can complete a task of this type. */
export function needsPerson(type: string): boolean {
  return Object.hasOwn(fixed, type);
}

const asking: readonly string[] = ['tool_approval', 'tool_outcome'];

/**
 * Whether an agent or API client asks about one tool call with this task. The task quotes the call, and its data may be secret, erased or behind a
 * barrier later. So only the assignee can read the text, and it is deleted when the task ends.
 */
export const asksAboutCall = (task: { type: string; workflow_id: string | null }): boolean =>
  asking.includes(task.type) && task.workflow_id === null;

/**
 * Whether a connected app asks its own user with this task: the user who authorized it. Only that user can decide. Never applies to tasks of workflows,
 * even if a step has such a type, and to the votes of other members.
 */
export const asksOwnPerson = (task: Row<'task', 'type' | 'created_by_type' | 'workflow_id' | 'created_by' | 'assigned_to'>): boolean =>
  task.type === 'tool_approval' && task.created_by_type === 'user' && task.workflow_id === null && task.created_by === task.assigned_to;

/** Whether the step chooses the outcomes of its tasks. */
export function takesOutcomes(type: string): boolean {
  return makesTask(type) && !Object.hasOwn(fixed, type);
}

/** Whether a step asks for a form of this service. Only a submission of the form completes the task. */
export const asksForForm = (type: string, config: Readonly<Record<string, unknown>>): boolean =>
  type === 'form' && typeof config.interfaceId === 'string';

/** Returns the outcomes of a task of this type: fixed by the type, or chosen by its step. */
export function outcomesOf(type: string, config: Readonly<Record<string, unknown>>): readonly string[] {
  if (asksForForm(type, config)) return [];
  if (Object.hasOwn(fixed, type)) return fixed[type] ?? [];
  return chosenOutcomes(config) ?? ['completed'];
}

function chosenOutcomes({ outcomes }: Readonly<Record<string, unknown>>): string[] | null {
  return Array.isArray(outcomes) && outcomes.every((one) => typeof one === 'string') ? outcomes : null;
}

/** Returns the outcome of a task when the caller gives none: the only outcome, or `completed` if the task has that one. */
export function defaultOutcome(outcomes: readonly string[]): string | undefined {
  return outcomes.length === 1 ? outcomes[0] : outcomes.find((outcome) => outcome === 'completed');
}

/** Returns what happens to a task when its document gets a newer version. The step can override the default of the type. */
export function onNewVersionOf(type: string, chosen: unknown): 'restart' | 'refuse' | 'ignore' {
  if (chosen === 'restart' || chosen === 'refuse' || chosen === 'ignore') return chosen;
  return isDecision(type) ? 'restart' : 'ignore';
}
