import type { FastifyRequest } from 'fastify';
import type { Registry } from 'prom-client';
import { Type } from 'typebox';
import { equalInConstantTime, tokenHash } from '../crypto/tokens.ts';
import { problems } from '../problems.ts';
import type { App } from './server.ts';

const ok = Type.Object({ status: Type.Literal('ok') }, { title: 'ServiceStatus' });
const readiness = Type.Object(
  {
    status: Type.Enum(['ok', 'degraded'], { description: '`degraded`: the node serves requests, but background work is stopped.' }),
    reason: Type.Optional(Type.String({ description: 'The cause of `degraded` and the next step.' })),
  },
  { title: 'Readiness' },
);
const open = { access: { kind: 'public' as const }, unlimited: true };

/**
 * The state of a node. `unavailable`: it cannot work, for the given reason. `degraded`: it serves requests, but background work
 * is stopped.
 */
export type Readiness = { status: 'ok' } | { status: 'degraded' | 'unavailable'; reason: string };

/**
 * Adds the routes for health, readiness and metrics. Metrics are for this machine or a caller with the token.
 */
export function operationRoutes(
  app: App,
  options: { ready: () => Promise<Readiness>; metrics: Registry; metricsToken: string | undefined },
): void {
  app.get(
    '/healthz',
    {
      config: open,
      schema: { operationId: 'getHealth', summary: 'Check that the process runs', tags: ['Operation'], response: { 200: ok } },
    },
    () => ({
      status: 'ok' as const,
    }),
  );
  app.get(
    '/readyz',
    {
      config: open,
      schema: { operationId: 'getReadiness', summary: 'Check that the node is ready', tags: ['Operation'], response: { 200: readiness } },
    },
    async () => {
      const found = await options.ready();
      if (found.status === 'unavailable') throw problems.unavailable(found.reason, { headers: { 'retry-after': '2' } });
      return found.status === 'ok' ? { status: found.status } : { status: found.status, reason: found.reason };
    },
  );
  app.get(
    '/metrics',
    { config: open, schema: { hide: true, produces: ['text/plain', 'application/openmetrics-text'] } },
    async (request, reply) => {
      if (!mayMeasure(request, options.metricsToken)) throw notForStrangers();
      return reply.type(options.metrics.contentType).send(await options.metrics.metrics());
    },
  );
}

const notForStrangers = () =>
  problems.unauthenticated('Metrics require a request from this machine, or METRICS_TOKEN as `Authorization: Bearer <token>`.', {
    headers: { 'www-authenticate': 'Bearer realm="metrics"' },
  });

const forwarding = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via'];

/** Returns whether a request comes from this machine without a proxy, or has the token. */
function mayMeasure(request: FastifyRequest, token: string | undefined): boolean {
  const given = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1];
  if (token !== undefined && given !== undefined) return equalInConstantTime(tokenHash(given), tokenHash(token));
  const { remoteAddress } = request.socket;
  const local = remoteAddress !== undefined && /^(::1|(::ffff:)?127\.\d+\.\d+\.\d+)$/.test(remoteAddress);
  return local && forwarding.every((name) => request.headers[name] === undefined);
}
