import type { RouteOptions } from 'fastify';
import type { App } from './app.ts';

/** A deprecated operation: the date of the announcement, the earliest date of its removal, and the path of its replacement. */
export type Deprecated = { since: string; sunset?: string; successor?: string };

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Set for a deprecated operation. Its responses and its description state the deprecation. */
    deprecated?: Deprecated;
  }
}

const day = 86_400_000;
/** Minimum number of days between deprecation and removal, as docs/reference/versioning.md promises. */
const noticeDays = 180;

/** Returns the response headers: `Deprecation` (RFC 9745) and `Sunset` (RFC 8594). */
function headersOf({ since, sunset }: Deprecated): Record<string, string> {
  return {
    deprecation: `@${Date.parse(since) / 1000}`,
    ...(sunset === undefined ? {} : { sunset: new Date(sunset).toUTCString() }),
  };
}

/** Returns the deprecation notice for the API description. */
export function deprecationText({ since, sunset, successor }: Deprecated): string {
  const ends = sunset === undefined ? '' : ` It stays available until ${sunset} at least.`;
  return `Deprecated since ${since}.${ends}${successor === undefined ? '' : ` Use \`${successor}\` instead.`}`;
}

/** Throws if the deprecation of a route has an invalid date or too short a notice. */
function check({ url, config }: RouteOptions): void {
  const { since, sunset } = config?.deprecated ?? {};
  if (since === undefined) return;
  const dates = [since, ...(sunset === undefined ? [] : [sunset])];
  if (!dates.every((date) => /^\d{4}-\d\d-\d\d$/.test(date) && !Number.isNaN(Date.parse(date))))
    throw new Error(`the deprecation of ${url} has an invalid date; write it as 2026-03-01`);
  if (sunset !== undefined && Date.parse(sunset) - Date.parse(since) < noticeDays * day)
    throw new Error(`${url} can be removed ${noticeDays} days after its deprecation at the earliest`);
}

/** Adds the deprecation headers and a link to the replacement to all responses of deprecated operations, including errors. */
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
