import type { FastifyReply, FastifyRequest } from 'fastify';
import { type App, exposedHeaders } from './server.ts';

/**
 * Addresses that pages of other sites may call, by a list of each thing's own: without credentials, and by the exact origin. `sites` reads
 * the list; `known` gives it where that needs no work.
 */
export type OpenToSites = {
  /** What their paths begin with. */
  prefix: string;
  methods: readonly string[];
  /** Headers that requests may carry, beside those that every page may send. */
  headers: readonly string[];
  /** Headers that pages may read, beside those of every operation. */
  exposed: readonly string[];
  sites(request: FastifyRequest): Promise<readonly string[]>;
  known(request: FastifyRequest): readonly string[] | undefined;
};

const secondsToKeep = 600;

/** Lets pages of the sites that a thing names read what its addresses answer, refusals too. Every other origin is given no such header. */
export function letSitesIn(app: App, opened: readonly OpenToSites[]): void {
  if (opened.length === 0) return;
  app.addHook('onSend', async (request, reply) => {
    const open = opened.find(({ prefix }) => request.url.startsWith(prefix));
    if (!open) return;
    reply.header('vary', varyBy(reply));
    const { origin } = request.headers;
    // Sites that the operator lists are let in already, for all operations.
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

/** A request that was one too many has nothing read for it, and a fault keeps no answer from being sent. */
async function sitesOf(open: OpenToSites, request: FastifyRequest, reply: FastifyReply): Promise<readonly string[]> {
  const known = open.known(request);
  if (known || reply.statusCode === 429) return known ?? [];
  try {
    return await open.sites(request);
  } catch (err) {
    request.log.warn({ err, requestId: request.id }, 'the sites that may read an answer could not be looked up');
    return [];
  }
}

function varyBy(reply: FastifyReply): string {
  const given = String(reply.getHeader('vary') ?? '');
  return /\borigin\b/i.test(given) ? given : [given, 'Origin'].filter(Boolean).join(', ');
}
