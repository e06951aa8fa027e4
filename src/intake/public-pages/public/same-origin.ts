import type { FastifyRequest } from 'fastify';
import { problems } from '../../../platform/problems.ts';

/**
 * Accepts forms only from pages of the service. It checks `Origin`, or `Sec-Fetch-Site` if `Origin` is `null`, because
 * pages with `no-referrer` send no origin. Throws 403 `cross_origin_refused`.
 */
export function requireSameOrigin(request: FastifyRequest): void {
  const { origin, 'sec-fetch-site': site } = request.headers;
  const own = [new URL(request.server.baseUrl).origin, `${request.protocol}://${request.host}`];
  const known = origin !== undefined && origin !== 'null';
  // `none`: the person started the request, for example with a reload.
  if (known ? own.includes(origin) : site === 'same-origin' || site === 'none') return;
  throw problems.cross_origin_refused('This form was sent from a page of another site. Open the link, and fill in the form there.');
}
