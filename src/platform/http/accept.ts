import type { FastifyRequest } from 'fastify';

/** Returns whether the operation has a format that the Accept header allows (RFC 9110 §12.5.1). */
export function acceptable(request: FastifyRequest): boolean {
  const { accept } = request.headers;
  // For an unknown path 404 is more useful than 406.
  if (accept === undefined || accept.trim() === '' || request.is404) return true;
  // `text/html` comes from a browser, which gets errors as pages.
  const have = ['application/json', 'application/problem+json', 'text/html', ...(request.routeOptions.schema?.produces ?? [])];
  return accept.split(',').some((range) => {
    const [wanted = '', ...parameters] = range.split(';').map((piece) => piece.trim().toLowerCase());
    if (parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))) return false;
    return have.some((type) => covers(wanted, type) || covers(type, wanted));
  });
}

/** Returns whether a browser opens the URL. Only browsers accept `text/html`. */
export const isBrowser = ({ method, headers: { accept = '' } }: FastifyRequest): boolean =>
  (method === 'GET' || method === 'HEAD') && /(?:^|,)\s*text\/html\s*(?:[,;]|$)/i.test(accept);

/** Returns whether a media range such as `text/*` covers a type. */
function covers(range: string, type: string): boolean {
  return range === '*/*' || range === type || (range.endsWith('/*') && type.startsWith(range.slice(0, -1)));
}
