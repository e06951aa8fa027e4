/** The kinds of task, which are the types of the steps they stand for, and how each may end. */

const verdicts = ['approved', 'changes_requested', 'rejected'];
/** The types of task that decide on something. */
export const decisions: readonly string[] = ['approval', 'review', 'signature'];
/** Of these, the types that judge a version of a document: a signature binds who gives it. */
const judging: readonly string[] = ['approval', 'review'];
const fixed: Readonly<Record<string, readonly string[]>> = {
  approval: verdicts,
  review: verdicts,
  // A signature is given by signing, or recorded by an operation of its own.
  signature: [],
  form: ['submitted'],
  acknowledgement: ['acknowledged'],
  // An agent asks whether it may call a tool.
  tool_approval: ['approved', 'denied'],
  // An agent has called a tool elsewhere, and nobody knows what came of it.
  tool_outcome: ['happened', 'not_happened'],
  // A job of an agent has run, and its outcome is to be read.
  agent_result: ['acknowledged'],
  // A step of a workflow that a program was to do has failed.
  failed_step: ['retry', 'skip', 'cancel'],
  // The same of a signature, which nobody skips.
  failed_signature: ['retry', 'cancel'],
  // The condition of a step needs an answer that is missing.
  failed_condition: ['begin', 'skip', 'cancel'],
};
/** The types of task that ask what becomes of a step that has failed. */
export const aboutFailedSteps: readonly string[] = ['failed_step', 'failed_signature', 'failed_condition'];
const automatic = new Set(['notification', 'webhook', 'wait', 'agent']);

/** Whether a step of this type is a task for a person; the others run by themselves. */
export function makesTask(type: string): boolean {
  return !automatic.has(type);
}

/** Whether a task of this type decides on something, which only the person it is given to may do. */
export function isDecision(type: string): boolean {
  return decisions.includes(type);
}

/** Whether a task of this type judges a version of a document, which who uploaded it does not. */
export function judgesVersion(type: string): boolean {
  return judging.includes(type);
}

/** Whether nobody but a person can do a task of this type. */
export function needsPerson(type: string): boolean {
  return Object.hasOwn(fixed, type);
}

const asking: readonly string[] = ['tool_approval', 'tool_outcome'];

/**
 * Whether by this task an agent, an API client or a program asks about one call of a tool. What such a task says are the words of that call, which may
 * quote what others may not read, or what is erased, or barred in, later: they are there for whoever is to answer, and go when there is nothing to answer any more.
 */
export const asksAboutCall = (task: { type: string; workflow_id: string | null }): boolean =>
  asking.includes(task.type) && task.workflow_id === null;

/**
 * Whether by this task a program asks the person whom it acts for, who alone answers it. Of a workflow's
 * tasks none does, whatever its steps are called.
 */
export const asksOwnPerson = (task: { type: string; created_by_type: string; workflow_id: string | null }): boolean =>
  task.type === 'tool_approval' && task.created_by_type === 'user' && task.workflow_id === null;

/** Whether the outcomes of such a task are chosen by its step. */
export function takesOutcomes(type: string): boolean {
  return makesTask(type) && !Object.hasOwn(fixed, type);
}

/** Whether a step of this type asks for a form that is filled in elsewhere: what was submitted there ends the task, and nothing else. */
export const asksForForm = (type: string, config: Readonly<Record<string, unknown>>): boolean =>
  type === 'form' && typeof config.interfaceId === 'string';

/** The outcomes a task of this type may be completed with; those of its step, where they may be chosen. */
export function outcomesOf(type: string, config: Readonly<Record<string, unknown>>): readonly string[] {
  if (asksForForm(type, config)) return [];
  if (Object.hasOwn(fixed, type)) return fixed[type] ?? [];
  return chosenOutcomes(config) ?? ['completed'];
}

function chosenOutcomes({ outcomes }: Readonly<Record<string, unknown>>): string[] | null {
  return Array.isArray(outcomes) && outcomes.every((one) => typeof one === 'string') ? outcomes : null;
}

/** The outcome of a task that is completed without one: where there is one only, or `completed` is among them. */
export function defaultOutcome(outcomes: readonly string[]): string | undefined {
  return outcomes.length === 1 ? outcomes[0] : outcomes.find((outcome) => outcome === 'completed');
}

/** What becomes of a task when its document gets a newer version, unless its step says otherwise. */
export function onNewVersionOf(type: string, chosen: unknown): 'restart' | 'refuse' | 'ignore' {
  if (chosen === 'restart' || chosen === 'refuse' || chosen === 'ignore') return chosen;
  return isDecision(type) ? 'restart' : 'ignore';
}
