import { sqlState } from './errors.ts';

/** PostgreSQL's serialization_failure and deadlock_detected. */
const passing = new Set(['40001', '40P01']);

/**
 * Runs a transaction, and once more where the database has undone it for the sake of another that it met: nothing of it is
 * left, and the other is through by now. Only for work that keeps nothing from one run to the next.
 */
export async function retryOnConflict<T>(transaction: () => Promise<T>): Promise<T> {
  try {
    return await transaction();
  } catch (error) {
    if (!passing.has(sqlState(error) ?? '')) throw error;
    return transaction();
  }
}
