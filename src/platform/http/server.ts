import { randomUUIDv7 } from 'node:crypto';
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import cookie from '@fastify/cookie';
import cors from '@fastify/cors';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import Ajv, { type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifySchemaCompiler,
  type RawServerDefault,
} from 'fastify';
import type { FastifySchemaValidationError, FastifyValidationResult } from 'fastify/types/schema.js';
import type { Logger } from 'pino';
import { problems } from '../problems.ts';
import { limitAddresses } from './address-limits.ts';
import { announceDeprecations } from './deprecation.ts';
import { lowerIdentifiers } from './body-identifiers.ts';
import { type BodyTimes, bodyTimes, watchBody } from './body-time.ts';
import { withReads } from './access.ts';
import { authenticateHook, optionalCredentialHook, stillGoodHook, type VerifyToken } from './authenticate.ts';
import { markOneThing, tagAnswers } from './etag.ts';
import { namesSecret } from './idempotency.ts';
import { parseJsonBody } from './json-body.ts';
import { refuseUnknown } from './known-members.ts';
import { type ErrorMapping, problemDocument, problemFor, sendProblem } from './problem-answers.ts';
import { rateLimitHook } from './rate-limit.ts';
import { requestIdOf, traceIdOf } from './request-context.ts';

/** The service's HTTP application: routes are typed by their TypeBox schemas. */
export type App = FastifyInstance<RawServerDefault, IncomingMessage, ServerResponse, FastifyBaseLogger, TypeBoxTypeProvider>;

declare module 'fastify' {
  interface FastifyInstance {
    /** The public address, without a slash at the end. */
    baseUrl: string;
  }
}

export type ServerOptions = {
  baseUrl: string;
  logger: Logger;
  corsOrigins: readonly string[];
  trustedProxies: readonly string[];
  requestsPerMinute: number;
  verifyToken: VerifyToken;
  /** Whether others have written what the body of an operation holds, so that what it does not know is left out instead of refused. */
  publishedBody?: (method: string, url: string) => boolean;
  /** What holds for who asks, once that is proven. */
  admit?: (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) => void;
  /** Connections, and requests at once, of one address; 0 is no limit. */
  connectionsPerAddress?: number;
  errorMappings: readonly ErrorMapping[];
  /** Within so many milliseconds a request must have arrived whole: the largest upload. */
  requestTimeoutMs: number;
  /** How long bodies may take within that. */
  bodyTimes?: BodyTimes;
  /** Largest body in bytes, where the route does not say otherwise. */
  bodyLimit?: number;
};

/** How long a stop goes on reading from connections that have no request yet. */
const lateReadMs = 250;

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
const exposedHeaders = [
  'ETag',
  'Link',
  'Location',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'Warning',
  'Deprecation',
  'Sunset',
  'X-Request-Id',
  'Idempotency-Replayed',
];

function ajv(coerceTypes: boolean | 'array') {
  // The published package is CommonJS; under Node's loader its class is the `default` member.
  const instance = new Ajv.default({ coerceTypes, useDefaults: true, removeAdditional: false, allErrors: true, strict: false });
  addFormats.default(instance);
  return instance;
}

/**
 * Bodies are taken as they are; what stands in a path or query string is text, and is read as the schema says. Each is
 * compiled when first asked for: a start that compiles all of them takes a sixth of a second longer.
 */
function validators(): FastifySchemaCompiler<object> {
  const body = ajv(false);
  const text = ajv('array');
  return ({ schema, httpPart }) => {
    let compiled: ValidateFunction | undefined;
    const validate: FastifyValidationResult = (data) => {
      compiled ??= (httpPart === 'body' ? body : text).compile(schema);
      const valid = compiled(data);
      validate.errors = compiled.errors as FastifySchemaValidationError[] | null;
      if (valid && httpPart !== 'params') lowerIdentifiers(schema, data);
      return valid;
    };
    return validate;
  };
}

/** A server with everything an operation relies on, not listening yet. */
export function createServer(options: ServerOptions): App {
  const { baseUrl } = options;
  const security: Record<string, string> = {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'cross-origin-resource-policy': 'same-site',
    'cache-control': 'no-store',
    ...(baseUrl.startsWith('https:') ? { 'strict-transport-security': 'max-age=63072000; includeSubDomains' } : {}),
  };
  // Typed as Fastify's own logger, so that the type of the application does not name pino.
  const loggerInstance: FastifyBaseLogger = options.logger;
  const app: App = fastify({
    loggerInstance,
    // One line a request, by the hook below, instead of two.
    logController: new LogController({ disableRequestLogging: true }),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 500 },
    frameworkErrors: answerUnroutable,
    trustProxy: options.trustedProxies.length > 0 ? [...options.trustedProxies] : false,
    bodyLimit: options.bodyLimit ?? 1024 * 1024,
    genReqId: requestIdOf,
    requestTimeout: options.requestTimeoutMs,
    forceCloseConnections: 'idle',
    // What still comes over a kept connection while stopping is answered, and its connection closed.
    return503OnClosing: false,
    clientErrorHandler: (error, socket) => answerBrokenHttp(error, socket, baseUrl),
  }).withTypeProvider<TypeBoxTypeProvider>();

  /** An address that no route can be looked up by never reaches the hooks. */
  function answerUnroutable(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
    const problem =
      error.statusCode === 414
        ? problems.uri_too_long('A part of the address is longer than any identifier. Check the identifier.')
        : problems.bad_request('The address holds a percent sequence that cannot be decoded. Encode the path as UTF-8.');
    request.traceId = traceIdOf(request.raw);
    reply.header('x-request-id', request.id).headers(security);
    void sendProblem(request, reply, problem, baseUrl);
  }

  app.decorate('baseUrl', baseUrl);
  app.decorate('problemOf', (error: unknown, request: FastifyRequest) => problemFor(error, request, options.errorMappings));
  app.decorateRequest('principal', null);
  app.decorateRequest('traceId', '');
  app.decorateRequest('idempotencyReplayed', false);
  app.setValidatorCompiler(validators());
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(['application/json', 'application/merge-patch+json'], { parseAs: 'buffer' }, (_request, bytes, done) => {
    try {
      done(null, parseJsonBody(bytes as Buffer));
    } catch (error) {
      done(error as Error);
    }
  });
  // An operation without a body ignores what was sent with it, whatever its type.
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (request, bytes, done) => {
    const takesBody = request.routeOptions.schema?.body !== undefined && !request.routeOptions.config?.lenientBody;
    done(
      bytes.length > 0 && takesBody ? problems.unsupported_media_type('Send the body as `Content-Type: application/json`.') : null,
      undefined,
    );
  });

  const known: KnownRoute[] = [];
  app.addHook('onRoute', function declareAccess(route) {
    known.push(...[route.method].flat().map((method) => ({ method, path: pathPattern(route.url) })));
    // The preflight of browsers asks on behalf of nobody.
    if (route.method === 'OPTIONS') route.config = { ...route.config, access: { kind: 'public' } };
    // Pages of a plugin (the API reference) are public; the context that holds them says so.
    if (this.hasDecorator('publicPages')) {
      route.config = { ...route.config, access: { kind: 'public' } };
      route.schema = { ...route.schema, produces: ['*/*'] };
    }
    const published = [route.method].flat().some((method) => options.publishedBody?.(method, route.url) === true);
    route.config = { ...route.config, unknownMembers: published ? 'ignored' : 'refused' };
    refuseUnknown(route);
    if (namesSecret(route.schema?.response)) route.config = { ...route.config, showsSecret: true };
    markOneThing(route);
    const declared = route.config?.access;
    if (!declared) throw new Error(`the route ${String(route.method)} ${route.url} declares no access: add config.access`);
    const access = withReads(route, declared);
    route.config = { ...route.config, access };
    const before = [route.onRequest ?? []].flat();
    const bodyCame = [route.preHandler ?? []].flat();
    const { verifyToken } = options;
    if (access.kind === 'public' && access.credential) {
      route.onRequest = [...before, optionalCredentialHook(verifyToken)];
      route.preHandler = [stillGoodHook({ kind: 'user' }, verifyToken), ...bodyCame];
    }
    if (access.kind !== 'user' && access.kind !== 'staff') return;
    route.onRequest = [...before, authenticateHook(access, verifyToken), ...(options.admit ? [options.admit] : [])];
    route.preHandler = [stillGoodHook(access, verifyToken), ...bodyCame];
  });

  app.register(cookie);
  // Before everything that may refuse: a page can read a refusal only when it carries these headers.
  if (options.corsOrigins.length > 0) {
    const shown = { origin: [...options.corsOrigins], methods: [...methods], credentials: true, exposedHeaders, maxAge: 600 };
    app.register(cors, {
      // An OPTIONS that asks on behalf of no method is no preflight: it is told what the address takes.
      delegator: (request, done) => done(null, { ...shown, preflight: request.headers['access-control-request-method'] !== undefined }),
    });
  }
  app.register(shared(guard));

  const limit = rateLimitHook(options.requestsPerMinute);
  const atOnce = limitAddresses(options.connectionsPerAddress ?? 0, options.trustedProxies);
  app.server.on('connection', (socket) => atOnce.connected(socket));
  async function guard(): Promise<void> {
    app.addHook('onRequest', (request, reply, done) => {
      request.traceId = traceIdOf(request.raw);
      reply.header('x-request-id', request.id).headers(security);
      watchBody(request, options.bodyTimes ?? bodyTimes, () => answerLate(request.raw.socket, baseUrl));
      if (request.headers['content-encoding'] !== undefined) {
        done(problems.unsupported_media_type('Compressed bodies are not taken. Send the body without Content-Encoding.'));
        return;
      }
      if (!acceptable(request)) {
        done(problems.not_acceptable('The Accept header excludes what this operation answers with. Add `application/json` or `*/*`.'));
        return;
      }
      atOnce.requested(request, reply, (error) => (error ? done(error) : limit(request, reply, done)));
    });
  }
  // While stopping, answers say that the connection ends; what is kept open without a request is closed meanwhile, but
  // not before what clients have sent already was read: it is in flight.
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
    if (stopping) reply.header('connection', 'close');
    if (request.idempotencyReplayed) reply.header('idempotency-replayed', 'true');
    done(null, payload);
  });
  tagAnswers(app);
  announceDeprecations(app);
  app.addHook('onResponse', (request, reply, done) => {
    request.log.debug(
      {
        method: request.method,
        route: request.routeOptions.url,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
        requestId: request.id,
      },
      'request',
    );
    done();
  });

  app.setErrorHandler((error, request, reply) => {
    const problem = app.problemOf(error, request);
    if (problem.status >= 500)
      request.log.error({ err: error, requestId: request.id, traceId: request.traceId, route: request.routeOptions.url }, 'request failed');
    return sendProblem(request, reply, problem, baseUrl);
  });
  app.setNotFoundHandler((request, reply) => {
    const allowed = allowedMethods(known, request.url);
    if (request.method !== 'OPTIONS' || allowed.length === 0) return sendProblem(request, reply, unknownRoute(allowed), baseUrl);
    return reply.code(204).header('allow', allowed.join(', ')).send();
  });
  return app;
}

/** A plugin whose hooks hold for the whole application, and come after those of the plugins before it. */
function shared<Plugin extends () => Promise<void>>(plugin: Plugin): Plugin {
  return Object.assign(plugin, { [Symbol.for('skip-override')]: true });
}

type KnownRoute = { method: string; path: RegExp };

/** What a route's pattern matches, with or without a slash at the end. */
function pathPattern(url: string): RegExp {
  const source = url
    .replace(/\/$/, '')
    .replaceAll(/[.+?^$()|[\]\\{}]/g, String.raw`\$&`)
    .replaceAll(/:\w+/g, '[^/]+')
    .replaceAll('*', '.*');
  return new RegExp(`^${source}/?$`);
}

/** The methods that an address takes; none when there is nothing under it. */
function allowedMethods(known: readonly KnownRoute[], url: string): string[] {
  const [path = '/'] = url.split('?', 1);
  const found = known.filter((route) => route.method !== 'OPTIONS' && route.path.test(path)).map(({ method }) => method);
  return found.length === 0 ? [] : [...new Set([...found, 'OPTIONS'])];
}

/** 405 with `Allow` where another method is taken, 404 where none is. */
function unknownRoute(allowed: readonly string[]) {
  if (allowed.length === 0) return problems.not_found('There is no operation under this address. The operations are listed at /docs.');
  return problems.method_not_allowed(`This address takes ${allowed.join(', ')}.`, { headers: { allow: allowed.join(', ') } });
}

/** True when the Accept header leaves something that this operation answers with (RFC 9110 §12.5.1). */
function acceptable(request: FastifyRequest): boolean {
  const { accept } = request.headers;
  // What is not there has no representation to choose from: 404 says more.
  if (accept === undefined || accept.trim() === '' || request.is404) return true;
  // `text/html` comes from a person's browser: problems and pages are readable there.
  const have = ['application/json', 'application/problem+json', 'text/html', ...(request.routeOptions.schema?.produces ?? [])];
  return accept.split(',').some((range) => {
    const [wanted = '', ...parameters] = range.split(';').map((piece) => piece.trim().toLowerCase());
    if (parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))) return false;
    return have.some((type) => covers(wanted, type) || covers(type, wanted));
  });
}

/** True when a media range such as `text/*` holds a type. */
function covers(range: string, type: string): boolean {
  return range === '*/*' || range === type || (range.endsWith('/*') && type.startsWith(range.slice(0, -1)));
}

/** How long a connection stays open for its answer to be read, while what still comes is not. */
const lateAnswerMs = 2_000;

/** Says that a request did not arrive in time, and ends its connection. */
function answerLate(socket: Socket, baseUrl: string): void {
  answerBrokenHttp(Object.assign(new Error('the body came too slowly'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket, baseUrl);
  setTimeout(() => socket.destroy(), lateAnswerMs).unref();
}

/** What is not HTTP at all never reaches a route; it still gets an answer that says so. */
function answerBrokenHttp(error: NodeJS.ErrnoException, socket: Socket, baseUrl: string): void {
  if (!socket.writable || socket.destroyed) return;
  const problem = brokenHttp(error.code);
  const context = { baseUrl, instance: '/', requestId: randomUUIDv7(), traceId: traceIdOf(undefined) };
  const body = JSON.stringify(problemDocument(problem, context));
  socket.end(
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}\r\ncontent-type: application/problem+json; charset=utf-8\r\nx-request-id: ${context.requestId}\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}

function brokenHttp(code: string | undefined) {
  if (code === 'HPE_HEADER_OVERFLOW')
    return problems.headers_too_large('The headers are larger than 16 KiB together. Send fewer and shorter ones.');
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return problems.request_timeout('The request did not arrive whole in time. Send it again.');
  return problems.bad_request('What was sent is not valid HTTP/1.1. Check the client or proxy that wrote it.');
}
