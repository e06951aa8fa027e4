import type { Logger } from 'pino';
import type { PlatformConfig as Config } from './platform/config.ts';
import { loadMasterKey, type MasterKey } from './platform/crypto/master-key.ts';
import { type Database, openDatabase } from './platform/database/database.ts';
import { type EmbeddedServer, startEmbeddedServer } from './platform/database/embedded.ts';
import { isEmbeddedDatabaseMade } from './platform/database/embedded-exists.ts';
import { isDatabaseUnavailable, UnsuitableServer } from './platform/database/errors.ts';
import { masterKeyCheck, settleMasterKey } from './platform/database/service-state.ts';
import { migrate, migrationsFolder, type MigrationResult } from './platform/database/migrate.ts';
import type { Connection } from './platform/database/pool.ts';
import { sessionCheck, type StartCheck, superuserCheck } from './platform/database/start-checks.ts';
import { ConfigError } from './platform/settings.ts';

/** How the database is reached, and its server where it is an embedded one. */
export type OpenedConnection = { connection: Connection; server: EmbeddedServer | undefined };

/** The database of the settings: the given one, or an embedded one that is started. */
export async function openConnection(config: Config, log: Logger): Promise<OpenedConnection> {
  if (config.DATABASE_URL !== undefined) return { connection: { url: config.DATABASE_URL }, server: undefined };
  const server = await startEmbeddedServer({ dataDir: config.DATA_DIR, log });
  return { connection: server.connection, server };
}

/** The master key of the settings; one is made only beside an embedded database, in development. */
export function masterKeyOf(config: Config, server: EmbeddedServer | undefined): Promise<MasterKey> {
  const generate = config.production || !server ? 'never' : 'if-missing';
  return loadMasterKey({ configured: config.MASTER_KEY, others: config.MASTER_KEYS_ACCEPTED, dataDir: config.DATA_DIR, generate });
}

/** The checks of the database before a start changes anything. `serve` and the other commands stop at the first error; `doctor` reports all. */
export function startChecks(config: Config, { connection, server }: OpenedConnection): StartCheck[] {
  return [
    sessionCheck(connection),
    // The embedded server belongs to the service alone.
    ...(config.production && !server ? [superuserCheck] : []),
    masterKeyCheck(() => masterKeyOf(config, server)),
  ];
}

/** Runs `connect`, and names the setting to look at if the database cannot be reached or does not suit. */
export async function reached<T>({ server }: OpenedConnection, connect: () => Promise<T>): Promise<T> {
  try {
    return await connect();
  } catch (error) {
    if (error instanceof UnsuitableServer) throw new ConfigError(error.message, { cause: error.cause });
    if (server || !isDatabaseUnavailable(error)) throw error;
    throw new ConfigError('DATABASE_URL leads to a database that does not let this service in: check host, user, password and name.', {
      // Of an address tried in two families there are two errors, and no message.
      cause: error instanceof AggregateError ? error.errors[0] : error,
    });
  }
}

/** Brings the database to the newest schema, after the start checks. */
export const migrated = (config: Config, opened: OpenedConnection): Promise<MigrationResult> =>
  reached(opened, () => migrate(opened.connection, migrationsFolder, startChecks(config, opened)));

/**
 * The database at its newest schema, for a command that does one thing and ends. `begins`: one that may be the first that is done with it. Others
 * make none where there is none: a journal in a new, empty database would be told as whole to who has named another folder than they meant.
 */
export async function withDatabase<T>(
  config: Config,
  log: Logger,
  work: (database: Database, masterKey: MasterKey) => Promise<T>,
  { begins = false } = {},
): Promise<T> {
  if (!begins && config.DATABASE_URL === undefined && !(await isEmbeddedDatabaseMade(config.DATA_DIR)))
    throw new ConfigError(
      `There is no database in ${config.DATA_DIR} yet: set DATA_DIR to the folder of the service, set DATABASE_URL, or start the service first.`,
    );
  const { connection, server } = await openConnection(config, log);
  try {
    await migrated(config, { connection, server });
    const database = openDatabase(connection, { applicationName: 'chancery-command', maxConnections: 4 });
    try {
      await database.clock.measure();
      const masterKey = await settleMasterKey(database, await masterKeyOf(config, server));
      return await work(database, masterKey);
    } finally {
      await database.close();
    }
  } finally {
    await server?.stop();
  }
}
