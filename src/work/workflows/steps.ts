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

type Depending = readonly Pick<Node, 'id' | 'depends_on'>[];

/**
 * Returns a function for the dependencies of the step at a place of the list, direct and indirect. The result has a bit for each place. The function
 * computes each result once, because 200 steps can have 20 000 dependencies.
 */
export function placesBefore(steps: Depending): (at: number) => bigint {
  const place = new Map(steps.map(({ id }, at) => [id, at]));
  const known: bigint[] = [];
  return function before(at: number): bigint {
    const found = known[at];
    if (found !== undefined) return found;
    // For graphs with cycles, which the service never stores.
    known[at] = 0n;
    let all = 0n;
    for (const id of steps[at]?.depends_on ?? []) {
      const from = place.get(id);
      if (from !== undefined && from !== at) all |= before(from) | (1n << BigInt(from));
    }
    return (known[at] = all);
  };
}

/** Returns a function for the direct and indirect dependencies of a step. Create it once for a list. */
export function stepsBefore(steps: Depending): (of: string) => ReadonlySet<string> {
  const before = placesBefore(steps);
  const place = new Map(steps.map(({ id }, at) => [id, at]));
  const known = new Map<string, ReadonlySet<string>>();
  return (of) => {
    const found = known.get(of);
    if (found) return found;
    // The last digit is the bit of the first step.
    const bits = before(place.get(of) ?? -1).toString(2);
    const ids = new Set(steps.flatMap(({ id }, at) => (bits.at(-1 - at) === '1' ? [id] : [])));
    known.set(of, ids);
    return ids;
  };
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

/** Returns a step of a cycle. Follows the dependencies of each step once. */
function circleThrough(steps: readonly { id: string; dependsOn?: readonly string[] | undefined }[]): string | undefined {
  const before = new Map(steps.map(({ id, dependsOn = [] }) => [id, dependsOn]));
  const followed = new Map<string, boolean>();
  const follow = (id: string): string | undefined => {
    if (followed.has(id)) return followed.get(id) ? undefined : id;
    followed.set(id, false);
    for (const other of before.get(id) ?? []) {
      const circle = follow(other);
      if (circle !== undefined) return circle;
    }
    followed.set(id, true);
    return undefined;
  };
  for (const { id } of steps) {
    const circle = follow(id);
    if (circle !== undefined) return circle;
  }
  return undefined;
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
