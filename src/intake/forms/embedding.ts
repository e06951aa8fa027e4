import type { FastifyRequest } from 'fastify';
import { boundedCache } from '../../platform/bounded-cache.ts';
import type { Database } from '../../platform/database/database.ts';
import type { OpenToSites } from '../../platform/http/cors.ts';
import { Problem } from '../../platform/problems.ts';
import { visit } from './visitor.ts';

const prefix = '/api/v1/interfaces/public/';
/** The lifetime of a cached list of sites, in milliseconds. */
const keptMs = 10_000;

/**
 * Allows the sites in `publicSettings.embedOrigins` to call the public operations of a form. They send the session in a header. The
 * API channel and the booking pages do not allow other sites.
 */
export function openToEmbedding(database: Pick<Database, 'publicReader' | 'reader'>): OpenToSites {
  const kept = boundedCache<readonly string[]>(5_000, { ttl: keptMs });
  const tokenOf = ({ url }: FastifyRequest) => /^[\w-]+/.exec(url.slice(prefix.length))?.[0] ?? '';
  return {
    prefix,
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'],
    headers: ['Content-Type', 'Idempotency-Key', 'X-Submission-Session'],
    exposed: ['X-Submission-Session'],
    known: (request) => kept.get(tokenOf(request)),
    async sites(request) {
      const token = tokenOf(request);
      const sites = await namedBy(database, token);
      kept.set(token, sites);
      return sites;
    },
  };
}

async function namedBy(database: Pick<Database, 'publicReader' | 'reader'>, token: string): Promise<readonly string[]> {
  try {
    const { definition } = await visit(database, { channel: 'public', token });
    // Browsers send origins in lower case and without the default port.
    return (definition.publicSettings.embedOrigins ?? []).map((site) => new URL(site).origin);
  } catch (error) {
    if (error instanceof Problem) return [];
    throw error;
  }
}
