/** The graph of steps, as pure functions: ready steps, dependents, dependencies and errors. */

export type StepStatus = 'pending' | 'active' | 'completed' | 'rejected' | 'skipped' | 'failed';
/** The type and the settings of a step. */
export type ConfiguredStep = { type: string; config: Readonly<Record<string, unknown>> };
export type Node = { id: string; depends_on: readonly string[]; status: StepStatus };

const done = new Set<StepStatus>(['completed', 'skipped']);

/** Returns the pending steps whose dependencies are all done, in the given order. */
export function readySteps<N extends Node>(steps: readonly N[]): N[] {
  const status = new Map(steps.map((step) => [step.id, step.status]));
  return steps.filter((step) => step.status === 'pending' && step.depends_on.every((id) => done.has(status.get(id) ?? 'pending')));
}

/** Whether all steps are done. */
export function allDone(steps: readonly Node[]): boolean {
  return steps.every((step) => done.has(step.status));
}

/** Returns a step and its direct and indirect dependents. */
export function withDependents(steps: readonly Node[], from: string): Set<string> {
  const reached = new Set([from]);
  for (let grew = true; grew;) {
    const before = reached.size;
    for (const step of steps) if (step.depends_on.some((id) => reached.has(id))) reached.add(step.id);
    grew = reached.size > before;
  }
  return reached;
}

/** Returns the direct and indirect dependencies of a step. */
export function stepsBefore(steps: readonly Pick<Node, 'id' | 'depends_on'>[], of: string): Set<string> {
  const before = new Map(steps.map(({ id, depends_on: ids }) => [id, ids]));
  const found = new Set<string>();
  const open = [...(before.get(of) ?? [])];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (found.has(id)) continue;
    found.add(id);
    open.push(...(before.get(id) ?? []));
  }
  return found;
}

/** Returns the error of a list of steps; undefined if they form a graph without cycles. */
export function graphError(steps: readonly { id: string; dependsOn?: readonly string[] | undefined }[]): string | undefined {
  const ids = new Set<string>();
  for (const { id } of steps) {
    if (ids.has(id)) return `Two steps have the id “${id}”. Step ids must be unique.`;
    ids.add(id);
  }
  for (const { id, dependsOn = [] } of steps) {
    const unknown = dependsOn.find((other) => !ids.has(other));
    if (unknown !== undefined) return `The step “${id}” depends on “${unknown}”, which is not a step of this workflow.`;
  }
  const circle = circleThrough(steps);
  return circle === undefined ? undefined : `The step “${circle}” depends on itself through other steps. Remove the cycle.`;
}

/** Returns a step of a cycle. Removes steps without remaining dependencies until the rest is a cycle (Kahn). */
function circleThrough(steps: readonly { id: string; dependsOn?: readonly string[] | undefined }[]): string | undefined {
  let left = [...steps];
  for (;;) {
    const ids = new Set(left.map(({ id }) => id));
    const next = left.filter(({ dependsOn = [] }) => dependsOn.some((id) => ids.has(id)));
    if (next.length === left.length) return next[0]?.id;
    left = next;
  }
}

/** Returns the dependencies of each step: the given ones, or the previous step if no step has any. */
export function dependencies(steps: readonly { id: string; dependsOn?: readonly string[] | undefined }[]): string[][] {
  const explicit = steps.some(({ dependsOn }) => dependsOn !== undefined);
  return steps.map(({ dependsOn }, index) => {
    if (explicit) return [...new Set(dependsOn ?? [])];
    const before = steps[index - 1];
    return before ? [before.id] : [];
  });
}
