/** The graph of steps, as pure functions: what is ready, what an outcome leads to, what a list of steps must be. */

export type StepStatus = 'pending' | 'active' | 'completed' | 'rejected' | 'skipped' | 'failed';
/** The type and the settings of a step. */
export type ConfiguredStep = { type: string; config: Readonly<Record<string, unknown>> };
export type Node = { id: string; depends_on: readonly string[]; status: StepStatus };

const done = new Set<StepStatus>(['completed', 'skipped']);

/** Pending steps whose every dependency is done, in the order given. */
export function readySteps<N extends Node>(steps: readonly N[]): N[] {
  const status = new Map(steps.map((step) => [step.id, step.status]));
  return steps.filter((step) => step.status === 'pending' && step.depends_on.every((id) => done.has(status.get(id) ?? 'pending')));
}

/** True when no step is left to be done. */
export function allDone(steps: readonly Node[]): boolean {
  return steps.every((step) => done.has(step.status));
}

/** A step and all that depends on it, directly or not. */
export function withDependents(steps: readonly Node[], from: string): Set<string> {
  const reached = new Set([from]);
  for (let grew = true; grew;) {
    const before = reached.size;
    for (const step of steps) if (step.depends_on.some((id) => reached.has(id))) reached.add(step.id);
    grew = reached.size > before;
  }
  return reached;
}

/** The steps that one depends on, directly or not. */
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

/** What is wrong with a list of steps, as a sentence; nothing when they form a graph without circles. */
export function graphError(steps: readonly { id: string; dependsOn?: readonly string[] | undefined }[]): string | undefined {
  const ids = new Set<string>();
  for (const { id } of steps) {
    if (ids.has(id)) return `Two steps have the id “${id}”. Give each its own.`;
    ids.add(id);
  }
  for (const { id, dependsOn = [] } of steps) {
    const unknown = dependsOn.find((other) => !ids.has(other));
    if (unknown !== undefined) return `The step “${id}” names “${unknown}”, which is no step of this workflow.`;
  }
  const circle = circleThrough(steps);
  return circle === undefined ? undefined : `The step “${circle}” depends on itself, through others. Break the circle.`;
}

/** Takes away steps that depend on nothing left; what cannot be taken away is a circle (Kahn). */
function circleThrough(steps: readonly { id: string; dependsOn?: readonly string[] | undefined }[]): string | undefined {
  let left = [...steps];
  for (;;) {
    const ids = new Set(left.map(({ id }) => id));
    const next = left.filter(({ dependsOn = [] }) => dependsOn.some((id) => ids.has(id)));
    if (next.length === left.length) return next[0]?.id;
    left = next;
  }
}

/** Each step's dependencies written out: those given, or, when no step gives any, the step before. */
export function dependencies(steps: readonly { id: string; dependsOn?: readonly string[] | undefined }[]): string[][] {
  const explicit = steps.some(({ dependsOn }) => dependsOn !== undefined);
  return steps.map(({ dependsOn }, index) => {
    if (explicit) return [...new Set(dependsOn ?? [])];
    const before = steps[index - 1];
    return before ? [before.id] : [];
  });
}
