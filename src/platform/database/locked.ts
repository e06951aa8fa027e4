import type { Transaction } from './database.ts';
import type { Statement } from './statement.ts';

/**
 * Takes a lock and reads what it guards. Both are sent at once; the read comes after the lock on the same connection, so that
 * what it finds holds until the transaction ends. A condition on the row itself must be read here, not before.
 */
export async function readLocked<Params extends object, T>(
  db: Transaction,
  lock: Statement<Params, unknown>,
  params: Params,
  read: () => Promise<T>,
): Promise<T> {
  const held = db.all(lock, params);
  const [, found] = await Promise.all([held, read()]);
  return found;
}
