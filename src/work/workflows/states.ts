export type Status = 'draft' | 'active' | 'paused' | 'completed' | 'rejected' | 'cancelled';
export type Operation = 'start' | 'pause' | 'resume' | 'cancel' | 'delete';

/** What each operation makes of each state; absent means that the state does not allow it (decisions, section 4). */
export const transitions: Readonly<Record<Operation, Readonly<Partial<Record<Status, Status | 'gone'>>>>> = {
  start: { draft: 'active' },
  pause: { active: 'paused' },
  resume: { paused: 'active' },
  cancel: { draft: 'cancelled', active: 'cancelled', paused: 'cancelled' },
  delete: { draft: 'gone', completed: 'gone', rejected: 'gone', cancelled: 'gone' },
};

/** The states an operation may leave: what its update is guarded by. */
export function leaves(operation: Operation): Status[] {
  return Object.keys(transitions[operation]) as Status[];
}

/** The state an operation leads to from one it may leave. */
export function statusAfter(status: Status, operation: Exclude<Operation, 'delete'>): Status {
  const after = transitions[operation][status];
  if (after === undefined || after === 'gone') throw new Error(`${operation} cannot leave ${status}`);
  return after;
}

const operations = Object.keys(transitions) as Operation[];

/** What is allowed in a state, for the text of a refusal. */
export function allowedIn(status: Status): string {
  const allowed = operations.filter((operation) => transitions[operation][status] !== undefined);
  return allowed.length === 0 ? 'nothing more' : allowed.join(', ');
}

/** Members of a workflow that PUT may change in a state. */
export function changeable(status: Status): ReadonlySet<string> {
  if (status === 'draft') return new Set(['name', 'documentId', 'steps', 'assignedTo', 'dueDate']);
  return new Set(status === 'active' || status === 'paused' ? ['name', 'assignedTo', 'dueDate', 'steps'] : ['name']);
}
