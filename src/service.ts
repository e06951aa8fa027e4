import { readFile } from 'node:fs/promises';
import type { Logger } from 'pino';
import { createAccessTokens, dropExpiredSignIns } from '#accounts';
import { createSequencer, eraseOldAddresses, parseWitnesses, thinCheckpoints } from '#audit';
import { clientLookup, clientsMadeBy, dropEndedSecrets } from '#clients';
import { purgeDocuments, tendFiles } from '#documents';
import { administerStaff, dropExpiredStaff, openStaff } from '#staff';
import { purgeFolders } from '#folders';
import { followKeys, openKeyRing, publicSigner, tendKeys } from '#keys';
import { dropOldInvitations, invitationsMadeBy, invitationWaits, purgeClosedTeams, tellExceededQuotas } from '#teams';
import { connectionsMadeBy, dropSpentStates } from '#sso';
import {
  checkEndpointUrl,
  createAddressPolicy,
  createGuardedFetch,
  createResolver,
  createSender,
  createTextLookup,
  createWebhookEngine,
  dropOldDeliveries,
  endpointsMadeBy,
  parseSchedule,
  webhookBulkListener,
} from '#webhooks';
import { runWorkflowTimers } from '#workflows';
import { createApp } from './app.ts';
import { type Config, ConfigError } from './config.ts';
import { listeners } from './listeners.ts';
import { keySettingsOf, masterKeyOf, openConnection, openStorage, staffSettings } from './opening.ts';
import { createPasswordHasher } from './platform/crypto/password-hash.ts';
import { followClock } from './platform/database/clock.ts';
import { openDatabase } from './platform/database/database.ts';
import { isDatabaseUnavailable, sqlState } from './platform/database/errors.ts';
import { replacesMasterKey, settleMasterKey } from './platform/database/facts.ts';
import { openListener } from './platform/database/listen.ts';
import { migrate } from './platform/database/migrate.ts';
import { sealAnew } from './platform/database/reseal.ts';
import { keptAnswers } from './platform/http/idempotency.ts';
import { dropOldAnswers } from './platform/http/jobs.ts';
import type { App } from './platform/http/server.ts';
import { limitTeams } from './platform/http/team-limits.ts';
import { answeringNode, keepBudgets, publishLimits } from './platform/limits/budget-jobs.ts';
import { lifetimesOf } from './platform/lifetimes.ts';
import { eachPart, isolateFaults } from './platform/jobs/isolated-jobs.ts';
import { type Jobs, openJobs } from './platform/jobs/jobs.ts';
import { createMailWorker, dropOldMail } from './platform/mail/jobs.ts';
import { createSmtpTransport } from './platform/mail/transport.ts';
import { countExceededQuotas, countJobFailures, createMetrics } from './platform/telemetry/metrics.ts';
import { sealedColumns } from './tools/master-key.ts';

/** `all` does everything in one process; `api` answers requests; `worker` does the background work. */
export type Role = 'all' | 'api' | 'worker';

export type Service = {
  app: App;
  /** Where it listens, once it does; a worker does not. */
  address: string | undefined;
  /** Finishes what is in flight and lets go of everything. Safe to call twice. */
  stop(): Promise<void>;
};

export type StartOptions = {
  config: Config;
  role: Role;
  log: Logger;
  /** The time of day; by default the database's. */
  clock?: () => Date;
  /** Called when all is put together and nobody is served yet: what would hold up requests is done now. */
  beforeListening?: () => void;
};

const drainMs = 30_000;

export async function packageVersion(): Promise<string> {
  const manifest = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8')) as { version: string };
  return manifest.version;
}

/** Connections that wait to be accepted: as many as the kernel lets wait where it has a lower limit. Past it, it leaves clients to try again after a second. */
const backlog = 4_096;

/** Starts the service: database, migrations, keys, the application and, by role, the listener and the workers. */
export async function startService({ beforeListening = () => undefined, ...rest }: StartOptions): Promise<Service> {
  const closing: (() => Promise<unknown>)[] = [];
  const cleanUp = async (): Promise<void> => {
    for (const close of closing.splice(0).toReversed())
      await close().catch((error: unknown) => rest.log.warn({ err: error }, 'a part did not stop cleanly'));
  };
  try {
    return await assemble({ beforeListening, ...rest }, closing, cleanUp);
  } catch (error) {
    await cleanUp();
    throw error;
  }
}

async function readAuthorities(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new ConfigError('WEBHOOKS_CA_FILE names a file that cannot be read.', { cause: error });
  });
  if (!text.includes('-----BEGIN CERTIFICATE-----')) throw new ConfigError('WEBHOOKS_CA_FILE must name a PEM file of certificates.');
  return text;
}

/** A database of one's own that does not let us in, with the setting to look at; other faults stay what they are. */
function unreachable(error: unknown): unknown {
  // 28: invalid authorization; 3D000: no such database.
  if (!isDatabaseUnavailable(error) && !/^(28|3D)/.test(sqlState(error) ?? '')) return error;
  return new ConfigError('DATABASE_URL leads to a database that does not let this service in: check host, user, password and name.', {
    // Of an address tried in two families there are two errors, and no message.
    cause: error instanceof AggregateError ? error.errors[0] : error,
  });
}

async function assemble(
  { config, role, log, beforeListening, ...options }: StartOptions & Required<Pick<StartOptions, 'beforeListening'>>,
  closing: (() => Promise<unknown>)[],
  cleanUp: () => Promise<void>,
): Promise<Service> {
  // Settings that are more than a value are read before anything is started.
  const policy = createAddressPolicy({ allowPrivate: config.WEBHOOKS_ALLOW_PRIVATE, allowCidrs: config.WEBHOOKS_ALLOW_CIDRS });
  const providerPolicy = createAddressPolicy({ allowPrivate: config.SSO_ALLOW_PRIVATE, allowCidrs: config.SSO_ALLOW_CIDRS });
  const schedule = config.WEBHOOK_RETRY_SCHEDULE === undefined ? {} : { schedule: parseSchedule(config.WEBHOOK_RETRY_SCHEDULE) };
  const authorities = config.WEBHOOKS_CA_FILE === undefined ? {} : { ca: await readAuthorities(config.WEBHOOKS_CA_FILE) };
  const storage = await openStorage(config);

  const { connection, server } = await openConnection(config, log);
  if (server) closing.push(() => server.stop());
  const { applied } = await migrate(connection).catch((error: unknown) => {
    throw server ? error : unreachable(error);
  });
  if (applied.length > 0) log.info({ applied }, 'the database schema was brought up to date');

  let stopping = false;
  const revive = (error: Error): void => {
    if (stopping) return;
    log.warn({ reason: error.message }, 'a database connection was lost');
    server?.ensureRunning().catch((failure: unknown) => log.error({ err: failure }, 'the embedded database cannot be started again'));
  };
  const database = openDatabase(connection, {
    applicationName: `chancery-${role}`,
    maxConnections: config.DATABASE_CONNECTIONS,
    readLimitMs: config.READ_LIMIT_SECONDS * 1000,
    writeLimitMs: config.WRITE_LIMIT_SECONDS * 1000,
    waiting: config.TEAM_REQUESTS_WAITING,
    onLost: revive,
    onFault: (error) => log.error({ err: error }, 'what follows a commit failed'),
  });
  closing.push(() => database.close());
  const listener = openListener(connection, revive, undefined, role === 'worker' ? 'chancery-listen' : answeringNode);
  closing.push(() => listener.close());
  const stopClock = await followClock(database.clock, (offMs) =>
    log.warn({ offMs }, 'the clock of this machine is off from that of the database, which is the one that counts'),
  );
  closing.push(async () => stopClock());
  listener.onReconnect(() => void database.clock.measure().catch(() => undefined));
  const { clock = () => new Date(database.clock.now()) } = options;

  const masterKey = await settleMasterKey(database, await masterKeyOf(config, server));
  const keySettings = keySettingsOf(config);
  const keys = await openKeyRing(database, masterKey, keySettings);
  const stopFollowing = await followKeys(keys, listener, log);
  closing.push(async () => stopFollowing());
  const tokens = createAccessTokens({
    database,
    keys,
    issuer: config.BASE_URL,
    hearsRevocations: () => listener.connected(),
    liveClient: clientLookup(database),
    seconds: config.ACCESS_TOKEN_SECONDS,
  });
  await listener.on('revoked', (subject) => tokens.forget(subject));
  listener.onReconnect(() => tokens.forget('*'));
  const hasher = createPasswordHasher({ concurrency: config.HASH_CONCURRENCY, maxQueue: 64, pepper: masterKey.lasting('password-pepper') });
  const madeBy = [clientsMadeBy(tokens), connectionsMadeBy, endpointsMadeBy, invitationsMadeBy];
  const staff = openStaff({
    database,
    keys,
    hasher,
    masterKey,
    listeners,
    settings: staffSettings(config),
    forget: (id) => tokens.forget(id),
    madeBy,
  });
  if (config.STAFF_BOOTSTRAP_EMAIL !== undefined && config.STAFF_BOOTSTRAP_PASSWORD !== undefined) {
    const made = await administerStaff(staff).bootstrap(config.STAFF_BOOTSTRAP_EMAIL, config.STAFF_BOOTSTRAP_PASSWORD);
    if (made) log.info('the first staff account was made from STAFF_BOOTSTRAP_EMAIL');
  }

  const providers = createGuardedFetch({
    policy: providerPolicy,
    timeoutMs: 10_000,
    ...(config.SSO_DNS_SERVERS.length === 0 ? {} : { resolve: createResolver(config.SSO_DNS_SERVERS) }),
  });
  closing.push(() => providers.close());

  let jobs: Jobs | undefined;
  const metrics = createMetrics();
  await publishLimits(database, config);
  const metric = countExceededQuotas(metrics);
  const teller = tellExceededQuotas({ database, listeners, log, clock });
  const exceeded = (team: string, quota: string): void => {
    metric(quota);
    teller.tell(team, quota);
  };
  const teamLimits = limitTeams({
    writesPerSecond: config.TEAM_WRITES_PER_SECOND,
    teamAtOnce: config.TEAM_REQUESTS_AT_ONCE,
    tokenAtOnce: config.TOKEN_REQUESTS_AT_ONCE,
    exceeded,
  });
  const budgets = keepBudgets({ database, log, exceeded, refreshed: teamLimits.refresh });
  closing.push(() => budgets.stop());
  const app = createApp({
    config,
    version: await packageVersion(),
    log,
    database,
    keys,
    answers: keptAnswers(masterKey),
    metrics,
    verifyToken: (token, audience) => (audience === 'user' ? tokens.verify(token) : staff.tokens.verify(token)),
    ready: async () => {
      if (stopping) return 'The service is stopping.';
      await database.ping();
      return jobs?.trouble();
    },
    clock,
    accounts: {
      tokens,
      hasher,
      masterKey,
      invitationWaits,
      madeBy,
      settings: {
        baseUrl: config.BASE_URL,
        issuer: config.BASE_URL,
        altcha: config.ALTCHA,
        passwordMinLength: config.PASSWORD_MIN_LENGTH,
        refreshGraceSeconds: config.REFRESH_RETRY_GRACE_SECONDS,
        lifetimes: lifetimesOf(config),
        corsOrigins: config.CORS_ORIGINS,
        passkeys: { rpId: config.PASSKEY_RP_ID, origins: config.passkeyOrigins },
      },
    },
    staff,
    clients: { tokens, masterKey, issuer: config.BASE_URL },
    documents: { storage, maxUploadBytes: config.MAX_UPLOAD_MB * 1024 * 1024 },
    webhooks: { masterKey, policy },
    sso: {
      masterKey,
      fetch: (target, init) => providers.fetch(target, init),
      checkUrl: (text) => checkEndpointUrl(text, providerPolicy),
      lookupText: createTextLookup(config.SSO_DNS_SERVERS),
      allowHttp: config.SSO_ALLOW_PRIVATE,
      now: () => database.clock.now(),
    },
    teamLimits,
    exceeded,
  });
  if (config.SSO_ALLOW_PRIVATE) log.warn('SSO_ALLOW_PRIVATE is on: providers may be at http and private addresses');
  if (config.ALTCHA === 'off') log.warn('ALTCHA is off: registration and password reset ask for no proof of work');
  if (config.WEBHOOKS_ALLOW_PRIVATE) log.warn('WEBHOOKS_ALLOW_PRIVATE is on: webhooks may reach http and private addresses');

  if (role !== 'api') {
    const resolve = config.WEBHOOKS_DNS_SERVERS.length === 0 ? {} : { resolve: createResolver(config.WEBHOOKS_DNS_SERVERS) };
    const sender = createSender({ policy, timeoutMs: config.WEBHOOK_TIMEOUT_SECONDS * 1000, ...authorities, ...resolve });
    const engine = createWebhookEngine({
      database,
      listener,
      sender,
      masterKey,
      signPublicly: publicSigner(keys, 'webhook'),
      log,
      leaseSeconds: config.WEBHOOK_LEASE_SECONDS,
      ...schedule,
    });
    await engine.start();
    closing.push(async () => {
      await engine.stop();
      await sender.close();
    });
    if (config.SMTP_URL !== undefined) {
      const worker = createMailWorker({
        database,
        listener,
        transport: createSmtpTransport({ smtpUrl: config.SMTP_URL, from: config.MAIL_FROM }),
        exceeded,
        log,
      });
      await worker.start();
      closing.push(() => worker.stop());
    }
    const sequencer = createSequencer({
      database,
      listener,
      keys,
      origin: config.AUDIT_ORIGIN,
      witnesses: parseWitnesses(config.AUDIT_WITNESSES ?? ''),
      announce: webhookBulkListener,
      log,
      clock,
    });
    await sequencer.start();
    closing.push(() => sequencer.stop());
    const jobMetrics = countJobFailures(metrics);
    const isolation = isolateFaults({ database, log, metrics: jobMetrics });
    jobs = openJobs(connection, log, jobMetrics);
    jobs.schedule('workflow-timers', '* * * * *', () => runWorkflowTimers({ database, listeners, isolation }, clock()));
    jobs.schedule('bin-purge', '17 3 * * *', async () => {
      await purgeDocuments({ database, storage, isolation }, clock());
      await purgeFolders({ database, isolation }, clock());
    });
    jobs.schedule('sign-in-drop', '27 * * * *', async () => {
      await eachPart(isolation, 'sign-in-drop', {
        accounts: () => dropExpiredSignIns(database),
        staff: () => dropExpiredStaff(database),
        sso: () => dropSpentStates(database),
      });
    });
    if (masterKey.fingerprints.length > 1) {
      jobs.schedule('master-key-reseal', '* * * * *', async () => {
        if (!(await replacesMasterKey(database, masterKey))) return;
        await sealAnew(database, masterKey, sealedColumns, {
          tell: (progress) => log.info(progress, 'sealing anew under the new master key'),
        });
        log.info('everything is sealed under MASTER_KEY: MASTER_KEYS_ACCEPTED is needed no more');
      });
    }
    jobs.schedule('answer-drop', '7 * * * *', () => dropOldAnswers(database));
    jobs.schedule('client-drop', '57 * * * *', () => dropEndedSecrets(database));
    jobs.schedule('key-rotation', '* * * * *', () => tendKeys(database, masterKey, keySettings));
    jobs.schedule('team-purge', '27 3 * * *', () =>
      purgeClosedTeams({ database, isolation, removeFile: (key) => storage.remove(key) }, clock()),
    );
    jobs.schedule('invitation-drop', '57 3 * * *', () => dropOldInvitations(database, clock()));
    jobs.schedule('delivery-drop', '47 3 * * *', () => dropOldDeliveries(database, clock()));
    jobs.schedule('mail-drop', '37 3 * * *', () => dropOldMail(database, clock()));
    jobs.schedule('checkpoint-thin', '57 3 * * *', () => thinCheckpoints(database, clock()));
    if (config.AUDIT_ADDRESS_DAYS > 0) {
      jobs.schedule('address-erase', '7 4 * * *', async () => void (await eraseOldAddresses(database, clock(), config.AUDIT_ADDRESS_DAYS)));
    }
    jobs.schedule('file-reconcile', '37 4 * * *', () => tendFiles({ database, storage, log }));
    jobs.schedule('upload-sweep', '7 * * * *', async () => void (await storage.removeAbandoned(24 * 3_600_000)));
    closing.push(async () => jobs?.stop(drainMs));
  }

  await app.ready();
  beforeListening();
  const address = role === 'worker' ? undefined : await app.listen({ host: config.HOST, port: config.PORT, backlog });
  closing.push(() => app.close());
  // Requests are served meanwhile.
  await jobs?.start();
  let stopped: Promise<void> | undefined;
  return {
    app,
    address,
    stop: () => {
      stopping = true;
      stopped ??= cleanUp();
      return stopped;
    },
  };
}
