import type { FastifyRequest } from 'fastify';

/** True when the Accept header leaves something that this operation answers with (RFC 9110 §12.5.1). */
export function acceptable(request: FastifyRequest): boolean {
  const { accept } = request.headers;
  // What is not there has no representation to choose from: 404 says more.
  if (accept === undefined || accept.trim() === '' || request.is404) return true;
  // `text/html` comes from a person's browser: problems and pages are readable there.
  const have = ['application/json', 'application/problem+json', 'text/html', ...(request.routeOptions.schema?.produces ?? [])];
  return accept.split(',').some((range) => {
    const [wanted = '', ...parameters] = range.split(';').map((piece) => piece.trim().toLowerCase());
    if (parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))) return false;
    return have.some((type) => covers(wanted, type) || covers(type, wanted));
  });
}

/** True when a browser opens the address: it names `text/html`, which no client of the API asks for. */
export const isBrowser = ({ method, headers: { accept = '' } }: FastifyRequest): boolean =>
  (method === 'GET' || method === 'HEAD') && /(?:^|,)\s*text\/html\s*(?:[,;]|$)/i.test(accept);

/** True when a media range such as `text/*` holds a type. */
function covers(range: string, type: string): boolean {
  return range === '*/*' || range === type || (range.endsWith('/*') && type.startsWith(range.slice(0, -1)));
}
