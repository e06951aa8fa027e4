import process from 'node:process';
import { readConfig } from '../config.ts';
import { migrate } from '../platform/database/migrate.ts';
import { createLogger } from '../platform/telemetry/log.ts';
import { openConnection } from '../open-database.ts';

/** Brings the database to the newest schema and says what it did. */
export async function run(): Promise<number> {
  const config = readConfig(process.env);
  const { connection, server } = await openConnection(config, createLogger(config.LOG_LEVEL));
  try {
    const { applied } = await migrate(connection);
    process.stdout.write(applied.length === 0 ? 'The schema is up to date.\n' : `Applied: ${applied.join(', ')}\n`);
  } finally {
    await server?.stop();
  }
  return 0;
}
