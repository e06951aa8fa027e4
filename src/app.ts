import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { type AccountDeps, accountRoutes } from '#accounts';
import { auditRoutes } from '#audit';
import { type ClientDeps, clientRoutes } from '#clients';
import { type DocumentDeps, documentRoutes } from '#documents';
import { folderRoutes } from '#folders';
import { type KeyRing, keyRoutes } from '#keys';
import { devAltchaPage, pageRoutes, startPage } from '#pages';
import { type Staff, staffRoutes } from '#staff';
import { type SsoDeps, ssoRoutes } from '#sso';
import { taskRoutes } from '#tasks';
import { teamRoutes } from '#teams';
import { presentCatalogue, type WebhookDeps, webhookRoutes } from '#webhooks';
import { workflowRoutes } from '#workflows';
import type { Config } from './config.ts';
import { apiDescription, apiTags } from './api-tags.ts';
import { loadTexts } from './domains.ts';
import { listeners } from './listeners.ts';
import { overloadedProblem } from './platform/crypto/password-hash.ts';
import type { Database } from './platform/database/database.ts';
import { databaseProblem } from './platform/database/errors.ts';
import type { VerifyToken } from './platform/http/authenticate.ts';
import type { Answers } from './platform/http/idempotency.ts';
import { describeApi, serveDescription } from './platform/http/openapi/document.ts';
import { operationRoutes } from './platform/http/operations.ts';
import { problemPages } from './platform/http/problem-pages.ts';
import { type App, createServer } from './platform/http/server.ts';
import type { TeamLimits } from './platform/http/team-limits.ts';
import { exceededQuota, quotaProblem } from './platform/limits/quotas.ts';
import { devMailbox } from './platform/mail/dev-mailbox.ts';
import { storageProblem } from './platform/storage/storage.ts';
import { isPublishedBody } from './published.ts';
import { measureRequests } from './platform/telemetry/metrics.ts';

/** What the application is put together from. */
export type AppParts = {
  config: Config;
  version: string;
  log: Logger;
  database: Database;
  keys: KeyRing;
  answers: Answers;
  metrics: Registry;
  verifyToken: VerifyToken;
  ready: () => Promise<string | undefined>;
  clock: () => Date;
  accounts: AccountDeps;
  staff: Staff;
  clients: ClientDeps;
  documents: DocumentDeps;
  webhooks: WebhookDeps;
  sso: SsoDeps;
  teamLimits: TeamLimits;
  /** Told which quota of a team is used up. */
  exceeded: (team: string, quota: string) => void;
};

/** The HTTP application: the platform first, then one line a domain. */
export function createApp(parts: AppParts): App {
  const { config, database } = parts;
  const app = createServer({
    baseUrl: config.BASE_URL,
    logger: parts.log,
    corsOrigins: config.CORS_ORIGINS,
    trustedProxies: config.TRUSTED_PROXIES,
    requestsPerMinute: config.RATE_LIMIT_PER_MINUTE,
    verifyToken: parts.verifyToken,
    publishedBody: isPublishedBody,
    admit: parts.teamLimits.admit,
    connectionsPerAddress: config.CONNECTIONS_PER_ADDRESS,
    // The largest upload is given the time that a line of 1 Mbit/s takes.
    requestTimeoutMs: Math.max(120_000, config.MAX_UPLOAD_MB * 8_400),
    errorMappings: [quotaProblem, databaseProblem, overloadedProblem, storageProblem],
  });
  app.decorate('database', database);
  app.decorate('listeners', listeners);
  app.decorate('answers', parts.answers);
  app.decorate('clock', parts.clock);
  app.decorate('writesOf', parts.teamLimits.writesOf);
  app.decorate('spendWrite', parts.teamLimits.spendWrite);
  app.addHook('onError', (request, _reply, error, done) => {
    const over = exceededQuota(error);
    if (over && request.principal?.team !== undefined) parts.exceeded(request.principal.team, over.quota);
    done();
  });
  measureRequests(app, parts.metrics);
  describeApi(app, {
    title: 'Chancery',
    version: parts.version,
    description: apiDescription,
    baseUrl: config.BASE_URL,
    tags: apiTags,
    events: presentCatalogue,
    texts: loadTexts,
  });

  app.register(async () => {
    accountRoutes(app, parts.accounts);
    staffRoutes(app, parts.staff);
    clientRoutes(app, parts.clients);
    teamRoutes(app, parts.accounts);
    ssoRoutes(app, parts.accounts, parts.sso);
    folderRoutes(app);
    documentRoutes(app, parts.documents);
    taskRoutes(app);
    workflowRoutes(app);
    webhookRoutes(app, parts.webhooks);
    auditRoutes(app, { keys: parts.keys });
    keyRoutes(app, parts.keys);

    operationRoutes(app, { ready: parts.ready, metrics: parts.metrics, metricsToken: config.METRICS_TOKEN });
    if (config.API_DOCS) serveDescription(app);
    problemPages(app);
    startPage(app, { version: parts.version, reference: config.API_DOCS, development: !config.production });
    pageRoutes(app, { passwordMinLength: config.PASSWORD_MIN_LENGTH });
    if (!config.production) {
      devMailbox(app);
      devAltchaPage(app);
    }
  });
  return app;
}
