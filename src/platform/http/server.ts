import { setImmediate as nextPass } from 'node:timers/promises';
import cookie from '@fastify/cookie';
import cors from '@fastify/cors';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import fastify, { LogController, type FastifyBaseLogger, type FastifyError, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { type Problem, problems } from '../problems.ts';
import { limitAddresses } from './address-limits.ts';
import { type AnswerRoom, boundAnswers } from './response-memory-budget.ts';
import type { Tracer } from '../telemetry/tracing.ts';
import type { App } from './app.ts';
import { announceDeprecations } from './deprecation.ts';
import { type BodyRoom, bodyRoom } from './request-memory-budget.ts';
import { compressResponses } from './compression.ts';
import { type BodyTimes, bodyTimes, watchBody } from './body-time.ts';
import { acceptable, isBrowser } from './accept.ts';
import { takesToken, withReads } from './access.ts';
import { answerBrokenHttp, answerLate } from './client-error.ts';
import { allowedMethods, type KnownRoute, pathPattern, producesFile, unknownRoute } from './known-routes.ts';
import { serializers } from './serializers.ts';
import { validators } from './validators.ts';
import { authenticateHook, optionalCredentialHook, recheckTokenHook, type VerifyToken } from './authenticate.ts';
import { markSingleResource, tagAnswers } from './etag.ts';
import { failureLog } from './failure-log.ts';
import { headersNamed } from './header-names.ts';
import { namesSecret } from './idempotency.ts';
import { parseJsonBody } from './json-body.ts';
import { turnFor } from './large-bodies.ts';
import { refuseUnknown } from './known-members.ts';
import { type ErrorMapping, problemFor, sendProblem } from './problem-responses.ts';
import { rateLimitHook } from './rate-limit.ts';
import { followRequests, requestIdOf, traceIdOf } from './request-context.ts';
import { markResponded } from './on-response-close.ts';

export type { App };

export type ServerOptions = {
  baseUrl: string;
  logger: Logger;
  tracer?: Tracer | undefined;
  corsOrigins: readonly string[];
  trustedProxies: readonly string[];
  requestsPerMinute: number;
  verifyToken: VerifyToken;
  /** Whether the published contract defines the body of an operation; unknown members are then ignored instead of rejected. */
  publishedBody?: (method: string, url: string) => boolean;
  /** A hook that limits the caller after authentication. */
  admit?: (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) => void;
  /** Limits the memory of request bodies; without it there is no limit. */
  bodies?: BodyRoom;
  /** Limits the memory of unread responses; without it there is no limit. */
  answers?: AnswerRoom;
  /** Maximum number of connections and of concurrent requests of one IP address; 0 disables the limit. */
  connectionsPerAddress?: number;
  errorMappings: readonly ErrorMapping[];
  /** Time in milliseconds for a complete request, including the largest upload. */
  requestTimeoutMs: number;
  /** Time limits of bodies within the request timeout. */
  bodyTimes?: BodyTimes;
  /** Maximum body size in bytes, unless the route sets another. */
  bodyLimit?: number;
};

/** Milliseconds during a stop for which connections without a request are still read. */
const lateReadMs = 250;

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
/** Response headers that pages of other origins can read. */
export const exposedHeaders = [
  'Accept-Ranges',
  'Content-Disposition',
  'Content-Range',
  'ETag',
  'Link',
  'Preference-Applied',
  'Location',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'Warning',
  'WWW-Authenticate',
  'Deprecation',
  'Sunset',
  'X-Request-Id',
  'X-Total-Count',
  'Idempotency-Replayed',
];

/** Creates a server with all common functions, which does not listen yet. Hooks run in the order of these calls. */
export function createServer(options: ServerOptions): App {
  const { baseUrl, logger } = options;
  const security = securityHeaders(baseUrl);
  const app = openApp(options, security);
  const bodies = options.bodies ?? bodyRoom({ maxBytes: Infinity, bytesOfTeam: Infinity });
  const reserveBody = hookOf(bodies.reserveBody);
  const failures = failureLog(logger);
  app.decorate('reservePart', bodies.reservePart);
  app.decorate('baseUrl', baseUrl);
  app.decorate('problemPage', null);
  app.decorate('problemOf', (error: unknown, request: FastifyRequest) => problemFor(error, request, options.errorMappings));
  app.decorate('recordFailure', failures.note);
  app.decorateRequest('principal', null);
  app.decorateRequest('idempotencyReplayed', false);
  app.setValidatorCompiler(validators());
  app.setSerializerCompiler(serializers());
  parseBodies(app, bodies);
  const routes = declareRoutes(app, options, reserveBody);
  app.decorate('sendsFile', (method: string, url: string) => {
    const [path = ''] = url.split('?', 1);
    return routes.some((route) => route.sendsFile && route.method === method && route.path.test(path));
  });
  followRequests(app, options.tracer);
  app.register(cookie);
  // Before all hooks that can reject: a page can read an error only if it has these headers.
  if (options.corsOrigins.length > 0) allowOrigins(app, options.corsOrigins);
  guardRequests(app, options, { security, reserveBody });
  announceStop(app);
  app.addHook('onClose', (_app, done) => {
    failures.end();
    done();
  });
  tagAnswers(app);
  announceDeprecations(app);
  boundAnswers(app, options.answers ?? { maxBytes: Infinity });
  compressResponses(app);
  logRequests(app);
  answerErrors(app, routes);
  return app;
}

const securityHeaders = (baseUrl: string): Record<string, string> => ({
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-site',
  'cache-control': 'no-store',
  ...(baseUrl.startsWith('https:') ? { 'strict-transport-security': 'max-age=63072000; includeSubDomains' } : {}),
});

function openApp(
  { baseUrl, logger, trustedProxies, bodyLimit = 1024 * 1024, requestTimeoutMs }: ServerOptions,
  security: Record<string, string>,
): App {
  // Typed as the logger of Fastify, so that the type of the application does not depend on pino.
  const loggerInstance: FastifyBaseLogger = logger;
  return fastify({
    loggerInstance,
    // Logs one line per request (`logRequests`) instead of two.
    logController: new LogController({ disableRequestLogging: true }),
    // The logger adds the request ID to each entry (`workIds`).
    childLoggerFactory: (parent) => parent,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 1500 },
    // Hooks do not run for a URL that the router cannot decode.
    frameworkErrors: (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
      request.traceId = traceIdOf(request.raw);
      reply.header('x-request-id', request.id).headers(security);
      void sendProblem(request, reply, unroutable(error), baseUrl);
    },
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    bodyLimit,
    genReqId: requestIdOf,
    requestTimeout: requestTimeoutMs,
    forceCloseConnections: 'idle',
    // While stopping, requests on open connections are still served, and then their connections are closed.
    return503OnClosing: false,
    clientErrorHandler: (error, socket) => answerBrokenHttp(error, socket, baseUrl),
  }).withTypeProvider<TypeBoxTypeProvider>();
}

const unroutable = ({ statusCode }: FastifyError): Problem =>
  statusCode === 414
    ? problems.uri_too_long('A part of the path is longer than any identifier. Check the identifier.')
    : problems.bad_request('The path contains an invalid percent-encoded sequence. Encode the path as UTF-8.');

function parseBodies(app: App, bodies: BodyRoom): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    ['application/json', 'application/merge-patch+json', 'application/scim+json'],
    { parseAs: 'buffer' },
    (request, bytes, done) => {
      const read = () => {
        // The client has disconnected. The error is the same as for an interrupted body.
        if (request.raw.socket.destroyed) throw Object.assign(new Error('aborted'), { code: 'ECONNRESET' });
        bodies.reserveValues(request, bytes as Buffer);
        return parseJsonBody(bytes as Buffer);
      };
      const turn = turnFor(request, bytes.length);
      // A large body is parsed in one pass of the event loop and validated in a later one.
      if (turn) return turn.then(read).finally(nextPass);
      try {
        done(null, read());
      } catch (error) {
        done(error as Error);
      }
      return undefined;
    },
  );
  // An operation without a body ignores a body of any type.
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (request, bytes, done) => {
    const takesBody = request.routeOptions.schema?.body !== undefined && !request.routeOptions.config?.lenientBody;
    done(
      bytes.length > 0 && takesBody ? problems.unsupported_media_type('Send the body as `Content-Type: application/json`.') : null,
      undefined,
    );
  });
}

/** Adds the access and the resulting hooks to each new route. Returns the routes. */
function declareRoutes(app: App, { publishedBody, verifyToken, admit }: ServerOptions, reserveBody: Hook): readonly KnownRoute[] {
  const known: KnownRoute[] = [];
  app.addHook('onRoute', function declareAccess(route) {
    const sendsFile = route.config?.access?.kind === 'user' && producesFile(route.schema?.produces);
    known.push(...[route.method].flat().map((method) => ({ method, path: pathPattern(route.url), sendsFile })));
    // Browsers send preflight requests without credentials.
    if (route.method === 'OPTIONS') route.config = { ...route.config, access: { kind: 'public' } };
    // Pages of a plugin (the API reference) are public; their context has the decorator.
    if (this.hasDecorator('publicPages')) {
      route.config = { ...route.config, access: { kind: 'public' } };
      route.schema = { ...route.schema, produces: ['*/*'] };
    }
    const published = [route.method].flat().some((method) => publishedBody?.(method, route.url) === true);
    route.config = { ...route.config, unknownMembers: published ? 'ignored' : 'refused' };
    refuseUnknown(route);
    if (namesSecret(route.schema?.response)) route.config = { ...route.config, showsSecret: true };
    markSingleResource(route);
    const declared = route.config?.access;
    if (!declared) throw new Error(`the route ${String(route.method)} ${route.url} has no access; add config.access`);
    const access = withReads(route, declared);
    route.config = { ...route.config, access };
    const before = [route.onRequest ?? []].flat();
    const bodyCame = [route.preHandler ?? []].flat();
    if (access.kind === 'public' && access.credential) {
      route.onRequest = [...before, optionalCredentialHook(verifyToken)];
      route.preHandler = [recheckTokenHook({ kind: 'user' }, verifyToken), ...bodyCame];
    }
    if (!takesToken(access)) return;
    route.onRequest = [...before, authenticateHook(access, verifyToken), ...(admit ? [admit] : []), reserveBody];
    route.preHandler = [recheckTokenHook(access, verifyToken), ...bodyCame];
  });
  return known;
}

function allowOrigins(app: App, origins: readonly string[]): void {
  const shown = { origin: [...origins], methods: [...methods], credentials: true, exposedHeaders, maxAge: 600 };
  app.register(cors, {
    // An OPTIONS request without a requested method is not a preflight. It gets the methods of the path.
    delegator: (request, done) => done(null, { ...shown, preflight: request.headers['access-control-request-method'] !== undefined }),
  });
}

/** Returns the error of a request that does not depend on its route. */
function errorOf(request: FastifyRequest): Problem | undefined {
  // A proxy and this service could use different headers (RFC 9112 §3.2).
  if (headersNamed(request, 'host') > 1)
    return problems.bad_request('The request has more than one Host header. Send one.', { headers: { connection: 'close' } });
  if (request.headers['content-encoding'] !== undefined)
    return problems.unsupported_media_type('Compressed request bodies are not accepted. Send the body without Content-Encoding.');
  if (!acceptable(request))
    return problems.not_acceptable('The Accept header excludes all formats of this operation. Add `application/json` or `*/*`.');
  return undefined;
}

function guardRequests(
  app: App,
  options: ServerOptions,
  { security, reserveBody }: { security: Record<string, string>; reserveBody: Hook },
): void {
  const { baseUrl } = options;
  const limit = rateLimitHook(options.requestsPerMinute);
  const atOnce = limitAddresses(options.connectionsPerAddress ?? 0, options.trustedProxies);
  app.server.on('connection', (socket) => atOnce.connected(socket));
  app.server.prependListener('request', (request, response) => atOnce.followed(request, response));
  async function guard(): Promise<void> {
    app.addHook('onRequest', (request, reply, done) => {
      reply.header('x-request-id', request.id).headers(security);
      watchBody(request, options.bodyTimes ?? bodyTimes, () => answerLate(request.raw.socket, baseUrl));
      const wrong = errorOf(request);
      if (wrong) return done(wrong);
      const { access } = request.routeOptions.config ?? {};
      // If a credential is required, it is verified before memory is reserved for the body.
      const last = access && takesToken(access) ? done : (error?: Error) => (error ? done(error) : reserveBody(request, reply, done));
      return atOnce.requested(request, reply, (error) => (error ? done(error) : limit(request, reply, last)));
    });
  }
  app.register(shared(guard));
}

/**
 * During a stop, responses announce the end of the connection (`Connection: close`). Idle connections are closed after Chancery has read the requests
 * that clients already sent.
 */
function announceStop(app: App): void {
  let stopping = false;
  let closing: NodeJS.Timeout | undefined;
  app.addHook('preClose', (done) => {
    stopping = true;
    setTimeout(() => {
      closing = setInterval(() => app.server.closeIdleConnections(), 50);
      done();
    }, lateReadMs);
  });
  app.addHook('onClose', (_app, done) => {
    clearInterval(closing);
    done();
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    markResponded(reply);
    if (stopping) reply.header('connection', 'close');
    if (request.idempotencyReplayed) reply.header('idempotency-replayed', 'true');
    done(null, payload);
  });
}

function logRequests(app: App): void {
  app.addHook('onResponse', (request, reply, done) => {
    const { method, id: requestId } = request;
    const ms = Math.round(reply.elapsedTime);
    request.log.debug({ method, route: request.routeOptions.url, status: reply.statusCode, ms, requestId }, 'request');
    done();
  });
}

function answerErrors(app: App, routes: readonly KnownRoute[]): void {
  /** Sends an error. A browser gets a page for an unknown URL and for URLs that people open. All other clients get a problem document. */
  function answerProblem(request: FastifyRequest, reply: FastifyReply, problem: Problem): FastifyReply {
    const hasPage = request.is404 || request.routeOptions.config?.opensInBrowser === true;
    if (hasPage) reply.header('vary', 'accept');
    return hasPage && app.problemPage && isBrowser(request)
      ? app.problemPage(request, reply, problem)
      : sendProblem(request, reply, problem, app.baseUrl);
  }
  app.setErrorHandler((error, request, reply) => {
    const problem = app.problemOf(error, request);
    app.recordFailure(request, { error, status: problem.status, message: 'request failed' });
    return answerProblem(request, reply, problem);
  });
  app.setNotFoundHandler((request, reply) => {
    const allowed = allowedMethods(routes, request.url);
    if (request.method !== 'OPTIONS' || allowed.length === 0) return answerProblem(request, reply, unknownRoute(allowed));
    return reply.code(204).header('allow', allowed.join(', ')).send();
  });
}

type Hook = (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) => void;

/** Converts a check that throws into a hook that rejects the request. */
function hookOf(check: (request: FastifyRequest, reply: FastifyReply) => void): Hook {
  return (request, reply, done) => {
    try {
      check(request, reply);
    } catch (error) {
      done(error as Error);
      return;
    }
    done();
  };
}

/** Makes the hooks of a plugin apply to the whole application, after those of earlier plugins. */
function shared<Plugin extends () => Promise<void>>(plugin: Plugin): Plugin {
  return Object.assign(plugin, { [Symbol.for('skip-override')]: true });
}
