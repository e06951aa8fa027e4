type Step = () => unknown;
/** Steps by the names of their results. */
type Steps = Readonly<Record<string, Step>>;
type Results<T extends Steps> = { [Name in keyof T]: Awaited<ReturnType<T[Name]>> };

/**
 * Starts several steps in their order, without waiting for the response of one before the next. Their first statements leave in one packet, and
 * PostgreSQL executes them in this order. A statement under a lock is for `locked`; a statement without rows is sent by `send`.
 */
export function pipelined<T extends Steps>(steps: T): Promise<Results<T>>;
export function pipelined(steps: readonly Step[]): Promise<void>;
export async function pipelined(steps: Steps | readonly Step[]): Promise<unknown> {
  const results = await Promise.all(Object.entries(steps).map(async ([name, step]) => [name, await step()] as const));
  return Array.isArray(steps) ? undefined : Object.fromEntries(results);
}
