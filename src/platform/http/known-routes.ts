import { problems } from '../problems.ts';

/** A registered route: its method and the pattern of its path. */
export type KnownRoute = { method: string; path: RegExp };

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
export function allowedMethods(known: readonly KnownRoute[], url: string): string[] {
  const [path = '/'] = url.split('?', 1);
  const found = known.filter((route) => route.method !== 'OPTIONS' && route.path.test(path)).map(({ method }) => method);
  return found.length === 0 ? [] : [...new Set([...found, 'OPTIONS'])];
}

/** Returns 405 with `Allow` if the path has other methods, 404 otherwise. */
export function unknownRoute(allowed: readonly string[]) {
  if (allowed.length === 0) return problems.not_found('There is no operation with this URL. See /docs for the list of operations.');
  return problems.method_not_allowed(`This URL accepts ${allowed.join(', ')}.`, { headers: { allow: allowed.join(', ') } });
}
