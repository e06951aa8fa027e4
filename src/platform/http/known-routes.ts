import { problems } from '../problems.ts';

/** A registered route: its method, the pattern of its path, and whether it sends a file to a caller with a token. */
export type KnownRoute = { method: string; path: RegExp; sendsFile: boolean };

/** Returns whether a route sends a file, and not only JSON or a stream of events. */
export const producesFile = (produces: readonly string[] = []): boolean =>
  produces.some((type) => type !== 'application/json') && !produces.includes('text/event-stream');

/** Returns the pattern of a route, with or without a trailing slash. */
export function pathPattern(url: string): RegExp {
  const source = url
    .replace(/\/$/, '')
    .replaceAll(/[.+?^$()|[\]\\{}]/g, String.raw`\$&`)
    .replaceAll(/:\w+/g, '[^/]+')
    .replaceAll('*', '.*');
  return new RegExp(`^${source}/?$`);
}

/** Returns the methods of a path; none for an unknown path. */
export function allowedMethods(known: readonly Omit<KnownRoute, 'sendsFile'>[], url: string): string[] {
  const [path = '/'] = url.split('?', 1);
  const found = known.filter((route) => route.method !== 'OPTIONS' && route.path.test(path)).map(({ method }) => method);
  return found.length === 0 ? [] : [...new Set([...found, 'OPTIONS'])];
}

/** Returns 405 with `Allow` if the path has other methods, 404 otherwise. */
export function unknownRoute(allowed: readonly string[]) {
  if (allowed.length === 0) return problems.not_found('There is no operation with this URL. See /docs/api for the list of operations.');
  return problems.method_not_allowed(`This URL accepts ${allowed.join(', ')}.`, { headers: { allow: allowed.join(', ') } });
}
