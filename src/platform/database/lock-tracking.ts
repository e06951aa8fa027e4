import type { Transaction } from './database.ts';
import type { Statement } from './statement.ts';
import { pipelined } from './pipelined.ts';

/**
 * Locks a resource that the actor can see, and returns its state under the lock. If the actor cannot see it, throws without locking it. So the actor
 * neither waits for other users of an invisible resource nor delays them, and cannot detect their work.
 *
 * @param look reads the resource; throws if the actor cannot see it or lacks the right for the planned action
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

/**
 * Like {@link lockSeen}, for frequent locks. `atOnce` locks the resource if a simple condition already shows that the actor can see it. The lock and
 * `look` are sent in one packet.
 */
export async function lockImmediatelyVisible<P extends object, Q extends object, T>(
  db: Pick<Transaction, 'first' | 'locked'>,
  { atOnce, lock }: { atOnce: readonly [Statement<P, unknown>, P]; lock: readonly [Statement<Q, unknown>, Q] },
  look: () => Promise<T>,
): Promise<T> {
  const { locked, found } = await pipelined({ locked: () => db.first(...atOnce), found: look });
  return locked === undefined ? db.locked(...lock, look) : found;
}
