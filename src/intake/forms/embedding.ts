import type { FastifyRequest } from 'fastify';
import { boundedCache } from '../../platform/bounded-cache.ts';
import type { Database } from '../../platform/database/database.ts';
import type { OpenToSites } from '../../platform/http/cors.ts';
import { Problem } from '../../platform/problems.ts';
import { visit } from './visitor.ts';

const prefix = '/api/v1/interfaces/public/';
/** What a form names is remembered for so long: a page that asks often costs nothing more. */
const keptMs = 10_000;

/**
 * The public operations of a form may be called by pages of the sites that the form names (`publicSettings.embedOrigins`), which carry
 * the session in a header. The API channel is for programs, and the pages of bookings are nobody's but the service's.
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
    // As browsers write it: in small letters, without the port that https has anyway.
    return (definition.publicSettings.embedOrigins ?? []).map((site) => new URL(site).origin);
  } catch (error) {
    if (error instanceof Problem) return [];
    throw error;
  }
}
