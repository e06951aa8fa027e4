import type pg from 'pg';

/** Sends a statement on the connection of a transaction. */
export type RunQuery = (config: { name?: string; text: string; values?: unknown[] }) => Promise<pg.QueryResult>;

/**
 * Does a part of a transaction between savepoints: where it rejects, its rows are gone and the transaction goes on. What is counted or
 * checked at a commit is so at its end, since it would undo the whole transaction there.
 */
export async function attempted<T>(run: RunQuery, work: (run: RunQuery) => Promise<T>): Promise<T> {
  let ended = false;
  // What goes on beside a step that failed must not be done outside of the attempt.
  const within: RunQuery = (config) => (ended ? Promise.reject(new Error('the attempt has ended')) : run(config));
  await run({ text: 'SAVEPOINT attempt' });
  try {
    const result = await work(within);
    // Statements whose rows nobody waited for fail here at the latest.
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
