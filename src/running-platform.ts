import type { Logger } from 'pino';
import { loadTools, ownedTables } from './domains.ts';
import { announce, listeners } from './listeners.ts';
import { masterKeyOf, migrated, migratesAtStart, openConnection, type OpenedConnection } from './open-database.ts';
import { openStorage } from './open-storage.ts';
import { waitForSchema } from './schema-wait.ts';
import { version } from './platform/entry-points.ts';
import type { PlatformConfig } from './platform/config.ts';
import { followClock } from './platform/database/clock.ts';
import { type Database, openDatabase } from './platform/database/database.ts';
import type { EmbeddedServer } from './platform/database/embedded.ts';
import { resolveMasterKey } from './platform/database/service-state.ts';
import type { DatabaseLimits } from './platform/database/limits.ts';
import { type Listener, openListener } from './platform/database/listen.ts';
import type { Connection } from './platform/database/pool.ts';
import type { Platform } from './platform/domain.ts';
import { limitTeams, type TeamLimits } from './platform/http/team-limits.ts';
import { answeringNode, keepBudgets, publishLimits } from './platform/limits/budget-jobs.ts';
import { retryingRemovals } from './platform/storage/removal-jobs.ts';
import { clamdScanner } from './platform/storage/scanner.ts';
import type { FileStore } from './platform/storage/storage.ts';
import { countExceededQuotas, createMetrics } from './platform/telemetry/metrics.ts';
import { openTracing } from './platform/telemetry/open-tracing.ts';
import { createTypesetter } from './platform/typesetting/typesetter.ts';

/** `all` runs everything in one process; `api` serves requests; `worker` runs background work. */
export type Role = 'all' | 'api' | 'worker';

/** Returns the port on which a node listens. Two nodes on one machine need different ports. */
export const listenPort = (config: Pick<PlatformConfig, 'PORT' | 'HEALTH_PORT'>, role: Role): number =>
  role === 'worker' ? config.HEALTH_PORT : config.PORT;

/** Functions that close opened resources, called in reverse order. */
export type Closing = (() => Promise<unknown>)[];

type PlatformOptions = {
  config: PlatformConfig;
  role: Role;
  log: Logger;
  clock?: (() => Date) | undefined;
  databaseLimits?: Partial<DatabaseLimits> | undefined;
  /** A database connection whose opening has already begun. */
  connecting?: Promise<OpenedConnection> | undefined;
  /** Ends the wait of a start for the migration of the database. */
  stopping?: AbortSignal | undefined;
  /** Whether the service is stopping. Lost connections are then ignored. */
  isStopping: () => boolean;
};

/** The running platform: the part that domains get, and further parts for the application and background work. */
export type RunningPlatform = Platform & {
  connection: Connection;
  teamLimits: TeamLimits;
  /** The storage whose failed removals throw. The storage of the domains retries failed removals later. */
  files: FileStore;
  /** Reports an exceeded quota of a team. */
  exceeded: (team: string, quota: string) => void;
};

/** Migrates the database and opens all parts of the platform. */
export async function openPlatform(options: PlatformOptions, closing: Closing): Promise<RunningPlatform> {
  const { config, role, log } = options;
  const tracing = await openTracing(config, { role, log });
  if (tracing) closing.push(tracing.stop);
  const files = await openStorage(config, (error) => log.error({ err: error }, 'file storage unavailable'));
  closing.push(() => files.close());
  const { connection, server } = await (options.connecting ?? openConnection(config, log));
  if (server) closing.push(() => server.stop());
  await bringUpToDate(options, { connection, server });
  const { database, listener } = await openLines(connection, server, options, closing);
  const storage = retryingRemovals(files, database);
  const masterKey = await resolveMasterKey(database, await masterKeyOf(config, server));
  const metrics = createMetrics();
  const typesetter = createTypesetter({ log, fontsFolder: config.FONTS_DIR });
  closing.push(() => typesetter.close());
  let tools: ReturnType<Platform['tools']> | undefined;
  const limits = await openLimits(database, options, countExceededQuotas(metrics), closing);
  return {
    config,
    version,
    log,
    connection,
    database,
    listener,
    clock: options.clock ?? (() => new Date(database.clock.now())),
    masterKey,
    storage,
    scanner: config.CLAMD_ADDRESS && clamdScanner(config.CLAMD_ADDRESS, (err) => log.error({ err }, 'virus scanner does not respond')),
    files,
    typesetter,
    metrics,
    tracer: tracing?.tracer,
    listeners,
    announce,
    tables: ownedTables,
    tools: () => (tools ??= loadTools({ storage })),
    ...limits,
  };
}

async function bringUpToDate({ config, role, log, stopping }: PlatformOptions, opened: OpenedConnection): Promise<void> {
  if (!migratesAtStart(config)) return waitForSchema({ config, port: listenPort(config, role), log, signal: stopping }, opened);
  const { applied } = await migrated(config, opened);
  if (applied.length > 0) log.info({ applied }, 'database schema migrated');
  return undefined;
}

/** Opens the database connections and the database clock. */
async function openLines(
  connection: Connection,
  server: EmbeddedServer | undefined,
  { config, role, log, databaseLimits, isStopping }: PlatformOptions,
  closing: Closing,
): Promise<{ database: Database; listener: Listener }> {
  const revive = (error: Error): void => {
    if (isStopping()) return;
    log.warn({ reason: error.message }, 'database connection lost');
    server?.ensureRunning().catch((failure: unknown) => log.error({ err: failure }, 'embedded database cannot be restarted'));
  };
  const database = openDatabase(connection, {
    applicationName: `chancery-${role}`,
    maxConnections: config.DATABASE_CONNECTIONS,
    limits: { ...databaseLimits, readMs: config.READ_LIMIT_SECONDS * 1_000, writeMs: config.WRITE_LIMIT_SECONDS * 1_000 },
    waiting: config.TEAM_REQUESTS_WAITING,
    onLost: revive,
    onError: (error) => log.error({ err: error }, 'post-commit work failed'),
  });
  closing.push(() => database.close());
  const listener = openListener(connection, revive, undefined, role === 'worker' ? 'chancery-listen' : answeringNode);
  closing.push(() => listener.close());
  const stopClock = await followClock(database.clock, (offMs) =>
    log.warn({ offMs }, 'the clock of this machine differs from the database clock; the service uses the database clock'),
  );
  closing.push(async () => stopClock());
  listener.onReconnect(() => void database.clock.measure().catch(() => undefined));
  return { database, listener };
}

/** Opens the limits of each team across all nodes, and the callbacks for exceeded quotas. */
async function openLimits(database: Database, { config, log }: PlatformOptions, count: (quota: string) => void, closing: Closing) {
  await publishLimits(database, config);
  const hearing: ((team: string, quota: string) => void)[] = [];
  const exceeded = (team: string, quota: string): void => {
    count(quota);
    for (const hear of hearing) hear(team, quota);
  };
  const teamLimits = limitTeams({
    writesPerSecond: config.TEAM_WRITES_PER_SECOND,
    maxConcurrentPerTeam: config.TEAM_REQUESTS_AT_ONCE,
    maxConcurrentPerToken: config.TOKEN_REQUESTS_AT_ONCE,
    exceeded,
  });
  const budgets = keepBudgets({ database, log, exceeded, refreshed: teamLimits.refresh });
  closing.push(() => budgets.stop());
  return { teamLimits, exceeded, onQuotaExceeded: (hear: (team: string, quota: string) => void) => void hearing.push(hear) };
}
