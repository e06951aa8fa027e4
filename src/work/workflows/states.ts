export type WorkflowStatus = 'draft' | 'active' | 'paused' | 'completed' | 'rejected' | 'cancelled';
export type Operation = 'start' | 'pause' | 'resume' | 'cancel' | 'delete';

/** The status after each operation, by the current status. An absent entry means that the operation is not allowed. */
export const transitions: Readonly<Record<Operation, Readonly<Partial<Record<WorkflowStatus, WorkflowStatus | 'gone'>>>>> = {
  start: { draft: 'active' },
  pause: { active: 'paused' },
  resume: { paused: 'active' },
  cancel: { draft: 'cancelled', active: 'cancelled', paused: 'cancelled' },
  delete: { draft: 'gone', completed: 'gone', rejected: 'gone', cancelled: 'gone' },
};

/** Returns the statuses that allow an operation. They guard its update. */
export function leaves(operation: Operation): WorkflowStatus[] {
  return Object.keys(transitions[operation]) as WorkflowStatus[];
}

/** Returns the status after an operation. */
export function statusAfter(status: WorkflowStatus, operation: Exclude<Operation, 'delete'>): WorkflowStatus {
  const after = transitions[operation][status];
  if (after === undefined || after === 'gone') throw new Error(`the operation ${operation} is not allowed in the status ${status}`);
  return after;
}

const operations = Object.keys(transitions) as Operation[];

/** Returns the operations that a status allows. The text of an error names them. */
export function allowedIn(status: WorkflowStatus): string {
  const allowed = operations.filter((operation) => transitions[operation][status] !== undefined);
  return allowed.length === 0 ? 'no operation' : allowed.join(', ');
}

/** Returns the members of a workflow that PUT may change in a status. */
export function changeable(status: WorkflowStatus): ReadonlySet<string> {
  if (status === 'draft') return new Set(['name', 'documentId', 'documents', 'steps', 'assignedTo', 'dueDate']);
  return new Set(status === 'active' || status === 'paused' ? ['name', 'assignedTo', 'dueDate', 'steps'] : ['name']);
}
