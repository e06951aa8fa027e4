import { readFile } from 'node:fs/promises';
import type { Logger } from 'pino';
import { loadTools, ownedTables } from './domains.ts';
import { announce, listeners } from './listeners.ts';
import { masterKeyOf, migrated, openConnection, type OpenedConnection } from './open-database.ts';
import { openStorage } from './open-storage.ts';
import type { PlatformConfig } from './platform/config.ts';
import { followClock } from './platform/database/clock.ts';
import { type Database, openDatabase } from './platform/database/database.ts';
import type { EmbeddedServer } from './platform/database/embedded.ts';
import { settleMasterKey } from './platform/database/service-state.ts';
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
import { createTypesetter } from './platform/typesetting/typesetter.ts';

/** `all` does everything in one process; `api` answers requests; `worker` does the background work. */
export type Role = 'all' | 'api' | 'worker';

/** What was opened is closed in the opposite order. */
export type Closing = (() => Promise<unknown>)[];

type Options = {
  config: PlatformConfig;
  role: Role;
  log: Logger;
  clock?: (() => Date) | undefined;
  databaseLimits?: Partial<DatabaseLimits> | undefined;
  /** The database, where opening it has begun already. */
  connecting?: Promise<OpenedConnection> | undefined;
  /** Whether the service is being stopped: a lost connection is nothing to mend then. */
  isStopping: () => boolean;
};

/** The platform as the service composes it: what domains get, and what only the application and the background work need. */
export type RunningPlatform = Platform & {
  connection: Connection;
  teamLimits: TeamLimits;
  /** The storage whose removals fail where they fail; that of the domains keeps them for later. */
  files: FileStore;
  /** Told which quota of a team is used up. */
  exceeded: (team: string, quota: string) => void;
};

/** Opens the database at its newest schema, and everything that stands between it and the domains. */
export async function openPlatform(options: Options, closing: Closing): Promise<RunningPlatform> {
  const { config, log } = options;
  const files = await openStorage(config, (error) => log.error({ err: error }, 'the store of files cannot be used at the moment'));
  closing.push(() => files.close());
  const { connection, server } = await (options.connecting ?? openConnection(config, log));
  if (server) closing.push(() => server.stop());
  await bringUpToDate(config, { connection, server }, log);
  const { database, listener } = await openLines(connection, server, options, closing);
  const storage = retryingRemovals(files, database);
  const masterKey = await settleMasterKey(database, await masterKeyOf(config, server));
  const metrics = createMetrics();
  const typesetter = createTypesetter({ log, fontsFolder: config.FONTS_DIR });
  closing.push(() => typesetter.close());
  let tools: ReturnType<Platform['tools']> | undefined;
  const limits = await openLimits(database, options, countExceededQuotas(metrics), closing);
  return {
    config,
    version: await packageVersion(),
    log,
    connection,
    database,
    listener,
    clock: options.clock ?? (() => new Date(database.clock.now())),
    masterKey,
    storage,
    scanner: config.CLAMD_ADDRESS && clamdScanner(config.CLAMD_ADDRESS, (err) => log.error({ err }, 'the virus scanner does not answer')),
    files,
    typesetter,
    metrics,
    listeners,
    announce,
    tables: ownedTables,
    tools: () => (tools ??= loadTools({ storage })),
    ...limits,
  };
}

async function packageVersion(): Promise<string> {
  const manifest = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8')) as { version: string };
  return manifest.version;
}

async function bringUpToDate(config: PlatformConfig, opened: OpenedConnection, log: Logger): Promise<void> {
  const { applied } = await migrated(config, opened);
  if (applied.length > 0) log.info({ applied }, 'the database schema was brought up to date');
}

/** The connections to the database, and its clock. */
async function openLines(
  connection: Connection,
  server: EmbeddedServer | undefined,
  { config, role, log, databaseLimits, isStopping }: Options,
  closing: Closing,
): Promise<{ database: Database; listener: Listener }> {
  const revive = (error: Error): void => {
    if (isStopping()) return;
    log.warn({ reason: error.message }, 'a database connection was lost');
    server?.ensureRunning().catch((failure: unknown) => log.error({ err: failure }, 'the embedded database cannot be started again'));
  };
  const database = openDatabase(connection, {
    applicationName: `chancery-${role}`,
    maxConnections: config.DATABASE_CONNECTIONS,
    limits: { ...databaseLimits, readMs: config.READ_LIMIT_SECONDS * 1_000, writeMs: config.WRITE_LIMIT_SECONDS * 1_000 },
    waiting: config.TEAM_REQUESTS_WAITING,
    onLost: revive,
    onError: (error) => log.error({ err: error }, 'what follows a commit failed'),
  });
  closing.push(() => database.close());
  const listener = openListener(connection, revive, undefined, role === 'worker' ? 'chancery-listen' : answeringNode);
  closing.push(() => listener.close());
  const stopClock = await followClock(database.clock, (offMs) =>
    log.warn({ offMs }, 'the clock of this machine is off from that of the database, which is the one that counts'),
  );
  closing.push(async () => stopClock());
  listener.onReconnect(() => void database.clock.measure().catch(() => undefined));
  return { database, listener };
}

/** What one team may take, counted over all nodes, and who is told when it is used up. */
async function openLimits(database: Database, { config, log }: Options, count: (quota: string) => void, closing: Closing) {
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
