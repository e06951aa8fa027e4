import { randomUUID, randomUUIDv7 } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  type Attributes,
  beginWork,
  endWork,
  inWork,
  parseTraceparent,
  SpanKind,
  type Tracer,
  type WorkContext,
} from '../telemetry/tracing.ts';
import type { App } from './app.ts';
import { onResponseClose } from './on-response-close.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The trace ID of the request (W3C Trace Context): the ID of the caller, if given. */
    traceId: string;
    /** The work of the request, whose log entries have its ID, and whose span has its statements as children. */
    work: WorkContext | null;
  }
}

const sane = /^[\w.-]{1,64}$/;

/** Returns the request ID of the caller if it is well-formed, otherwise a new one. */
export function requestIdOf(raw: IncomingMessage): string {
  const given = raw.headers['x-request-id'];
  return typeof given === 'string' && sane.test(given) ? given : randomUUIDv7();
}

/**
 * Returns the trace ID of the caller, or a new one. It uses UUIDs, which Node.js creates in batches. Reading 16 random bytes would take 5 % of the
 * CPU time of a small read.
 */
export function traceIdOf(raw: IncomingMessage | undefined): string {
  return parseTraceparent(raw?.headers.traceparent)?.traceId ?? randomUUID().replaceAll('-', '');
}

/** Begins the work of each request, with a span if there is a tracer. Its hooks run before all others. */
export function followRequests(app: App, tracer: Tracer | undefined): void {
  app.decorateRequest('traceId', '');
  app.decorateRequest('work', null);
  app.addHook('onRequest', (request, reply, done) => {
    const { method, routeOptions } = request;
    const route = routeOptions.url;
    const traceparent = request.headers.traceparent;
    const work = beginWork(routeOptions.config?.unlimited ? undefined : tracer, {
      name: route === undefined ? method : `${method} ${route}`,
      kind: SpanKind.SERVER,
      // The path has identifiers and tokens.
      attributes: { 'http.request.method': method, ...(route === undefined ? {} : { 'http.route': route }) },
      traceparent: typeof traceparent === 'string' ? traceparent : undefined,
      requestId: request.id,
    });
    request.work = work;
    request.traceId = work.span?.spanContext().traceId ?? traceIdOf(request.raw);
    onResponseClose(reply, () => endWork(work, work.span && resultOf(request, reply)));
    inWork(work, done);
  });
  // Events of the connection run hooks after the body, outside of the work.
  app.addHook('preValidation', (request, _reply, done) => {
    if (request.work) inWork(request.work, done);
    else done();
  });
}

function resultOf({ principal }: FastifyRequest, { raw, statusCode }: FastifyReply): Attributes {
  return {
    ...(principal?.team === undefined ? {} : { 'chancery.team.id': principal.team }),
    ...(raw.headersSent ? { 'http.response.status_code': statusCode } : { 'error.type': 'client_disconnected' }),
    ...(raw.headersSent && statusCode >= 500 ? { 'error.type': String(statusCode) } : {}),
  };
}
