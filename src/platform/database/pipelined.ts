type Step = () => unknown;
/** Steps by the names of their results. */
type Steps = Readonly<Record<string, Step>>;
type Results<T extends Steps> = { [Name in keyof T]: Awaited<ReturnType<T[Name]>> };

/**
 * Starts several steps in order, without waiting for the response of each step. Their first statements are sent in one packet, and
 * PostgreSQL runs them in this order. For a statement under a lock use `locked`; for a statement without rows use `send`.
 */
export function pipelined<T extends Steps>(steps: T): Promise<Results<T>>;
export function pipelined(steps: readonly Step[]): Promise<void>;
export async function pipelined(steps: Steps | readonly Step[]): Promise<unknown> {
  const results = await Promise.all(Object.entries(steps).map(async ([name, step]) => [name, await step()] as const));
  return Array.isArray(steps) ? undefined : Object.fromEntries(results);
}
