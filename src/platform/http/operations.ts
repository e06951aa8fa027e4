import type { Registry } from 'prom-client';
import { Type } from 'typebox';
import { problems } from '../problems.ts';
import type { App } from './server.ts';

const ok = Type.Object({ status: Type.Literal('ok') });
const open = { access: { kind: 'public' as const }, unlimited: true };

/** Health, readiness and metrics. `ready` rejects, or names what is missing, while requests cannot be served. */
export function operationRoutes(app: App, options: { ready: () => Promise<string | undefined>; metrics: Registry }): void {
  app.get('/healthz', { config: open, schema: { summary: 'The process is up', tags: ['Operation'], response: { 200: ok } } }, () => ({
    status: 'ok' as const,
  }));
  app.get(
    '/readyz',
    { config: open, schema: { summary: 'Requests can be served', tags: ['Operation'], response: { 200: ok } } },
    async () => {
      const missing = await options.ready().catch(() => 'The database does not answer.');
      if (missing !== undefined) throw problems.unavailable(missing, { headers: { 'retry-after': '2' } });
      return { status: 'ok' as const };
    },
  );
  app.get(
    '/metrics',
    { config: open, schema: { hide: true, produces: ['text/plain', 'application/openmetrics-text'] } },
    async (_request, reply) => reply.type(options.metrics.contentType).send(await options.metrics.metrics()),
  );
}
