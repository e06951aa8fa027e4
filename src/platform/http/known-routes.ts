import { problems } from '../problems.ts';

/** A route that is registered: its method, and what its pattern matches. */
export type KnownRoute = { method: string; path: RegExp };

/** What a route's pattern matches, with or without a slash at the end. */
export function pathPattern(url: string): RegExp {
  const source = url
    .replace(/\/$/, '')
    .replaceAll(/[.+?^$()|[\]\\{}]/g, String.raw`\$&`)
    .replaceAll(/:\w+/g, '[^/]+')
    .replaceAll('*', '.*');
  return new RegExp(`^${source}/?$`);
}

/** The methods that an address takes; none when there is nothing under it. */
export function allowedMethods(known: readonly KnownRoute[], url: string): string[] {
  const [path = '/'] = url.split('?', 1);
  const found = known.filter((route) => route.method !== 'OPTIONS' && route.path.test(path)).map(({ method }) => method);
  return found.length === 0 ? [] : [...new Set([...found, 'OPTIONS'])];
}

/** 405 with `Allow` where another method is taken, 404 where none is. */
export function unknownRoute(allowed: readonly string[]) {
  if (allowed.length === 0) return problems.not_found('There is no operation under this address. The operations are listed at /docs.');
  return problems.method_not_allowed(`This address takes ${allowed.join(', ')}.`, { headers: { allow: allowed.join(', ') } });
}
