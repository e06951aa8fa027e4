import { sqlState } from './errors.ts';

/** SQLSTATE serialization_failure and deadlock_detected. */
const passing = new Set(['40001', '40P01']);

/**
 * Runs a transaction, and repeats it once after a serialization failure or deadlock. The first run is rolled back completely, and by then the other
 * transaction has ended. Only for work without state that survives a run.
 */
export async function retryOnConflict<T>(transaction: () => Promise<T>): Promise<T> {
  try {
    return await transaction();
  } catch (error) {
    if (!passing.has(sqlState(error) ?? '')) throw error;
    return transaction();
  }
}
