/** The kinds of task, which are the types of the steps they stand for, and how each may end. */

const fixed = new Set(['approval', 'review', 'signature', 'form', 'acknowledgement']);
const automatic = new Set(['notification', 'webhook', 'wait']);

/** Whether a step of this type is a task for a person; the others run by themselves. */
export function makesTask(type: string): boolean {
  return !automatic.has(type);
}

/** Whether a task of this type decides on something, which only the person it is given to may do. */
export function isDecision(type: string): boolean {
  return type === 'approval' || type === 'review' || type === 'signature';
}

/** Whether a refusal of such a task sends its workflow back or ends it. */
export function canBeRejected(type: string): boolean {
  return isDecision(type);
}

/** Whether the outcomes of such a task are chosen by its step. */
export function takesOutcomes(type: string): boolean {
  return makesTask(type) && !fixed.has(type);
}
