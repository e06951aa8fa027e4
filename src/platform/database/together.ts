import process from 'node:process';

type Step = () => unknown;
/** What is to be done, by the name of what comes of it. */
type Steps = Readonly<Record<string, Step>>;
/** What came of it. */
type Done<T extends Steps> = { [Name in keyof T]: Awaited<ReturnType<T[Name]>> };

async function begin(steps: readonly (readonly [string, Step])[]): Promise<object> {
  return Object.fromEntries(await Promise.all(steps.map(async ([name, step]) => [name, await step()])));
}

const lastFirst = process.env.CHANCERY_LAST_FIRST === '1';

/**
 * Begins several things without waiting for one another's answers: their statements leave in one packet. None may need that
 * another is done before; what does is for {@link inOrder}. Tests begin them from the last, so that it shows.
 */
export function together<T extends Steps>(steps: T): Promise<Done<T>> {
  const begun = Object.entries(steps);
  return begin(lastFirst ? begun.toReversed() : begun) as Promise<Done<T>>;
}

/**
 * Begins several things one behind the other, without waiting for answers: their first statements leave in one packet, and the
 * database does them in this order. For a change and its entry in the journal, rows that refer to one another, and rows that
 * everybody locks in one order. What a lock guards is for `locked`; a statement whose rows nobody needs is only sent.
 */
export function inOrder<T extends Steps>(steps: T): Promise<Done<T>>;
export function inOrder(steps: readonly Step[]): Promise<void>;
export async function inOrder(steps: Steps | readonly Step[]): Promise<unknown> {
  const done = await begin(Object.entries(steps));
  return Array.isArray(steps) ? undefined : done;
}
