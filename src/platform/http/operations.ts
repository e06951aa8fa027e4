import type { FastifyRequest } from 'fastify';
import type { Registry } from 'prom-client';
import { Type } from 'typebox';
import { equalInConstantTime, tokenHash } from '../crypto/tokens.ts';
import { problems } from '../problems.ts';
import type { App } from './server.ts';

const ok = Type.Object({ status: Type.Literal('ok') }, { title: 'ServiceStatus' });
const open = { access: { kind: 'public' as const }, unlimited: true };

/** Health, readiness, and metrics for this machine or who has the token. `ready` rejects, or names what is missing, while requests cannot be served. */
export function operationRoutes(
  app: App,
  options: { ready: () => Promise<string | undefined>; metrics: Registry; metricsToken: string | undefined },
): void {
  app.get(
    '/healthz',
    { config: open, schema: { operationId: 'getHealth', summary: 'The process is up', tags: ['Operation'], response: { 200: ok } } },
    () => ({
      status: 'ok' as const,
    }),
  );
  app.get(
    '/readyz',
    {
      config: open,
      schema: { operationId: 'getReadiness', summary: 'Requests can be served', tags: ['Operation'], response: { 200: ok } },
    },
    async () => {
      const missing = await options.ready().catch(() => 'The database does not answer.');
      if (missing !== undefined) throw problems.unavailable(missing, { headers: { 'retry-after': '2' } });
      return { status: 'ok' as const };
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
  problems.unauthenticated('Metrics are for this machine, or for who sends METRICS_TOKEN as `Authorization: Bearer <token>`.', {
    headers: { 'www-authenticate': 'Bearer realm="metrics"' },
  });

const forwarding = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via'];

/** Whether a request comes from this machine itself, not through a proxy on it, or carries the token. */
function mayMeasure(request: FastifyRequest, token: string | undefined): boolean {
  const given = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1];
  if (token !== undefined && given !== undefined) return equalInConstantTime(tokenHash(given), tokenHash(token));
  const { remoteAddress } = request.socket;
  const local = remoteAddress !== undefined && /^(::1|(::ffff:)?127\.\d+\.\d+\.\d+)$/.test(remoteAddress);
  return local && forwarding.every((name) => request.headers[name] === undefined);
}
