import type pg from 'pg';

/** Sends a statement on the connection of a transaction. */
export type RunQuery = (config: { name?: string; text: string; values?: unknown[] }) => Promise<pg.QueryResult>;

/**
 * Runs a part of a transaction between savepoints. If the part fails, its rows are rolled back and the transaction continues.
 * Deferred constraints and quotas are checked at the end of the part, because an error at the commit would roll back the whole transaction.
 */
export async function attempted<T>(run: RunQuery, work: (run: RunQuery) => Promise<T>): Promise<T> {
  let ended = false;
  // Statements that a failed part sends later must not run outside the savepoint.
  const within: RunQuery = (config) => (ended ? Promise.reject(new Error('the savepoint has ended')) : run(config));
  await run({ text: 'SAVEPOINT attempt' });
  try {
    const result = await work(within);
    // Statements whose rows were not awaited fail here at the latest.
    await run({ text: 'SET CONSTRAINTS ALL IMMEDIATE' });
    await run({ text: 'SET CONSTRAINTS ALL DEFERRED' });
    await run({ text: 'RELEASE SAVEPOINT attempt' });
    ended = true;
    return result;
  } catch (error) {
    ended = true;
    await run({ text: 'ROLLBACK TO SAVEPOINT attempt' });
    await run({ text: 'RELEASE SAVEPOINT attempt' });
    throw error;
  }
}
