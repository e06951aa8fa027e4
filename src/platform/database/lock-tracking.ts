import type { Transaction } from './database.ts';
import type { Statement } from './statement.ts';
import { pipelined } from './pipelined.ts';

/**
 * Locks a thing that the actor sees, and gives it as it is under the lock. Of one that they do not see nothing is locked: they neither wait
 * for who works on it nor have those wait, and cannot tell that somebody does.
 *
 * @param look reads the thing, and throws where the actor does not see it, or may not do with it what it is locked for
 */
export async function lockSeen<P extends object, T>(
  db: Pick<Transaction, 'locked'>,
  lock: Statement<P, unknown>,
  params: P,
  look: () => Promise<T>,
): Promise<T> {
  await look();
  return db.locked(lock, params, look);
}

/** The same for what is locked often: `atOnce` is the lock of what they see without a look around it, and leaves in one packet with the look. */
export async function lockImmediatelyVisible<P extends object, Q extends object, T>(
  db: Pick<Transaction, 'first' | 'locked'>,
  { atOnce, lock }: { atOnce: readonly [Statement<P, unknown>, P]; lock: readonly [Statement<Q, unknown>, Q] },
  look: () => Promise<T>,
): Promise<T> {
  const { held, found } = await pipelined({ held: () => db.first(...atOnce), found: look });
  return held === undefined ? db.locked(...lock, look) : found;
}
