import type { FastifyRequest } from 'fastify';
import { problems } from '../../../platform/problems.ts';

/**
 * A form is taken from the service's own pages alone. Browsers say where one comes from: `Origin`, or, since the pages tell nobody of
 * themselves (`no-referrer`, which makes it `null`), `Sec-Fetch-Site`. Errors: 403 `cross_origin_refused`.
 */
export function requireSameOrigin(request: FastifyRequest): void {
  const { origin, 'sec-fetch-site': site } = request.headers;
  const own = [new URL(request.server.baseUrl).origin, `${request.protocol}://${request.host}`];
  const known = origin !== undefined && origin !== 'null';
  // `none`: the person themself asked for it, as by loading the page anew.
  if (known ? own.includes(origin) : site === 'same-origin' || site === 'none') return;
  throw problems.cross_origin_refused('This was sent from a page of another site. Open the link, and fill in the form there.');
}
