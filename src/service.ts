import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { createApp, createOperationsApp } from './app.ts';
import type { Config } from './config.ts';
import { domains, sealedColumns } from './domains.ts';
import type { OpenedConnection } from './open-database.ts';
import type { OpenedDomain } from './platform/domain.ts';
import type { Database } from './platform/database/database.ts';
import { restoredAt } from './platform/database/service-state.ts';
import { causeCode } from './platform/errors.ts';
import type { DatabaseLimits } from './platform/database/limits.ts';
import { Isolation } from './platform/jobs/isolated-jobs.ts';
import { Jobs } from './platform/jobs/jobs.ts';
import { findStandstill, readQueues } from './platform/jobs/queue-state.ts';
import { bouncesOf } from './platform/mail/bounce-addresses.ts';
import { mailAddresses } from './platform/mail/compose.ts';
import { type MailBounced, mailJob, type MayMail, teamMailJob } from './platform/mail/jobs.ts';
import { createSmtpTransport } from './platform/mail/transport.ts';
import { fileRemovalJob } from './platform/storage/removal-jobs.ts';
import type { Readiness } from './platform/http/operations.ts';
import type { App } from './platform/http/server.ts';
import { countJobFailures, measureQueues } from './platform/telemetry/metrics.ts';
import { platformMaintenance } from './platform/maintenance.ts';
import { type Closing, listenPort, openPlatform, type Role, type RunningPlatform } from './running-platform.ts';

export type { Role } from './running-platform.ts';

export type Service = {
  app: App;
  /** The URL at which the service listens. A worker serves only `/healthz`, `/readyz` and `/metrics`. */
  address: string;
  /** Completes work in progress and releases all resources. Safe to call twice. */
  stop(): Promise<void>;
};

export type StartOptions = {
  config: Config;
  role: Role;
  log: Logger;
  /** Returns the current time; by default the time of the database. */
  clock?: () => Date;
  /** Time limits of the database that are not settings; the defaults are for production. */
  databaseLimits?: Partial<DatabaseLimits>;
  /** A database connection whose opening has already begun; by default Chancery opens one from the settings. */
  connecting?: Promise<OpenedConnection> | undefined;
  /** Ends the wait of a start for the migration of the database. */
  stopping?: AbortSignal | undefined;
  /** Called after setup and before the first request, for work that would delay requests. */
  beforeListening?: () => void;
};

const drainMs = 30_000;
/** Returns why a node is unavailable. Only the port of a worker, which users do not reach, names the cause. */
const unreachableDatabase = (role: Role, code: string): string =>
  `The database does not respond${role === 'worker' && code !== '' ? ` (${code})` : ''}.`;
const releasePollMs = 5_000;
const unreadSchedule = 'The state of background work cannot be read: its tables are missing or inaccessible.';

/** Maximum number of connections that wait to be accepted; the kernel can have a lower limit. Above it, clients retry after a second. */
const backlog = 4_096;

/** Starts the service: database, migrations, domains, listener and, depending on the role, the application and the workers. */
export async function startService(options: StartOptions): Promise<Service> {
  const closing: Closing = [];
  const state = { stopping: false };
  const cleanUp = (): Promise<void> => closeAll(closing, options.log);
  try {
    const { app, address } = await assemble(options, closing, state);
    let stopped: Promise<void> | undefined;
    return {
      app,
      address,
      stop: () => {
        state.stopping = true;
        stopped ??= cleanUp();
        return stopped;
      },
    };
  } catch (error) {
    await cleanUp();
    throw error;
  }
}

/** Closes resources in reverse order. */
async function closeAll(closing: Closing, log: Logger): Promise<void> {
  for (const close of closing.splice(0).toReversed())
    await close().catch((error: unknown) => log.warn({ err: error }, 'a component did not stop cleanly'));
}

async function assemble(
  { config, role, log, clock, databaseLimits, connecting, stopping, beforeListening }: StartOptions,
  closing: Closing,
  state: { stopping: boolean },
): Promise<Pick<Service, 'app' | 'address'>> {
  const isStopping = () => state.stopping;
  const platform = await openPlatform({ config, role, log, clock, databaseLimits, connecting, stopping, isStopping }, closing);
  const opened = await openDomains(platform, config, closing);
  const background = role === 'api' ? undefined : new BackgroundWork(platform, opened);
  const ready = async (): Promise<Readiness> => {
    if (state.stopping) return { status: 'unavailable', reason: 'The service is stopping.' };
    const unreachable = await platform.database.ping().then(() => undefined, causeCode);
    if (unreachable !== undefined) return { status: 'unavailable', reason: unreachableDatabase(role, unreachable) };
    const reason = background?.isPrepared ? background.failure() : await findPause(platform.database);
    if (reason === undefined) return { status: 'ok' };
    // A node that serves requests stays available. Without it users could not work at all.
    return { status: role === 'worker' ? 'unavailable' : 'degraded', reason };
  };
  const app = role === 'worker' ? createOperationsApp(platform, ready) : createApp(platform, opened, ready);
  const readers = [() => readQueues(platform.database), ...opened.flatMap(({ readQueues: own = [] }) => own)];
  measureQueues(platform.metrics, async () => (await Promise.all(readers.map((read) => read()))).flat());
  const restored = background && (await restoredAt(platform.database));
  if (background) closing.push(() => background.stop());
  if (restored === undefined) await background?.prepare();
  else log.warn({ restored }, restoredReason(restored));
  await app.ready();
  beforeListening?.();
  const address = await app.listen({ host: config.HOST, port: listenPort(config, role), backlog });
  closing.push(() => app.close());
  // The server already serves requests.
  if (restored === undefined) await background?.start();
  else void background?.startWhenReleased();
  return { app, address };
}

const restoredReason = (at: string): string =>
  `Background work waits since the restore at ${at}. Check the data, then run \`chancery restore --release\`.`;

/** Returns why no background work runs, for a node that runs none. */
async function findPause(database: Database): Promise<string | undefined> {
  try {
    const restored = await restoredAt(database);
    return restored === undefined ? await findStandstill(database) : restoredReason(restored);
  } catch {
    return unreadSchedule;
  }
}

/** The workers and jobs of a node. */
class BackgroundWork {
  readonly #platform: RunningPlatform;
  readonly #opened: readonly OpenedDomain<unknown>[];
  readonly #closing: Closing = [];
  readonly #stopping = new AbortController();
  #releasing: Promise<void> | undefined;
  #jobs: Jobs | undefined;

  constructor(platform: RunningPlatform, opened: readonly OpenedDomain<unknown>[]) {
    this.#platform = platform;
    this.#opened = opened;
  }

  get isPrepared(): boolean {
    return this.#jobs !== undefined;
  }

  failure(): string | undefined {
    return this.#jobs?.failure();
  }

  /** Starts the workers of the domains and declares the jobs. */
  async prepare(): Promise<void> {
    await startWorkers(this.#opened, this.#closing);
    const jobs = declareJobs(this.#platform, this.#opened, this.#closing);
    this.#jobs = jobs;
    this.#closing.push(() => jobs.stop(drainMs));
  }

  async start(): Promise<void> {
    await this.#jobs?.start();
  }

  /** Starts after an operator has released a restored database. */
  startWhenReleased(): Promise<void> {
    const { database, log } = this.#platform;
    this.#releasing ??= (async () => {
      const { signal } = this.#stopping;
      while (!signal.aborted) {
        await sleep(releasePollMs, undefined, { signal }).catch(() => undefined);
        if (signal.aborted || (await restoredAt(database).catch(() => '')) !== undefined) continue;
        await this.prepare();
        await this.start();
        log.info('background work was released and starts');
        return;
      }
    })().catch((error: unknown) => log.error({ err: error }, 'background work did not start after its release'));
    return this.#releasing;
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#releasing;
    await closeAll(this.#closing, this.#platform.log);
  }
}

/** Opens the domains in order, each with the exports of the domains that it uses. */
async function openDomains(platform: RunningPlatform, config: Config, closing: Closing): Promise<OpenedDomain<unknown>[]> {
  const exported = new Map<string, unknown>();
  const all: OpenedDomain<unknown>[] = [];
  for (const domain of domains) {
    const uses = Object.fromEntries(Object.entries(domain.uses).map(([as, used]) => [as, exported.get(used.name)]));
    // The types of the manifest match the exports and the settings in `config`.
    const opened = await domain.open(platform, uses as never, config as never);
    exported.set(domain.name, opened.exports);
    all.push(opened);
    if (opened.close) closing.push(opened.close);
  }
  return all;
}

/** Starts the workers of the domains, which run until the process ends. */
async function startWorkers(opened: readonly OpenedDomain<unknown>[], closing: Closing): Promise<void> {
  for (const worker of opened.flatMap(({ workers = [] }) => workers)) closing.push(await worker.start());
}

/** Declares the jobs and periodic jobs of the platform and the domains. They start after the server. */
function declareJobs(platform: RunningPlatform, opened: readonly OpenedDomain<unknown>[], closing: Closing): Jobs {
  const { config, database, listener, clock, exceeded, log, tracer } = platform;
  const metrics = countJobFailures(platform.metrics);
  const isolation = new Isolation({ database, log, metrics });
  const jobs = new Jobs({ database, listener, log, metrics, clock, tracer });
  jobs.add(fileRemovalJob, { storage: platform.files, database });
  for (const { job, deps } of opened.flatMap(({ jobs: own = [] }) => own)) jobs.add(job, deps);
  for (const { name, cron, run } of [...platformMaintenance(platform, sealedColumns), ...opened.flatMap(({ periodic = [] }) => periodic)])
    jobs.schedule(name, cron, async () => void (await run({ now: clock(), isolation })));
  if (config.SMTP_URL !== undefined) {
    const transport = createSmtpTransport({ smtpUrl: config.SMTP_URL, from: config.MAIL_FROM, bounces: bouncesOf(platform) });
    closing.push(async () => transport.close());
    const judges = opened.flatMap(({ mayMail: own = [] }) => own);
    const mayMail: MayMail = async (team, about) => {
      for (const judge of judges) if (!(await judge(team, about))) return false;
      return true;
    };
    const bouncing = opened.flatMap(({ mailBounced: own = [] }) => own);
    const bounced: MailBounced = (tx, team, mail) => {
      for (const hear of bouncing) hear(tx, team, mail);
    };
    const addresses = mailAddresses(config);
    for (const job of [mailJob, teamMailJob]) jobs.add(job, { database, transport, exceeded, mayMail, bounced, addresses });
  } else if (config.production) {
    log.warn('SMTP_URL is not set: mails are only stored, and users do not receive codes and links');
  }
  return jobs;
}
