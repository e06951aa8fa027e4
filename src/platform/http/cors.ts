import type { FastifyReply, FastifyRequest } from 'fastify';
import { type App, exposedHeaders } from './server.ts';

/**
 * URLs that pages of other sites may call without credentials, from the exact origins that a resource lists. `sites` loads
 * the list; `known` returns it if it is already loaded.
 */
export type OpenToSites = {
  /** The prefix of the paths. */
  prefix: string;
  methods: readonly string[];
  /** Request headers that pages may send, besides the safelisted ones. */
  headers: readonly string[];
  /** Response headers that pages may read, besides those of all operations. */
  exposed: readonly string[];
  sites(request: FastifyRequest): Promise<readonly string[]>;
  known(request: FastifyRequest): readonly string[] | undefined;
};

const secondsToKeep = 600;

/** Adds CORS headers to responses and errors for the sites that a resource lists. Other origins get no such header. */
export function allowEmbeddingSites(app: App, opened: readonly OpenToSites[]): void {
  if (opened.length === 0) return;
  app.addHook('onSend', async (request, reply) => {
    const open = opened.find(({ prefix }) => request.url.startsWith(prefix));
    if (!open) return;
    reply.header('vary', varyBy(reply));
    const { origin } = request.headers;
    // Origins of CORS_ORIGINS are already allowed for all operations.
    if (origin === undefined || reply.hasHeader('access-control-allow-origin')) return;
    if (!(await sitesOf(open, request, reply)).includes(origin)) return;
    reply
      .header('access-control-allow-origin', origin)
      .header('access-control-expose-headers', [...exposedHeaders, ...open.exposed].join(', '));
    if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined) return;
    reply.headers({
      'access-control-allow-methods': open.methods.join(', '),
      'access-control-allow-headers': open.headers.join(', '),
      'access-control-max-age': String(secondsToKeep),
    });
  });
}

/** Returns the sites of a resource. For a rate-limited request it loads nothing. An error does not prevent the response. */
async function sitesOf(open: OpenToSites, request: FastifyRequest, reply: FastifyReply): Promise<readonly string[]> {
  const known = open.known(request);
  if (known || reply.statusCode === 429) return known ?? [];
  try {
    return await open.sites(request);
  } catch (err) {
    request.log.warn({ err, requestId: request.id }, 'the allowed sites of a resource could not be loaded');
    return [];
  }
}

function varyBy(reply: FastifyReply): string {
  const given = String(reply.getHeader('vary') ?? '');
  return /\borigin\b/i.test(given) ? given : [given, 'Origin'].filter(Boolean).join(', ');
}
