import type { Logger } from 'pino';
import type { PlatformConfig as Config } from './platform/config.ts';
import { loadMasterKey, type MasterKey } from './platform/crypto/master-key.ts';
import { type Database, openDatabase } from './platform/database/database.ts';
import { type EmbeddedServer, startEmbeddedServer } from './platform/database/embedded.ts';
import { isEmbeddedDatabaseMade } from './platform/database/embedded-exists.ts';
import { isDatabaseUnavailable, UnsuitableServer } from './platform/database/errors.ts';
import { masterKeyCheck, resolveMasterKey } from './platform/database/service-state.ts';
import { migrate, type MigrateOptions, type MigrationResult, type PlannedMigration, planMigrations } from './platform/database/migrate.ts';
import type { Connection } from './platform/database/pool.ts';
import { sessionCheck, type StartCheck, superuserCheck } from './platform/database/start-checks.ts';
import { ConfigError } from './platform/settings.ts';

/** The connection to the database, and the server if it is embedded. */
export type OpenedConnection = { connection: Connection; server: EmbeddedServer | undefined };

/** Returns the connection of DATABASE_URL, or starts the embedded server. */
export async function openConnection(config: Config, log: Logger): Promise<OpenedConnection> {
  if (config.DATABASE_URL !== undefined) return { connection: { url: config.DATABASE_URL }, server: undefined };
  const server = await startEmbeddedServer({ dataDir: config.DATA_DIR, log });
  return { connection: server.connection, server };
}

/** Returns the master key of the settings. It is generated only for an embedded database outside production. */
export function masterKeyOf(config: Config, server: EmbeddedServer | undefined): Promise<MasterKey> {
  const generate = config.production || !server ? 'never' : 'if-missing';
  return loadMasterKey({ configured: config.MASTER_KEY, others: config.MASTER_KEYS_ACCEPTED, dataDir: config.DATA_DIR, generate });
}

/** Returns the database checks that run before a start changes anything. `serve` and other commands stop at the first error; `doctor` reports all. */
export function startChecks(config: Config, { connection, server }: OpenedConnection): StartCheck[] {
  return [
    sessionCheck(connection),
    // The embedded server is used only by this service, so its superuser is allowed.
    ...(config.production && !server ? [superuserCheck] : []),
    masterKeyCheck(() => masterKeyOf(config, server)),
  ];
}

/** Runs `connect`. Throws a {@link ConfigError} that names the setting if the database is unreachable or unsuitable. */
export async function reached<T>({ server }: OpenedConnection, connect: () => Promise<T>): Promise<T> {
  try {
    return await connect();
  } catch (error) {
    if (error instanceof UnsuitableServer) throw new ConfigError(error.message, { cause: error.cause });
    if (server || !isDatabaseUnavailable(error)) throw error;
    throw new ConfigError('DATABASE_URL cannot be used to connect. Check host, user, password and database name.', {
      // If IPv4 and IPv6 connections both fail, the error is an AggregateError without a message.
      cause: error instanceof AggregateError ? error.errors[0] : error,
    });
  }
}

/** Migrates the database to the newest schema, after the start checks. */
export const migrated = (config: Config, opened: OpenedConnection, options: MigrateOptions = {}): Promise<MigrationResult> =>
  reached(opened, () => migrate(opened.connection, { checks: startChecks(config, opened), ...options }));

/** Returns the migrations that the database lacks. Throws if its schema does not belong to this version. */
export const plannedMigrations = (config: Config, opened: OpenedConnection): Promise<PlannedMigration[]> =>
  reached(opened, () => planMigrations(opened.connection, { checks: startChecks(config, opened) }));

/** Returns the names of the migrations that the database lacks. Throws if its schema does not belong to this version. */
export const missingMigrations = async (config: Config, opened: OpenedConnection): Promise<string[]> =>
  (await plannedMigrations(config, opened)).map(({ name }) => name);

/** Migrates the database, or throws a {@link ConfigError} if it is not current and only `chancery migrate` may migrate it. */
async function current(config: Config, opened: OpenedConnection): Promise<void> {
  if (migratesAtStart(config)) return void (await migrated(config, opened));
  const missing = await missingMigrations(config, opened);
  if (missing.length > 0) throw new ConfigError(`The database lacks ${missing.length} migrations. Run chancery migrate first.`);
}

/** Whether a start migrates the database. In production a command does it, so that an operator chooses the time. */
export const migratesAtStart = ({ MIGRATE_AT_START: wanted, production }: Config): boolean => wanted ?? !production;

/** Throws a {@link ConfigError} if the settings name an embedded database that does not exist. */
export async function requireDatabase(config: Config): Promise<void> {
  if (config.DATABASE_URL === undefined && !(await isEmbeddedDatabaseMade(config.DATA_DIR)))
    throw new ConfigError(
      `There is no database in ${config.DATA_DIR}. Set DATA_DIR to the folder of the service, set DATABASE_URL, or start the service first.`,
    );
}

/**
 * Migrates the database, runs `work` and closes the database, for commands. `begins` allows a command to create the embedded database. Other commands
 * fail without a database, because a wrong DATA_DIR would create an empty database whose journal would pass each check.
 */
export async function withDatabase<T>(
  config: Config,
  log: Logger,
  work: (database: Database, masterKey: MasterKey) => Promise<T>,
  { begins = false } = {},
): Promise<T> {
  if (!begins) await requireDatabase(config);
  const { connection, server } = await openConnection(config, log);
  try {
    await current(config, { connection, server });
    const database = openDatabase(connection, { applicationName: 'chancery-command', maxConnections: 4 });
    try {
      await database.clock.measure();
      const masterKey = await resolveMasterKey(database, await masterKeyOf(config, server));
      return await work(database, masterKey);
    } finally {
      await database.close();
    }
  } finally {
    await server?.stop();
  }
}
