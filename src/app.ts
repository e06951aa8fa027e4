import { apiDescription, apiTags } from './api-tags.ts';
import { domains, loadTexts } from './domains.ts';
import { overloadedProblem } from './platform/crypto/password-hash.ts';
import { databaseProblem } from './platform/database/errors.ts';
import type { OpenedDomain } from './platform/domain.ts';
import type { VerifyToken } from './platform/http/authenticate.ts';
import { serveConsole } from './platform/http/console/routes.ts';
import { bodyRoom } from './platform/http/request-memory-budget.ts';
import { createResponseCipher } from './platform/http/idempotency.ts';
import { describeApi, serveDescription } from './platform/http/openapi/document.ts';
import { allowEmbeddingSites } from './platform/http/cors.ts';
import { operationRoutes, type Readiness } from './platform/http/operations.ts';
import { problemPages } from './platform/http/problem-pages.ts';
import { type App, createServer } from './platform/http/server.ts';
import { exceededQuota, quotaProblem } from './platform/limits/quotas.ts';
import { mailAddresses } from './platform/mail/compose.ts';
import { devMailbox } from './platform/mail/dev-mailbox.ts';
import { storageProblem } from './platform/storage/storage.ts';
import { measureRequests } from './platform/telemetry/metrics.ts';
import { isPublishedBody } from './published.ts';
import type { RunningPlatform } from './running-platform.ts';

const mebibyte = 1024 * 1024;

/**
 * Creates the HTTP application: the platform, then the routes of the opened domains.
 *
 * @param ready returns the state of the node
 */
export function createApp(platform: RunningPlatform, opened: readonly OpenedDomain<unknown>[], ready: () => Promise<Readiness>): App {
  const { config, metrics } = platform;
  const app = openServer(platform, verifierOf(opened));
  allowEmbeddingSites(
    app,
    opened.flatMap(({ openToSites }) => openToSites ?? []),
  );
  describeApi(app, {
    title: 'Chancery',
    version: platform.version,
    description: apiDescription,
    baseUrl: config.BASE_URL,
    tags: apiTags,
    events: () => domains.flatMap((domain) => domain.sends()),
    texts: loadTexts,
  });

  app.register(async () => {
    for (const { routes } of opened) routes?.(app);
    operationRoutes(app, { ready, metrics, metricsToken: config.METRICS_TOKEN });
    if (config.API_DOCS) serveDescription(app);
    problemPages(app);
    serveConsole(app, config.REGISTRATION);
    if (!config.production) devMailbox(app, mailAddresses(config));
  });
  return app;
}

/** Creates the HTTP application of a worker node, which serves only health, readiness and metrics. */
export function createOperationsApp(platform: RunningPlatform, ready: () => Promise<Readiness>): App {
  const { config, metrics } = platform;
  const app = openServer(platform, () => undefined);
  operationRoutes(app, { ready, metrics, metricsToken: config.METRICS_TOKEN });
  return app;
}

/** Creates the HTTP server of both applications with the limits of the settings. */
function openServer(platform: RunningPlatform, verifyToken: VerifyToken): App {
  const { config } = platform;
  const app = createServer({
    baseUrl: config.BASE_URL,
    logger: platform.log,
    tracer: platform.tracer,
    corsOrigins: config.CORS_ORIGINS,
    trustedProxies: config.TRUSTED_PROXIES,
    requestsPerMinute: config.RATE_LIMIT_PER_MINUTE,
    verifyToken,
    publishedBody: isPublishedBody,
    admit: platform.teamLimits.admit,
    answers: { maxBytes: config.ANSWER_MIB_AT_ONCE * mebibyte },
    bodies: bodyRoom({ maxBytes: config.BODY_MIB_AT_ONCE * mebibyte, bytesOfTeam: config.TEAM_BODY_MIB_AT_ONCE * mebibyte }),
    connectionsPerAddress: config.CONNECTIONS_PER_ADDRESS,
    // Time for the largest upload over a 1 Mbit/s line.
    requestTimeoutMs: Math.max(120_000, config.MAX_UPLOAD_MB * 8_400),
    errorMappings: [quotaProblem, databaseProblem, overloadedProblem, storageProblem],
  });
  decorate(app, platform);
  measureRequests(app, platform.metrics);
  return app;
}

/** Adds the dependencies that request handlers use. */
function decorate(app: App, { database, listeners, masterKey, clock, teamLimits, exceeded }: RunningPlatform): void {
  app.decorate('database', database);
  app.decorate('listeners', listeners);
  app.decorate('responseCipher', createResponseCipher(masterKey));
  app.decorate('clock', clock);
  app.decorate('writesOf', teamLimits.writesOf);
  app.decorate('spendWrite', teamLimits.spendWrite);
  app.decorate('quotaExceeded', exceeded);
  app.addHook('onError', (request, _reply, error, done) => {
    const over = exceededQuota(error);
    if (over && request.principal?.team !== undefined) exceeded(request.principal.team, over.quota);
    done();
  });
}

/** Returns a verifier that lets the issuing domain verify each token. */
function verifierOf(opened: readonly OpenedDomain<unknown>[]): VerifyToken {
  const verifiers = new Map(opened.flatMap(({ verifies }) => (verifies ? [[verifies.audience, verifies.verify] as const] : [])));
  return (token, audience) => verifiers.get(audience)?.(token);
}
