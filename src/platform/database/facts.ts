import type { Database } from './database.ts';
import { sqlStatement } from './statement.ts';

const keepFact = sqlStatement<{ name: string; value: string }, never>(
  'INSERT INTO service_fact (name, value) VALUES ($name, $value) ON CONFLICT DO NOTHING',
);
const readFact = sqlStatement<{ name: string }, { value: string }>('SELECT value FROM service_fact WHERE name = $name');

/** Refuses to start with another master key than the database was written with: its secrets could not be read. */
export async function checkMasterKey(database: Database, fingerprint: string): Promise<void> {
  const name = 'master key fingerprint';
  const [, fact] = await database.asSystem('compare the master key', (tx) =>
    Promise.all([tx.all(keepFact, { name, value: fingerprint }), tx.first(readFact, { name })]),
  );
  if (fact?.value !== fingerprint) {
    throw new Error(
      'The master key is not the one this database was written with: set MASTER_KEY to that one, or put back the file master.key of its data directory.',
    );
  }
}
