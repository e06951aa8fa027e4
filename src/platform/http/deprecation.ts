import type { RouteOptions } from 'fastify';
import type { App } from './app.ts';

/** An operation that is to go: since when that is known, when it goes at the earliest, and the path of what takes its place. */
export type Deprecated = { since: string; sunset?: string; successor?: string };

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Set for an operation that is to go: its answers and its description say so. */
    deprecated?: Deprecated;
  }
}

const day = 86_400_000;
/** How long an operation goes on at least once it is deprecated, as docs/reference/versioning.md promises. */
const noticeDays = 180;

/** The headers by which answers tell it: `Deprecation` (RFC 9745) and `Sunset` (RFC 8594). */
function headersOf({ since, sunset }: Deprecated): Record<string, string> {
  return {
    deprecation: `@${Date.parse(since) / 1000}`,
    ...(sunset === undefined ? {} : { sunset: new Date(sunset).toUTCString() }),
  };
}

/** What a description says of it, in a sentence or two. */
export function deprecationText({ since, sunset, successor }: Deprecated): string {
  const ends = sunset === undefined ? '' : ` It goes on ${sunset} at the earliest.`;
  return `Deprecated since ${since}.${ends}${successor === undefined ? '' : ` Use \`${successor}\` instead.`}`;
}

/** Throws when a route is deprecated in a way that clients could not follow. */
function check({ url, config }: RouteOptions): void {
  const { since, sunset } = config?.deprecated ?? {};
  if (since === undefined) return;
  const dates = [since, ...(sunset === undefined ? [] : [sunset])];
  if (!dates.every((date) => /^\d{4}-\d\d-\d\d$/.test(date) && !Number.isNaN(Date.parse(date))))
    throw new Error(`${url} is deprecated with a date that is none: write it as 2026-03-01`);
  if (sunset !== undefined && Date.parse(sunset) - Date.parse(since) < noticeDays * day)
    throw new Error(`${url} would go ${noticeDays} days after its deprecation at the earliest`);
}

/** Has each answer of a deprecated operation say so, refusals too, and link to what takes its place. */
export function announceDeprecations(app: App): void {
  app.addHook('onRoute', check);
  app.addHook('onSend', (request, reply, payload, done) => {
    const { deprecated } = request.routeOptions.config;
    if (deprecated) {
      reply.headers(headersOf(deprecated));
      const linked = reply.getHeader('link');
      const { successor } = deprecated;
      if (successor !== undefined)
        reply.header('link', `${linked === undefined ? '' : `${String(linked)}, `}<${app.baseUrl}${successor}>; rel="successor-version"`);
    }
    done(null, payload);
  });
}
